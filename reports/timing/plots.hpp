// SPDX-License-Identifier: Apache-2.0
// The plots of a benchmark. Which ones there are depends on what was measured.
#pragma once

#include <string>
#include <vector>

#include "ratios.hpp"

namespace scatterproof::reports {

struct Plot {
  std::string file;   ///< a name fit for any file system, ending in .svg
  std::string title;  ///< what it shows, on one line
  std::string svg;
};

/// Bandwidth against the table's size, both logarithmic. One plot for an operation on a native engine with
/// all else equal; one panel for a number of threads and an engine (the peers' next to the native one); in a
/// panel one line for each distribution, and dashed the floor. Only where some distribution has two sizes.
std::vector<Plot> bandwidth_plots(const spec::MachineRecord& machine, const std::vector<Figures>& all);

/// Share of the floor by row: one plot for an operation on a native engine, a bar for a row with the fewest
/// and the most threads, the peers as marks on them.
std::vector<Plot> floor_plots(const std::vector<Figures>& all);

/// Times of all runs with their spread (minimum, median, 90th percentile), logarithmic: one plot for each
/// benchmark. A row has a line for each engine version, and where a version was timed in several runs, one
/// for each run.
std::vector<Plot> spread_plots(const std::vector<spec::TimingRun>& runs);

/// Letters, digits, dots and hyphens of the words, joined by hyphens.
std::string file_name(const std::vector<std::string>& words);

}  // namespace scatterproof::reports
