// SPDX-License-Identifier: Apache-2.0
// A test-only engine that is correct except for one named fault. The selftest uses it to test the tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// What a name after `faulty:` stands for.
struct FaultListing {
  std::string_view name;      ///< `dropped-tail`
  std::string_view says;      ///< what goes wrong, in one sentence
  bool of_gradients = false;  ///< only gradients, or what comes with them, show it
};

/// Every fault, in the order of the stages of a call, then those of gradients.
std::vector<FaultListing> list_faults();

/// The engine called `faulty:NAME`: executes each API whose spec names a kernel, correctly except for the
/// fault. `faulty:none` has none, and `faulty:drawn-S-N` is fault N drawn from seed S (drawn.hpp). An unknown
/// name is an error with a hint. `specs` must outlive the engine.
spec::Result<std::unique_ptr<Engine>> make_faulty(std::string_view fault, const spec::SpecLibrary& specs);

}  // namespace scatterproof::engines
