// SPDX-License-Identifier: Apache-2.0
// Engines that answer each call rightly the first time.
#include "repetition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <map>
#include <random>
#include <ranges>
#include <set>
#include <thread>
#include <utility>

#include "scatterproof/runner/fuzz/driver.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "shipped.hpp"
#include "sibling.hpp"
#include "wrong_when.hpp"

namespace scatterproof::runner::fuzz {
namespace {

void crash_for_no_call(spec::Outcome& outcome) {
  outcome.what = spec::Crashed{6, 0, "", {}, "in a batch", true};
}

std::map<spec::DiagnosisKind, std::uint64_t> failures_of(const Campaign& campaign, const Engines& engines) {
  const Engines* job = &engines;
  std::map<spec::DiagnosisKind, std::uint64_t> found;
  for (const auto& [kind, tally] : fuzz(campaign, {&job, 1}).kinds)
    if (tally.first) found[kind.diagnosis.kind] += tally.count;
  return found;
}

std::map<spec::DiagnosisKind, std::uint64_t> failures_of(std::unique_ptr<engines::Engine> engine,
                                                         std::uint64_t calls, const std::string& api) {
  Campaign campaign;
  campaign.apis = {shipped_specs().find(api)};
  campaign.calls = calls;
  campaign.seed = 5;
  Engines engines;
  engines.push_back(std::move(engine));
  return failures_of(campaign, engines);
}

std::map<spec::DiagnosisKind, std::uint64_t> failures(std::function<bool(const engines::CallRequest&)> wrong,
                                                      std::uint64_t calls,
                                                      const std::string& api = "torch.Tensor.scatter_add_",
                                                      Spoil how = spoil) {
  return failures_of(std::make_unique<WrongWhen>(std::move(wrong), how), calls, api);
}

using Only = std::map<spec::DiagnosisKind, std::uint64_t>;

TEST(Repetition, LargeCallsAreExecutedWithManyNumbersOfThreads) {
  std::map<const spec::Call*, std::size_t> times;
  std::set<int> threads;
  failures(
      [&](const engines::CallRequest& request) {
        if (request.threads > 0) ++times[request.call], threads.insert(request.threads);
        return false;
      },
      3000);
  ASSERT_FALSE(times.empty());
  EXPECT_GE(std::ranges::max(times | std::views::values), 20u);
  EXPECT_TRUE(threads.contains(1));
  EXPECT_TRUE(threads.contains(2));
  EXPECT_GT(*threads.rbegin(), static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(Repetition, WhatShowsNowAndThenIsFound) {
  std::uint64_t executions = 0;
  const auto found = failures(
      [&](const engines::CallRequest& request) { return request.threads > 1 && ++executions % 50 == 0; },
      3000);
  // A race, where the same call with one thread was then right.
  std::uint64_t all = 0;
  for (const auto& [kind, count] : found) {
    EXPECT_TRUE(kind == spec::DiagnosisKind::race || kind == spec::DiagnosisKind::differs_when_repeated);
    all += count;
  }
  EXPECT_GT(all, 3u);
  EXPECT_TRUE(found.contains(spec::DiagnosisKind::race));
}

/// A static counter of calls knows nothing of threads, wherever its wrong calls fall.
TEST(Repetition, WhatCountsCallsIsNoRace) {
  for (const std::uint64_t period : {7, 8, 31}) {
    std::uint64_t calls = 0;
    const auto found = failures([&](const engines::CallRequest&) { return ++calls % period == 0; }, 300);
    ASSERT_EQ(found.size(), 1u) << period;
    EXPECT_GT(found.at(spec::DiagnosisKind::differs_when_repeated), 10u);
  }
}

TEST(Repetition, WhatIsAlwaysWrongKeepsItsCause) {
  const auto found = failures([&](const engines::CallRequest&) { return true; }, 300);
  EXPECT_FALSE(found.empty());
  EXPECT_FALSE(found.contains(spec::DiagnosisKind::race));
  EXPECT_FALSE(found.contains(spec::DiagnosisKind::differs_when_repeated));
}

TEST(Repetition, ACrashOfNoCallAloneStaysOne) {
  std::uint64_t executions = 0;
  const auto found = failures(
      [&](const engines::CallRequest& request) { return request.threads > 1 && ++executions % 50 == 0; },
      3000, "torch.Tensor.scatter_add_", crash_for_no_call);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found.at(spec::DiagnosisKind::crash_of_none), 3u);
}

/// The reference, whose other processes get their first call wrong.
class WrongWhenCold : public WrongWhen {
 public:
  WrongWhenCold() : WrongWhen([](const auto&) { return false; }, spoil) {}
  std::unique_ptr<engines::Engine> twin(std::uint8_t) const override {
    return std::make_unique<WrongWhen>(
        [first = true](const engines::CallRequest&) mutable { return std::exchange(first, false); }, spoil);
  }
};

TEST(Repetition, ACallIsAskedAgainAsTheFirstOfAProcess) {
  const auto found = failures_of(std::make_unique<WrongWhenCold>(), 20000, "torch.gather");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found.at(spec::DiagnosisKind::differs_when_repeated), 0u);
}

/// The reference in a process that aborts when it ends, once it has had a call of three dimensions.
class DiesAtItsEnd : public WrongWhen {
 public:
  DiesAtItsEnd()
      : WrongWhen(
            [this](const engines::CallRequest& request) {
              damaged_ |= most_dimensions(*request.call) == 3;
              return false;
            },
            spoil) {}
  std::unique_ptr<engines::Engine> twin(std::uint8_t) const override {
    return std::make_unique<DiesAtItsEnd>();
  }
  std::optional<spec::Crashed> bad_end() const override {
    if (!damaged_) return {};
    return spec::Crashed{SIGABRT, 0, "", {}, {}, false};
  }

