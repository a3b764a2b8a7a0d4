// SPDX-License-Identifier: Apache-2.0
// The rank test against counting by hand and against scipy 1.17.1 (mannwhitneyu); Holm; and what rows are
// called.
#include "scatterproof/runner/bench/significance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "scatterproof/spec/record/rank_test.hpp"

namespace scatterproof::runner::bench {
namespace {

using spec::least_p;
using spec::rank_test;
using spec::RankTest;
using Samples = std::vector<double>;

/// Both one-sided p by looking at every way to choose the second sample.
std::pair<double, double> by_enumeration(const Samples& first, const Samples& second) {
  Samples all = first;
  all.insert(all.end(), second.begin(), second.end());
  const auto u_of = [&](unsigned chosen) {
    double u = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < all.size(); ++k)
        if ((chosen >> i & 1U) && !(chosen >> k & 1U)) u += all[i] > all[k] ? 1 : all[i] == all[k] ? 0.5 : 0;
    return u;
  };
  const unsigned seen = ((1U << second.size()) - 1) << first.size();
  double ways = 0, larger = 0, smaller = 0;
  for (unsigned chosen = 0; chosen < 1U << all.size(); ++chosen) {
    if (std::popcount(chosen) != static_cast<int>(second.size())) continue;
    ++ways;
    larger += u_of(chosen) >= u_of(seen);
    smaller += u_of(chosen) <= u_of(seen);
  }
  return {larger / ways, smaller / ways};
}

/// `n` times from `begin` on, each 1 % longer than the one before.
Samples times(double begin, int n) {
  Samples all;
  for (int i = 0; i < n; ++i) all.push_back(begin * (1 + 0.01 * i));
  return all;
}

SpeedVerdict judged(const Samples& before, const Samples& after) {
  const SpeedSamples row{before, after};
  return judge_speeds({&row, 1}, {}).front();
}

TEST(RankTest, AgreesWithTablesOfTheExactDistribution) {
  EXPECT_DOUBLE_EQ(rank_test(Samples{1, 2, 3}, Samples{4, 5, 6}).p, 0.1);
  EXPECT_DOUBLE_EQ(rank_test(times(1, 5), times(2, 5)).p, 2.0 / 252);
  EXPECT_DOUBLE_EQ(rank_test(times(1, 10), times(2, 10)).p, 2.0 / 184756);
  EXPECT_DOUBLE_EQ(rank_test(times(1, 10), times(2, 10)).p, least_p(10, 10));
}

TEST(RankTest, AgreesWithScipyWhereItCounts) {
  const Samples first = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const Samples second = {0.878, 0.647, 0.598, 2.05, 1.061, 1.29, 1.06, 3.14, 1.291};
  const RankTest test = rank_test(first, second);
  EXPECT_TRUE(test.exact);
  EXPECT_DOUBLE_EQ(test.u, 23);
  EXPECT_NEAR(test.p, 0.13591114767585355, 1e-14);
  EXPECT_NEAR(test.p_larger, 0.943253805018511, 1e-14);
}

TEST(RankTest, CountsEqualValuesExactly) {
  const Samples first = {1, 2, 2, 3, 3, 3, 5}, second = {2, 3, 3, 4, 5, 5};
  const auto [larger, smaller] = by_enumeration(first, second);
  const RankTest test = rank_test(first, second);
  EXPECT_NEAR(test.p_larger, larger, 1e-14);
  EXPECT_NEAR(test.p_smaller, smaller, 1e-14);
  EXPECT_DOUBLE_EQ(rank_test(Samples{1, 1, 1}, Samples{1, 1}).p, 1);
}

TEST(RankTest, AgreesWithScipyWhereItApproximates) {
  Samples first, second;  // many are equal
  for (int i = 0; i < 40; ++i) first.push_back(i * 37 % 23);
  for (int i = 0; i < 35; ++i) second.push_back(i * 53 % 19 + 6);
  const RankTest test = rank_test(first, second);
  EXPECT_FALSE(test.exact);
  EXPECT_DOUBLE_EQ(test.u, 951.5);
  EXPECT_NEAR(test.p, 0.007628219005563438, 1e-12);
  EXPECT_NEAR(test.p_larger, 0.003814109502781719, 1e-12);
  EXPECT_NEAR(test.p_smaller, 0.9963048695449238, 1e-12);
  EXPECT_DOUBLE_EQ(rank_test(Samples(40, 1.0), Samples(40, 1.0)).p, 1);
}

TEST(Holm, StepsDownAndNeverFallsBack) {
  const Samples corrected = holm(Samples{0.04, 0.01, 0.03, 0.9});
  EXPECT_DOUBLE_EQ(corrected[1], 0.04);
  EXPECT_DOUBLE_EQ(corrected[2], 0.09);
  EXPECT_DOUBLE_EQ(corrected[0], 0.09);  // 0.08 alone
  EXPECT_DOUBLE_EQ(corrected[3], 0.9);
}

TEST(JudgeSpeeds, TellsSlowerAndFasterOnlyBeyondTheLimit) {
  EXPECT_EQ(judged(times(1, 10), times(1.3, 10)).change, SpeedChange::slower);
  EXPECT_NEAR(judged(times(1, 10), times(1.3, 10)).ratio, 1.3, 1e-12);
  EXPECT_EQ(judged(times(1.3, 10), times(1, 10)).change, SpeedChange::faster);
  // Certainly longer, by too little to count.
  const Samples before = {1, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007, 1.008, 1.009};
  Samples after = before;
  for (double& one : after) one += 0.05;
  EXPECT_LT(judged(before, after).p_holm, 0.05);
  EXPECT_EQ(judged(before, after).change, SpeedChange::same);
}

TEST(JudgeSpeeds, SaysSameOnlyWhereTheTimesShowIt) {
  EXPECT_EQ(judged(times(1, 10), times(1, 10)).change, SpeedChange::same);
  const Samples noisy = {1, 3, 1.2, 2.5, 1.1, 4, 1.3, 2, 1.5, 3.5};
  EXPECT_EQ(judged(noisy, noisy).change, SpeedChange::undecided);
  // Another median, by noise alone.
  EXPECT_EQ(judged(noisy, Samples{1.4, 3.6, 1.6, 2.9, 1.5, 2.8, 1.9, 2.4, 1.8, 3}).change,
            SpeedChange::undecided);
}

TEST(JudgeSpeeds, ManyRowsNeedStrongerEvidence) {
  const SpeedSamples slower{times(1, 5), times(1.3, 5)}, quiet{times(1, 5), times(1, 5)};
  std::vector<SpeedSamples> rows = {slower};
  EXPECT_EQ(judge_speeds(rows, {}).front().change, SpeedChange::slower);
  rows.resize(7, quiet);  // 7 * 2/252 > 0.05: five repetitions cannot tell any of seven rows
  EXPECT_EQ(judge_speeds(rows, {}).front().change, SpeedChange::undecided);
  EXPECT_NEAR(judge_speeds(rows, {}).front().p_holm, 7 * least_p(5, 5), 1e-12);
}

}  // namespace
}  // namespace scatterproof::runner::bench
