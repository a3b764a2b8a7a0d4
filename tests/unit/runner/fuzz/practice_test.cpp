// SPDX-License-Identifier: Apache-2.0
// What an engine does with calls that break a rule is recognised; an engine that repairs some calls of a
// class and refuses others is reported.
#include "practice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::Call;
using spec::DType;
using spec::Scalar;
using spec::Tensor;

Tensor tensor(DType dtype, spec::Shape shape, const std::vector<std::int64_t>& values) {
  std::vector<Scalar> scalars;
  for (const std::int64_t value : values) scalars.push_back(Scalar::of_int(value));
  return Tensor(dtype, std::move(shape), scalars);
}

Call gather(Tensor input, std::int64_t dim, Tensor index) {
  return {
      .api = "torch.gather",
      .arguments = {{"input", std::move(input)}, {"dim", Scalar::of_int(dim)}, {"index", std::move(index)}}};
}

Call scatter(Tensor self, Tensor index, Tensor src) {
  return {.api = "torch.Tensor.scatter_",
          .arguments = {{"self", std::move(self)},
                        {"dim", Scalar::of_int(0)},
                        {"index", std::move(index)},
                        {"src", std::move(src)},
                        {"reduce", std::string("none")}}};
}

/// What an engine did that answers `asked` with `outcome`.
std::string practice(const Call& asked, const spec::Outcome& outcome) {
  const spec::OpSpec& op = *shipped_specs().find(asked.api);
  const engines::EngineInfo engine = engines::make_reference(shipped_specs())->info();
  const auto trial = judge_call(op, asked, engine, outcome);
  EXPECT_TRUE(trial);
  return to_string(practice_of(*trial));
}

/// The same, of one that answers with the result of another call.
std::string practice(const Call& asked, const Call& instead) {
  const spec::Outcome outcome = engines::make_reference(shipped_specs())->run_one({&instead});
  EXPECT_TRUE(std::holds_alternative<spec::Produced>(outcome.what)) << to_string(outcome);
  return practice(asked, outcome);
}

TEST(PracticeOf, NamesTheRepairOfAnIndex) {
  const Tensor input = tensor(DType::f32, {4}, {10, 20, 30, 40});
  const auto at = [&](std::int64_t place) { return gather(input, 0, tensor(DType::i64, {1}, {place})); };
  EXPECT_EQ(practice(at(-1), at(3)), "index_repair/wrapped_once/index[4]");
  EXPECT_EQ(practice(at(6), at(3)), "index_repair/clamped/index[3]");
  EXPECT_EQ(practice(at(6), at(2)), "index_repair/modulo/index[4]");
  EXPECT_EQ(practice(at(6), at(1)), "produced");
  EXPECT_EQ(practice(at(1), at(1)), "") << "a call that obeys every rule";
}

spec::Outcome produced(Tensor result) { return {spec::Produced{{std::move(result)}, {}}, 0}; }

TEST(PracticeOf, CountsAnIndexWithinAllElements) {
  const auto read = [](std::int64_t place, std::int64_t value) {
    const Call take{.api = "torch.take",
                    .arguments = {{"input", tensor(DType::f32, {2, 3}, {10, 20, 30, 40, 50, 60})},
                                  {"index", tensor(DType::i64, {1}, {place})}}};
    return practice(take, produced(tensor(DType::f32, {1}, {value})));
  };
  EXPECT_EQ(read(-1, 60), "index_repair/wrapped_once/index[6]");
  EXPECT_EQ(read(9, 60), "index_repair/clamped/index[5]");
  EXPECT_EQ(read(8, 30), "index_repair/modulo/index[6]");
}

