// SPDX-License-Identifier: Apache-2.0
// The calls that a source prints, checked against the results that it prints.
#include <fmt/format.h>

#include <algorithm>

#include "explain.hpp"
#include "in_turn.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/trial.hpp"

namespace scatterproof::runner::claims {
namespace {

using State = ClaimTrial::State;

spec::Expectation required_of(const PrintedCall& printed, const std::string& because) {
  if (printed.gives) return exactly(*printed.gives, because);
  spec::Expectation required;
  required.what = spec::RefusalExpected{.classes = {}, .native = {}, .because = because};
  return required;
}

ClaimTrial executed(const MappingClaim& claim, const PrintedCall& printed, engines::Engine& engine,
                    const CheckOptions& options) {
  ClaimTrial trial;
  trial.b = printed.call;
  trial.state = State::not_offered;
  if (!engine.supports(trial.b).yes) return trial;
  const spec::Call* const call = &trial.b;
  trial.outcome_b = ask(engine, {&call, 1}, options.timeout).front();
  // In place or not is not what is printed.
  if (auto* produced = std::get_if<spec::Produced>(&trial.outcome_b.what)) produced->inputs_written.clear();
  const spec::Expectation required = required_of(printed, fmt::format("{}: {}", claim.id, claim.says));
  trial.judgement_b = within_limits(
      trial.b, [&] { return spec::judge(required, trial.outcome_b, engine.info().framework.empty()); });
  const spec::Verdict verdict = trial.judgement_b.verdict;
  if (verdict == spec::Verdict::unsupported || verdict == spec::Verdict::infra) return trial;
  trial.state = is_allowed(verdict) ? State::agrees : State::differs;
  trial.telling = trial.state == State::agrees;
  if (trial.state == State::differs) trial.did = did_of(trial.judgement_b);
  return trial;
}

ClaimStanding standing_of(const CheckedClaim& checked) {
  if (checked.agree + checked.differ == 0) return ClaimStanding::not_run;
  return checked.differ > 0 ? ClaimStanding::refuted : ClaimStanding::holds;
}

}  // namespace

CheckedClaim check_printed(const MappingClaim& claim, engines::Engine& engine, const CheckOptions& options) {
  CheckedClaim checked;
  checked.claim = &claim;
  checked.a = checked.b = engine.info();
  for (std::size_t i = 0; i < claim.prints.size(); ++i) {
    const PrintedCall& printed = claim.prints[i];
    checked.classes.push_back({.id = fmt::format("{}/{}", claim.id, i + 1), .says = text_of(printed.call)});
    if (options.interrupted || !offers(engine, *printed.op)) continue;
    ClaimTrial trial = executed(claim, printed, engine, options);
    checked.agree += trial.state == State::agrees;
    checked.telling += trial.telling;
    checked.differ += trial.state == State::differs;
    checked.not_offered += trial.state == State::not_offered;
    if (trial.state != State::differs) continue;
    ClaimDifference difference;
    difference.when = {i};
    difference.did = trial.did;
    difference.count = difference.of = 1;
    difference.witness = std::move(trial);
    checked.differences.push_back(std::move(difference));
  }
  checked.left = checked.agree;
  checked.standing = standing_of(checked);
  if (checked.standing == ClaimStanding::not_run) checked.why_not_run = "the engine takes no call of it";
  return checked;
}

}  // namespace scatterproof::runner::claims
