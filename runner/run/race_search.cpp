// SPDX-License-Identifier: Apache-2.0
#include "race_search.hpp"

#include <fmt/format.h>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/relations/crowded.hpp"
#include "scatterproof/runner/trial/repeated.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner {
namespace {

constexpr std::size_t executions = 8;           // in a row, of a call as it is
constexpr std::size_t crowded_executions = 16;  // of one that is made larger
constexpr std::int64_t contributions =
    1 << 15;  // to it: a thread works on them for longer than it takes to wake another

}  // namespace

RaceSearch::RaceSearch(engines::Engine& engine, const spec::FamilyLibrary* families,
                       std::chrono::milliseconds timeout)
    : engine_(engine),
      families_(families),
      timeout_(timeout),
      may_race_(engine.info().threads && engines::is_users_own(engine.info().name)) {}

void RaceSearch::look(Trial& trial) {
  spec::Judgement& judgement = trial.judgement;
  const bool failed_at_once = judgement.verdict == spec::Verdict::mismatch;
  const bool waits_for_crowded = !hangs_ && !crowded_.contains(trial.spec->api);
  const bool has_time = waits_for_crowded || 2 * seconds_ <= seconds_since(begun_) + 1;
  if (!may_race_ || !trial.expectation || !has_time ||
      (!failed_at_once && !could_race(*trial.expectation, judgement.mode, 2)))
    return;
  const auto start = Clock::now();
  const RepeatedCall repeated{*trial.spec, engine_, *trial.call, *trial.expectation, timeout_};
  std::vector<spec::Outcome> right{*trial.outcome};
  if (failed_at_once) {
    repeated.settle(judgement);
  } else if (is_allowed(judgement.verdict)) {
    if (auto failed = repeated.in_a_row(executions, right))
      judgement = *std::move(failed);
    else
      look_when_crowded(trial);
  }
  seconds_ += seconds_since(start);
}

void RaceSearch::look_when_crowded(Trial& trial) {
  const spec::Family* family = families_ ? families_->said_in(*trial.spec) : nullptr;
  if (!family) return;
  const auto call = relations::crowded(*family, *trial.spec, *trial.call, contributions);
  if (!call || !engine_.supports(*call).yes) return;
  const auto expectation = expect(*trial.spec, *call, engine_.info());
  if (!expectation || hangs_) return;
  const bool is_first = crowded_.insert(trial.spec->api).second;
  const spec::Outcome outcome = engine_.run_one({&*call, timeout_});
  const RepeatedCall repeated{*trial.spec, engine_, *call, *expectation, timeout_};
  spec::Judgement first = within_limits(
      *call, [&] { return judge_by_spec(*trial.spec, *call, *expectation, engine_.info(), outcome); });
  if (first.verdict == spec::Verdict::mismatch) repeated.settle(first);
  std::vector<spec::Outcome> right{outcome};
  if (is_allowed(first.verdict) && could_race(*expectation, first.mode, 2))
    if (auto failed = repeated.in_a_row(crowded_executions, right)) first = *std::move(failed);
  hangs_ = first.verdict == spec::Verdict::timeout;  // each further one would cost as long
  // Time decides which further cases are crowded: what is wrong with one thread too would be found there
  // in one run, and not in the next.
  if (first.diagnosis.kind != spec::DiagnosisKind::race && !(is_first && is_failure(first.verdict))) return;
  first.explanation +=
      fmt::format("\nin the call with its index and updates over and over, {} values in all", contributions);
  trial.judgement = std::move(first);
}

}  // namespace scatterproof::runner
