// SPDX-License-Identifier: Apache-2.0
// Why a result is wrong: the engine may have read an argument in a wrong way.
#pragma once

#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner {

/// A way of reading one argument wrongly that explains every cell of a wrong result: as if it were
/// contiguous, in column-major order, or with the strides of the index; or another axis. `none` if no way
/// does.
spec::Diagnosis misreading_of(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                              const spec::Outcome& outcome);

}  // namespace scatterproof::runner
