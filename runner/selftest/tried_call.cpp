// SPDX-License-Identifier: Apache-2.0
#include "tried_call.hpp"

#include <utility>

#include "verdicts.hpp"

namespace scatterproof::runner::selftest {

std::optional<TriedCall> TriedCall::make(const spec::OpSpec& spec, const spec::Call& call,
                                         engines::Engine& reference, bool gradients) {
  TriedCall made(spec, call);
  if (!gradients) {
    made.expectation_ = spec::expect(spec, call);
    return made;
  }
  auto task = gradient_task(spec, call, reference.info());
  if (!std::holds_alternative<GradientTask>(task)) return std::nullopt;
  made.of_ = OfGradients{reference.info(), std::get<GradientTask>(std::move(task)),
                         reference.run_one({.call = &call})};
  return made;
}

std::string TriedCall::failure(const spec::Outcome& outcome) const {
  if (expectation_) return selftest::failure(*expectation_, outcome);
  const auto judgement =
      judge_gradient_outcome(*spec_, *call_, of_->reference, of_->task, of_->plain, outcome);
  return judgement && is_failure(judgement->verdict) ? std::string(spec::name(judgement->verdict)) : "";
}

}  // namespace scatterproof::runner::selftest
