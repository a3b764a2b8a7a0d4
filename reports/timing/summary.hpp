// SPDX-License-Identifier: Apache-2.0
// The benchmark in Markdown.
#pragma once

#include <string>
#include <vector>

#include "plots.hpp"

namespace scatterproof::reports {

/// Under 64 KB whatever the run: a table's last lines are left out and counted. Plots are linked by file
/// name, so they belong in the same folder.
std::string summary(const spec::TimingRun& run, const std::vector<Figures>& all,
                    const std::vector<Plot>& plots);

}  // namespace scatterproof::reports
