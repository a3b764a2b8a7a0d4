// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/cases/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/oracle/rules.hpp"

namespace scatterproof::spec {
namespace {

/// A release and a device for which the rule holds: the newest where it still does, else the oldest.
Target target_of(const OpSpec& spec, const Applies& applies) {
  Target target;
  if (!applies.device.empty()) target.device = applies.device;
  if (applies.until.empty()) return target;
  target.framework = spec.framework;
  target.version = applies.since.empty() ? "0" : applies.since;
  return target;
}

std::string classes_text(const std::vector<std::string>& classes) {
  return classes.empty() ? "an error" : fmt::format("{}", fmt::join(classes, " or "));
}

std::string promise_text(const Promise& promise) {
  if (promise.kind == Promise::Kind::undefined) return "undefined";
  if (promise.kind == Promise::Kind::open) return "open";
  return classes_text(promise.classes);
}

/// Of every release: `RuntimeError, or undefined`.
std::string promise_text(const Rule& rule) {
  std::vector<std::string> promises;
  for (const Promise& promise : rule.broken) promises.push_back(promise_text(promise));
  return fmt::format("{}", fmt::join(promises, ", or "));
}

/// Whether the case expects what the promise says, or something narrower.
bool agrees(const CaseExpectation& expect, const Promise& promise) {
  using Kind = CaseExpectation::Kind;
  switch (expect.kind) {
    case Kind::spec:
      return true;
    case Kind::values:
      return false;
    case Kind::undefined:
      return promise.kind == Promise::Kind::undefined;
    case Kind::open:
      return promise.kind == Promise::Kind::open;
    case Kind::error:
      break;
  }
  if (promise.kind != Promise::Kind::error) return false;
  return promise.classes.empty() || std::ranges::all_of(expect.classes, [&](const std::string& one) {
           return std::ranges::find(promise.classes, one) != promise.classes.end();
         });
}

class Check {
 public:
  Check(const OpSpec& spec, const Case& one, Errors& problems)
      : spec_(spec), case_(one), problems_(problems) {}

  bool run() {
    const std::size_t before = problems_.size();
    if (!case_.unsupported.empty()) {
      problem(case_.unsupported);
      return false;
    }
    const Rule* rule = spec_.any_rule(case_.rule);
    if (!rule) {
      problem(fmt::format("{} has no rule '{}'", spec_.api, case_.rule));
      return false;
    }
    for (const RuleState& state : check_rules(spec_, case_.call, target_of(spec_, rule->applies)))
      check(state, *rule);
    const bool of_gradients = !spec_.rule(rule->id);
    if (of_gradients) check(check_rule(*rule, make_frame(spec_, case_.call), base_scope(spec_)), *rule);
    if (of_gradients)
      check_result();  // there is one, whatever its gradients are
    else if (case_.breaks)
      check_promise(*rule);
    else
      check_result();
    return problems_.size() == before;
  }

 private:
  void problem(std::string what) {
    problems_.push_back({.file = case_.file, .at = case_.at, .what = fmt::format("{}: {}", case_.id, what)});
  }

  void check(const RuleState& state, const Rule& rule) {
    using Kind = RuleState::Kind;
    const bool own = state.rule == &rule;
    if (own && state.kind == Kind::not_applicable) {
      problem(fmt::format("{} holds for no release that could be tried", rule.id));
    } else if (own && state.kind == Kind::unevaluable) {
      problem(fmt::format("its own rule has no value: {}", state.sentence));
    } else if (own && case_.breaks && state.kind == Kind::obeyed) {
      problem(fmt::format("should break {}, but obeys it", rule.id));
    } else if (state.kind == Kind::broken && !(own && case_.breaks)) {
      problem(fmt::format("{} {}", own ? "should obey, but breaks" : "also breaks", state.sentence));
    } else if (!case_.breaks && state.kind == Kind::unevaluable) {
      problem(fmt::format("no rule is broken, but {}", state.sentence));
    }
  }

  void check_promise(const Rule& rule) {
    if (std::ranges::any_of(rule.broken,
                            [&](const Promise& promise) { return agrees(case_.expect, promise); }))
      return;
    problem(fmt::format("it expects something other than {} promises: {}", rule.id, promise_text(rule)));
  }

  void check_result() {
    using Kind = CaseExpectation::Kind;
    if (case_.expect.kind != Kind::spec && case_.expect.kind != Kind::values)
      problem("obeys every rule, so it has a result, but expects none");
  }

  const OpSpec& spec_;
  const Case& case_;
  Errors& problems_;
};

}  // namespace

std::vector<RuleCoverage> coverage(const OpSpec& spec, const std::vector<Case>& cases, Errors& problems) {
  std::vector<RuleCoverage> covered;
  for (const std::vector<Rule>* rules : {&spec.rules, &spec.gradient.rules})
    for (const Rule& rule : *rules)
      covered.push_back({.rule = rule.id,
                         .promise = promise_text(rule),
                         .promised = std::ranges::any_of(rule.broken, [](const Promise& promise) {
                           return promise.kind == Promise::Kind::error;
                         })});
  for (const Case& one : cases) {
    if (one.rule.empty() || one.call.api != spec.api || !Check(spec, one, problems).run()) continue;
    RuleCoverage& entry = *std::ranges::find(covered, one.rule, &RuleCoverage::rule);
    (one.breaks ? entry.breaks : entry.obeys).push_back(one.id);
  }
  return covered;
}

}  // namespace scatterproof::spec
