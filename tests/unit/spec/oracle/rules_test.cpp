// SPDX-License-Identifier: Apache-2.0
// How rules stand for a call, for a release, on a device.
#include <gmock/gmock.h>

#include "fixture.hpp"

namespace scatterproof::spec::testing {
namespace {

using Kind = RuleState::Kind;
using ::testing::HasSubstr;

const Tensor self = ints({2, 3}, {0, 0, 0, 0, 0, 0});
const Tensor index_ = ints({1, 2}, {1, 0});
const Tensor src = ints({1, 2}, {7, 8});

class Rules : public ::testing::Test {
 protected:
  const OpSpec spec = load(scatter_text);

  Kind kind(const Call& call, const std::string& id, const Target& target = {}) {
    return state_of(spec, call, id, target).kind;
  }
};

TEST_F(Rules, AGoodCallObeysAllThatApply) {
  for (const RuleState& state : check_rules(spec, scatter_call(self, 0, index_, src))) {
    const bool elsewhere = state.rule->id == "small" || state.rule->id == "unique";
    EXPECT_EQ(state.kind, elsewhere ? Kind::not_applicable : Kind::obeyed) << state.rule->id;
  }
}

TEST_F(Rules, TypesCompareTensorsOnly) {
  EXPECT_EQ(kind(scatter_call(self, 0, index_, ints({1, 2}, {7, 8}, DType::f32)), "T"), Kind::broken);
  EXPECT_EQ(kind(scatter_call(self, 0, index_, Scalar::of_real(1.5)), "T"), Kind::obeyed);
  EXPECT_EQ(
      kind(scatter_call(ints({2}, {0, 0}, DType::u8), 0, ints({1}, {0}), ints({1}, {1}, DType::u8)), "T"),
      Kind::broken);
  EXPECT_EQ(kind(scatter_call(self, 0, ints({1, 2}, {1, 0}, DType::i32), src), "I"), Kind::broken);
}

TEST_F(Rules, AChoiceOutsideItsListBreaksItsRule) {
  EXPECT_EQ(kind(scatter_call(self, 0, index_, src, "multiply"), "reduce"), Kind::broken);
  EXPECT_EQ(kind(scatter_call(self, 0, index_, src, "add"), "reduce"), Kind::obeyed);
}

TEST_F(Rules, WhatAnEarlierRuleTookAwayIsUnevaluable) {
  const Call call = scatter_call(self, 5, index_, src);
  EXPECT_EQ(kind(call, "dim-range"), Kind::broken);
  EXPECT_EQ(kind(call, "range"), Kind::unevaluable);
  EXPECT_THAT(state_of(spec, call, "range").sentence, HasSubstr("range: "));
}

TEST_F(Rules, UnlessLiftsARule) {
  const Tensor none = ints({0}, {});
  EXPECT_EQ(kind(scatter_call(self, 0, none, src), "ranks"), Kind::obeyed);
  EXPECT_EQ(kind(scatter_call(self, 0, ints({1}, {0}), src), "ranks"), Kind::broken);
}

TEST_F(Rules, BrokenRulesNameTheNumbers) {
  const RuleState state = state_of(spec, scatter_call(self, 0, ints({1, 2}, {1, 9}), src), "range");
  EXPECT_EQ(state.kind, Kind::broken);
  EXPECT_THAT(state.sentence, HasSubstr("range: "));
  EXPECT_THAT(state.sentence, HasSubstr("9"));
}

TEST_F(Rules, HoldForReleasesFromSinceUpToUntil) {
  const Call call = scatter_call(self, 0, index_, src, "none", true, Scalar::of_int(1));
  EXPECT_EQ(kind(call, "small", {"torch", "1.4.9", "cpu"}), Kind::broken);
  EXPECT_EQ(kind(call, "small", {"torch", "1.5", "cpu"}), Kind::not_applicable);
  EXPECT_EQ(kind(call, "small", {"torch", "1.10", "cpu"}), Kind::not_applicable);
  EXPECT_EQ(kind(call, "small", {"torch", "1.4.0a0+git", "cpu"}), Kind::broken);
  EXPECT_EQ(kind(call, "small", {"numpy", "1.0", "cpu"}), Kind::not_applicable)
      << "another framework's numbers say nothing";
  EXPECT_EQ(kind(call, "small", {"torch", "", "cpu"}), Kind::not_applicable) << "newest";
}

TEST_F(Rules, HoldOnTheirDevice) {
  const Call twice = scatter_call(self, 0, ints({2, 1}, {1, 1}), ints({2, 1}, {1, 2}));
  EXPECT_EQ(kind(twice, "unique", {"torch", "2.0", "cuda"}), Kind::broken);
  EXPECT_EQ(kind(twice, "unique", {"torch", "2.0", "cpu"}), Kind::not_applicable);
}

}  // namespace
}  // namespace scatterproof::spec::testing
