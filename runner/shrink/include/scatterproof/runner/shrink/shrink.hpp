// SPDX-License-Identifier: Apache-2.0
// Makes a failing call as small and plain as possible while it still fails in the same way.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::shrink {

/// Whether each of these calls still fails in the same way; one answer a call. Called with a handful of
/// candidates at a time, so that a worker process is asked once for all of them.
using Keeps = std::function<std::vector<bool>(std::span<const spec::Call> candidates)>;

struct Limits {
  double seconds = 2;                  ///< no batch is begun later than this
  std::size_t candidates = 1'000'000;  ///< tried, at most
  std::size_t batch = 64;  ///< steps whose candidates are handed over at once; no result depends on it
  std::function<bool(const spec::Call&)> too_large = {};  ///< where it holds, thirty times as long
};

struct ShrinkResult {
  spec::Call call;
  bool minimal = false;   ///< no single step from it keeps the failure; false: a limit came first
  std::size_t steps = 0;  ///< that were taken
  std::size_t tried = 0;  ///< candidates
};

/// Greedy: the first step that keeps the failure is taken, until none does. Every step lowers the call's
/// Measure, so this ends. Two runs give the same result unless time ran out. Precondition: `keeps` holds for
/// `call`; its tensors have layouts that case files can name (others become contiguous when they change).
ShrinkResult shrink(const spec::OpSpec& op, const spec::Call& call, const Keeps& keeps,
                    const Limits& limits = {});

}  // namespace scatterproof::runner::shrink
