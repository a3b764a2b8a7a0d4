// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/run/proofs.hpp"

#include <fmt/format.h>

#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/prove.hpp"

namespace scatterproof::runner {
namespace {

/// A formula that a doubt calls wrong must be shown to differ; any other must not.
spec::Judgement judge_proof(const spec::Formula& formula, const spec::ProofResult& proof) {
  spec::Judgement judgement;
  judgement.mode = spec::ComparisonMode::exact;
  const std::string where = proof.counterexample ? "\non " + spec::to_string(*proof.counterexample) : "";
  if (proof.calls == 0 || proof.writing == 0) {
    judgement.verdict = spec::Verdict::weak;
    judgement.diagnosis.kind = spec::DiagnosisKind::formula_never_executed;
    judgement.explanation = "no small call could execute this formula: " + proof.disagreement;
  } else if (formula.wrong) {
    judgement.verdict = proof.counterexample ? spec::Verdict::pass : spec::Verdict::mismatch;
    if (!proof.counterexample) {
      judgement.diagnosis.kind = spec::DiagnosisKind::formula_is_right;
      judgement.explanation = "the formula is marked wrong, but agrees with the meaning";
    }
  } else if (proof.proved()) {
    judgement.verdict = spec::Verdict::pass;
  } else {
    judgement.verdict = spec::Verdict::mismatch;
    judgement.diagnosis.kind = spec::DiagnosisKind::formula_differs;
    judgement.explanation =
        fmt::format("the printed formula disagrees with the meaning: {}{}\nthe formula: {}",
                    proof.disagreement, where, formula.reads);
  }
  return judgement;
}

/// Empty: interrupted.
std::optional<spec::Judgement> prove_within_limits(const FormulaCase& one,
                                                   const std::atomic<bool>* interrupted) {
  try {
    const spec::WorkLimit interruption(interrupted);
    const spec::WorkLimit limit("proving", spec::longest_proof);
    return judge_proof(*one.formula, spec::prove(*one.spec, *one.formula));
  } catch (const spec::LimitReached& why) {
    if (why.why() == spec::LimitReached::Why::interrupted) return std::nullopt;
    return given_up(why, one.id);
  }
}

}  // namespace

bool prove_formulas(const Catalogue& catalogue, Baseline& baseline, const ExecuteOptions& options) {
  for (const FormulaCase& one : catalogue.formulas) {
    if (options.interrupted && *options.interrupted) return true;
    if (options.done && options.done(one.id, proof_engine_name)) continue;
    const auto judgement = prove_within_limits(one, options.interrupted);
    if (!judgement) return true;
    spec::Record record;
    record.id = one.id;
    record.api = one.spec->api;
    record.engine = proof_engine_name;
    record.version = tool_version();
    record.device = "cpu";
    put(*judgement, record);
    record.reproduce = reproduce_line(options, catalogue, one.id, proof_engine_name);
    record.seed = options.seed;
    baseline.reconcile(record);
    options.judged(record);
    if (options.stop_at_first && fails(record.disposition)) return true;
  }
  return false;
}

}  // namespace scatterproof::runner
