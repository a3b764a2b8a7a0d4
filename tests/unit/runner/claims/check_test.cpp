// SPDX-License-Identifier: Apache-2.0
// Claims about APIs that the reference engine has: one that holds, one that is refuted, one that excepts what
// differs.
#include "scatterproof/runner/claims/check.hpp"

#include <algorithm>

#include "explain.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "toy_claims.hpp"

namespace scatterproof::runner::claims {
namespace {

/// The calls of torch.gather to which paddle's rule on ranks, which has no exception for an empty index, does
/// not matter.
const std::string like_paddle = "    when: rank(index) == rank(input) and numel(index) > 0\n";

std::unique_ptr<engines::Engine> reference() {
  auto engine = engines::make_engine("reference", specs(), source);
  EXPECT_TRUE(engine);
  return std::move(engine).value();
}

CheckedClaim checked(const MappingClaim& claim) {
  static const std::atomic<bool> interrupted{false};
  const auto a = reference(), b = reference();
  return check(claim, *a, *b,
               {.comparison = comparison_of(*claim.a),
                .cases = {},
                .seed = 7,
                .calls = 300,
                .shrink_seconds = 60,
                .interrupted = interrupted});
}

std::vector<std::string> names_of(const CheckedClaim& one) {
  std::vector<std::string> names;
  for (const ClaimDifference& difference : one.differences) names.push_back(name_of(difference, one.classes));
  std::ranges::sort(names);
  return names;
}

TEST(Check, AClaimHolds) {
  const CheckedClaim one = checked(claim_of(file_with("false", like_paddle)));
  EXPECT_EQ(one.standing, ClaimStanding::holds);
  EXPECT_GE(one.agree, 300u);
  EXPECT_GT(one.telling, 200u);
  EXPECT_EQ(one.differ, 0u);
  EXPECT_EQ(one.left, one.agree);
}

TEST(Check, AClaimIsRefutedByTheSmallestCall) {
  // With broadcast, an index of one element off the axis is stretched, and a shorter one refused.
  const MappingClaim claim = claim_of(file_with("true", like_paddle));
  const CheckedClaim one = checked(claim);
  EXPECT_EQ(one.standing, ClaimStanding::refuted);
  EXPECT_EQ(names_of(one),
            (std::vector<std::string>{"index/one-off-axis: gives another shape", "index/smaller: refuses"}));
  const auto stretched = std::ranges::find(one.differences, Departure::other_shape, &ClaimDifference::did);
  ASSERT_NE(stretched, one.differences.end());
  const std::string witness = spec::to_string(stretched->witness.a);
  EXPECT_TRUE(witness == "torch.gather(input=i64[1,2] [[0, 0]], dim=0, index=i64[1,1] [[0]])" ||
              witness == "torch.gather(input=i64[2,1] [[0], [0]], dim=1, index=i64[1,1] [[0]])")
      << witness;
  EXPECT_EQ(stretched->count, stretched->of);
  EXPECT_GT(one.left, 0u);
}

TEST(Check, AClaimHoldsWithWhatItExcepts) {
  const std::string but = R"yaml(    when: rank(index) == rank(input) and numel(index) > 0
    stated:
      - says: a shorter index is stretched or refused
        when: "any d in dims(index) where d != dim and d != dim + rank(input): size(index, d) < size(input, d)"
      - says: it is slow
)yaml";
  const CheckedClaim one = checked(claim_of(file_with("true", but)));
  EXPECT_EQ(one.standing, ClaimStanding::holds_if);
  EXPECT_GT(one.stated_seen[0], 0u);
  EXPECT_EQ(one.stated_seen[0], one.differ);
  EXPECT_EQ(one.stated_seen[1], 0u);
  // Excepting a refusal does not except another result.
  std::string refusals = but;
  refusals.replace(refusals.find("      - says: it is slow"), std::string::npos, "        did: refuses\n");
  EXPECT_EQ(checked(claim_of(file_with("true", refusals))).standing, ClaimStanding::refuted);
}

TEST(Check, TheCallsOfAPageStandForTheClaim) {
  const std::string example = R"(    calls:
      - input: {dtype: i64, values: [[1, 2], [3, 4]]}
        dim: 1
        index: {dtype: i64, values: [[0], [1]]}
      - input: {dtype: i64, values: [[1, 2], [3, 4]]}
        dim: 0
        index: {dtype: i64, values: [[0], [1]]}
)";
  const CheckedClaim one = checked(claim_of(file_with("true", example)));
  EXPECT_EQ(one.agree, 1u);
  EXPECT_EQ(one.differ, 1u);
  EXPECT_EQ(one.standing, ClaimStanding::refuted);
}

