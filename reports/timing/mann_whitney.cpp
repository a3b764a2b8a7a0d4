// SPDX-License-Identifier: Apache-2.0
#include "mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scatterproof::reports {

double chance_of_slower(const std::vector<double>& before, const std::vector<double>& now) {
  if (before.empty() || now.empty()) return 1;
  const auto m = static_cast<double>(before.size()), n = static_cast<double>(now.size());
  double u = 0;  // pairs of times in which the later one is longer; equal ones are half a pair
  for (const double then : before)
    for (const double later : now) u += later > then ? 1 : later == then ? 0.5 : 0;

  std::vector<double> all = before;
  all.insert(all.end(), now.begin(), now.end());
  std::ranges::sort(all);
  double ties = 0;
  for (auto at = all.begin(); at != all.end();) {
    const auto end = std::ranges::upper_bound(at, all.end(), *at);
    const auto t = static_cast<double>(end - at);
    ties += t * t * t - t;
    at = end;
  }
  const double total = m + n;
  const double variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)));
  if (!(variance > 0)) return 1;
  const double z = (u - m * n / 2 - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::numbers::sqrt2) / 2;
}

}  // namespace scatterproof::reports
