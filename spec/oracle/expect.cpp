// SPDX-License-Identifier: Apache-2.0
// What the document allows for a call: a result, a refusal, or anything.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "execute.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/oracle/rules.hpp"

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

/// The sentences of rules that a call breaks. It keeps a copy of the call, because the original may be gone.
Reason sentences_of(const OpSpec& spec, const Call& call, std::vector<const Rule*> rules) {
  struct Broken {
    Call call;
    std::vector<const Rule*> rules;
  };
  return Reason([&spec, broken = std::make_shared<const Broken>(Broken{call, std::move(rules)})] {
    const CallFrame frame = make_frame(spec, broken->call);
    const language::Scope scope = base_scope(spec);
    std::vector<std::string> sentences;
    for (const Rule* rule : broken->rules)
      sentences.push_back(with_place(spec, check_rule(*rule, frame, scope)));
    return fmt::format("{}", fmt::join(sentences, "; "));
  });
}

/// The first promise that holds for the target; `open` if none does.
const Promise& promise_for(const OpSpec& spec, const Rule& rule, const Target& target) {
  static const Promise silence;
  for (const Promise& promise : rule.broken)
    if (holds_for(promise.applies, spec, target)) return promise;
  return silence;
}

/// Any of the broken rules may be the one an engine finds first, so any of their errors will do.
RefusalExpected refusal(const std::vector<const Promise*>& promises, Reason because) {
  RefusalExpected expected{.classes = {}, .native = promises.front()->native, .because = std::move(because)};
  bool any = false;
  for (const Promise* promise : promises) {
    any = any || promise->classes.empty();
    if (promise->native != expected.native) expected.native.clear();
    for (const std::string& one : promise->classes)
      if (std::ranges::find(expected.classes, one) == expected.classes.end()) expected.classes.push_back(one);
  }
  if (any) expected.classes.clear();
  return expected;
}

bool leaves_arguments(const OpSpec& spec, const Call& call) {
  const Refusal& refusal = spec.refusal;
  if (refusal.unchanged.empty() || !refusal.unless) return !refusal.unchanged.empty();
  try {
    return !language::evaluate_bool(*refusal.unless, make_frame(spec, call).frame);
  } catch (const language::NotEvaluable&) {
    return false;  // nothing is demanded that is not certainly promised
  }
}

/// Of a call that breaks some of these rules of the spec.
Expectation expect_broken(const OpSpec& spec, const Call& call, const std::vector<Rule>& rules,
                          const std::vector<RuleState::Kind>& kinds, const Target& target) {
  Expectation expectation;
  std::vector<const Promise*> promises;
  std::vector<const Rule*> broken, loose;
  bool undefined = false, always = false;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != RuleState::Kind::broken) continue;
    const Rule& rule = rules[i];
    promises.push_back(&promise_for(spec, rule, target));
    expectation.broken.push_back(rule.id);
    broken.push_back(&rule);
    always = always || promises.back()->always;
    if (promises.back()->kind == Promise::Kind::error) continue;
    undefined = undefined || promises.back()->kind == Promise::Kind::undefined;
    loose.push_back(&rule);
  }
  expectation.because = sentences_of(spec, call, broken);
  if (loose.empty()) {
    expectation.what = refusal(promises, expectation.because);
  } else if (always) {  // it may be refused for any of the rules, also for one without an error of its own
    expectation.what = RefusalExpected{.classes = {}, .native = {}, .because = expectation.because};
  } else {
    const bool all = loose.size() == broken.size();
    expectation.what =
        Free{undefined, all ? expectation.because : sentences_of(spec, call, std::move(loose))};
    expectation.may_refuse = true;
  }
  if (leaves_arguments(spec, call)) {
    expectation.unchanged = spec.refusal.unchanged;
    expectation.unchanged_because = Reason([&spec] {
      return fmt::format("a refused call leaves {} as it was ({})",
                         fmt::join(spec.refusal.unchanged, " and "), place(spec, spec.refusal.from));
    });
  }
  return expectation;
}

/// Whether the document lists the devices of its framework, and not the target's.
bool is_elsewhere(const OpSpec& spec, const Target& target) {
  const std::vector<std::string>& devices = spec.platforms.devices;
  return !devices.empty() && target.framework == spec.framework &&
         std::ranges::find(devices, target.device) == devices.end();
}

