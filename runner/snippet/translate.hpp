// SPDX-License-Identifier: Apache-2.0
// A call in the words of an API that an engine offers: families say which API that can be.
#pragma once

#include "scatterproof/engines/engine.hpp"
#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::runner::snippet {

struct OfferedCall {
  const spec::OpSpec* op;  ///< its API's, of the library that was given
  spec::Call call;
};

/// The call itself if the engine offers its API. If not, the same said by an offered API of its family; where
/// the call has a result, by one that has the same. Errors: no offered API can say it, with the reason of each;
/// a spec cannot be executed.
spec::Result<OfferedCall> offered_call(const spec::Call& call, const engines::EngineInfo& engine,
                                       const spec::SpecLibrary& specs, const spec::FamilyLibrary& families);

}  // namespace scatterproof::runner::snippet
