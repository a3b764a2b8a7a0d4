// SPDX-License-Identifier: Apache-2.0
// The rows that two benchmarks have in common.
#include <map>
#include <string>
#include <tuple>

#include "ratios.hpp"
#include "scatterproof/reports/timing.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::reports {
namespace {

using spec::TimingRecord;

/// A peer's release is compared with the one before: this shows the peer's regressions.
using Place = std::tuple<std::string, std::string, std::string, int, bool>;

bool is_faster(const TimingRecord& a, const TimingRecord& b) {
  if (a.seconds.empty() || b.seconds.empty()) return !a.seconds.empty();
  return spec::spread(a.seconds).minimum < spec::spread(b.seconds).minimum;
}

/// By place the fastest of its calls, or, when none was timed, any.
std::map<Place, TimingRecord> best_of(const spec::TimingRun& run, PairBy by) {
  std::map<Place, TimingRecord> best;
  for (const TimingRecord& record : run.records) {
    const Place place{record.row, by == PairBy::row ? "" : spec::without_release(record.engine),
                      record.device, record.threads, record.in_place};
    const auto [at, is_new] = best.try_emplace(place, record);
    if (!is_new && is_faster(record, at->second)) at->second = record;
  }
  return best;
}

}  // namespace

bool TimingPair::is_wrong_now() const { return after.seconds.empty() && is_wrong(after); }

bool same_machine(const spec::TimingRun& before, const spec::TimingRun& after) {
  return before.machine.cpu == after.machine.cpu && before.machine.cores == after.machine.cores;
}

TimingPairs pairs_of(const spec::TimingRun& before, const spec::TimingRun& after, PairBy by) {
  TimingPairs pairs;
  const auto earlier = best_of(before, by), later = best_of(after, by);
  for (const auto& [place, old] : earlier) {
    if (old.seconds.empty()) continue;
    const auto found = later.find(place);
    // An engine that now declines, or is absent, is not slower; one that is wrong is worse.
    if (found == later.end() || (found->second.seconds.empty() && !is_wrong(found->second)))
      ++pairs.only_before;
    else
      pairs.both.push_back({old, found->second});
  }
  for (const auto& [place, now] : later) {
    const auto found = earlier.find(place);
    pairs.only_after += !now.seconds.empty() && (found == earlier.end() || found->second.seconds.empty());
  }
  return pairs;
}

}  // namespace scatterproof::reports
