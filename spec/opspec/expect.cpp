// SPDX-License-Identifier: Apache-2.0
// What the document allows for a call: a result, a refusal, or anything.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check.hpp"
#include "scatterproof/spec/oracle.hpp"

namespace scatterproof::spec {
namespace {

/// "torch.Tensor.scatter_, Description"
std::string place(const OpSpec& spec, const Source& from) {
  std::string title = from.document;
  for (const DocumentRef& document : spec.documents)
    if (document.id == from.document) title = document.title;
  return from.section.empty() ? title : fmt::format("{}, {}", title, from.section);
}

std::string with_place(const OpSpec& spec, const RuleState& state) {
  const std::string where = place(spec, state.rule->from);
  return where.empty() ? state.sentence : fmt::format("{} ({})", state.sentence, where);
}

/// The first promise that holds for the target; silence where none does.
Promise promise_for(const OpSpec& spec, const Rule& rule, const Target& target) {
  for (const Promise& promise : rule.broken)
    if (holds_for(promise.applies, spec, target)) return promise;
  return {};
}

/// Any of the broken rules may be the one an engine finds first, so any of their errors will do.
RefusalExpected refusal(const std::vector<Promise>& promises, std::string because) {
  RefusalExpected expected{{}, promises.front().native, std::move(because)};
  bool any = false;
  for (const Promise& promise : promises) {
    any = any || promise.classes.empty();
    if (promise.native != expected.native) expected.native.clear();
    for (const std::string& one : promise.classes)
      if (std::ranges::find(expected.classes, one) == expected.classes.end()) expected.classes.push_back(one);
  }
  if (any) expected.classes.clear();
  return expected;
}

Expectation expect_broken(const OpSpec& spec, const std::vector<RuleState>& states, const Target& target) {
  Expectation expectation;
  std::vector<Promise> promises;
  std::vector<std::string> sentences;
  std::vector<std::string> loose;
  bool undefined = false;
  for (const RuleState& state : states) {
    if (state.kind != RuleState::Kind::broken) continue;
    promises.push_back(promise_for(spec, *state.rule, target));
    expectation.broken.push_back(state.rule->id);
    sentences.push_back(with_place(spec, state));
    if (promises.back().kind == Promise::Kind::error) continue;
    undefined = undefined || promises.back().kind == Promise::Kind::undefined;
    loose.push_back(sentences.back());
  }
  expectation.because = fmt::format("{}", fmt::join(sentences, "; "));
  if (loose.empty()) {
    expectation.what = refusal(promises, expectation.because);
  } else {
    expectation.what = Free{undefined, fmt::format("{}", fmt::join(loose, "; "))};
    expectation.may_refuse = true;
  }
  return expectation;
}

bool has_forbidden_collision(const Bag& bag) {
  if (bag.combine != Combiner::assign || bag.collisions != Collisions::forbidden) return false;
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c)
    if (bag.offsets[c + 1] - bag.offsets[c] > 1) return true;
  return false;
}

/// The document's own words for this call, where a formula of it applies; else the meaning.
std::string words_for(const OpSpec& spec, const Call& call) {
  for (const Formula& formula : spec.formulas) {
    if (formula.wrong || !formula_applies(spec, formula, call)) continue;
    const bool several = formula.reads.find('\n') != std::string::npos;
    return fmt::format("{}{}{} ({})", several ? "the formula\n" : "`", formula.reads, several ? "\n" : "`",
                       place(spec, formula.from));
  }
  return fmt::format("the meaning of {}: {}", spec.api, spec.summary);
}

}  // namespace

Result<Expectation> expect(const OpSpec& spec, const Call& call, const Target& target) {
  const std::vector<RuleState> states = check_rules(spec, call, target);
  const auto is = [](RuleState::Kind kind) {
    return [kind](const RuleState& state) { return state.kind == kind; };
  };
  if (std::ranges::any_of(states, is(RuleState::Kind::broken))) return expect_broken(spec, states, target);
  // A rule must have a value on every call that breaks none: else the spec lacks a rule that guards it.
  Errors errors;
  for (const RuleState& state : states)
    if (state.kind == RuleState::Kind::unevaluable)
      errors.push_back(
          {spec.file, state.rule->at, fmt::format("no rule is broken, but {}", state.sentence), {}, {}});
  if (!errors.empty()) return errors;
  auto bag = execute(spec, call);
  if (!bag) return bag.errors();
  Expectation expectation;
  expectation.because = words_for(spec, call);
  expectation.may_refuse = has_forbidden_collision(*bag);
  expectation.what = std::move(bag).value();
  return expectation;
}

}  // namespace scatterproof::spec
