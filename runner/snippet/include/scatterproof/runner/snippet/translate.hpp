// SPDX-License-Identifier: Apache-2.0
// Expresses a call through an API that an engine offers, as the families allow.
#pragma once

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::runner::snippet {

struct OfferedCall {
  const spec::OpSpec* op;  ///< its API's, of the library that was given
  spec::Call call;
};

/// The call itself if the engine offers its API. If not, the same call by an offered API of its family, or
/// of one to which a relation `by: restate` leads; where the call has a result, by one with the same result.
/// Errors: no offered API can express it, with each one's reason; a spec cannot be executed.
spec::Result<OfferedCall> offered_call(const spec::Call& call, const engines::EngineInfo& engine,
                                       const spec::SpecLibrary& specs, const spec::FamilyLibrary& families);

}  // namespace scatterproof::runner::snippet
