// SPDX-License-Identifier: Apache-2.0
// Installs a framework, at an exact version, into its own virtual environment.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "scatterproof/engines/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

struct InstallRequest {
  std::string engine;  ///< `torch` at the version its engine.yaml pins, or `torch==2.12.0`
  std::vector<std::string> pip_arguments;  ///< passed to `pip install` as they are
};

/// Installs the engine and returns its name: `torch@2.13.0`. Does nothing if it is already installed, or part
/// of this program. An installation that fails or is interrupted leaves nothing that looks like one. Progress
/// is written to `progress`, pip's output to stderr.
spec::Result<std::string> install_engine(const InstallRequest& request, const Places& places,
                                         std::ostream& progress);

}  // namespace scatterproof::engines
