// SPDX-License-Identifier: Apache-2.0
// How to start the worker that a user names.
#pragma once

#include <string>
#include <string_view>

#include "manifest.hpp"
#include "scatterproof/engines/client/worker.hpp"
#include "scatterproof/engines/registry/python_function.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines::registry {

/// Where a host's program lies: libexec/scatterproof/<program> in the nearest folder above this executable
/// that has it; empty when none does.
std::string find_program(std::string_view program);

/// How to start `torch`, `torch:compile@2.13.0`, a built-in engine that a program serves, `so:./libmine.so`,
/// `cmd:./my-worker` or `py:module:function=torch.gather`. An engine that does not exist is an error with a
/// hint. `specs`: for the last one; null: they are loaded.
spec::Result<WorkerOptions> worker_options(const std::string& name, const Places& places,
                                           const spec::SpecLibrary* specs = nullptr);

/// A worker of the user's, by the engine's name and without a command.
WorkerOptions users_worker(const std::string& name, const Places& places);

/// The function that a name of an engine means. Precondition: is_function(name).
spec::Result<PythonFunction> function_of(const std::string& name);
/// How to start its worker; `options` has the rest.
spec::Result<WorkerOptions> function_options(const PythonFunction& function, WorkerOptions options,
                                             const spec::SpecLibrary& specs, const Places& places);

/// The worker of a framework that an interpreter imports. `form` is one of the manifest's; empty: the usual
/// one.
WorkerOptions framework_worker(const Manifest& manifest, const Release& release, const std::string& form,
                               const Places& places);

}  // namespace scatterproof::engines::registry
