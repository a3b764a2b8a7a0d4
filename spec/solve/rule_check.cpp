// SPDX-License-Identifier: Apache-2.0
#include "rule_check.hpp"

#include <algorithm>

namespace scatterproof::spec::solve {
namespace {
constexpr std::int64_t positions_at_an_end = 16;  // more than an index has components
}

RuleCheck::RuleCheck(const OpSpec& spec, const ValueRules& values, const Rule* broken)
    : spec_(spec), broken_(broken) {
  for (const Rule& rule : spec.rules) {
    if (values.relates(rule) || !holds_for(rule.applies, spec, {})) continue;
    all_.push_back(&rule);
    if (values.reads(rule)) of_values_.push_back(&rule);
  }
}

bool RuleCheck::stands(const Call& call, const Rule* broken, const Rules& rules, bool at_ends) const {
  using Kind = RuleState::Kind;
  language::FastEvaluator frame;
  const bool usable = fill_frame(frame, spec_, call);
  if (at_ends) frame.sample(positions_at_an_end);
  return std::ranges::all_of(rules, [&](const Rule* rule) {
    std::optional<Kind> kind;
    if (usable) kind = stand(*rule, frame);
    if (!kind) kind = stand(*rule, make_frame(spec_, call).frame);
    if ((*kind == Kind::broken) != (rule == broken)) return false;
    return broken != nullptr || *kind == Kind::obeyed;
  });
}

}  // namespace scatterproof::spec::solve
