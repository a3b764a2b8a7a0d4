// SPDX-License-Identifier: Apache-2.0
#include "rule_check.hpp"

#include <algorithm>

namespace scatterproof::spec::solve {
RuleCheck::RuleCheck(const OpSpec& spec, const ValueRules& values, const Rule* broken)
    : spec_(spec), broken_(broken) {
  const std::vector<Dependencies> looks = looks_of_rules(spec);
  for (std::size_t i = 0; i < spec.rules.size(); ++i) {
    const Rule& rule = spec.rules[i];
    if (values.relates(rule) || !holds_for(rule.applies, spec, {})) continue;
    all_.push_back({&rule, looks[i]});
    if (values.reads(rule)) of_values_.push_back({&rule, looks[i]});
  }
}

bool RuleCheck::stands(const Call& call, const Rule* broken, const Rules& rules, std::int64_t ends,
                       const Dependencies* change) const {
  using Kind = RuleState::Kind;
  language::FastEvaluator frame;
  const bool usable = fill_frame(frame, spec_, call);
  frame.sample(ends);
  return std::ranges::all_of(rules, [&](const RuleDependencies& looked) {
    const Rule* rule = looked.rule;
    if (change && !looked.at.meets(*change)) return true;
    std::optional<Kind> kind;
    if (usable) kind = stand(*rule, frame);
    if (!kind) kind = stand(*rule, make_frame(spec_, call).frame);
    if ((*kind == Kind::broken) != (rule == broken)) return false;
    return broken != nullptr || *kind == Kind::obeyed;
  });
}

std::int64_t RuleCheck::steps(const Call& call) const {
  language::FastEvaluator frame;
  if (!fill_frame(frame, spec_, call)) return 1;
  std::int64_t most = 1;
  for (const Rule& rule : spec_.rules) {
    if (rule.require) most = std::max(most, frame.steps(*rule.require));
    frame.forget();  // where the rule does not apply, it may have no value
  }
  return most;
}

}  // namespace scatterproof::spec::solve
