// SPDX-License-Identifier: Apache-2.0
#include "fuzz_sides.hpp"

#include <algorithm>

#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/oracle/rules.hpp"

namespace scatterproof::runner::cli {

GeneratedSides::GeneratedSides(std::span<const spec::OpSpec* const> apis, const fuzz::Engines& engines) {
  for (const spec::OpSpec* op : apis) {
    ApplicableRules& api = apis_[op->api];
    for (const auto& engine : engines) {
      if (!engine->info().offers(op->api)) continue;
      const spec::Target& target = api.targets.emplace_back(target_of(*op, engine->info()));
      for (const spec::Rule& rule : op->rules)
        if (spec::holds_for(rule.applies, *op, target)) api.rules.insert(rule.id);
    }
  }
}

void GeneratedSides::obeyed(const spec::OpSpec& op, const spec::Call& call) {
  ApplicableRules& api = apis_[op.api];
  if (api.obeyed.size() == api.rules.size()) return;
  for (const spec::Target& target : api.targets) {
    const auto kinds = spec::rule_kinds(op, call, target);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] == spec::RuleState::Kind::obeyed) api.obeyed.insert(op.rules[i].id);
  }
}

SidesCovered GeneratedSides::covered(const fuzz::FuzzResult& fuzzed) const {
  std::map<std::string, std::set<std::string>>
      answered;  // by API the rules that were broken; empty: none was
  for (const auto& [kind, tally] : fuzzed.kinds)
    if (kind.verdict != spec::Verdict::unsupported && kind.verdict != spec::Verdict::infra)
      answered[kind.api].insert(kind.rule);
  SidesCovered sides;
  for (const auto& [name, api] : apis_) {
    const std::set<std::string>& broken = answered[name];
    sides.all += 2 * api.rules.size();
    for (const std::string& rule : api.rules) {
      sides.covered += broken.contains(rule) ? 1U : 0U;
      sides.covered += broken.contains("") && api.obeyed.contains(rule) ? 1U : 0U;
    }
  }
  return sides;
}

}  // namespace scatterproof::runner::cli
