// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/oracle/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/judge/resolve.hpp"
#include "scatterproof/spec/oracle/doubt.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/oracle/prove.hpp"

namespace scatterproof::spec {
namespace {

void lint_formula(const OpSpec& spec, const Formula& formula, Errors& errors) {
  if (formula.wrong) return;  // its doubt's witness is the proof
  const ProofResult proof = prove(spec, formula);
  if (proof.proved()) return;
  std::string what = fmt::format("formula '{}' contradicts the meaning: {}", formula.id, proof.disagreement);
  if (proof.counterexample) what += fmt::format("; for {}", to_string(*proof.counterexample));
  errors.push_back({.file = spec.file, .at = formula.at, .what = std::move(what)});
}

void lint_doubt(const OpSpec& spec, const Doubt& doubt, Errors& errors) {
  if (!doubt.witness) return;
  const std::vector<ClaimResult> results = run_doubt(spec, doubt);
  std::vector<const ClaimResult*> executed;
  for (const ClaimResult& one : results)
    if (!one.text.empty()) executed.push_back(&one);
  const auto same = [&](const ClaimResult* one) { return agree(*executed.front(), *one); };
  if (executed.size() < 2)
    errors.push_back({.file = spec.file,
                      .at = doubt.at,
                      .what = fmt::format("doubt '{}' has a witness, but fewer than two claims that can be "
                                          "executed on it",
                                          doubt.id)});
  else if (std::ranges::all_of(executed, same))
    errors.push_back({.file = spec.file,
                      .at = doubt.at,
                      .what = fmt::format("the claims of doubt '{}' all agree on its witness: {}", doubt.id,
                                          executed.front()->text)});
}

/// A formula marked wrong must be shown wrong: some doubt's witness on which it differs from the meaning.
void lint_wrong(const OpSpec& spec, const Formula& formula, Errors& errors) {
  if (!formula.wrong) return;
  for (const Doubt& doubt : spec.doubts) {
    if (!doubt.witness) continue;
    const auto bag = execute(spec, *doubt.witness);
    const auto value = execute_formula(spec, formula, *doubt.witness);
    if (bag && (!value || !disagreement(*bag, *value).empty())) return;
  }
  errors.push_back({.file = spec.file,
                    .at = formula.at,
                    .what = fmt::format("formula '{}' is marked wrong, but agrees with the meaning on "
                                        "every witness",
                                        formula.id)});
}

/// An error is demanded only where a sentence says that the call fails, and where one says so.
void lint_promise(const OpSpec& spec, const Rule& rule, Errors& errors) {
  const bool demands = std::ranges::any_of(
      rule.broken, [](const Promise& promise) { return promise.kind == Promise::Kind::error; });
  const bool promised =
      rule.from.promises_error || std::ranges::any_of(rule.from.also, &Source::promises_error);
  if (demands == promised) return;
  errors.push_back(
      {.file = spec.file,
       .at = rule.at,
       .what = demands ? fmt::format("rule '{}' demands an error, but no source of it promises one", rule.id)
                       : fmt::format("a source of rule '{}' promises an error, but it demands none", rule.id),
       .hint = "write `promises_error: true` at the source whose sentence says that the call fails; without "
               "such a "
               "sentence the rule is undefined"});
}

}  // namespace

Errors lint(const OpSpec& spec) {
  Errors errors;
  for (const Rule& rule : spec.rules) lint_promise(spec, rule, errors);
  for (const Doubt& doubt : spec.doubts) lint_doubt(spec, doubt, errors);
  for (const Formula& formula : spec.formulas) lint_wrong(spec, formula, errors);
  for (const Formula& formula : spec.formulas) {
    try {
      const WorkLimit limit(fmt::format("the proof of formula '{}'", formula.id), longest_proof);
      lint_formula(spec, formula, errors);
    } catch (const LimitReached& why) {
      errors.push_back({.file = spec.file, .at = formula.at, .what = why.what()});
    }
  }
  return errors;
}

}  // namespace scatterproof::spec
