// SPDX-License-Identifier: Apache-2.0
// Forms whose calls cannot be judged give most of their turns away, and keep some of each.
#include "turns.hpp"

#include <gtest/gtest.h>

#include <map>

namespace scatterproof::runner::fuzz {
namespace {

spec::Rule rule_that(std::initializer_list<spec::Promise::Kind> promises) {
  spec::Rule rule;
  for (const spec::Promise::Kind kind : promises) rule.broken.emplace_back().kind = kind;
  return rule;
}

TEST(Turns, OneReleaseThatPromisesAnErrorIsEnough) {
  using enum spec::Promise::Kind;
  EXPECT_FALSE(promises_error(rule_that({undefined})));
  EXPECT_FALSE(promises_error(rule_that({open, undefined})));
  EXPECT_TRUE(promises_error(rule_that({open, error})));
}

constexpr std::uint64_t rounds = 1000;

/// How many of the turns of some rounds each form has.
std::map<std::size_t, std::uint64_t> shares(const std::vector<const spec::Rule*>& broken, bool few) {
  const Turns turns(broken, few, 7);
  std::map<std::size_t, std::uint64_t> count;
  for (std::uint64_t turn = 0; turn < rounds * broken.size(); ++turn) ++count[turns.form(turn)];
  return count;
}

TEST(Turns, FormsThatPromiseNothingHaveATenthTogetherAndEachASmallPart) {
  using enum spec::Promise::Kind;
  const spec::Rule none = rule_that({undefined}), error_too = rule_that({error});
  const spec::Rule *n = &none, *e = &error_too, *v = nullptr;
  // The most that a page has: two in five.
  const auto most = shares({v, v, v, n, n, v, v, v, n, n, v, v, v, n, n}, true);
  for (const std::size_t i : {3, 4, 8, 9, 13, 14}) EXPECT_EQ(most.at(i), rounds / 4) << i;
  for (const std::size_t i : {0, 5, 12}) EXPECT_NEAR(static_cast<double>(most.at(i)), 1500, 150) << i;
  // Others keep theirs, and a tenth is not a goal.
  const auto with_errors = shares({v, v, v, e, n, v, v, v, n, e}, true);
  EXPECT_EQ(with_errors.at(3), rounds);
  EXPECT_EQ(with_errors.at(9), rounds);
  EXPECT_EQ(with_errors.at(4) + with_errors.at(8), rounds);
  EXPECT_EQ(shares({v, v, v, v, v, v, v, v, v, v, e, n}, true).at(11), rounds);
}

TEST(Turns, GoRoundWhereNothingIsToBeGivenAway) {
  const spec::Rule none = rule_that({spec::Promise::Kind::open});
  const Turns even({nullptr, &none}, false, 7), without_others({&none, &none}, true, 7);
  for (std::uint64_t turn = 0; turn < 100; ++turn) {
    EXPECT_EQ(even.form(turn), turn % 2);
    EXPECT_EQ(without_others.form(turn), turn % 2);
  }
}

TEST(Turns, NoneOfTheFewStandsInForAnother) {
  const spec::Rule none = rule_that({spec::Promise::Kind::undefined}),
                   error_too = rule_that({spec::Promise::Kind::error});
  const Turns turns({nullptr, &none, &error_too, &none}, true, 7);
  for (std::uint64_t turn = 0; turn < 100; ++turn)
    for (std::uint64_t tried = 1; tried < 5; ++tried)
      EXPECT_EQ(turns.form(turn, tried), (turn + tried) % 4 == 2 ? 2U : 0U);
}

/// A short run sees each form, too: a page of the first length has eight rounds.
TEST(Turns, EachFormHasItsTurnWithinFourRounds) {
  const spec::Rule none = rule_that({spec::Promise::Kind::undefined});
  std::vector<const spec::Rule*> broken;
  for (std::size_t i = 0; i < 30; ++i) broken.push_back(i % 5 < 3 ? nullptr : &none);
  const Turns turns(broken, true, 7);
  for (std::uint64_t begin = 0; begin < 20; ++begin) {
    std::map<std::size_t, int> seen;
    for (std::uint64_t turn = begin * 30; turn < (begin + 4) * 30; ++turn) ++seen[turns.form(turn)];
    for (std::size_t i = 0; i < 30; ++i) EXPECT_TRUE(!broken[i] || seen[i] == 1) << i;
  }
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