TEST(PracticeOf, NamesUpdatesThatAreDropped) {
  const Tensor self = tensor(DType::f32, {4}, {1, 2, 3, 4});
  const auto left = [&](const std::vector<std::int64_t>& places, const std::vector<std::int64_t>& values) {
    const Call asked = scatter(self, tensor(DType::i64, {2}, places), tensor(DType::f32, {2}, {50, 60}));
    return practice(asked, produced(tensor(DType::f32, {4}, values)));
  };
  EXPECT_EQ(left({0, 9}, {50, 2, 3, 4}), "index_repair/dropped/index");
  EXPECT_EQ(left({-1, -9}, {1, 2, 3, 4}), "index_repair/dropped/index") << "both";
  EXPECT_EQ(left({-1, 1}, {1, 60, 3, 4}), "index_repair/dropped/index");
  EXPECT_EQ(left({-1, 1}, {1, 60, 3, 50}), "index_repair/wrapped_once/index[4]");
  EXPECT_EQ(left({0, 9}, {50, 2, 3, 60}), "index_repair/clamped/index[3]");
  EXPECT_EQ(left({0, 9}, {1, 2, 3, 4}), "produced") << "the good one is lost as well";
  EXPECT_EQ(left({0, 9}, {50, 2, 60, 4}), "produced");
}

TEST(PracticeOf, NamesCellsThatAreFilled) {
  const Tensor input = tensor(DType::f32, {4}, {10, 20, 30, 40});
  const auto read = [&](const std::vector<std::int64_t>& places, const std::vector<Scalar>& values) {
    const auto count = static_cast<std::int64_t>(places.size());
    return practice(gather(input, 0, tensor(DType::i64, {count}, places)),
                    produced(Tensor(DType::f32, {count}, values)));
  };
  const Scalar first = Scalar::of_real(10), zero = Scalar::of_real(0), odd = Scalar::of_real(77);
  const Scalar nan = Scalar::of_real(std::nan(""));
  EXPECT_EQ(read({0, 9}, {first, zero}), "index_repair/filled/index");
  EXPECT_EQ(read({0, 9}, {first, nan}), "index_repair/filled/index");
  EXPECT_EQ(read({9}, {zero}), "index_repair/filled/index") << "no index is good";
  EXPECT_EQ(read({0, 9}, {first, odd}), "produced") << "one odd value may stand there by chance";
  EXPECT_EQ(read({0, 9, -9}, {first, odd, odd}), "index_repair/filled/index");
  EXPECT_EQ(read({0, 9, -9}, {first, odd, zero}), "produced") << "two values";
  EXPECT_EQ(read({0, 9}, {zero, zero}), "produced") << "a good one is wrong";
}

TEST(PracticeOf, ClaimsNoneOfSeveralRepairs) {
  const Call into_one =
      scatter(tensor(DType::f32, {1}, {1}), tensor(DType::i64, {1}, {5}), tensor(DType::f32, {1}, {50}));
  EXPECT_EQ(practice(into_one, produced(tensor(DType::f32, {1}, {50}))), "index_repair/ambiguous/index")
      << "clamped or modulo";
  EXPECT_EQ(practice(into_one, produced(tensor(DType::f32, {1}, {1}))), "index_repair/dropped/index");
  const Call at_zero = gather(tensor(DType::f32, {4}, {10, 20, 30, 0}), 0, tensor(DType::i64, {2}, {0, 9}));
  EXPECT_EQ(practice(at_zero, produced(tensor(DType::f32, {2}, {10, 0}))), "index_repair/ambiguous/index")
      << "clamped or filled";
  const Call equal =
      scatter(tensor(DType::f32, {2}, {7, 50}), tensor(DType::i64, {1}, {2}), tensor(DType::f32, {1}, {50}));
  EXPECT_EQ(practice(equal, produced(tensor(DType::f32, {2}, {7, 50}))), "index_repair/ambiguous/index")
      << "clamped or dropped";
}

