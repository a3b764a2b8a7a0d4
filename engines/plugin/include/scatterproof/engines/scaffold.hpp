// SPDX-License-Identifier: Apache-2.0
// A folder to start a kernel or worker of one's own from: it builds, passes `engines check` and does one
// thing.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

/// Languages there is a scaffold in: `c`, `cpp`, ...
std::vector<std::string> scaffold_languages(const Places& places);

/// Writes the scaffold into `folder`, which is made if it is not there, and gives the paths of its files.
/// Never overwrites: when a file of that name exists, nothing is written and the error names it.
spec::Result<std::vector<std::string>> write_scaffold(const std::string& language, const std::string& folder,
                                                      const Places& places);

}  // namespace scatterproof::engines
