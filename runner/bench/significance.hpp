// SPDX-License-Identifier: Apache-2.0
// Whether times have changed, or only scatter: a rank test on all samples of each row, corrected for the number of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scatterproof::runner::bench {

/// The test of Mann and Whitney (1947): is one of two samples stochastically larger? Equal values get the mean of their
/// ranks.
struct RankTest {
  double u = 0;          ///< pairs in which the second sample's value is larger; an equal pair counts a half
  double p_larger = 1;   ///< of so large a `u` or a larger one, were both samples of one distribution
  double p_smaller = 1;  ///< of so small a `u` or a smaller one
  double p = 1;          ///< two-sided: twice the lesser of both, at most 1
  bool exact = true;     ///< counted (Streitberg and Roehmel 1986, equal values included), not approximated
};
/// Exact up to `most_counted` values in both samples together; beyond by the normal approximation with the correction for
/// equal values and for continuity. Precondition: neither is empty, no NaN.
constexpr std::size_t most_counted = 60;
RankTest rank_test(std::span<const double> first, std::span<const double> second);

/// The least two-sided p that so many values can give: that of samples that do not overlap.
double least_p(std::size_t first, std::size_t second);

/// Holm's step-down correction (1979): what each p counts as when all of them are looked at. In the order of `p`.
std::vector<double> holm(std::span<const double> p);

enum class SpeedChange : std::uint8_t { faster, slower, same, undecided };
std::string_view name(SpeedChange change);

struct SpeedLimits {
  double ratio = 1.1;   ///< of medians; a lesser change does not count. Above 1
  double alpha = 0.05;  ///< how often noise alone may give any row a change
};

/// The times of one row in two runs, in seconds. Precondition: neither is empty.
struct SpeedSamples {
  std::vector<double> before;
  std::vector<double> after;
};

struct SpeedVerdict {
  double ratio = 1;   ///< the median after over that before: above 1 it takes longer
  double p = 1;       ///< two-sided, of the rank test
  double p_holm = 1;  ///< corrected for all rows
  bool exact = true;
  SpeedChange change = SpeedChange::undecided;
};

/// Of each row:
/// - faster, slower: `p_holm` is at most alpha, and the ratio is beyond the limit;
/// - same: times that were longer, and times that were shorter, by the limit are both ruled out by one-sided tests at
///   alpha (two one-sided tests, Schuirmann 1987);
/// - undecided: neither. More repetitions, or a quieter machine, would tell.
std::vector<SpeedVerdict> judge_speeds(std::span<const SpeedSamples> rows, const SpeedLimits& limits);

}  // namespace scatterproof::runner::bench
