// SPDX-License-Identifier: Apache-2.0
// The way in which a call fails, which shrinking must preserve.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/shrink/shrink.hpp"
#include "scatterproof/spec/core/diagnosis.hpp"
#include "scatterproof/spec/core/verdict.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::shrink {

struct FailureSignature {
  spec::Verdict verdict = spec::Verdict::pass;
  std::vector<std::string> broken;  ///< ids of the rules the call breaks, in the spec's order
  spec::Diagnosis diagnosis;        ///< without numbers
  std::string said = {};            ///< the words of a refusal, without those that name values of the call
};

/// The signature of a call that failed on an engine, from its judgement.
FailureSignature signature_of(const spec::OpSpec& op, const spec::Call& call,
                              const engines::EngineInfo& engine, const spec::Judgement& judgement);

/// Whether a call with this judgement fails in the way of the signature: the same verdict, what the engine
/// said but for values, and the same diagnosis: of a smaller call another cause may come first, and mislead.
/// Where no simple meaning explains the wrong cells, any diagnosis matches.
bool fails_alike(const FailureSignature& signature, const spec::Judgement& judgement);

/// A candidate keeps the signature when it breaks the same rules, and the engine, given it, fails in the same
/// way. A crash or a hang is an outcome like any other. `op` and `engine` must outlive it.
Keeps keeps_signature(const spec::OpSpec& op, engines::Engine& engine, FailureSignature signature,
                      std::chrono::milliseconds timeout);

}  // namespace scatterproof::runner::shrink