/// On a device that the document does not list, nothing is promised. The broken rules stay: practice is about
/// them.
Expectation promise_nothing(const OpSpec& spec, Expectation expectation) {
  expectation.because = Reason(
      [&spec] { return fmt::format("{} ({})", spec.platforms.says, place(spec, spec.platforms.from)); });
  expectation.what = Free{.undefined = false, .because = expectation.because};
  expectation.may_refuse = true;
  expectation.unchanged.clear();
  return expectation;
}

bool has_forbidden_collision(const Bag& bag) {
  if (bag.combine != Combiner::assign || bag.collisions != Collisions::forbidden) return false;
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c)
    if (bag.offsets[c + 1] - bag.offsets[c] > 1) return true;
  return false;
}

bool applies(const OpSpec& spec, const Formula& formula, const Call& call, language::FastEvaluator& frame,
             bool usable) {
  if (formula.wrong || !formula.when) return !formula.wrong;
  if (!usable) return formula_applies(spec, formula, call);
  frame.forget();
  const bool holds = frame.truth(*formula.when);
  if (frame.state() == language::FastEvaluator::State::unsure) return formula_applies(spec, formula, call);
  return frame.fine() && holds;
}

/// The document's own formula for this call, if one applies; otherwise the meaning.
Reason words_for(const OpSpec& spec, const Call& call, language::FastEvaluator& frame, bool usable) {
  for (const Formula& formula : spec.formulas) {
    if (!applies(spec, formula, call, frame, usable)) continue;
    return Reason([&spec, &formula] {
      const bool several = formula.reads.find('\n') != std::string::npos;
      return fmt::format("{}{}{} ({})", several ? "the formula\n" : "`", formula.reads, several ? "\n" : "`",
                         place(spec, formula.from));
    });
  }
  return Reason([&spec] { return fmt::format("the meaning of {}: {}", spec.api, spec.summary); });
}

Error unguarded(const OpSpec& spec, const RuleState& state) {
  return {.file = spec.file,
          .at = state.rule->at,
          .what = fmt::format("no rule is broken, but {}", state.sentence)};
}

/// A rule must have a value on every call that breaks none; otherwise the spec lacks a rule that guards it.
Errors unguarded(const OpSpec& spec, const Call& call, const Target& target) {
  Errors errors;
  for (const RuleState& state : check_rules(spec, call, target))
    if (state.kind == RuleState::Kind::unevaluable) errors.push_back(unguarded(spec, state));
  return errors;
}

}  // namespace

Result<Expectation> expect(const OpSpec& spec, const Call& call, const Target& target) {
  language::FastEvaluator frame;
  const bool usable = fill_frame(frame, spec, call);
  const std::vector<RuleState::Kind> kinds = rule_kinds(spec, call, target, frame, usable);
  const auto any = [&](RuleState::Kind kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
  const bool elsewhere = is_elsewhere(spec, target);
  if (any(RuleState::Kind::broken)) {
    Expectation expectation = expect_broken(spec, call, spec.rules, kinds, target);
    return elsewhere ? promise_nothing(spec, std::move(expectation)) : expectation;
  }
  if (any(RuleState::Kind::unevaluable)) return unguarded(spec, call, target);
  if (elsewhere) return promise_nothing(spec, {});
  Expectation expectation;
  expectation.because = words_for(spec, call, frame, usable);
  std::optional<Bag> bag;
  if (usable) bag = execute_fast(spec, call, frame);
  if (!bag) {
    auto reference = execute_by_reference(spec, call);
    if (!reference) return reference.errors();
    bag = std::move(reference).value();
  }
  expectation.may_refuse = has_forbidden_collision(*bag);
  expectation.what = *std::move(bag);
  return expectation;
}

Result<std::optional<Expectation>> expect_no_gradient(const OpSpec& spec, const Call& call,
                                                      const Target& target) {
  const std::vector<Rule>& rules = spec.gradient.rules;
  if (rules.empty()) return std::optional<Expectation>();
  const CallFrame frame = make_frame(spec, call);
  std::vector<RuleState::Kind> kinds;
  for (const Rule& rule : rules)
    kinds.push_back(holds_for(rule.applies, spec, target) ? stand(rule, frame.frame)
                                                          : RuleState::Kind::not_applicable);
  if (std::ranges::find(kinds, RuleState::Kind::broken) != kinds.end())
    return std::optional(expect_broken(spec, call, rules, kinds, target));
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (kinds[i] == RuleState::Kind::unevaluable)
      return unguarded(spec, check_rule(rules[i], frame, base_scope(spec)));
  return std::optional<Expectation>();
}

}  // namespace scatterproof::spec
