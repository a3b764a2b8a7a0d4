// SPDX-License-Identifier: Apache-2.0
// What `bench` shows: a table for a terminal, a Markdown summary with plots, and what became slower.
// All are pure functions of a benchmark run's records.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "scatterproof/reports/reporter.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::reports {

/// The machine's rates, then every row with its engines next to each other, then skew by distribution.
/// Columns that do not fit `style.width` are left out, the least important first, and named.
void print_timing_table(std::ostream& out, const Style& style, const spec::TimingRun& run);

/// Writes `summary.md` (under 64 KB) and the SVG plots it links to into `folder`, which is made when it is
/// not there. The paths written, the summary's first; or why one could not be written.
spec::Result<std::vector<std::filesystem::path>> write_timing_reports(const spec::TimingRun& run,
                                                                      const std::filesystem::path& folder);

/// Plots and numbers of one benchmark or several as one file of HTML under 5 MB, in the style of the report
/// `html`.
void write_timing_page(std::ostream& out, const std::vector<spec::TimingRun>& runs,
                       const std::string& tool_version);

/// `61.2 ms`, `912 ns`.
std::string time_words(double seconds);
/// `1 thread`, `2 threads`.
std::string threads_words(int threads);

/// One row on one engine (whatever its version), device and number of threads, in two runs. If several calls
/// serve one purpose, the fastest counts.
struct TimingPair {
  spec::TimingRecord before;  ///< was timed
  spec::TimingRecord after;
  bool is_wrong_now() const;  ///< it has no times because the result is wrong
};
struct TimingPairs {
  std::vector<TimingPair>
      both;  ///< by row; pairs in which the engine now declines, or is absent, are left out
  std::size_t only_before = 0;  ///< places that were timed in one run alone
  std::size_t only_after = 0;
};
/// An engine is compared with itself, whatever its version; or, where each run has but one, with the other's.
enum class PairBy { engine, row };
TimingPairs pairs_of(const spec::TimingRun& before, const spec::TimingRun& after, PairBy by);
/// Processor or cores differ, so the machine alone may explain a difference.
bool same_machine(const spec::TimingRun& before, const spec::TimingRun& after);

/// One row on one engine that is slower than it was.
struct Slowdown {
  spec::TimingRecord before;
  spec::TimingRecord now;
  double by_minimum = 0;  ///< now over before; 0 when there is no time now, because the result is wrong
  double by_median = 0;
  bool significant = true;  ///< false: the times of one side spread widely
  double chance = 0;        ///< of such times if nothing became slower (spec::rank_test)
};

/// A slowdown counts when chance alone makes one like it less often than this. Five repetitions on each side
/// can show that, three cannot; and of a hundred rows beyond the factor, one would be chance.
inline constexpr double most_chance = 0.01;

struct TimingComparison {
  std::size_t compared =
      0;  ///< rows with a time before and an answer now; 0: nothing was compared, which is not a success
  std::size_t unsure = 0;  ///< beyond the factor, but possibly by chance; not among the slower ones
  double factor = 0;
  bool same_machine = true;  ///< false: processor or cores differ, so a slowdown may be the machine's
  std::vector<Slowdown> slower;
};

/// Compares each row on each engine (whatever its version), device and number of threads with the same one in
/// the earlier run. A row is slower when both its minimum and its median are more than `factor` times as long
/// (so that one lucky repetition before does not count) and all repetitions together rule out chance
/// (`most_chance`); or when it was timed before and now gives a wrong result. Rows that only one run has are
/// not compared. Precondition: factor >= 1.
TimingComparison compare_timings(const spec::TimingRun& before, const spec::TimingRun& now, double factor);

void print_comparison(std::ostream& out, const Style& style, const TimingComparison& comparison);

}  // namespace scatterproof::reports