 private:
  bool damaged_ = false;
};

TEST(Repetition, ACallIsAskedAgainAsTheLastOfAProcess) {
  const auto found = failures_of(std::make_unique<DiesAtItsEnd>(), 20000, "torch.gather");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found.at(spec::DiagnosisKind::differs_when_repeated), 0u);
}

/// What a cache would compare that forgets the shapes.
std::vector<std::int64_t> numbers_of_elements(const spec::Call& call) {
  std::vector<std::int64_t> key;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
      key.insert(key.end(), {static_cast<std::int64_t>(tensor->rank()), tensor->numel()});
  return key;
}

TEST(Repetition, ACallIsAskedAgainAfterOneThatIsEasilyMistakenForIt) {
  spec::Call last;
  const auto found = failures(
      [&](const engines::CallRequest& request) {
        const bool mistaken = !last.api.empty() &&
                              numbers_of_elements(last) == numbers_of_elements(*request.call) &&
                              std::get<spec::Tensor>(*last.find("index")).shape() !=
                                  std::get<spec::Tensor>(*request.call->find("index")).shape();
        last = *request.call;
        return mistaken;
      },
      3000);
  EXPECT_GT(found.contains(spec::DiagnosisKind::differs_when_repeated), 0u);
}

/// A cache that knows the shapes and forgets the axis.
TEST(Repetition, ACallIsAskedAgainAfterOneOfTheSameTensorsWithAnotherAxis) {
  std::string shapes;
  double axis = 0;
  const auto found = failures(
      [&](const engines::CallRequest& request) {
        std::string now;
        for (const auto& [name, argument] : request.call->arguments)
          if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
            now += fmt::format("{};", fmt::join(tensor->shape(), ","));
        const double own = std::get<spec::Scalar>(*request.call->find("dim")).real();
        const bool confused = std::exchange(shapes, now) == now && std::exchange(axis, own) != own;
        axis = own;
        return confused && request.threads > 0;
      },
      3000, "torch.gather");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found.at(spec::DiagnosisKind::differs_when_repeated), 3u);
}

TEST(Repetition, ACallIsAskedAgainAfterOneThatWasRefused) {
  bool after_refusal = false;
  const auto found = failures(
      [&](const engines::CallRequest& request) {
        return std::exchange(after_refusal, breaks_a_rule(*request.call)) && request.threads > 0;
      },
      3000, "onnx.GatherElements");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found.at(spec::DiagnosisKind::differs_when_repeated), 3u);
}

TEST(Repetition, ACallIsAskedAgainAfterOneOfAnotherApi) {
  std::string before = "torch.gather";
  Engines engines;
  engines.push_back(std::make_unique<WrongWhen>(
      [&](const engines::CallRequest& request) {
        return std::exchange(before, request.call->api) != request.call->api && request.threads > 0;
      },
      spoil));
  Campaign campaign;
  campaign.apis = {shipped_specs().find("torch.gather"), shipped_specs().find("onnx.Gather")};
  campaign.calls = 6000;
  EXPECT_EQ(failures_of(campaign, engines).size(), 1u);
}

TEST(Repetition, ASiblingHasOtherShapesAndObeysTheRules) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  Generator generator(op, 3);
  std::size_t some = 0;
  for (std::uint64_t number = 0; number < 500; ++number) {
    const auto made = generator.make(number);
    if (!made || made->broken) continue;
    const auto sibling = sibling_of(op, made->call, {});
    if (!sibling) continue;
    ++some;
    EXPECT_EQ(numbers_of_elements(*sibling), numbers_of_elements(made->call));
    EXPECT_EQ(std::ranges::count(spec::rule_kinds(op, *sibling), spec::RuleState::Kind::broken), 0);
  }
  EXPECT_GT(some, 30u);
}

/// Wrong now and then, where the call breaks a rule.
std::function<bool(const engines::CallRequest&)> fickle_where_open() {
  return [random = std::minstd_rand(1)](const engines::CallRequest& request) mutable {
    return breaks_a_rule(*request.call) && random() % 3 == 0;
  };
}

TEST(Repetition, AnOpenCallIsAnsweredInOneWay) {
  const auto found = failures(fickle_where_open(), 20000, "onnx.Gather");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found.contains(spec::DiagnosisKind::unrepeatable));
}

TEST(Repetition, AnOpenCallInWhichValuesMeetMayVary) {
  EXPECT_EQ(failures(fickle_where_open(), 20000), Only{});
}

TEST(Repetition, NothingIsFoundInARightEngine) {
  EXPECT_EQ(failures([](const engines::CallRequest&) { return false; }, 3000), Only{});
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
