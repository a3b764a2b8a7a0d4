// SPDX-License-Identifier: Apache-2.0
// Gradients of calls on one engine: asked and judged.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/gradient.hpp"
#include "scatterproof/spec/gradient/expected_gradient.hpp"
#include "scatterproof/spec/gradient/expected_tangent.hpp"
#include "scatterproof/spec/gradient/second_order.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// Elements of a tensor of a call, or of its result, whose gradients are judged, at most.
inline constexpr std::int64_t largest_differentiated = 4096;

/// What an engine is asked about the derivatives of a call, and what follows from its meaning.
struct GradientTask {
  spec::Expectation result;
  std::optional<spec::Expectation> exception = {};  ///< the call breaks a rule about gradients
  spec::Dependences dependences;                    ///< empty: none follow from the meaning
  spec::GradientQuestion reverse;
  spec::ExpectedGradients gradients;
  spec::GradientQuestion forward;  ///< without arguments: it is not asked
  spec::ExpectedTangent tangent;
  spec::GradientQuestion second;  ///< as `forward`
  spec::ExpectedSecondOrder second_order;
};

/// The call itself determines its cotangent, unless one is given, and its tangents. A string: why the call
/// has no gradients to judge.
std::variant<GradientTask, std::string> gradient_task(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine,
                                                      const spec::Tensor* cotangent = nullptr);

/// Whether a call may have gradients, as far as its arguments and the rules about gradients show.
bool may_have_gradients(const spec::OpSpec& spec, const spec::Call& call);

/// The questions whose answers show what is wrong with a call's gradients: of one mode, or of both where
/// these disagree. Empty: the call has no gradients to judge.
std::vector<spec::GradientQuestion> telling_questions(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine,
                                                      const spec::Diagnosis& diagnosis);

/// The judgement on the outcome of a call whose gradients were asked for, of an engine whose results do not
/// vary. `plain`: its outcome without. Empty: that is wrong already.
std::optional<spec::Judgement> judge_gradient_outcome(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine,
                                                      const GradientTask& task, const spec::Outcome& plain,
                                                      const spec::Outcome& asked);

/// A dispute, if the gradients that a case states are not among those that its spec allows. Empty: they are,
/// or it states none, or is about another release or device.
std::optional<spec::Judgement> dispute_about_gradients(const spec::Case& one, const spec::OpSpec& spec,
                                                       const engines::EngineInfo& engine);

/// One judgement for each call: on its result when gradients are asked for, on these in each mode that the
/// engine has, on whether the modes agree, and on second order. Empty: the call has no gradients to judge,
/// the engine does not take it, or its result is wrong also when none are asked for. `cotangent`: of the only
/// call; null: the calls determine theirs.
std::vector<std::optional<spec::Judgement>> judge_gradients(const spec::OpSpec& spec, engines::Engine& engine,
                                                            std::span<const spec::Call* const> calls,
                                                            std::chrono::milliseconds timeout,
                                                            const spec::Tensor* cotangent = nullptr);

/// Asks for a wrong gradient twice more. What to add to the explanation if the two differ; else empty.
std::string varying_gradient(const spec::OpSpec& spec, engines::Engine& engine, const spec::Call& call,
                             std::chrono::milliseconds timeout, const spec::Tensor* cotangent = nullptr);

}  // namespace scatterproof::runner
