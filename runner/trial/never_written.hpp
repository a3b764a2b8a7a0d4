// SPDX-License-Identifier: Apache-2.0
// Wrong cells that a kernel forgot.
#pragma once

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/judge/expectation.hpp"

namespace scatterproof::runner {

/// Whether every wrong cell of a result holds what the engine's host puts there before each call. Always
/// false for other engines, whose memory before a call is not known.
bool is_never_written(const spec::Expectation& expectation, const engines::EngineInfo& engine,
                      const spec::Outcome& outcome);

}  // namespace scatterproof::runner
