// SPDX-License-Identifier: Apache-2.0
// What the document allows: results, refusals, freedom.
#include <gmock/gmock.h>

#include "fixture.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Tensor self = ints({2, 3}, {0, 0, 0, 0, 0, 0});
const Tensor good_index = ints({1, 2}, {1, 0});
const Tensor bad_index = ints({1, 2}, {1, 9});
const Tensor src = ints({1, 2}, {7, 8});

class Expect : public ::testing::Test {
 protected:
  const OpSpec spec = load(scatter_text);

  Expectation of(const Call& call, const Target& target = {}) {
    auto expectation = expect(spec, call, target);
    if (!expectation) throw std::runtime_error(to_string(expectation.errors()));
    return std::move(expectation).value();
  }
};

TEST_F(Expect, AResultWhereNoRuleIsBroken) {
  const Expectation expectation = of(scatter_call(self, 0, good_index, src));
  ASSERT_TRUE(std::holds_alternative<Bag>(expectation.what));
  EXPECT_FALSE(expectation.may_refuse);
  EXPECT_TRUE(expectation.broken.empty());
  EXPECT_THAT(expectation.because.text(), HasSubstr("writes src into self"));
}

TEST_F(Expect, ARefusalWithTheRuleAndItsPlace) {
  const Expectation expectation = of(scatter_call(self, 3, good_index, src));
  const auto& refusal = std::get<RefusalExpected>(expectation.what);
  EXPECT_THAT(refusal.classes, ElementsAre("IndexError"));
  EXPECT_EQ(refusal.native, "axis");
  EXPECT_THAT(refusal.because.text(), HasSubstr("Toy manual, Parameters"));
  EXPECT_THAT(expectation.broken, ElementsAre("dim-range"));
}

TEST_F(Expect, AnyOfTheErrorsWhenSeveralRulesAreBroken) {
  const Expectation expectation = of(scatter_call(self, 0, bad_index, src, "multiply"));
  const auto& refusal = std::get<RefusalExpected>(expectation.what);
  EXPECT_THAT(refusal.classes, ElementsAre("ValueError", "IndexError", "RuntimeError"));
  EXPECT_EQ(refusal.native, "") << "value or index";
  EXPECT_THAT(expectation.broken, ElementsAre("reduce", "range"));
}

TEST_F(Expect, ArgumentsAreKeptWhereASentencePromisesIt) {
  const OpSpec keeps = load(with(scatter_text, "latitude:",
                                 "refusal: {unchanged: [self], unless: \"size(src, 0) > 1\", "
                                 "from: {document: doc, section: Notes}}\nlatitude:"));
  const auto unchanged = [&](const Tensor& index, const Argument& source) {
    return expect(keeps, scatter_call(self, 0, index, source)).value();
  };
  EXPECT_THAT(unchanged(bad_index, src).unchanged, ElementsAre("self"));
  EXPECT_THAT(unchanged(bad_index, src).unchanged_because.text(),
              HasSubstr("a refused call leaves self as it was (Toy manual, Notes)"));
  EXPECT_THAT(unchanged(bad_index, ints({2, 2}, {7, 8, 9, 9})).unchanged, ElementsAre())
      << "the exception holds";
  EXPECT_THAT(unchanged(bad_index, Scalar::of_int(7)).unchanged, ElementsAre())
      << "the exception has no value";
  EXPECT_THAT(unchanged(good_index, src).unchanged, ElementsAre()) << "no rule is broken";
  EXPECT_THAT(of(scatter_call(self, 0, bad_index, src)).unchanged, ElementsAre()) << "no sentence says it";
}

TEST_F(Expect, AnUnnamedClassAdmitsAllClasses) {
  const Expectation expectation = of(scatter_call(self, 3, ints({1, 2}, {1, 0}, DType::i32), src));
  EXPECT_TRUE(std::get<RefusalExpected>(expectation.what).classes.empty());
}

TEST_F(Expect, TheFirstPromiseThatAppliesCounts) {
  const Call call = scatter_call(self, 0, bad_index, src);
  EXPECT_THAT(std::get<RefusalExpected>(of(call, {"torch", "2.5", "cuda"}).what).classes,
              ElementsAre("IndexError"));
  EXPECT_TRUE(std::get<Free>(of(call, {"torch", "3.0", "cuda"}).what).undefined);
  EXPECT_THAT(std::get<RefusalExpected>(of(call, {"torch", "3.0", "cpu"}).what).classes,
              ElementsAre("IndexError", "RuntimeError"));
  EXPECT_THAT(std::get<RefusalExpected>(of(call).what).classes, ElementsAre("IndexError", "RuntimeError"));
}