TEST(Check, OfTwoCallsInTurnTheSecondGetsTheResultOfTheFirst) {
  const CheckedClaim holds = checked(claim_of(file_in_turn("updates[p]", assigns_once)));
  EXPECT_EQ(holds.standing, ClaimStanding::holds);
  EXPECT_GE(holds.agree, 300u);
  EXPECT_GT(holds.telling, 200u);
  const CheckedClaim adds = checked(claim_of(file_in_turn("updates[p]", "reduction == \"add\"")));
  EXPECT_EQ(adds.standing, ClaimStanding::refuted);
  const CheckedClaim other = checked(claim_of(file_in_turn("0", assigns_once)));
  EXPECT_EQ(other.standing, ClaimStanding::refuted);
  const ClaimTrial& witness = other.differences.front().witness;
  const auto& first = std::get<spec::Produced>(witness.outcome_a.what).tensors.front();
  EXPECT_TRUE(spec::identical(*witness.b.find("data"), spec::Argument(first)));
  EXPECT_NE(witness.judgement_b.explanation.find("T-3: ScatterND is the inverse of GatherND"),
            std::string::npos)
      << witness.judgement_b.explanation;
}

CheckedClaim checked_printed(const MappingClaim& claim) {
  static const std::atomic<bool> interrupted{false};
  return check_printed(claim, *reference(), {.cases = {}, .interrupted = interrupted});
}

TEST(Check, CallsThatAPagePrintsGiveWhatItPrints) {
  const CheckedClaim one = checked_printed(claim_of(file_that_prints("[6, 5]", "2")));
  EXPECT_EQ(one.standing, ClaimStanding::holds);
  EXPECT_EQ(one.agree, 2u);
  EXPECT_TRUE(one.differences.empty());
}

TEST(Check, ACallThatGivesSomethingElseRefutesWhatIsPrinted) {
  const MappingClaim claim = claim_of(file_that_prints("[6, 6]", "1"));
  const CheckedClaim one = checked_printed(claim);
  EXPECT_EQ(one.standing, ClaimStanding::refuted);
  EXPECT_EQ(one.differ, 2u);
  EXPECT_EQ(names_of(one),
            (std::vector<std::string>{"T-4/1: gives other values", "T-4/2: gives other values"}));
  EXPECT_NE(one.differences[0].witness.judgement_b.explanation.find("T-4: what gather gives"),
            std::string::npos)
      << one.differences[0].witness.judgement_b.explanation;
  const CheckedClaim refused = checked_printed(claim_of([] {
    std::string text = file_that_prints("[6, 5]", "2");
    return text.replace(text.find("gives: error"), 12, "gives: {dtype: i64, values: [0]}");
  }()));
  EXPECT_EQ(names_of(refused), (std::vector<std::string>{"T-4/2: refuses"}));
}

TEST(Check, NothingIsSaidOfAClaimWithoutACall) {
  const CheckedClaim one = checked(claim_of(file_with("false", "    when: dim > 100\n")));
  EXPECT_EQ(one.standing, ClaimStanding::not_run);
  EXPECT_EQ(one.why_not_run, "no call was found that it is about");
}

ClaimTrial trial(ClaimTrial::State state, std::initializer_list<std::size_t> in) {
  ClaimTrial one;
  one.state = state;
  one.did = Departure::other_values;
  for (const std::size_t number : in) one.classes.set(number);
  return one;
}

TEST(TellingClasses, TheOneThatTheCallsThatAgreeAreNotIn) {
  using State = ClaimTrial::State;
  const std::vector<ClaimTrial> trials = {trial(State::differs, {1, 2}), trial(State::differs, {1, 2}),
                                          trial(State::agrees, {1}), trial(State::agrees, {3})};
  EXPECT_EQ(telling_classes(trials[0], trials[0].classes, trials), std::vector<std::size_t>{2});
}

TEST(TellingClasses, TwoTogetherWhereNoOneTells) {
  using State = ClaimTrial::State;
  std::vector<ClaimTrial> trials;
  for (int i = 0; i < 4; ++i) {
    trials.push_back(trial(State::differs, {1, 2}));
    trials.push_back(trial(State::agrees, {1}));
    trials.push_back(trial(State::agrees, {2}));
  }
  EXPECT_EQ(telling_classes(trials[0], trials[0].classes, trials), (std::vector<std::size_t>{1, 2}));
}

TEST(TellingClasses, NoneWhereMostCallsAgree) {
  using State = ClaimTrial::State;
  std::vector<ClaimTrial> trials = {trial(State::differs, {1})};
  for (int i = 0; i < 9; ++i) trials.push_back(trial(State::agrees, {1}));
  EXPECT_TRUE(telling_classes(trials[0], trials[0].classes, trials).empty());
}

TEST(Settle, ADifferenceThatASharperOneCoversIsLeftOut) {
  using State = ClaimTrial::State;
  const std::vector<ClaimTrial> trials = {trial(State::differs, {1, 2}), trial(State::agrees, {2})};
  ClaimDifference sharp, dull;
  sharp.did = dull.did = Departure::other_values;
  sharp.when = {1};
  dull.when = {2};
  std::vector<ClaimDifference> differences = {dull, sharp};
  settle(differences, trials);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].when, std::vector<std::size_t>{1});
  EXPECT_EQ(differences[0].count, 1u);
  EXPECT_EQ(differences[0].of, 1u);
}

}  // namespace
}  // namespace scatterproof::runner::claims
