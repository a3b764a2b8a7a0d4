// SPDX-License-Identifier: Apache-2.0
// What an engine's folder declares to the registry.
//
// Each folder in the list of engines/CMakeLists.txt defines, in namespace scatterproof::engines,
//
//     std::vector<BuiltInEngine> <folder>_engines();
//
// which returns its engine or engines.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// For an engine in this process. `specs` must outlive the engine.
using MakeEngine = std::unique_ptr<Engine> (*)(const spec::SpecLibrary& specs);

/// For an engine that is served by a program of this project (scatterproof_host in
/// cmake/ScatterproofTargets.cmake).
struct HostProgram {
  std::string program;      ///< in libexec/scatterproof
  std::string argument;     ///< its only one; empty: none
  std::string why_missing;  ///< what the build lacked when the program is not there
};

struct BuiltInEngine {
  std::string name;         ///< as on the command line
  std::string description;  ///< one line of `engines list`
  std::variant<MakeEngine, HostProgram> runs;
};

}  // namespace scatterproof::engines
