// SPDX-License-Identifier: Apache-2.0
// Rule cases are counted only when they are what they say.
#include "scatterproof/spec/cases/coverage.hpp"

#include <gmock/gmock.h>

#include "fixture.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Covered {
  std::vector<RuleCoverage> rules;
  Errors problems;

  const RuleCoverage& operator[](const std::string& id) const {
    for (const RuleCoverage& rule : rules)
      if (rule.rule == id) return rule;
    throw std::logic_error("no rule " + id);
  }
};

/// The coverage of one case, given its rule, side, changes to a harmless call and expectation.
Covered of(const std::string& rule, const std::string& side, const std::string& call,
           const std::string& expectation = "") {
  const std::string text =
      "api: toy.pick\nbase:\n  x: {dtype: f32, values: [1, 2]}\n  index: {dtype: i64, values: [1]}\ncases:\n "
      " - rule: " +
      rule + "\n    side: " + side + "\n    why: a\n    call: {" + call + "}\n" + expectation;
  const SpecLibrary specs = library();
  const auto cases = load_cases_text("cases.yaml", text, specs);
  if (!cases) throw std::runtime_error(to_string(cases.errors()));
  Covered covered;
  covered.rules = coverage(*specs.find("toy.pick"), *cases, covered.problems);
  return covered;
}

TEST(Coverage, CountsBothSides) {
  const Covered obeys = of("inside", "obeys", "");
  EXPECT_THAT(obeys["inside"].obeys, ElementsAre("toy.pick/rule/inside/obeys"));
  EXPECT_FALSE(obeys["inside"].covered());
  const Covered breaks =
      of("inside", "breaks", "index: {dtype: i64, values: [2]}", "    expect: undefined\n");
  EXPECT_THAT(breaks["inside"].breaks, ElementsAre("toy.pick/rule/inside/breaks"));
  EXPECT_THAT(breaks.problems, IsEmpty());
}

TEST(Coverage, OfARuleAboutGradientsIsOfCallsThatHaveAResult) {
  OpSpec spec = library().all().front();
  Rule rule = *spec.rule("one-dimensional");
  rule.id = "short", rule.broken.assign(1, Promise());
  spec.gradient.rules = {rule};
  spec.rules.erase(std::ranges::find(spec.rules, "one-dimensional", &Rule::id));
  const auto covered_by = [&](const std::string& side, const std::string& call) {
    const std::string text =
        "api: toy.pick\nbase: {x: {dtype: f32, values: [[1], [2]]}, index: {dtype: i64, "
        "values: [1]}}\ncases:\n  - {rule: short, side: " +
        side + ", why: a, call: {" + call + "}}\n";
    const auto cases = load_cases_text("cases.yaml", text, SpecLibrary({spec}));
    if (!cases) throw std::runtime_error(to_string(cases.errors()));
    Covered covered;
    covered.rules = coverage(spec, *cases, covered.problems);
    return covered;
  };
  EXPECT_THAT(covered_by("obeys", "x: {dtype: f32, values: [1, 2]}")["short"].obeys,
              ElementsAre("toy.pick/rule/short/obeys"));
  EXPECT_THAT(covered_by("breaks", "")["short"].breaks, ElementsAre("toy.pick/rule/short/breaks"));
  EXPECT_THAT(covered_by("obeys", "").problems.at(0).what, HasSubstr("should obey, but breaks short"));
  EXPECT_THAT(covered_by("breaks", "index: {dtype: i64, values: [7]}").problems.at(0).what,
              HasSubstr("also breaks inside"));
}

TEST(Coverage, ABreakingCaseBreaksItsRuleAlone) {
  const Covered none = of("inside", "breaks", "");
  ASSERT_EQ(none.problems.size(), 1u);
  EXPECT_THAT(none.problems[0].what, HasSubstr("should break inside, but obeys it"));
  EXPECT_THAT(none["inside"].breaks, IsEmpty());
  const Covered two = of("inside", "breaks", "index: {dtype: i64, values: [2]}, strict: maybe");
  ASSERT_EQ(two.problems.size(), 1u);
  EXPECT_THAT(two.problems[0].what, HasSubstr("also breaks strict"));
}

TEST(Coverage, AnObeyingCaseObeysEveryRule) {
  const Covered own = of("inside", "obeys", "index: {dtype: i64, values: [2]}");
  ASSERT_EQ(own.problems.size(), 1u);
  EXPECT_THAT(own.problems[0].what, HasSubstr("should obey, but breaks inside"));
  const Covered other = of("inside", "obeys", "strict: maybe");
  ASSERT_EQ(other.problems.size(), 1u);
  EXPECT_THAT(other.problems[0].what, HasSubstr("also breaks strict"));
}

TEST(Coverage, WhatACaseExpectsIsWhatTheRulePromises) {
  const std::string call =
      "x: {dtype: f32, shape: [1, 1], fill: 0}, index: {dtype: i64, shape: [1, 1], fill: 0}";
  const auto problems = [&](const std::string& expectation) {
    return of("one-dimensional", "breaks", call, expectation).problems.size();
  };
  EXPECT_EQ(problems(""), 0u);
  EXPECT_EQ(problems("    expect: {error: RuntimeError}\n"), 0u) << "one of the two promised";
  EXPECT_EQ(problems("    expect: {error: any}\n"), 0u);
  EXPECT_EQ(problems("    expect: {error: TypeError}\n"), 1u);
  EXPECT_EQ(problems("    expect: undefined\n"), 1u);
  EXPECT_EQ(problems("    expect: open\n"), 1u);
  EXPECT_EQ(of("inside", "obeys", "", "    expect: {error: any}\n").problems.size(), 1u);
  EXPECT_EQ(of("inside", "obeys", "", "    expect: {values: [2]}\n").problems.size(), 0u);
}

TEST(Coverage, RulesOfOldReleasesAreReadForThose) {
  const Covered breaks = of("old", "breaks", "index: {dtype: i64, shape: [0]}", "    expect: open\n");
  EXPECT_THAT(breaks.problems, IsEmpty());
  EXPECT_THAT(breaks["old"].breaks, ElementsAre("toy.pick/rule/old/breaks"));
}

}  // namespace
}  // namespace scatterproof::spec::testing
