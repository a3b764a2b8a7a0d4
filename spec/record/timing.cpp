// SPDX-License-Identifier: Apache-2.0
// Order statistics of repeated times.
#include "scatterproof/spec/record/timing.hpp"

#include <algorithm>
#include <cmath>

namespace scatterproof::spec {
namespace {

constexpr double steady_share = 0.1;  // of the median, by the interquartile range: performance reports' habit

/// The value below which `share` of the sorted times lie, between the two nearest of them.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

Spread spread(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), quantile(seconds, 0.5), quantile(seconds, 0.75) - quantile(seconds, 0.25),
          quantile(seconds, 0.9)};
}

bool is_steady(const Spread& spread) { return spread.interquartile <= steady_share * spread.median; }

}  // namespace scatterproof::spec
