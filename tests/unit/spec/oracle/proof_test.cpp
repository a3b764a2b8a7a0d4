// SPDX-License-Identifier: Apache-2.0
// Formulas proved and disproved, doubts executed, and the search that finds the calls.
#include <gmock/gmock.h>

#include <algorithm>

#include "fixture.hpp"
#include "scatterproof/spec/oracle/doubt.hpp"
#include "scatterproof/spec/oracle/lint.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/oracle/prove.hpp"
#include "search.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::HasSubstr;

/// The toy scatter with one formula for axis 0.
OpSpec with_formula(const std::string& reads, const std::string& when, const std::string& more = "") {
  return load(scatter_text + "formulas:\n  - id: f\n    from: {document: doc, section: Formula}\n    when: " +
              when + "\n    reads: \"" + reads + "\"\n" + more);
}

const std::string assigning = "is_tensor(src) and dim == 0 and reduce == \"none\"";

TEST(Proof, ARightFormulaIsProvedOnEveryIndex) {
  const OpSpec spec = with_formula("self[index[i][j][k]][j][k] = src[i][j][k]", assigning);
  const ProofResult proof = prove(spec, spec.formulas.front());
  EXPECT_TRUE(proof.proved()) << proof.disagreement;
  EXPECT_TRUE(proof.exhaustive);
  EXPECT_THAT(proof.bounds, HasSubstr("(3 - 3 3 - - -)"));
  // An index of 2x2x2 into a self of 2x2x2 alone has 2^8 fillings, and keep has two values.
  EXPECT_GE(proof.writing, 512);
}

TEST(Proof, AnAccumulatingFormulaIsProvedWithCollisions) {
  const OpSpec spec = with_formula("self[index[i][j][k]][j][k] += src[i][j][k]",
                                   "is_tensor(src) and dim == 0 and reduce == \"add\" and keep");
  EXPECT_TRUE(prove(spec, spec.formulas.front()).proved());
}

/// Each slip a copyist could make must be found.
TEST(Proof, ASlipOfOneLetterIsFound) {
  const std::vector<std::pair<std::string, std::string>> slips = {
      {"self[index[i][j][k]][j][k] = src[i][k][j]", assigning},
      {"self[index[i][j][k]][k][j] = src[i][j][k]", assigning},
      {"self[i][index[i][j][k]][k] = src[i][j][k]", assigning},
      {"self[index[i][j][k]][j][k] += src[i][j][k]", assigning},
      {"self[index[i][j][k]][j][k] = self[i][j][k]", assigning},
      {"self[index[i][j][k]][j][k] *= src[i][j][k]",
       "is_tensor(src) and dim == 0 and reduce == \"add\" and keep"}};
  for (const auto& [reads, when] : slips) {
    const OpSpec spec = with_formula(reads, when);
    const ProofResult proof = prove(spec, spec.formulas.front());
    EXPECT_FALSE(proof.proved()) << reads;
    EXPECT_TRUE(proof.counterexample.has_value()) << reads << ": " << proof.disagreement;
    EXPECT_EQ(lint(spec).size(), 1u) << reads;
  }
}

TEST(Proof, NothingTriedIsNothingProved) {
  const OpSpec spec = with_formula("self[index[i][j][k]][j][k] = src[i][j][k]", "dim == 7");
  const ProofResult proof = prove(spec, spec.formulas.front());
  EXPECT_FALSE(proof.proved());
  EXPECT_EQ(proof.calls, 0);
  EXPECT_THAT(proof.disagreement, HasSubstr("no small call"));
}

const std::string loop = R"(formulas:
  - id: loop
    from: {document: doc, section: Loop}
    wrong: true
    reads: |
      output = np.copy(data)
      for idx in np.ndindex(indices.shape[:-1]):
          output[indices[idx]] = updates[idx]
)";

std::string doubt(const std::string& second_claim) {
  return "doubts:\n  - id: D1\n    about: the loop\n    resolution: tuples\n    claims:\n"
         "      - {says: rows, from: {document: doc, section: Loop}, formula: loop}\n      - {says: tuples, "
         "from: {document: doc, section: "
         "Text}, " +
         second_claim +
         "}\n"
         "    witness:\n      data: {dtype: i64, values: [[1, 2], [3, 4]]}\n      indices: {dtype: i64, "
         "values: [[0, 1]]}\n"
         "      updates: {dtype: i64, values: [9]}\n";
}

TEST(Doubt, ExecutesEveryClaimOnTheWitness) {
  const OpSpec spec = load(rows_text + loop + doubt("meaning: true"));
  const std::vector<ClaimResult> claims = run_doubt(spec, spec.doubts.front());
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].text, "[[9, 9], [9, 9]]");
  EXPECT_TRUE(identical(*claims[1].result, ints({2, 2}, {1, 9, 3, 4})));
  EXPECT_FALSE(agree(claims[0], claims[1]));
  EXPECT_TRUE(lint(spec).empty());
}

