// SPDX-License-Identifier: Apache-2.0
// The engines that exist, and how to get one by the name a user types.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// What `engines list` prints of one engine.
struct EngineListing {
  /// The same framework, executing calls in another way, such as compiled.
  struct Form {
    std::string name;  ///< `torch:compile`
    std::string description;
  };
  std::string name;  ///< `torch@2.13.0`
  bool installed = false;
  std::string description;
  std::string state;             ///< `ready`, `not installed: scatterproof engines install torch`, ...
  std::vector<Form> forms = {};  ///< engines that are used where they are asked for by name
  std::string python = {};       ///< the user's interpreter, if it is from there
};

/// Where things are; found relative to the executable, or SCATTERPROOF_DATA / SCATTERPROOF_ENGINES /
/// SCATTERPROOF_PYTHON.
struct Places {
  std::string data;     ///< holds spec/ cases/ engines/workers/
  std::string engines;  ///< virtual environments, one folder a framework and version
  /// The user's interpreter: its frameworks come before those that are installed. Empty: there is none.
  std::string python = {};
  bool timed = false;  ///< engines are timed: their threads wait for work as they do by default
};
Places find_places();

/// Names of the engines that are part of this program: nothing to install.
std::vector<std::string> built_in_engines();
/// Whether the engine of this name runs in this process: no protocol to speak.
bool is_native(const std::string& name);

/// Whether the name is of a kernel, worker or function of the user's own: `so:./libmine.so`, `py:m:f=API`.
bool is_users_own(const std::string& name);

/// The framework whose documents an installed engine answers to: `torch` for `executorch@1.5.1`. Empty: no
/// manifest has its name.
std::string framework_of(const std::string& engine, const Places& places);

/// The user's interpreter, where the name asks for no release of a framework and that interpreter does not
/// import it, so that one which `engines install` has installed is meant. Else empty.
std::string interpreter_without(const std::string& engine, const Places& places);

std::vector<EngineListing> list_engines(const Places& places);

/// The engine that a user means by `reference`, `torch`, `torch@2.13.0`, `torch:compile`, `so:./libmine.so`,
/// `cmd:./my-worker`, `py:module:function=torch.gather` or `recorded:FILE`. A worker process starts on first
/// use; an engine that cannot be found is an error with a hint. `specs` must outlive the engine.
spec::Result<std::unique_ptr<Engine>> make_engine(const std::string& name, const spec::SpecLibrary& specs,
                                                  const Places& places);

}  // namespace scatterproof::engines
