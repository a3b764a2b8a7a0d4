// SPDX-License-Identifier: Apache-2.0
// Compares a benchmark with an earlier one: what became slower.
#include <fmt/format.h>

#include <map>
#include <ostream>
#include <tuple>

#include "columns.hpp"
#include "console/page.hpp"
#include "mann_whitney.hpp"
#include "scatterproof/reports/timing.hpp"
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
std::map<Place, TimingRecord> best_of(const spec::TimingRun& run) {
  std::map<Place, TimingRecord> best;
  for (const TimingRecord& record : run.records) {
    const Place place{record.row, engine_without_release(record.engine), record.device, record.threads,
                      record.in_place};
    const auto [at, is_new] = best.try_emplace(place, record);
    if (!is_new && is_faster(record, at->second)) at->second = record;
  }
  return best;
}

}  // namespace

TimingComparison compare_timings(const spec::TimingRun& before, const spec::TimingRun& now, double factor) {
  TimingComparison comparison;
  comparison.factor = factor;
  comparison.same_machine =
      before.machine.cpu == now.machine.cpu && before.machine.cores == now.machine.cores;
  const auto current = best_of(now);
  for (const auto& [place, old] : best_of(before)) {
    const auto found = current.find(place);
    if (old.seconds.empty() || found == current.end()) continue;
    // An engine that now declines, or is absent, is not slower; one that is wrong is worse.
    const bool broken = found->second.seconds.empty() && is_wrong(found->second);
    if (found->second.seconds.empty() && !broken) continue;
    ++comparison.compared;
    if (broken) {
      comparison.slower.push_back(
          {.before = old, .now = found->second, .by_minimum = 0, .by_median = 0, .significant = true});
      continue;
    }
    const Ratio change = ratio(spec::spread(found->second.seconds), spec::spread(old.seconds));
    if (change.by_minimum <= factor || change.by_median <= factor) continue;
    const double chance = chance_of_slower(old.seconds, found->second.seconds);
    if (chance >= most_chance)
      ++comparison.unsure;
    else
      comparison.slower.push_back({.before = old,
                                   .now = found->second,
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
