// SPDX-License-Identifier: Apache-2.0
// Drawn faults: the same from the same seed, striking under their condition alone; and the search for calls
// that show them.
#include "scatterproof/engines/faulty/drawn.hpp"

#include <gtest/gtest.h>

#include <set>

#include "library.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/selftest/rounds.hpp"
#include "scatterproof/runner/selftest/try_drawn.hpp"

namespace scatterproof::runner::selftest {
namespace {

using engines::DrawnFault;

DrawnFault fault(std::string_view effect, engines::FaultCondition condition) {
  return {.name = "drawn-0-0", .place = "here", .effect = effect, .says = "Wrong.", .condition = condition};
}

std::vector<spec::Call> cases_of(std::string_view api) {
  std::vector<spec::Call> calls;
  for (const spec::Case& one : shipped().cases)
    if (one.call.api == api) calls.push_back(one.call);
  return calls;
}

std::string seen_as(const spec::Outcome& outcome) {
  if (const auto* refused = std::get_if<spec::Refused>(&outcome.what)) return refused->error_classes.front();
  return spec::to_string(outcome);
}

TEST(Drawn, TheSameSeedAndNumberGiveTheSameFault) {
  for (std::uint64_t n = 0; n < 50; ++n) {
    const DrawnFault one = engines::draw_fault(7, n);
    const auto again = engines::parse_drawn(one.name);
    ASSERT_TRUE(again) << one.name;
    EXPECT_EQ(again->effect, one.effect);
    EXPECT_EQ(to_string(again->condition), to_string(one.condition));
  }
}

TEST(Drawn, EveryPlaceMeetsEveryKindOfCondition) {
  std::set<std::string> places, kinds, pairs;
  for (std::uint64_t n = 0; n < 5'000; ++n) {
    const DrawnFault one = engines::draw_fault(3, n);
    places.emplace(one.place);
    kinds.insert(kind_of(one.condition));
    pairs.insert(std::string(one.place) + " " + kind_of(one.condition));
  }
  EXPECT_EQ(places.size(), 10u);
  EXPECT_EQ(kinds.size(), 11u);
  EXPECT_EQ(pairs.size(), 109u) << "all but dtype with dtype";
}

TEST(Drawn, OtherNamesAreNoDrawnFaults) {
  for (const char* name :
       {"dropped-tail", "drawn-", "drawn-1", "drawn-1-", "drawn-1-x", "drawn-1-2-3", "drawn--1-2"})
    EXPECT_FALSE(engines::parse_drawn(name)) << name;
  EXPECT_TRUE(engines::make_engine("faulty:drawn-1-2", shipped().specs, {}));
  EXPECT_FALSE(engines::make_engine("faulty:drawn-1-x", shipped().specs, {}));
}

/// A vector of `count` elements, copied.
spec::Call gather(std::int64_t count) {
  std::vector<spec::Scalar> places;
  for (std::int64_t i = 0; i < count; ++i) places.push_back(spec::Scalar::of_int(i));
  return {"torch.gather",
          {{"input", spec::Tensor(spec::DType::f32, {count}, places)},
           {"dim", spec::Scalar::of_int(0)},
           {"index", spec::Tensor(spec::DType::i64, {count}, places)}}};
}

TEST(Drawn, AFaultStrikesUnderItsConditionAlone) {
  const engines::SizeCondition tail = {
      .of = engines::Quantity::elements, .at_least = 16, .modulus = 8, .remainder = 3};
  const auto engine = engines::make_drawn(fault("from-one-off", tail), shipped().specs);
  const auto reference = engines::make_reference(shipped().specs);
  for (std::int64_t count = 2; count < 40; ++count) {
    const spec::Call call = gather(count);
    const bool strikes = count >= 16 && count % 8 == 3;
    EXPECT_EQ(seen_as(engine->run_one({&call})) != seen_as(reference->run_one({&call})), strikes) << count;
  }
}

TEST(Drawn, AFaultOfStateUsesTheCallBefore) {
  const engines::NumberCondition second = {.at_least = 1};
  const auto engine = engines::make_drawn(fault("stale-count", second), shipped().specs);
  const auto reference = engines::make_reference(shipped().specs);
  const spec::Call small = gather(2), large = gather(5);
  EXPECT_EQ(seen_as(engine->run_one({&large})), seen_as(reference->run_one({&large})));
  EXPECT_EQ(seen_as(engine->run_one({&small})), seen_as(reference->run_one({&small})));
  EXPECT_NE(seen_as(engine->run_one({&large})), seen_as(reference->run_one({&large})));
}

/// What `fuzz` and `selftest` see of a fault is the same.
TEST(Drawn, ManyAtOnceDoWhatEachDoesAlone) {
  FaultsTogetherAndAlone engines(200, false);
  auto& [faults, all, together, alone] = engines;
  const auto reference = engines::make_reference(shipped().specs);
  std::size_t different = 0;
  for (const spec::Call& call : cases_of("torch.Tensor.scatter_")) {
    std::vector<std::string> seen(faults.size(), seen_as(reference->run_one({&call})));
    const std::string right = seen.front();
    together.run(call, all, [&](std::size_t n, const spec::Outcome& outcome) { seen[n] = seen_as(outcome); });
    for (const std::size_t n : all) {
      // What an engine remembers of its own wrong result is its own.
      if (faults[n].effect.starts_with("stale-") || faults[n].place == "result") continue;
      if (to_string(faults[n].condition) == "after a call that was refused") continue;
      EXPECT_EQ(seen_as(alone[n]->run_one({&call})), seen[n]) << faults[n].name << " on " << to_string(call);
      different += seen[n] != right ? 1 : 0;
    }
  }
  EXPECT_GT(different, 80u);
}

TEST(Drawn, TheCallsBeforeAreCounted) {
  engines::DrawnEngines engines({fault("dropped-tail", engines::NumberCondition{.at_least = 2})},
                                shipped().specs);
  const std::vector<std::size_t> all = {0};
  const auto strikes = [&](const spec::Call& call) {
    bool struck = false;
    engines.run(call, all, [&](std::size_t, const spec::Outcome&) { struck = true; });
    return struck;
  };
  const spec::Call call = gather(2);
  EXPECT_FALSE(strikes(call));
  EXPECT_FALSE(strikes(call));
  EXPECT_TRUE(strikes(call));
}

bool strikes(const engines::FaultCondition& condition, const std::vector<spec::Call>& calls) {
  engines::DrawnEngines engines({fault("dropped-tail", condition)}, shipped().specs);
  const std::vector<std::size_t> all = {0};
  bool struck = false;
  for (const spec::Call& call : calls) {
    struck = false;
    engines.run(call, all, [&](std::size_t, const spec::Outcome&) { struck = true; });
  }
  return struck;
}

TEST(Drawn, TheFirstCallAndTheOneAfterARefusalAreMoments) {
  using engines::Previous;
  const engines::PreviousCondition first = {Previous::none}, after_refusal = {Previous::refused};
  const spec::Call right = gather(2);
  spec::Call wrong = gather(2);
  std::get<spec::Tensor>(wrong.arguments[2].second).set_at_position(0, spec::Scalar::of_int(9));
  EXPECT_TRUE(strikes(first, {right}));
  EXPECT_FALSE(strikes(first, {right, right}));
  EXPECT_FALSE(strikes(after_refusal, {right, right}));
  EXPECT_TRUE(strikes(after_refusal, {wrong, right}));
  EXPECT_FALSE(strikes(after_refusal, {wrong, right, right}));
}

TEST(Drawn, ARestartedEngineIsAtItsFirstCall) {
  engines::DrawnEngines engines({fault("dropped-tail", engines::PreviousCondition{engines::Previous::none})},
                                shipped().specs);
  const std::vector<std::size_t> all = {0};
  int struck = 0;
  const auto ask = [&] { engines.run(gather(2), all, [&](std::size_t, const spec::Outcome&) { ++struck; }); };
  ask();
  ask();
  EXPECT_EQ(struck, 1);
  engines.restart();
  ask();
  EXPECT_EQ(struck, 2);
}

/// The traits that the call of a tensor with these strides has.
std::set<engines::LayoutTrait> traits_of(const spec::Shape& shape, const spec::Shape& strides,
                                         std::int64_t offset = 0) {
  std::vector<spec::Scalar> values(static_cast<std::size_t>(spec::numel(shape)));
  for (spec::Scalar& value : values) value = spec::Scalar::of_int(1);
  const spec::Tensor data(spec::DType::f32, shape, values);
  const spec::Call call = {"torch.gather",
                           {{"input", with_strides(data, strides, offset)},
                            {"dim", spec::Scalar::of_int(0)},
                            {"index", spec::Tensor(spec::DType::i64, spec::Shape(shape.size(), 1))}}};
  std::set<engines::LayoutTrait> found;
  for (std::size_t t = 0; t < engines::layout_traits; ++t) {
    const auto trait = static_cast<engines::LayoutTrait>(t);
    if (strikes(engines::LayoutCondition{engines::WhichTensor::data, trait}, {call})) found.insert(trait);
  }
  return found;
}

TEST(Drawn, ALayoutIsKnownByItsTraits) {
  using enum engines::LayoutTrait;
  using Traits = std::set<engines::LayoutTrait>;
  EXPECT_EQ(traits_of({3, 4}, {4, 1}), Traits{});
  EXPECT_EQ(traits_of({3, 4}, {4, 1}, 5), Traits{at_offset});
  EXPECT_EQ(traits_of({3, 4}, {6, 1}), (Traits{not_contiguous, dense_rows, gaps}));
  EXPECT_EQ(traits_of({3, 4}, {1, 3}), (Traits{not_contiguous, reordered}));
  EXPECT_EQ(traits_of({3, 4}, {8, 2}), (Traits{not_contiguous, stepped, gaps}));
  EXPECT_EQ(traits_of({3, 4}, {-4, 1}), (Traits{not_contiguous, at_offset, negative_stride}));
  EXPECT_EQ(traits_of({3, 4}, {0, 1}), (Traits{not_contiguous, zero_stride}));
  EXPECT_EQ(traits_of({2, 3, 4}, {12, 1, 3}), (Traits{not_contiguous, reordered, first_stride_dense}));
  EXPECT_EQ(traits_of({3, 1}, {1, 100}), Traits{odd_stride_of_one});
}

TEST(Drawn, AnOffsetIsKnownModulo16) {
  const engines::LayoutCondition third = {engines::WhichTensor::data, engines::LayoutTrait::at_offset, 3};
  for (const std::int64_t offset : {0, 3, 4, 19}) {
    spec::Call call = gather(2);
    auto& data = std::get<spec::Tensor>(call.arguments[0].second);
    data = with_strides(data, {1}, offset);
    EXPECT_EQ(strikes(third, {call}), offset % 16 == 3) << offset;
  }
}

TEST(Drawn, AFaultThatNeedsACountIsDrawnWithIt) {
  std::set<std::string_view> counts;
  for (std::uint64_t n = 0; n < 5'000; ++n) {
    const DrawnFault one = engines::draw_fault(3, n);
    if (one.effect.find("count-in-") == one.effect.npos && !one.effect.starts_with("arrivals-")) continue;
    counts.insert(one.effect);
    EXPECT_TRUE(to_string(one.condition).starts_with("duplicates >= ")) << to_string(one.condition);
  }
  EXPECT_EQ(counts.size(), 6u);
}

std::optional<TellingCall> shown_in(const std::string& api, const DrawnFault& fault) {
  return find_showing_call(fault, *shipped().specs.find(api), shipped().specs);
}

TEST(ShowingCall, IsAsSmallAsTheConditionAllows) {
  const engines::SizeCondition tail = {
      .of = engines::Quantity::elements, .at_least = 1000, .modulus = 64, .remainder = 63};
  const auto shown = shown_in("torch.gather", fault("dropped-tail", tail));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->calls_before, 0);
  std::int64_t most = 0;
  for (const auto& [name, argument] : shown->call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument)) most = std::max(most, tensor->numel());
  EXPECT_EQ(most, 1023);
}

