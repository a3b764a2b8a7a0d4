// SPDX-License-Identifier: Apache-2.0
// Compares a benchmark with an earlier one: what became slower.
#include <fmt/format.h>

#include <map>
#include <ostream>
#include <tuple>

#include "columns.hpp"
#include "console/page.hpp"
#include "scatterproof/reports/timing.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "scatterproof/spec/record/rank_test.hpp"
#include "text.hpp"
#include "words.hpp"

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

TimingComparison compare_timings(const spec::TimingRun& before, const spec::TimingRun& now, double factor) {
  TimingComparison comparison;
  comparison.factor = factor;
  comparison.same_machine = same_machine(before, now);
  for (const TimingPair& pair : pairs_of(before, now, PairBy::engine).both) {
    ++comparison.compared;
    if (pair.is_wrong_now()) {
      comparison.slower.push_back(
          {.before = pair.before, .now = pair.after, .by_minimum = 0, .by_median = 0, .significant = true});
      continue;
    }
    const Ratio change = ratio(spec::spread(pair.after.seconds), spec::spread(pair.before.seconds));
    if (change.by_minimum <= factor || change.by_median <= factor) continue;
    const double chance = spec::rank_test(pair.before.seconds, pair.after.seconds).p_larger;
    if (chance >= most_chance)
      ++comparison.unsure;
    else
      comparison.slower.push_back({.before = pair.before,
                                   .now = pair.after,
                                   .by_minimum = change.by_minimum,
                                   .by_median = change.by_median,
                                   .significant = change.significant,
                                   .chance = chance});
  }
  return comparison;
}

void print_comparison(std::ostream& out, const Style& style, const TimingComparison& comparison) {
  for (const Slowdown& one : comparison.slower) {
    const TimingRecord& now = one.now;
    out << painted(style, Colour::red, "SLOWER ") << painted(style, Colour::bold, printable(now.row))
        << fmt::format(" on {}, {}, {}: ", printable(now.engine), threads_words(now.threads),
                       now.in_place ? "in place" : "out of place");
    if (now.seconds.empty()) {
      out << painted(style, Colour::red, untimed(now)) << '\n';
      continue;
    }
    const Ratio change{one.by_minimum, one.by_median, one.significant};
    out << fmt::format("{} -> {}, ", time_words(spec::spread(one.before.seconds).minimum),
                       time_words(spec::spread(now.seconds).minimum))
        << painted(style, one.significant ? Colour::red : Colour::yellow,
                   spelled_out(change, ratio_words(change)))
        << fmt::format(", p = {:.1g}\n", one.chance);
  }
  out << fmt::format("{} of {} rows take more than {}x as long as before, or are wrong now\n",
                     comparison.slower.size(), comparison.compared, comparison.factor);
  if (comparison.unsure > 0)
    out << fmt::format("{} more may be: too few repetitions, or too unsteady, to rule out chance (p >= {})\n",
                       comparison.unsure, most_chance);
  if (!comparison.same_machine)
    out << painted(style, Colour::yellow,
                   "the earlier times are from another machine, which alone may explain a difference")
        << '\n';
  out.flush();
}

}  // namespace scatterproof::reports
