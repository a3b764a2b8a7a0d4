// SPDX-License-Identifier: Apache-2.0
// The documents themselves as an engine: what a comparison predicts before anything runs.
#pragma once

#include <memory>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::compare {

/// Answers every call as its spec says: with the one result that is allowed, or the refusal that is promised.
/// Where the document allows several results, or promises nothing, it does not support the call. `specs` must
/// outlive it.
std::unique_ptr<engines::Engine> document_engine(const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner::compare
