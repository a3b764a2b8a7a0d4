// SPDX-License-Identifier: Apache-2.0
// Generated calls on a function of another process, judged by the spec.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/engines/protocol/wire.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/runner/snippet/snippet.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::python {

/// Which calls of an API to generate.
struct Choice {
  std::vector<std::string> dtypes;  ///< of the data; what are indices may have any. Empty: all
  bool broken = false;              ///< calls that break a rule too
  std::uint64_t seed = 0;
};
fuzz::GenerationOptions wishes_of(const Choice& choice, const spec::OpSpec& op);

struct CheckRequest {
  Choice choice;
  std::uint64_t cases = 0;                    ///< 0: until the time is up
  double seconds = 0;                         ///< 0: until all calls are made
  bool gradients = false;                     ///< those of as many calls again, in as much time
  std::string arrays;                         ///< the engine whose Python makes tensors: `numpy`, `torch`
  snippet::CheckedFunction function;          ///< for the code
  std::chrono::milliseconds timeout{20'000};  ///< of a call: the first may compile
};

struct CheckResult {
  std::uint64_t judged = 0, open = 0, unsupported = 0;
  std::uint64_t gradients = 0;         ///< calls with right gradients
  std::string without_gradients = {};  ///< why there is none, if one was asked for
  std::string verdict = {};            ///< of the failure; empty: there was none
  std::string explanation = {};        ///< likewise
  std::string code = {};     ///< the smallest call, as Python that fails; empty where it cannot be written
  std::uint64_t number = 0;  ///< of the generated call
  bool minimal = false;
  bool by_chance = false;   ///< the call fails at some executions only
  bool made_again = false;  ///< without code: the number and the choice make the call again
};

/// Up to the first failure, which is shrunk. Errors are of the spec, or of an engine that does not answer.
spec::Result<CheckResult> check(const CheckRequest& request, const spec::OpSpec& op,
                                const spec::SpecLibrary& specs, std::unique_ptr<engines::Engine> engine,
                                const engines::Places& places);

}  // namespace scatterproof::runner::python
