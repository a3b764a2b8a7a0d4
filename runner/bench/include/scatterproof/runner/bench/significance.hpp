// SPDX-License-Identifier: Apache-2.0
// Whether times have changed, or only scatter: a rank test on all repetitions of each row, corrected for the
// number of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scatterproof::runner::bench {

/// Holm's step-down correction (1979): the adjusted value of each p when all of them are looked at. In the
/// order of `p`.
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

/// For each row:
/// - faster, slower: `p_holm` is at most alpha, and the ratio is beyond the limit;
/// - same: times that were longer, and times that were shorter, by the limit are both ruled out by one-sided
///   tests at alpha (two one-sided tests, Schuirmann 1987);
/// - undecided: neither. More repetitions, or a quieter machine, would decide.
std::vector<SpeedVerdict> judge_speeds(std::span<const SpeedSamples> rows, const SpeedLimits& limits);

}  // namespace scatterproof::runner::bench
