// SPDX-License-Identifier: Apache-2.0
#include "significance.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::bench {
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

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// Were the second times longer or shorter by the limit, samples like these would be rare.
bool is_within(const SpeedSamples& row, const SpeedLimits& limits) {
  return rank_test(scaled(row.before, limits.ratio), row.after).p_smaller <= limits.alpha &&
         rank_test(row.before, scaled(row.after, limits.ratio)).p_larger <= limits.alpha;
}

SpeedChange change_of(const SpeedVerdict& verdict, const SpeedSamples& row, const SpeedLimits& limits) {
  if (verdict.p_holm <= limits.alpha && verdict.ratio >= limits.ratio) return SpeedChange::slower;
  if (verdict.p_holm <= limits.alpha && verdict.ratio <= 1 / limits.ratio) return SpeedChange::faster;
  return is_within(row, limits) ? SpeedChange::same : SpeedChange::undecided;
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

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t at) { return p[at]; });
  std::vector<double> corrected(p.size());
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    corrected[order[i]] = least;
  }
  return corrected;
}

std::string_view name(SpeedChange change) {
  switch (change) {
    case SpeedChange::faster:
      return "faster";
    case SpeedChange::slower:
      return "slower";
    case SpeedChange::same:
      return "same";
    case SpeedChange::undecided:
      break;
  }
  return "undecided";
}

std::vector<SpeedVerdict> judge_speeds(std::span<const SpeedSamples> rows, const SpeedLimits& limits) {
  std::vector<SpeedVerdict> verdicts;
  std::vector<double> all;
  for (const SpeedSamples& row : rows) {
    const RankTest test = rank_test(row.before, row.after);
    verdicts.push_back({.ratio = spec::spread(row.after).median / spec::spread(row.before).median,
                        .p = test.p,
                        .p_holm = 1,
                        .exact = test.exact,
                        .change = SpeedChange::undecided});
    all.push_back(test.p);
  }
  const std::vector<double> corrected = holm(all);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    verdicts[i].p_holm = corrected[i];
    verdicts[i].change = change_of(verdicts[i], rows[i], limits);
  }
  return verdicts;
}

}  // namespace scatterproof::runner::bench