TEST_F(Expect, OneFreeRuleFreesTheCallFromTheErrorsOfTheOthers) {
  const Call call = scatter_call(self, 0, bad_index, src, "multiply");
  const Expectation expectation = of(call, {"torch", "3.1", "cuda"});
  const Free& free = std::get<Free>(expectation.what);
  EXPECT_TRUE(free.undefined);
  EXPECT_TRUE(expectation.may_refuse);
  EXPECT_THAT(free.because.text(), HasSubstr("range: "));
  EXPECT_THAT(free.because.text(), ::testing::Not(HasSubstr("reduce: ")));
  EXPECT_THAT(expectation.broken, ElementsAre("reduce", "range"));
}

TEST_F(Expect, APromiseThatNothingLimitsStandsBesideAFreeRule) {
  const OpSpec always = load(with(scatter_text, "{error: ValueError, native: value}",
                                  "{error: ValueError, native: value, always: true}"));
  const Target target{"torch", "3.1", "cuda"};
  const auto expected = [&](const std::string& reduce) {
    return expect(always, scatter_call(self, 0, bad_index, src, reduce), target).value();
  };
  const Expectation both = expected("multiply");
  const auto& refusal = std::get<RefusalExpected>(both.what);
  EXPECT_THAT(refusal.classes, ElementsAre()) << "it may be refused for the other rule";
  EXPECT_EQ(refusal.native, "");
  EXPECT_THAT(refusal.because.text(), HasSubstr("reduce: "));
  EXPECT_THAT(both.broken, ElementsAre("reduce", "range"));
  EXPECT_TRUE(std::holds_alternative<Free>(expected("add").what)) << "the free rule alone is free";
}

TEST_F(Expect, SilenceIsOpen) {
  const Call call = scatter_call(self, 0, good_index, src, "none", true, Scalar::of_int(1));
  EXPECT_FALSE(std::get<Free>(of(call, {"torch", "1.0", "cpu"}).what).undefined);
}

TEST_F(Expect, NoPromiseForThisDeviceIsOpen) {
  const OpSpec silent = load(with(scatter_text, "broken: {error: IndexError, native: axis}",
                                  "broken: {error: IndexError, native: axis, device: cuda}"));
  const auto expectation = expect(silent, scatter_call(self, 3, good_index, src));
  EXPECT_FALSE(std::get<Free>(expectation->what).undefined);
}

TEST_F(Expect, ADeviceThatThePageDoesNotListIsPromisedNothing) {
  const OpSpec listed =
      load(with(scatter_text, "arguments:",
                "platforms: {devices: [npu], says: Ascend alone, from: {document: doc, section: Platforms}}\n"
                "arguments:"));
  const auto freed = [&](const Call& call, const Target& target) {
    const auto expectation = expect(listed, call, target);
    const auto* const free = std::get_if<Free>(&expectation->what);
    if (!free) return false;
    EXPECT_EQ(free->because.text(), "Ascend alone (Toy manual, Platforms)");
    return true;
  };
  const Call good = scatter_call(self, 0, good_index, src), bad = scatter_call(self, 0, bad_index, src);
  EXPECT_TRUE(freed(good, {"torch", "2.0", "cpu"}));
  EXPECT_TRUE(freed(bad, {"torch", "2.0", "cpu"}));
  EXPECT_THAT(expect(listed, bad, {"torch", "2.0", "cpu"})->broken, ElementsAre("range"));
  EXPECT_FALSE(freed(good, {"torch", "2.0", "npu"}));
  EXPECT_FALSE(freed(bad, {"torch", "2.0", "npu"}));
  EXPECT_FALSE(freed(good, {})) << "a kernel promises what the page says of the call";
}

TEST_F(Expect, AMissingGuardIsTheSpecsOwnError) {
  const OpSpec unguarded =
      load(with(scatter_text, "require: -rank(self) <= dim and dim < rank(self)", "require: dim < 100"));
  const auto expectation = expect(unguarded, scatter_call(self, 5, good_index, src));
  ASSERT_FALSE(expectation);
  EXPECT_EQ(expectation.errors().front().file, "toy.yaml");
  EXPECT_THAT(expectation.errors().front().what, HasSubstr("no rule is broken, but range"));
}

TEST(ExpectRows, AForbiddenCollisionMayBeRefused) {
  const OpSpec spec = load(rows_text);
  const Tensor data = ints({2}, {0, 0});
  const auto once = expect(spec, rows_call(data, ints({2, 1}, {0, 1}), ints({2}, {5, 6})));
  const auto twice = expect(spec, rows_call(data, ints({2, 1}, {1, 1}), ints({2}, {5, 6})));
  EXPECT_FALSE(once->may_refuse);
  EXPECT_TRUE(twice->may_refuse);
  EXPECT_TRUE(std::holds_alternative<Bag>(twice->what));
}

}  // namespace
}  // namespace scatterproof::spec::testing
