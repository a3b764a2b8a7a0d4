// SPDX-License-Identifier: Apache-2.0
// A test-only engine that is right but for one named fault: what tests are tested with.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/engines/engine.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// What a name after `faulty:` stands for.
struct FaultListing {
  std::string_view name;  ///< `dropped-tail`
  std::string_view says;  ///< what goes wrong, in one sentence
};

/// Every fault, in the order of the stages of a call.
std::vector<FaultListing> list_faults();

/// The engine called `faulty:NAME`: each API whose spec names a kernel, executed right but for the fault.
/// `faulty:none` has none. An unknown name is an error with a hint. `specs` must outlive the engine.
spec::Result<std::unique_ptr<Engine>> make_faulty(std::string_view fault, const spec::SpecLibrary& specs);

}  // namespace scatterproof::engines
