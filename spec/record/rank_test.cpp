// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/record/rank_test.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace scatterproof::spec {
namespace {

struct PooledRanks {
  std::vector<std::size_t> doubled;  ///< twice the rank of each value, the first sample's values first
  double tied = 0;                   ///< sum of t^3 - t over groups of t equal values
};

/// Twice the ranks are whole numbers, also those of equal values.
PooledRanks pooled_ranks(std::span<const double> first, std::span<const double> second) {
  std::vector<double> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t at) { return all[at]; });
  PooledRanks ranks{.doubled = std::vector<std::size_t>(all.size())};
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && all[order[end]] == all[order[begin]]) ++end;
    for (std::size_t at = begin; at < end; ++at) ranks.doubled[order[at]] = begin + end + 1;
    const auto t = static_cast<double>(end - begin);
    ranks.tied += t * t * t - t;
    begin = end;
  }
  return ranks;
}

/// For each sum of doubled ranks, how many ways there are to choose `n` of them that give it.
std::vector<double> ways_by_sum(const std::vector<std::size_t>& doubled, std::size_t n) {
  const std::size_t most = std::accumulate(doubled.begin(), doubled.end(), std::size_t{0});
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t rank : doubled)
    for (std::size_t chosen = n; chosen > 0; --chosen)
      for (std::size_t sum = most; sum >= rank; --sum) ways[chosen][sum] += ways[chosen - 1][sum - rank];
  return std::move(ways[n]);
}

void count(RankTest& test, const PooledRanks& ranks, std::size_t n, std::size_t sum) {
  const std::vector<double> ways = ways_by_sum(ranks.doubled, n);
  const auto at = ways.begin() + static_cast<std::ptrdiff_t>(sum);
  const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
  test.p_larger = std::accumulate(at, ways.end(), 0.0) / all;
  test.p_smaller = std::accumulate(ways.begin(), at + 1, 0.0) / all;
}

void approximate(RankTest& test, const PooledRanks& ranks, double n1, double n2) {
  const double n = n1 + n2;
  const double variance = n1 * n2 / 12 * (n + 1 - ranks.tied / (n * (n - 1)));
  test.exact = false;
  if (variance <= 0) return;  // all values are equal
  const auto beyond = [&](double distance) {
    return std::erfc((distance - 0.5) / std::sqrt(variance) / std::numbers::sqrt2) / 2;
  };
  test.p_larger = beyond(test.u - n1 * n2 / 2);
  test.p_smaller = beyond(n1 * n2 / 2 - test.u);
}

}  // namespace

RankTest rank_test(std::span<const double> first, std::span<const double> second) {
  assert(!first.empty() && !second.empty());
  const PooledRanks ranks = pooled_ranks(first, second);
  const auto of_second = ranks.doubled.begin() + static_cast<std::ptrdiff_t>(first.size());
  const std::size_t sum = std::accumulate(of_second, ranks.doubled.end(), std::size_t{0});
  const auto n1 = static_cast<double>(first.size()), n2 = static_cast<double>(second.size());
  RankTest test{.u = static_cast<double>(sum) / 2 - n2 * (n2 + 1) / 2};
  if (ranks.doubled.size() <= most_counted)
    count(test, ranks, second.size(), sum);
  else
    approximate(test, ranks, n1, n2);
  test.p = std::min(1.0, 2 * std::min(test.p_larger, test.p_smaller));
  return test;
}

double least_p(std::size_t first, std::size_t second) {
  double choices = 1;
  for (std::size_t i = 1; i <= first; ++i)
    choices *= static_cast<double>(second + i) / static_cast<double>(i);
  return std::min(1.0, 2 / choices);
}

}  // namespace scatterproof::spec