TEST(Doubt, ClaimsThatAgreeAreNoDoubt) {
  const OpSpec spec = load(rows_text + loop + doubt("result: {dtype: i64, values: [[9, 9], [9, 9]]}"));
  const Errors errors = lint(spec);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors.front().what, HasSubstr("the claims of doubt 'D1' all agree"));
}

TEST(Doubt, AFormulaMarkedWrongMustBeWrongOnAWitness) {
  std::string text = rows_text + loop + doubt("refuses: true");
  text = with(text, "indices: {dtype: i64, values: [[0, 1]]}", "indices: {dtype: i64, values: [[1]]}");
  text = with(text, "updates: {dtype: i64, values: [9]}", "updates: {dtype: i64, values: [[8, 9]]}");
  const Errors errors = lint(load(text));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors.front().what, HasSubstr("formula 'loop' is marked wrong, but agrees with the meaning"));
}

TEST(Doubt, RefusalsAndResultsDisagree) {
  const OpSpec spec = load(rows_text + loop + doubt("refuses: true"));
  const std::vector<ClaimResult> claims = run_doubt(spec, spec.doubts.front());
  EXPECT_TRUE(claims[1].refuses);
  EXPECT_FALSE(agree(claims[0], claims[1]));
}

/// What the search finds obeys the rules, and what it leaves out does not: counted by brute force on a corner
/// of the space.
TEST(Search, FindsExactlyTheCallsThatObey) {
  const OpSpec spec = load(rows_text);
  const CallSearch search(spec, nullptr);
  std::int64_t found = 0;
  for (const SmallShape& shape : search.shapes()) {
    const auto& data = std::get<Tensor>(shape.call.arguments[0].second);
    const auto& indices = std::get<Tensor>(shape.call.arguments[1].second);
    if (data.shape() != Shape{2} || indices.shape() != Shape{2, 1}) continue;
    for (std::int64_t i = 0; i < shape.count; ++i) {
      const Call call = search.make(shape, i);
      if (!search.obeys_values(call)) continue;
      ++found;
      for (const RuleState& state : check_rules(spec, call))
        EXPECT_EQ(state.kind, RuleState::Kind::obeyed) << to_string(call);
    }
  }
  EXPECT_EQ(found, 16) << "two indices, each of -2, -1, 0, 1; updates of two elements";
}

/// Zeros break a rule of uniqueness, but other fillings do not.
TEST(Search, KeepsShapesThatZerosAloneDoNotFit) {
  const OpSpec spec = with_formula("self[index[i][j][k]][j][k] = src[i][j][k]", assigning + " and keep");
  const OpSpec strict =
      load(with(scatter_text, "    device: cuda\n    broken: undefined\n", "    broken: undefined\n"));
  const CallSearch search(strict, &spec.formulas.front());
  std::int64_t permutations = 0;
  for (const SmallShape& shape : search.shapes()) {
    const Shape self = std::get<Tensor>(shape.call.arguments[0].second).shape();
    const Shape src = std::get<Tensor>(shape.call.arguments[3].second).shape();
    if (shape.allowed.size() != 2 || self != Shape{2} || src != Shape{2}) continue;
    for (std::int64_t i = 0; i < shape.count; ++i)
      if (search.obeys_values(search.make(shape, i))) ++permutations;
  }
  EXPECT_EQ(permutations, 2) << "0 1 and 1 0";
}

TEST(Search, TriesTheLargestFirst) {
  const OpSpec spec = load(rows_text);
  const CallSearch search(spec, nullptr);
  ASSERT_FALSE(search.shapes().empty());
  EXPECT_GT(std::get<Tensor>(search.shapes().front().call.arguments[0].second).numel(), 0);
}

/// An error that no sentence promises would be a false finding.
TEST(Lint, AnErrorNeedsASourceThatPromisesOne) {
  OpSpec spec = load(scatter_text);
  Rule& rule = spec.rules.front();
  const auto complaint = [&](Promise::Kind kind, bool promised) {
    rule.broken.assign(1, Promise{});
    rule.broken.front().kind = kind;
    rule.from.promises_error = promised;
    const Errors errors = lint(spec);
    return errors.empty() ? "" : errors.front().what;
  };
  for (Rule& other : spec.rules) other.broken.assign(1, Promise{}), other.from.promises_error = false;
  EXPECT_THAT(complaint(Promise::Kind::error, false),
              HasSubstr("demands an error, but no source of it promises one"));
  EXPECT_EQ(complaint(Promise::Kind::error, true), "");
  EXPECT_THAT(complaint(Promise::Kind::undefined, true), HasSubstr("promises an error, but it demands none"));
  EXPECT_EQ(complaint(Promise::Kind::open, false), "");
}

}  // namespace
}  // namespace scatterproof::spec::testing
