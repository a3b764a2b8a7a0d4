// SPDX-License-Identifier: Apache-2.0
// Faults of gradients: each has a name, a sentence and an effect; the engine without one is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "library.hpp"
#include "scatterproof/engines/faulty/drawn.hpp"
#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/selftest/try_drawn.hpp"
#include "tried_call.hpp"

namespace scatterproof::runner::selftest {
namespace {

using engines::DrawnFault;
using spec::Scalar;

std::unique_ptr<engines::Engine> engine_of(std::string_view name) {
  return std::move(engines::make_faulty(name, shipped().specs).value());
}

spec::Tensor tensor(spec::DType dtype, const std::vector<double>& values) {
  std::vector<Scalar> scalars;
  for (const double value : values) scalars.push_back(Scalar::of_real(value));
  return {dtype, {static_cast<std::int64_t>(values.size())}, scalars};
}

/// Scatters `src` by `index` into one dimension.
spec::Call reduce(const char* how, spec::DType dtype, const std::vector<double>& self,
                  const std::vector<double>& index, const std::vector<double>& src,
                  bool include_self = true) {
  return {"torch.Tensor.scatter_reduce_",
          {{"self", tensor(dtype, self)},
           {"dim", Scalar::of_int(0)},
           {"index", tensor(spec::DType::i64, index)},
           {"src", tensor(dtype, src)},
           {"reduce", std::string(how)},
           {"include_self", Scalar::of_bool(include_self)}}};
}

/// `count` equal values into one cell.
spec::Call crowd(const char* how, spec::DType dtype, std::size_t count) {
  return reduce(how, dtype, {1, 5}, std::vector<double>(count, 0), std::vector<double>(count, 1));
}

/// Its source has the first stride of a contiguous tensor, and other axes in another order.
spec::Call product_of_swapped_axes() {
  std::vector<Scalar> factors, places(8, Scalar::of_int(0));
  for (int i = 0; i < 8; ++i) factors.push_back(Scalar::of_int(i + 2));
  const spec::Tensor src(spec::DType::f64, {2, 2, 2}, factors);
  return {"torch.Tensor.scatter_reduce_",
          {{"self", spec::Tensor(spec::DType::f64, {2, 2, 2}, factors)},
           {"dim", Scalar::of_int(0)},
           {"index", spec::Tensor(spec::DType::i64, {2, 2, 2}, places)},
           {"src", with_strides(src, {4, 1, 2}, 0)},
           {"reduce", std::string("prod")},
           {"include_self", Scalar::of_bool(true)}}};
}

/// For what no shipped case shows.
std::vector<spec::Call> made_here() {
  using enum spec::DType;
  std::vector<double> distinct, places;
  for (int i = 0; i < 300; ++i) distinct.push_back(i), places.push_back(i);
  return {
      crowd("amax", f32, 300),
      crowd("amax", f32, 2'050),
      product_of_swapped_axes(),
      crowd("mean", f32, 300),
      crowd("mean", f32, 2'050),
      reduce("amax", f64, {0.0, 1}, {0, 0, 0}, {-0.0, -0.0, 0.0}),
      reduce("amax", f64, {0.0, 1}, {0, 0, 0}, {-0.0, -0.0, 0.0}, false),
      reduce("amin", f64, {2, 7}, {0, 0, 0}, {3, 2, 4}),
      reduce("amax", f64, {2, 7}, {0, 0, 0}, {1, 2, 2}),
      reduce("prod", f64, {2, 7}, {0, 0, 0, 1, 1}, {0, 3, 0, 0, 5}),
      reduce("prod", f64, {0, 7}, {0, 0, 1, 1}, {3, 5, 1.5, 5}),
      reduce("sum", f64, distinct, places, distinct),
      {"torch.gather",
       {{"input", tensor(f64, distinct)}, {"dim", Scalar::of_int(0)}, {"index", tensor(i64, places)}}},
  };
}

/// The calls, shipped and made here, that have gradients to judge.
struct Asked {
  const spec::OpSpec* op;
  spec::Call call;
};
const std::vector<Asked>& asked() {
  static const std::vector<Asked> all = [] {
    std::vector<Asked> made;
    const auto reference = engines::make_reference(shipped().specs);
    const auto keep = [&](const spec::Call& call) {
      const spec::OpSpec* op = shipped().specs.find(call.api);
      if (!op->kernel.op.empty() && reference->supports(call).yes &&
          TriedCall::make(*op, call, *reference, true))
        made.push_back({op, call});
    };
    for (const spec::Call& call : made_here()) keep(call);
    for (const spec::Case& one : shipped().cases) keep(one.call);
    return made;
  }();
  return all;
}

/// The first call that shows that something is wrong; null: none does.
const spec::Call* shown(engines::Engine& engine) {
  const auto reference = engines::make_reference(shipped().specs);
  for (const Asked& one : asked()) {
    const auto question = TriedCall::make(*one.op, one.call, *reference, true);
    if (!question->failure(engine.run_one(question->request())).empty()) return &one.call;
  }
  return nullptr;
}

std::vector<engines::FaultListing> of_gradients() {
  std::vector<engines::FaultListing> listings = engines::list_faults();
  std::erase_if(listings, [](const engines::FaultListing& one) { return !one.of_gradients; });
  return listings;
}

TEST(GradientFaults, AreManyAndHaveNamesOfTheirOwn) {
  EXPECT_GE(of_gradients().size(), 90u);
  for (const engines::FaultListing& fault : of_gradients())
    EXPECT_TRUE(fault.name.starts_with("gradient-")) << fault.name;
  EXPECT_GE(asked().size(), 400u);
}

TEST(GradientFaults, WithoutOneTheGradientsAreRight) {
  const auto none = engine_of("none"), reference = engines::make_reference(shipped().specs);
  EXPECT_EQ(shown(*none), nullptr);
  EXPECT_EQ(shown(*reference), nullptr);
}

TEST(GradientFaults, EachIsWrongSomewhere) {
  for (const engines::FaultListing& fault : of_gradients())
    EXPECT_NE(shown(*engine_of(fault.name)), nullptr) << fault.name;
}

TEST(GradientFaults, NothingIsWrongUntilAGradientIsAskedFor) {
  const auto reference = engines::make_reference(shipped().specs);
  for (const engines::FaultListing& fault : of_gradients()) {
    const auto engine = engine_of(fault.name);
    for (std::size_t i = 0; i < asked().size(); i += 40)
      EXPECT_EQ(spec::to_string(engine->run_one({&asked()[i].call})),
                spec::to_string(reference->run_one({&asked()[i].call})))
          << fault.name;
  }
}

/// Otherwise every fault of gradients would have forward faults' calls, and the reverse.
TEST(GradientFaults, ForwardFaultsHaveRightGradients) {
  const spec::Call call = crowd("amax", spec::DType::f32, 3);
  const auto reference = engines::make_reference(shipped().specs);
  const auto question = TriedCall::make(*shipped().specs.find(call.api), call, *reference, true);
  const auto outcome = engine_of("mean-not-divided")->run_one(question->request());
  EXPECT_EQ(std::get<spec::Produced>(outcome.what).gradients.size(), 2u);
  EXPECT_EQ(question->failure(outcome), "");
}

TEST(DrawnGradients, TheSameSeedAndNumberGiveTheSameFault) {
  for (std::uint64_t n = 0; n < 50; ++n) {
    const DrawnFault one = engines::draw_fault(7, n, true);
    EXPECT_TRUE(engines::is_of_gradients(one));
    const auto again = engines::parse_drawn(one.name);
    ASSERT_TRUE(again) << one.name;
    EXPECT_EQ(again->effect, one.effect);
    EXPECT_EQ(to_string(again->condition), to_string(one.condition));
  }
  EXPECT_FALSE(engines::parse_drawn("drawn-gradient-7"));
  EXPECT_FALSE(engines::is_of_gradients(*engines::parse_drawn("drawn-7-1")));
}

TEST(DrawnGradients, EveryFaultIsDrawnUnderManyConditions) {
  std::set<std::string_view> places;
  std::set<std::string> effects, kinds;
  for (std::uint64_t n = 0; n < 5'000; ++n) {
    const DrawnFault one = engines::draw_fault(3, n, true);
    places.insert(one.place);
    effects.emplace(one.effect);
    kinds.insert(kind_of(one.condition));
    EXPECT_NE(to_string(one.condition), "after a call that was refused");
  }
  EXPECT_EQ(places.size(), 10u);
  EXPECT_EQ(effects.size(), of_gradients().size() + 4) << "those of state are only drawn";
  EXPECT_EQ(kinds.size(), 11u);
}

DrawnFault gradient_fault(std::string_view effect, engines::FaultCondition condition) {
  return {.name = "drawn-gradient-0-0",
          .place = "here",
          .effect = effect,
          .says = "Wrong.",
          .condition = condition};
}

bool fails(engines::Engine& engine, const spec::Call& call) {
  const auto reference = engines::make_reference(shipped().specs);
  const auto question = TriedCall::make(*shipped().specs.find(call.api), call, *reference, true);
  return !question->failure(engine.run_one(question->request())).empty();
}

TEST(DrawnGradients, AFaultStrikesUnderItsConditionAlone) {
  const engines::SizeCondition three = {
      .of = engines::Quantity::duplicates, .at_least = 2, .modulus = 3, .remainder = 0};
  const auto engine =
      engines::make_drawn(gradient_fault("gradient-tie-paid-in-full", three), shipped().specs);
  for (std::size_t count = 1; count < 10; ++count)
    EXPECT_EQ(fails(*engine, crowd("amax", spec::DType::f32, count)), count >= 2 && count % 3 == 0) << count;
}

TEST(DrawnGradients, AFaultOfStateUsesTheGradientsBefore) {
  const auto engine = engines::make_drawn(
      gradient_fault("gradient-added-to-earlier", engines::NumberCondition{.at_least = 1}), shipped().specs);
  const spec::Call call = reduce("sum", spec::DType::f32, {1, 2}, {0}, {3});
  EXPECT_FALSE(fails(*engine, call));
  EXPECT_TRUE(fails(*engine, call));
}

TEST(DrawnGradients, ManyAtOnceDoWhatEachDoesAlone) {
  FaultsTogetherAndAlone engines(100, true);
  auto& [faults, all, together, alone] = engines;
  const auto reference = engines::make_reference(shipped().specs);
  std::size_t different = 0;
  for (const Asked& one : asked()) {
    if (one.call.api != "torch.Tensor.scatter_reduce_") continue;
    const auto question = TriedCall::make(*one.op, one.call, *reference, true);
    std::vector<std::string> seen(faults.size());
    together.run(
        one.call, all,
        [&](std::size_t n, const spec::Outcome& outcome) { seen[n] = question->failure(outcome); },
        question->gradient());
    for (const std::size_t n : all) {
      EXPECT_EQ(question->failure(alone[n]->run_one(question->request())), seen[n])
          << faults[n].name << " on " << to_string(one.call);
      different += seen[n].empty() ? 0 : 1;
    }
  }
  EXPECT_GT(different, 80u);
}

TEST(DrawnGradients, AreFoundToShowAndKilled) {
  Options options;
  options.cases = 400;
  options.jobs = 2;
  options.gradient_calls = [](const spec::OpSpec& spec) -> Calls {
    std::vector<spec::Call> calls;
    for (const Asked& one : asked())
      if (one.call.api == spec.api) calls.push_back(one.call);
    return [calls](std::uint64_t number) {
      return calls.empty() ? std::nullopt : std::optional(calls[number % calls.size()]);
    };
  };
  options.tried = [](const std::string&) {};
  const auto tried = try_drawn(shipped().specs, 11, 80, options, true);
  const std::string text = summary(tried, options.cases);
  EXPECT_LE(std::ranges::count_if(tried, [](const TriedDrawn& one) { return !one.shown; }), 6) << text;
  EXPECT_GE(std::ranges::count_if(tried, [](const TriedDrawn& one) { return one.killed.has_value(); }), 12)
      << text;
}

}  // namespace
}  // namespace scatterproof::runner::selftest
