// SPDX-License-Identifier: Apache-2.0
#include "saved_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/runner/trial/repeated.hpp"
#include "scatterproof/spec/core/diagnosis.hpp"

namespace scatterproof::runner {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = spec::DiagnosisKind;

constexpr std::size_t a_round = 24;  // executions
constexpr std::size_t most_rounds = 10;
constexpr std::chrono::seconds longest_search{2};

/// Of a call that the document leaves open.
void ask_open(Trial& trial, engines::Engine& engine, std::chrono::milliseconds timeout, std::size_t& done) {
  const std::vector<engines::CallRequest> requests(a_round, {.call = trial.call, .timeout = timeout});
  for (const spec::Outcome& outcome : engine.run(requests)) {
    ++done;
    if (!are_two_answers(*trial.spec, *trial.outcome, outcome)) continue;
    trial.judgement = judgement_of_two_answers(*trial.outcome, outcome);
    return;
  }
}

void ask_defined(Trial& trial, engines::Engine& engine, std::chrono::milliseconds timeout,
                 std::size_t& done) {
  const RepeatedCall repeated{*trial.spec, engine, *trial.call, *trial.expectation, timeout};
  std::vector<spec::Outcome> right{*trial.outcome};
  auto failed = repeated.first_of_a_process();
  const Clock::time_point begin = Clock::now();
  for (std::size_t round = 0; !failed && round < most_rounds && Clock::now() - begin < longest_search;
       ++round) {
    failed = repeated.in_a_row(a_round, right);
    done += a_round;
  }
  if (failed) trial.judgement = *std::move(failed);
}

}  // namespace

std::optional<Kind> fails_at_times(const spec::Case& one) {
  for (const Kind kind : {Kind::race, Kind::differs_when_repeated, Kind::unrepeatable})
    if (std::ranges::find(one.tags, to_string(spec::Diagnosis{.kind = kind})) != one.tags.end()) return kind;
  return {};
}

std::string look_again(const spec::Case& one, Kind failed, Trial& trial, engines::Engine& engine,
                       std::chrono::milliseconds timeout) {
  if (!trial.expectation) return "";
  std::size_t done = 1;
  if (trial.judgement.verdict == spec::Verdict::open)
    ask_open(trial, engine, timeout, done);
  else if (is_allowed(trial.judgement.verdict))
    ask_defined(trial, engine, timeout, done);
  if (spec::is_failure(trial.judgement.verdict)) return "";
  return fmt::format("{} {}; {} executions on {} agree now, and it may still be there", one.id,
                     failed == Kind::race ? "was a race" : "failed at some executions only", done,
                     engine.info().name);
}

}  // namespace scatterproof::runner