TEST(PracticeOf, NamesTheRepairOfAnotherArgument) {
  const Tensor input = tensor(DType::f32, {2, 2}, {1, 2, 3, 4});
  const Tensor index = tensor(DType::i64, {1, 2}, {1, 0});
  EXPECT_EQ(practice(gather(input, 3, index), gather(input, 1, index)), "argument_repair/modulo/dim[2]");
  EXPECT_EQ(practice(gather(input, 1, tensor(DType::f32, {1, 2}, {1, 0})), gather(input, 1, index)),
            "argument_repair/cast/index");

  const Tensor self = tensor(DType::f32, {2, 2}, {0, 0, 0, 0});
  const Tensor all = tensor(DType::i64, {2, 2}, {0, 1, 1, 0});
  EXPECT_EQ(practice(scatter(self, all, tensor(DType::f32, {1, 2}, {5, 6})),
                     scatter(self, all, tensor(DType::f32, {2, 2}, {5, 6, 5, 6}))),
            "argument_repair/broadcast/src");
  EXPECT_EQ(
      practice(scatter(self, tensor(DType::i64, {2, 2}, {0, 1, 1, 1}), tensor(DType::f32, {1, 2}, {5, 6})),
               scatter(self, tensor(DType::i64, {1, 2}, {0, 1}), tensor(DType::f32, {1, 2}, {5, 6}))),
      "argument_repair/cut/index");
}

TEST(PracticeOf, NamesRefusalsAndCrashes) {
  const Call asked = gather(tensor(DType::f32, {1}, {1}), 0, tensor(DType::i64, {1}, {1}));
  EXPECT_EQ(practice(asked, spec::Outcome{spec::Refused{{"IndexError", "LookupError"}, "no"}, 0}),
            "refused/IndexError");
  EXPECT_EQ(practice(asked, spec::Outcome{spec::Refused{{"IndexError"}, "no", {"input", "index"}}, 0}),
            "refused_after_writing/input+index");
  EXPECT_EQ(practice(asked, spec::Outcome{spec::Crashed{.signal = 11, .stderr_tail = {}}, 0}),
            "crash/signal/SIGSEGV");
  EXPECT_EQ(practice(asked, spec::Outcome{spec::TimedOut{}, 0}), "timeout");
  EXPECT_EQ(practice(asked, spec::Outcome{spec::Unsupported{"no"}, 0}), "");
}

/// The reference, but where it refuses an index it may clamp it instead.
class Clamps : public engines::Engine {
 public:
  enum class When { never, always, in_large_data };
  explicit Clamps(When when) : when_(when), reference_(engines::make_reference(shipped_specs())) {
    info_ = reference_->info();
    info_.name = "clamps";
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const Call& call) const override { return reference_->supports(call); }

 private:
  std::vector<spec::Outcome> do_run(std::span<const engines::CallRequest> requests) override {
    std::vector<spec::Outcome> outcomes;
    for (const engines::CallRequest& request : requests) {
      Call call = *request.call;
      const auto& data = std::get<Tensor>(call.arguments.front().second);
      if (data.rank() > 0 && data.shape()[0] > 0 &&
          (when_ == When::always || (when_ == When::in_large_data && data.numel() > 8)))
        for (auto& [name, value] : call.arguments)
          if (auto* index = std::get_if<Tensor>(&value);
              index && name == "index" && spec::is_integer(index->dtype()))
            *index = clamped(*index, data.shape()[0]);
      outcomes.push_back(reference_->run_one({&call}));
    }
    return outcomes;
  }
  static Tensor clamped(const Tensor& index, std::int64_t size) {
    std::vector<Scalar> values = index.values();
    for (Scalar& value : values)
      value = Scalar::of_int(std::clamp<std::int64_t>(value.integer(), -size, size - 1));
    return Tensor(index.dtype(), index.shape(), values);
  }

  When when_;
  std::unique_ptr<engines::Engine> reference_;
  engines::EngineInfo info_;
};

/// The explanations of mixed practice.
std::vector<std::string> mixed(Clamps::When when, std::size_t jobs = 1) {
  Campaign campaign;
  campaign.apis = {shipped_specs().find("paddle.scatter")};
  campaign.calls = 20000;
  std::vector<Engines> sets(jobs);
  std::vector<const Engines*> all;
  for (Engines& engines : sets) {
    engines.push_back(std::make_unique<Clamps>(when));
    all.push_back(&engines);
  }
  std::vector<std::string> found;
  const FuzzResult fuzzed = fuzz(campaign, all);
  for (const auto& [kind, tally] : fuzzed.kinds)
    if (kind.diagnosis.kind == spec::DiagnosisKind::mixed_practice) {
      EXPECT_EQ(to_string(kind.diagnosis), "mixed_practice/index");
      found.push_back(tally.first->judgement.explanation);
    }
  return found;
}

