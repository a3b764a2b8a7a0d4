// SPDX-License-Identifier: Apache-2.0
// Installs a framework, at an exact version, into its own virtual environment, and removes it.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

struct InstallRequest {
  std::string engine;  ///< `torch` at the version its engine.yaml pins, or `torch==2.12.0`
  std::vector<std::string> words =
      {};                   ///< pins (`numpy==1.26.4`), which win over the engine's; else for `pip install`
  std::string python = {};  ///< an interpreter that imports the framework already; then nothing is fetched
  bool terminal = false;    ///< whether the last line of the progress may be written over
};

/// Installs the engine and returns its name: `torch@2.13.0`. Does nothing if it is part of this program, or
/// installed with the given pins and its worker starts; one that does not start is replaced. Before it begins
/// it reports to `progress` what that will cost, and afterwards what it has. An installation that fails,
/// whose worker does not start, or that is interrupted leaves nothing that looks like one. pip's output goes
/// to a file that errors name. With `python`, the engine runs in that interpreter as it is, under the release
/// that it imports.
spec::Result<std::string> install_engine(const InstallRequest& request, const Places& places,
                                         std::ostream& progress);

/// Removes `torch@2.12.0`, or the only release of `torch`, and returns its full name.
spec::Result<std::string> remove_engine(const std::string& engine, const Places& places);

}  // namespace scatterproof::engines
