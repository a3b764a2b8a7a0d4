// SPDX-License-Identifier: Apache-2.0
// The specs and cases that are shipped: they load, every rule has both its sides, every case has an
// expectation.
#include <gtest/gtest.h>

#include <algorithm>

#include "scatterproof/spec/cases/coverage.hpp"
#include "scatterproof/spec/oracle/lint.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec::testing {
namespace {

const std::string root = SCATTERPROOF_SOURCE_DIR;

class Shipped : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto specs = SpecLibrary::load(root + "/spec/data/ops");
    ASSERT_TRUE(specs) << to_string(specs.errors());
    library = new SpecLibrary(std::move(specs).value());
  }
  static void TearDownTestSuite() { delete library; }
  void SetUp() override { ASSERT_NE(library, nullptr); }

  static inline const SpecLibrary* library = nullptr;
};

TEST_F(Shipped, EveryRuleIsCovered) {
  auto cases = load_case_tree(root + "/cases", *library);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  add_variants(cases.value(), *library);
  for (const OpSpec& spec : library->all()) {
    Errors problems;
    for (const RuleCoverage& rule : coverage(spec, *cases, problems))
      EXPECT_TRUE(rule.covered()) << spec.api << " " << rule.rule;
    EXPECT_TRUE(problems.empty()) << to_string(problems);
  }
}

TEST_F(Shipped, EveryCaseHasAnExpectation) {
  const auto cases = load_case_tree(root + "/cases", *library);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  for (const Case& one : *cases) {
    const auto expectation = expect(*library->find(one.call.api), one.call);
    EXPECT_TRUE(expectation) << one.id << "\n" << to_string(expectation.errors());
  }
}

TEST_F(Shipped, EveryCaseReadsBackFromItsOwnText) {
  const auto cases = load_case_tree(root + "/cases", *library);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  for (const Case& one : *cases) {
    const auto again = load_cases_text("again.yaml", to_yaml(one), *library);
    ASSERT_TRUE(again) << to_yaml(one) << to_string(again.errors());
    ASSERT_EQ(again->size(), 1u);
    EXPECT_EQ(again->front().id, one.id);
    EXPECT_EQ(to_string(again->front().call), to_string(one.call));
    EXPECT_EQ(to_yaml(again->front()), to_yaml(one));
  }
}

TEST_F(Shipped, FormulasAndDoubtsAreWhatTheySay) {
  for (const OpSpec& spec : library->all()) EXPECT_EQ(to_string(lint(spec)), "") << spec.api;
}

}  // namespace
}  // namespace scatterproof::spec::testing
