// SPDX-License-Identifier: Apache-2.0
// Whether one of two samples is larger, or only looks so.
#pragma once

#include <cstddef>
#include <span>

namespace scatterproof::spec {

/// The test of Mann and Whitney (1947): is one of two samples stochastically larger? Equal values get the
/// mean of their ranks.
struct RankTest {
  double u = 0;          ///< pairs in which the second sample's value is larger; an equal pair counts a half
  double p_larger = 1;   ///< of so large a `u` or a larger one, were both samples of one distribution
  double p_smaller = 1;  ///< of so small a `u` or a smaller one
  double p = 1;          ///< two-sided: twice the lesser of both, at most 1
  bool exact = true;     ///< counted (Streitberg and Roehmel 1986, equal values included), not approximated
};
/// Exact up to `most_counted` values in both samples together; beyond that, the normal approximation with the
/// corrections for ties and for continuity. Precondition: neither sample is empty or contains a NaN.
constexpr std::size_t most_counted = 60;
RankTest rank_test(std::span<const double> first, std::span<const double> second);

/// The smallest two-sided p that samples of these sizes can give: that of samples that do not overlap.
double least_p(std::size_t first, std::size_t second);

}  // namespace scatterproof::spec
