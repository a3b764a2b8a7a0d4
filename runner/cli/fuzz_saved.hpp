// SPDX-License-Identifier: Apache-2.0
// Calls in the folder in which `fuzz` saves: each belongs to the engine that failed on it.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/cases/case.hpp"

namespace scatterproof::runner::cli {

using OpenEngines = std::span<const std::unique_ptr<engines::Engine>>;

struct LeftToOthers {
  std::size_t calls = 0;
  std::set<std::string> engines = {};  ///< without their releases
};

/// Removes the calls that were saved for none of these engines, in whatever release.
LeftToOthers leave_to_others(std::vector<spec::Case>& cases, OpenEngines engines);

/// What was left, and the command that executes it on the first of these engines.
std::string words_of(const LeftToOthers& left, const std::string& folder, const std::string& program,
                     OpenEngines engines);

}  // namespace scatterproof::runner::cli
