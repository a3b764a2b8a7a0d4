// SPDX-License-Identifier: Apache-2.0
// Spatter's own JSON files as rows (github.com/hpcgarage/spatter, README, "JSON Inputs").
#pragma once

#include <string>
#include <vector>

#include "scatterproof/runner/bench/rows.hpp"

namespace scatterproof::runner::bench {

struct ImportedRows {
  std::vector<BenchmarkRow> rows;
  std::vector<std::string> notes;  ///< what the file asks for but the rows do not imitate, one sentence each
};

/// Each configuration of the file becomes a row of f64, which is what Spatter uses: the templates of
/// `templates` (spec/data/benchmarks/B4.yaml) with the configuration as the parameter `spatter`. Gather and
/// MultiGather become gathers, Scatter and MultiScatter scatters, GS one of each. Ids begin with the file's
/// name.
spec::Result<ImportedRows> import_spatter(const std::string& path, const std::string& templates,
                                          const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner::bench
