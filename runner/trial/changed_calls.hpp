// SPDX-License-Identifier: Apache-2.0
// Calls with one argument changed, and whether a result fits them: how a result is explained.
#pragma once

#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner {

/// The call with another value of one argument.
spec::Call with_argument(const spec::Call& call, std::size_t at, spec::Argument value);

/// The verdict of a meaning on a result; `infra` where a rule is still broken, or the call is too large to
/// judge.
spec::Verdict verdict_on(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                         const spec::Outcome& outcome);

}  // namespace scatterproof::runner
