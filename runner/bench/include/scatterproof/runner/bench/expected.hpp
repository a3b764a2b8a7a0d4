// SPDX-License-Identifier: Apache-2.0
// Checks a call's result before it is timed: a wrong result is never timed.
#pragma once

#include <string>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/bench/data.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner::bench {

/// The result that the scalar reference computes for the row's call, or its gradient: one contiguous tensor.
spec::Tensor reference_result(const RowData& data);

/// Empty when the outcome is a result with the same bits, element by element in row-major order; else the
/// difference in words. A mean of floats may differ by one unit in the last place: the sum is exact, but the
/// division need not be.
std::string difference(const spec::Tensor& expected, const spec::Outcome& outcome, spec::Combiner combine);

/// The outcome of a call whose gradient was asked for by one argument, with the gradient as its result.
spec::Outcome gradient_of(spec::Outcome outcome);

/// The largest size at which every tensor of the row has at most 4096 elements, or 8.
std::int64_t small_size(const BenchmarkRow& row);

/// Runs a call and judges it by the spec alone, like a case without expectations of its own. `cotangent`: its
/// gradient is judged; null: none is asked for.
spec::Judgement run_and_judge(engines::Engine& engine, const spec::Call& call, const spec::OpSpec& spec,
                              const spec::Tensor* cotangent = nullptr);

}  // namespace scatterproof::runner::bench