TEST(ShowingCall, SaysHowManyCallsComeBefore) {
  const engines::NumberCondition number = {.at_least = 30, .modulus = 7, .remainder = 2};
  const auto shown = shown_in("torch.gather", fault("dropped-tail", number));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->calls_before, 30);
}

/// Else faults that only such a layout, moment or count shows would pass for equivalent.
TEST(ShowingCall, IsFoundForEveryLayoutMomentAndCount) {
  for (std::size_t t = 0; t < engines::layout_traits; ++t) {
    const engines::LayoutCondition laid = {engines::WhichTensor::index, static_cast<engines::LayoutTrait>(t)};
    EXPECT_TRUE(shown_in("torch.gather", fault("dropped-tail", laid))) << to_string(laid);
  }
  for (int p = 0; p <= static_cast<int>(engines::Previous::none); ++p) {
    const engines::PreviousCondition before = {static_cast<engines::Previous>(p)};
    EXPECT_TRUE(shown_in("torch.gather", fault("dropped-tail", before))) << to_string(before);
  }
  for (const std::string_view effect : {"stale-cells", "stale-refusal"})
    EXPECT_TRUE(shown_in("torch.Tensor.scatter_", fault(effect, engines::NumberCondition{.at_least = 1})))
        << effect;
  for (const auto& [effect, least] : {std::pair{"mean-count-in-bf16", 257}, {"mean-count-in-f16", 2'049}})
    EXPECT_TRUE(shown_in(
        "torch.Tensor.scatter_reduce_",
        fault(effect, engines::SizeCondition{.of = engines::Quantity::duplicates, .at_least = least})))
        << effect;
}

TEST(ShowingCall, ThereIsNoneForAFaultThatTheDocumentsAllow) {
  for (const spec::OpSpec* op : tried_specs(shipped().specs))
    EXPECT_FALSE(shown_in(op->api, fault("mean-truncates", engines::RankCondition{.rank = 1}))) << op->api;
}

/// The calls are the shipped cases, over and over.
Options on_cases(std::uint64_t cases, int jobs) {
  Options made;
  made.cases = cases;
  made.jobs = jobs;
  made.calls = [](const spec::OpSpec& spec) -> Calls {
    return [calls = cases_of(spec.api)](std::uint64_t number) { return calls[number % calls.size()]; };
  };
  made.tried = [](const std::string&) {};
  return made;
}

/// Else a fault that no generated call kills would pass for one that no call can show.
TEST(TryDrawn, FindsAnApiForNearlyEveryFault) {
  std::string unshown;
  int count = 0;
  std::set<std::string> apis;
  for (const TriedDrawn& one : try_drawn(shipped().specs, 11, 200, on_cases(1, 2)))
    if (one.shown) {
      apis.insert(one.shown->call.api);
    } else {
      ++count;
      unshown += one.fault.name + ": " + std::string(one.fault.effect) + ", " +
                 to_string(one.fault.condition) + "\n";
    }
  EXPECT_LE(count, 4) << unshown;
  EXPECT_GE(apis.size(), tried_specs(shipped().specs).size() * 3 / 4);
}

TEST(TryDrawn, AnyNumberOfThreadsGivesTheSame) {
  const auto one = try_drawn(shipped().specs, 2, 60, on_cases(2'000, 1));
  const auto three = try_drawn(shipped().specs, 2, 60, on_cases(2'000, 3));
  EXPECT_EQ(summary(one, 2'000), summary(three, 2'000));
}

/// The first calls of the run are refused, and show nothing.
TEST(TryDrawn, KillsWhatOnlyAFirstCallShows) {
  std::uint64_t seed = 0;
  for (DrawnFault one = engines::draw_fault(seed, 0);
       to_string(one.condition) != "in the first call" || one.place != "tiling and tails";)
    one = engines::draw_fault(++seed, 0);
  const auto reference = engines::make_reference(shipped().specs);
  Options options = on_cases(5'000, 1);
  options.calls = [&, calls = options.calls](const spec::OpSpec& spec) -> Calls {
    return [&, calls = calls(spec)](std::uint64_t number) {
      auto call = calls(number);
      const bool refused = std::holds_alternative<spec::Refused>(reference->run_one({&*call}).what);
      return number >= 200 || refused ? call : std::nullopt;
    };
  };
  const auto tried = try_drawn(shipped().specs, seed, 1, options);
  ASSERT_TRUE(tried.front().shown);
  EXPECT_TRUE(tried.front().killed) << summary(tried, options.cases);
}

TEST(TryDrawn, CountsWhatWasKilledAndWhatWasNot) {
  const DrawnFault some = engines::draw_fault(1, 0);
  const TellingCall shown = {.call = gather(1), .calls_before = 3};
  const std::vector<TriedDrawn> tried = {{.fault = some, .shown = shown, .killed = 900},
                                         {.fault = some, .shown = shown, .killed = 1001},
                                         {.fault = some, .shown = shown, .killed = {}},
                                         {.fault = some, .shown = {}, .killed = {}}};
  const std::string text = summary(tried, 10'000);
  EXPECT_NE(text.find("all                       3    33.3 %    66.7 %        1\n"), text.npos) << text;
  EXPECT_NE(text.find("    alive: after 3 other calls torch.gather("), text.npos) << text;
  EXPECT_NE(text.find("    unshown: no call was found that shows it\n"), text.npos) << text;
  EXPECT_FALSE(all_killed(tried));
  EXPECT_TRUE(all_killed({tried[0], tried[3]}));
}

}  // namespace
}  // namespace scatterproof::runner::selftest
