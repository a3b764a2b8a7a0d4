// SPDX-License-Identifier: Apache-2.0
// Calls that `fuzz` saved although they fail at some executions only.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/cases/case.hpp"

namespace scatterproof::runner {

/// How the call of a case failed when it was saved, if that shows at some executions only: its tags say so.
std::optional<spec::DiagnosisKind> fails_at_times(const spec::Case& one);

/// Executes such a call many times, with several numbers of threads and as the first of a process. A failure
/// replaces the judgement. Otherwise a sentence that says how often the answers agreed; empty if the call
/// failed, or has no verdict.
std::string look_again(const spec::Case& one, spec::DiagnosisKind failed, Trial& trial,
                       engines::Engine& engine, std::chrono::milliseconds timeout);

}  // namespace scatterproof::runner
