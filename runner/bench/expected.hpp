// SPDX-License-Identifier: Apache-2.0
// Whether a call's result is right, so that only right ones are timed.
#pragma once

#include <string>

#include "data.hpp"
#include "scatterproof/engines/engine.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner::bench {

/// What the scalar reference makes of the row's call: one contiguous tensor.
spec::Tensor reference_result(const RowData& data);

/// Empty when the outcome is a result with the same bits, element by element in row-major order (of a mean of
/// floats: within one unit in the last place, since what is divided is exact and the division need not be);
/// else what is different, in words.
std::string difference(const spec::Tensor& expected, const spec::Outcome& outcome, spec::Combiner combine);

/// The largest size at which every tensor of the row has at most 4096 elements, or 8.
std::int64_t small_size(const Row& row);

/// Runs a call and has it judged as a case without expectations of its own: by the spec alone.
spec::Judgement run_and_judge(engines::Engine& engine, const spec::Call& call, const spec::OpSpec& spec);

}  // namespace scatterproof::runner::bench
