// SPDX-License-Identifier: Apache-2.0
// Why a result is wrong: the engine may have read an argument in a wrong way.
#pragma once

#include <vector>

#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner {

/// The ways of reading one argument wrongly that explain every cell of a wrong result, at most two: as if it
/// were contiguous, in column-major order, or by the strides of the index; or another axis. The tensor that
/// is written, with which `expectation` starts, may also be written by the strides of the index.
std::vector<spec::Diagnosis> misreadings_of(const spec::OpSpec& op, const spec::Call& call,
                                            const spec::Target& target, const spec::Expectation& expectation,
                                            const spec::Outcome& outcome);

}  // namespace scatterproof::runner
