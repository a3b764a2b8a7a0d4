// SPDX-License-Identifier: Apache-2.0
// Earlier runs on a page: a small picture for each API and engine, and since when it fails, in words.
#pragma once

#include <string>

#include "scatterproof/reports/past.hpp"

namespace scatterproof::reports {

/// `<svg>`: a column for each run, with the share of calls that failed on top. Its title and description say
/// the same.
std::string sparkline(const Past& past, const std::vector<PastPoint>& points);
/// `Fails since run 1f2e3d4c of 2026-11-23; did not in run ...`, with links to `runs_of`. `page`: where those
/// are; empty on the page itself.
std::string since_when(const Past& past, const std::vector<PastPoint>& points, const std::string& page);
/// A section in about `most` bytes: what failed in any of the runs, and the runs. Empty when there are no
/// earlier runs.
std::string past_section(const Past& past, std::size_t most);

}  // namespace scatterproof::reports
