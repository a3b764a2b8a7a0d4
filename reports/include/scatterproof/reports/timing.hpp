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

}  // namespace scatterproof::reports
