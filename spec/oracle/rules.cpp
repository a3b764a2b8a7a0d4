// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/oracle/rules.hpp"

#include <fmt/format.h>

#include "scatterproof/spec/core/version.hpp"

namespace scatterproof::spec {
namespace {

/// Whether `unless` lifts the rule; empty when that has no value here.
std::optional<bool> lifted(const Rule& rule, const language::Frame& frame) {
  if (!rule.unless) return false;
  try {
    return language::evaluate_bool(*rule.unless, frame);
  } catch (const language::NotEvaluable&) {
    return std::nullopt;
  }
}

}  // namespace

bool holds_for(const Applies& applies, const OpSpec& spec, const Target& target) {
  if (!applies.device.empty() && applies.device != target.device) return false;
  const bool newest = target.version.empty() || target.framework != spec.framework;
  if (newest) return applies.until.empty();
  if (!applies.since.empty() && compare_versions(target.version, applies.since) < 0) return false;
  return applies.until.empty() || compare_versions(target.version, applies.until) < 0;
}

RuleState::Kind stand(const Rule& rule, const language::Frame& frame) {
  using Kind = RuleState::Kind;
  const auto unless = lifted(rule, frame);
  if (unless && *unless) return Kind::obeyed;
  try {
    if (language::evaluate_bool(*rule.require, frame)) return Kind::obeyed;
    return unless ? Kind::broken : Kind::unevaluable;
  } catch (const language::NotEvaluable&) {
    return Kind::unevaluable;
  }
}

namespace {

std::string why_unevaluable(const Rule& rule, const CallFrame& frame) {
  const std::string because = frame.missing.empty() ? "" : fmt::format(" ({})", frame.missing);
  try {
    language::evaluate_bool(*rule.require, frame.frame);
    return fmt::format("{}: its exception has no value{}", rule.id, because);
  } catch (const language::NotEvaluable& reason) {
    return fmt::format("{}: {}{}", rule.id, reason.what(), because);
  }
}

}  // namespace

RuleState check_rule(const Rule& rule, const CallFrame& frame, const language::Scope& scope) {
  RuleState state{.kind = stand(rule, frame.frame), .rule = &rule};
  if (state.kind == RuleState::Kind::broken)
    state.sentence =
        fmt::format("{}: {}", rule.id, language::explain_false(*rule.require, frame.frame, scope));
  if (state.kind == RuleState::Kind::unevaluable) state.sentence = why_unevaluable(rule, frame);
  return state;
}

std::vector<RuleState> check_rules(const OpSpec& spec, const Call& call, const Target& target) {
  const CallFrame frame = make_frame(spec, call);
  const language::Scope scope = base_scope(spec);
  std::vector<RuleState> states;
  for (const Rule& rule : spec.rules) {
    if (holds_for(rule.applies, spec, target))
      states.push_back(check_rule(rule, frame, scope));
    else
      states.push_back({.kind = RuleState::Kind::not_applicable, .rule = &rule});
  }
  return states;
}

std::vector<RuleState::Kind> rule_kinds(const OpSpec& spec, const Call& call, const Target& target,
                                        language::FastEvaluator& frame, bool usable) {
  std::optional<CallFrame> reference;  // made when the first rule needs it
  const auto kind_of = [&](const Rule& rule) {
    if (!holds_for(rule.applies, spec, target)) return RuleState::Kind::not_applicable;
    if (usable)
      if (const auto kind = stand(rule, frame)) return *kind;
    if (!reference) reference = make_frame(spec, call);
    return stand(rule, reference->frame);
  };
  std::vector<RuleState::Kind> kinds;
  kinds.reserve(spec.rules.size());
  for (const Rule& rule : spec.rules) kinds.push_back(kind_of(rule));
  return kinds;
}

std::vector<RuleState::Kind> rule_kinds(const OpSpec& spec, const Call& call, const Target& target) {
  language::FastEvaluator frame;
  return rule_kinds(spec, call, target, frame, fill_frame(frame, spec, call));
}

}  // namespace scatterproof::spec
