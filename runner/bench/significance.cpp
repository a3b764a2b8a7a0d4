// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/significance.hpp"

#include <algorithm>
#include <numeric>

#include "scatterproof/spec/record/rank_test.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::bench {
namespace {

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// Were the second times longer or shorter by the limit, samples like these would be rare.
bool is_within(const SpeedSamples& row, const SpeedLimits& limits) {
  return spec::rank_test(scaled(row.before, limits.ratio), row.after).p_smaller <= limits.alpha &&
         spec::rank_test(row.before, scaled(row.after, limits.ratio)).p_larger <= limits.alpha;
}

SpeedChange change_of(const SpeedVerdict& verdict, const SpeedSamples& row, const SpeedLimits& limits) {
  if (verdict.p_holm <= limits.alpha && verdict.ratio >= limits.ratio) return SpeedChange::slower;
  if (verdict.p_holm <= limits.alpha && verdict.ratio <= 1 / limits.ratio) return SpeedChange::faster;
  return is_within(row, limits) ? SpeedChange::same : SpeedChange::undecided;
}

}  // namespace

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
    const spec::RankTest test = spec::rank_test(row.before, row.after);
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
