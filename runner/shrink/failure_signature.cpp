// SPDX-License-Identifier: Apache-2.0
#include "failure_signature.hpp"

#include "judging.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::shrink {
namespace {

std::vector<std::string> broken_rules(const spec::OpSpec& op, const spec::Call& call,
                                      const spec::Target& target) {
  const std::vector<spec::RuleState::Kind> kinds = spec::rule_kinds(op, call, target);
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == spec::RuleState::Kind::broken) broken.push_back(op.rules[i].id);
  return broken;
}

/// Wrong cells of which no simple meaning is known.
bool is_unexplained(const spec::Diagnosis& diagnosis) {
  using enum spec::DiagnosisKind;
  return diagnosis.kind == cells_kept_start || diagnosis.kind == cells_untouched ||
         diagnosis.kind == cells_other;
}

}  // namespace

FailureSignature signature_of(const spec::OpSpec& op, const spec::Call& call,
                              const engines::EngineInfo& engine, const spec::Judgement& judgement) {
  return {.verdict = judgement.verdict,
          .broken = broken_rules(op, call, target_of(op, engine)),
          .diagnosis = without_numbers(judgement.diagnosis)};
}

bool fails_alike(const FailureSignature& signature, const spec::Judgement& judgement) {
  return judgement.verdict == signature.verdict &&
         (is_unexplained(signature.diagnosis) || without_numbers(judgement.diagnosis) == signature.diagnosis);
}

Keeps keeps_signature(const spec::OpSpec& op, engines::Engine& engine, FailureSignature signature,
                      std::chrono::milliseconds timeout) {
  return [&op, &engine, signature = std::move(signature), timeout](std::span<const spec::Call> candidates) {
    std::vector<bool> kept(candidates.size());
    const spec::Target target = target_of(op, engine.info());
    std::vector<engines::Job> jobs;
    std::vector<std::size_t> sent;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (broken_rules(op, candidates[i], target) == signature.broken && engine.supports(candidates[i]).yes) {
        jobs.push_back({&candidates[i], timeout});
        sent.push_back(i);
      }
    const std::vector<spec::Outcome> outcomes = engine.run(jobs);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto judgement = judge_call(op, candidates[sent[i]], engine.info(), outcomes[i]);
      kept[sent[i]] = judgement && fails_alike(signature, *judgement);
    }
    return kept;
  };
}

}  // namespace scatterproof::runner::shrink
