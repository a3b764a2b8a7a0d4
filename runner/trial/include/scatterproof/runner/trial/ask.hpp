// SPDX-License-Identifier: Apache-2.0
// Asks an engine about calls.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"

namespace scatterproof::runner {

/// One outcome for each call, executed in this order. Calls that the engine does not take, as far as it has
/// declared, are not sent: they are unsupported, with the reason. A process may die of what an earlier call
/// did to its memory; if no call kills it alone, the one that ran then is asked again, alone.
std::vector<spec::Outcome> ask(engines::Engine& engine, std::span<const spec::Call* const> calls,
                               std::chrono::milliseconds timeout);

}  // namespace scatterproof::runner
