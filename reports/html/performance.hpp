// SPDX-License-Identifier: Apache-2.0
// Benchmarks on a page: plots, and the numbers behind them.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::reports {

/// A section in about `most` bytes; empty when there is no run.
std::string performance_section(const std::vector<spec::TimingRun>& runs, std::size_t most);

}  // namespace scatterproof::reports
