// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/timing_diff.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scatterproof/spec/record/rank_test.hpp"

namespace scatterproof::runner::bench {
namespace {

/// What a reader should see first.
int rank(const TimingChange& one) {
  if (one.wrong) return 0;
  switch (one.verdict.change) {
    case SpeedChange::slower:
      return 1;
    case SpeedChange::faster:
      return 2;
    case SpeedChange::undecided:
      return 3;
    case SpeedChange::same:
      break;
  }
  return 4;
}

nlohmann::json side(const spec::TimingRecord& record) {
  nlohmann::json data = {{"engine", record.engine}, {"call", record.call}, {"verdict", record.verdict}};
  if (record.seconds.empty()) return data;
  const spec::Spread times = spec::spread(record.seconds);
  data["repetitions"] = record.seconds.size();
  data["minimum"] = times.minimum;
  data["median"] = times.median;
  data["ninetieth"] = times.ninetieth;
  return data;
}

}  // namespace

std::size_t TimingDifference::wrong() const {
  return static_cast<std::size_t>(std::ranges::count(rows, true, &TimingChange::wrong));
}

std::size_t TimingDifference::count(SpeedChange change) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows, [&](const TimingChange& one) { return !one.wrong && one.verdict.change == change; }));
}

std::size_t TimingDifference::repetitions_needed() const {
  const double all = static_cast<double>(rows.size() - wrong());
  const auto is_hopeless = [&](const TimingChange& one) {
    return one.wrong || all * spec::least_p(one.times.before.seconds.size(), one.times.after.seconds.size()) >
                            limits.alpha;
  };
  if (all == 0 || !std::ranges::all_of(rows, is_hopeless)) return 0;
  std::size_t enough = 1;
  while (all * spec::least_p(enough, enough) > limits.alpha) ++enough;
  return enough;
}

TimingDifference timing_difference(const spec::TimingRun& before, const spec::TimingRun& after,
                                   reports::PairBy by, const SpeedLimits& limits) {
  reports::TimingPairs pairs = reports::pairs_of(before, after, by);
  TimingDifference found{.limits = limits,
                         .rows = {},
                         .only_before = pairs.only_before,
                         .only_after = pairs.only_after,
                         .same_machine = reports::same_machine(before, after)};
  std::vector<SpeedSamples> samples;
  for (reports::TimingPair& pair : pairs.both) {
    const bool wrong = pair.is_wrong_now();
    if (!wrong) samples.push_back({pair.before.seconds, pair.after.seconds});
    found.rows.push_back({.times = std::move(pair), .verdict = {}, .wrong = wrong});
  }
  const std::vector<SpeedVerdict> verdicts = judge_speeds(samples, limits);
  auto verdict = verdicts.begin();
  for (TimingChange& one : found.rows)
    if (!one.wrong) one.verdict = *verdict++;
  std::ranges::stable_sort(found.rows, {}, rank);
  return found;
}

nlohmann::json as_json(const TimingDifference& found) {
  nlohmann::json rows = nlohmann::json::array();
  for (const TimingChange& one : found.rows) {
    const spec::TimingRecord& before = one.times.before;
    nlohmann::json row = {{"row", before.row},
                          {"device", before.device},
                          {"threads", before.threads},
                          {"in_place", before.in_place},
                          {"before", side(before)},
                          {"after", side(one.times.after)},
                          {"change", one.wrong ? "wrong" : name(one.verdict.change)}};
    if (!one.wrong) {
      row["ratio"] = one.verdict.ratio;
      row["p"] = one.verdict.p;
      row["p_holm"] = one.verdict.p_holm;
      row["exact"] = one.verdict.exact;
    }
    rows.push_back(std::move(row));
  }
  nlohmann::json counts = {{"wrong", found.wrong()}};
  for (const auto change :
       {SpeedChange::slower, SpeedChange::faster, SpeedChange::same, SpeedChange::undecided})
    counts[std::string(name(change))] = found.count(change);
  return {{"type", "timing_difference"},
          {"limits", {{"ratio", found.limits.ratio}, {"alpha", found.limits.alpha}}},
          {"same_machine", found.same_machine},
          {"only_before", found.only_before},
          {"only_after", found.only_after},
          {"counts", std::move(counts)},
          {"rows", std::move(rows)}};
}

}  // namespace scatterproof::runner::bench
