// SPDX-License-Identifier: Apache-2.0
// A folder to start your own kernel or worker from: complete for one operation, it builds and passes
// `engines check`.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

/// The languages that have a scaffold: `c`, `cpp`, ...
std::vector<std::string> scaffold_languages(const Places& places);

/// Writes the scaffold into `folder`, which is created if necessary, and gives the paths of its files. The
/// last part of `folder` names the kernel: its files, project and library. Never overwrites: if one of the
/// files exists, nothing is written and the error names it.
spec::Result<std::vector<std::string>> write_scaffold(const std::string& language, const std::string& folder,
                                                      const Places& places);

}  // namespace scatterproof::engines
