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
    auto specs = SpecLibrary::load(root + "/spec/ops");
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

/// The elements of all tensors of a call.
std::int64_t elements(const Call& call) {
  std::int64_t count = 0;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value)) count += tensor->numel();
  return count;
}

TEST_F(Shipped, EveryCaseReadsBackFromItsOwnText) {
  constexpr std::int64_t most_values = 100'000;  // that one file may write out (docs/yaml.md)
  const auto cases = load_case_tree(root + "/cases", *library);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  std::size_t too_large = 0;
  for (const Case& one : *cases) {
    if (elements(one.call) > most_values) {  // written with `fill`, which the text of a case does not have
      ++too_large;
      continue;
    }
    const auto again = load_cases_text("again.yaml", to_yaml(one), *library);
    ASSERT_TRUE(again) << to_yaml(one) << to_string(again.errors());
    ASSERT_EQ(again->size(), 1u);
    EXPECT_EQ(again->front().id, one.id);
    EXPECT_EQ(to_string(again->front().call), to_string(one.call));
    EXPECT_EQ(to_yaml(again->front()), to_yaml(one));
  }
  EXPECT_LE(too_large, 10u);
}

TEST_F(Shipped, FormulasAndDoubtsAreWhatTheySay) {
  for (const OpSpec& spec : library->all()) EXPECT_EQ(to_string(lint(spec)), "") << spec.api;
}

}  // namespace
}  // namespace scatterproof::spec::testing
