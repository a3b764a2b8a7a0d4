// SPDX-License-Identifier: Apache-2.0
// Asks an engine about calls.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"

namespace scatterproof::runner {

/// One outcome for each call, executed in this order. Calls that the engine does not take, as far as it has
/// declared, are not sent: they are unsupported, with the reason. A process may die of what an earlier call
/// did to its memory; if no call kills it alone, the one that ran then is asked again, alone. `gradients`:
/// what is asked about each call's, or nothing.
std::vector<spec::Outcome> ask(engines::Engine& engine, std::span<const spec::Call* const> calls,
                               std::chrono::milliseconds timeout,
                               std::span<const spec::GradientQuestion* const> gradients = {});

/// The same engine in a process that has executed nothing, and in which freed and new memory holds no zeros.
/// Null: the engine has no process of its own.
std::unique_ptr<engines::Engine> in_new_process(const engines::Engine& engine);

}  // namespace scatterproof::runner