/// An engine that clamps an index of rows with `taken` elements and refuses one of rows with `refused`
/// elements, or of rows in another layout, three times each. The results have these values. `valid_gets`: the
/// message with which it refuses a valid call.
std::size_t mixed_of_rows(std::int64_t taken, std::int64_t refused,
                          spec::Layout layout = spec::Layout::contiguous,
                          const std::vector<std::int64_t>& result = {1, 2},
                          const std::string& valid_gets = "") {
  const spec::OpSpec& op = *shipped_specs().find("paddle.scatter");
  const auto rows = [](std::int64_t many, std::int64_t size) {
    return tensor(DType::f32, {many, size},
                  std::vector<std::int64_t>(static_cast<std::size_t>(many * size), 1));
  };
  const auto broken = [&](std::int64_t size, spec::Layout of_x) {
    return GeneratedCall{.call = {.api = op.api,
                                  .arguments = {{"x", spec::with_layout(rows(2, size), of_x)},
                                                {"index", tensor(DType::i64, {1}, {5})},
                                                {"updates", rows(1, size)},
                                                {"overwrite", Scalar::of_bool(true)}}},
                         .broken = &op.rules.front()};
  };
  engines::EngineInfo engine;
  engine.name = "clamps";
  const GeneratedCall one = broken(taken, spec::Layout::contiguous), other = broken(refused, layout);
  const spec::Target target = target_of(op, engine);
  const std::vector<spec::Diagnosis> repairs = mending_index_repairs(op, other.call, target);
  const auto clamped = std::ranges::find(repairs, spec::DiagnosisKind::index_clamped, &spec::Diagnosis::kind);
  EXPECT_NE(clamped, repairs.end());
  Practices practices;
  for (std::uint64_t number = 0; number < 3; ++number) {
    practices.saw({&op, &engine, number, &one}, target, produced(tensor(DType::f32, {2}, result)), *clamped);
    practices.saw({&op, &engine, number, &other}, target, {spec::Refused{{"Refused"}, "no 5"}, 0}, {});
  }
  if (!valid_gets.empty()) practices.saw_valid_refused(op.api, engine.name, valid_gets);
  return practices.mixed().size();
}

TEST(MixedPractice, WhatHasNoElementsIsAClassOfItsOwn) {
  EXPECT_EQ(mixed_of_rows(3, 3), 1U);
  EXPECT_EQ(mixed_of_rows(3, 0), 0U);
}

TEST(MixedPractice, ARefusalThatValidCallsGetTooHasAnotherCause) {
  const auto mixed = [](const std::string& valid_gets) {
    return mixed_of_rows(3, 3, spec::Layout::contiguous, {1, 2}, valid_gets);
  };
  EXPECT_EQ(mixed("no 7"), 0U);
  EXPECT_EQ(mixed("another"), 1U);
}

TEST(MixedPractice, WhatIsNotContiguousTakesNoPart) {
  EXPECT_EQ(mixed_of_rows(3, 3, spec::Layout::transposed), 0U);
}

TEST(MixedPractice, ResultsOfOneValueShowNoRepair) {
  EXPECT_EQ(mixed_of_rows(3, 3, spec::Layout::contiguous, {1, 1}), 0U);
  EXPECT_EQ(mixed_of_rows(3, 3, spec::Layout::contiguous, {1, 0}), 1U);
}

TEST(MixedPractice, OfOneClassIsAFailure) {
  EXPECT_EQ(mixed(Clamps::When::never), std::vector<std::string>());
  EXPECT_EQ(mixed(Clamps::When::always), std::vector<std::string>());
  const std::vector<std::string> found = mixed(Clamps::When::in_large_data);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found.front().find("index_repair/clamped"), std::string::npos) << found.front();
  EXPECT_NE(found.front().find("\nrefused: paddle.scatter("), std::string::npos) << found.front();
  EXPECT_EQ(mixed(Clamps::When::in_large_data, 3), found) << "whatever the number of jobs";
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
