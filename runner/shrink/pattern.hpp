// SPDX-License-Identifier: Apache-2.0
// In which way a call fails: what shrinking must keep, and what folds equal failures into one.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "scatterproof/engines/engine.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"
#include "shrink.hpp"

namespace scatterproof::runner::shrink {

struct Pattern {
  spec::Verdict verdict = spec::Verdict::pass;
  std::vector<std::string> broken;  ///< ids of the rules the call breaks, in the spec's order
  /// The kind of explanation: the first wrong meaning that explains the result, or what was refused, without
  /// numbers and places. Empty when nothing simple explains a wrong result.
  std::string explanation;
};

/// How a call fails on an engine, from what the judge said of it.
Pattern pattern_of(const spec::OpSpec& op, const spec::Call& call, const engines::EngineInfo& engine,
                   const spec::Judgement& judgement);

/// A candidate keeps the pattern when the engine, given it, gets the same verdict for the same broken rules
/// with the same explanation; where there is none, any will do, for small results have many. A crash or a
/// hang is an outcome like any other. `op` and `engine` must outlive it.
Keeps keeps_pattern(const spec::OpSpec& op, engines::Engine& engine, Pattern pattern,
                    std::chrono::milliseconds timeout);

}  // namespace scatterproof::runner::shrink
