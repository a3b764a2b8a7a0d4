// SPDX-License-Identifier: Apache-2.0
// Putting a framework, at an exact version, into a virtual environment of its own.
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

/// Makes the engine ready and gives the name it goes by: `torch@2.13.0`. Nothing is done when it is ready
/// already, or part of this program; an installation that fails or is interrupted leaves nothing that looks
/// like one. What is going on is told to `progress`; pip's own words go to stderr.
spec::Result<std::string> install_engine(const InstallRequest& request, const Places& places,
                                         std::ostream& progress);

}  // namespace scatterproof::engines
