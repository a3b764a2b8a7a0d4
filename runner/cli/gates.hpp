// SPDX-License-Identifier: Apache-2.0
// Limits that a user sets for a run as a whole (docs/use/settings.md): a run that does not keep them fails.
#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner::cli {

struct GateFlags {
  std::optional<double> min_coverage;    ///< per cent
  std::optional<double> min_throughput;  ///< per cent of the median of earlier runs
};

/// Every rule of an API has two sides: a call that obeys it, and one that breaks it.
struct SidesCovered {
  std::size_t covered = 0;
  std::size_t all = 0;
};

/// `--min-coverage` and `--min-throughput`. The first: for callers that exclude other options.
CLI::Option* add_gates(CLI::App& verb, GateFlags& flags);

/// What `spec coverage` counts, for the APIs that are selected and that an engine offers, with only the cases
/// whose ids are in `answered`.
SidesCovered sides_covered(const Catalogue& catalogue,
                           const std::vector<std::unique_ptr<engines::Engine>>& engines,
                           const std::set<std::string>& answered);

/// The gates that a run fails. A gate that cannot be decided is reported on stderr. `sides`: null if they
/// were not counted.
std::vector<spec::FailedGate> failed_gates(const GateFlags& flags, const spec::Header& header,
                                           const spec::Trailer& trailer, const SidesCovered* sides);

}  // namespace scatterproof::runner::cli
