// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/opspec/reading.hpp"
#include "scatterproof/spec/oracle/rules.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::spec {
namespace {

/// Masks come into generated calls after everything else was solved for (masks.cpp), as layouts do.
bool is_about_masks(const Rule& rule) {
  bool found = false;
  const auto look = [&](const language::Node& node) {
    const auto* kind =
        node.is_call(language::Function::parts) ? std::get_if<std::string>(&node.operands[1].value) : nullptr;
    found = found || node.is_call(language::Function::masks_fit) || (kind && *kind == "mask");
  };
  visit(rule.require->root(), look);
  if (rule.unless) visit(rule.unless->root(), look);
  return found;
}

Errors search(const OpSpec& spec) {
  const FormLimits limits;
  FormSolver solver(spec, limits);
  const std::string within =
      fmt::format("searched ranks 0 to {} and sizes 0 to {}", limits.largest_rank, limits.largest_size);
  if (!solver.possible(nullptr))
    return {Error{.file = spec.file,
                  .what = fmt::format("no call obeys all rules of {}: they contradict each other", spec.api),
                  .hint = within}};
  Errors errors;
  for (const Rule& rule : spec.rules)
    if (holds_for(rule.applies, spec, {}) && !is_about_masks(rule) && !asks_for_layout(rule) &&
        !solver.possible(&rule))
      errors.push_back(
          {.file = spec.file,
           .at = rule.at,
           .what = fmt::format("rule '{}' cannot be broken alone: the other rules imply it", rule.id),
           .hint = within});
  return errors;
}

}  // namespace

Errors lint_rules(const OpSpec& spec) {
  constexpr std::chrono::minutes longest{5};
  try {
    const WorkLimit limit("the search for calls that break each rule alone", longest);
    return search(spec);
  } catch (const LimitReached& why) {
    return {Error{.file = spec.file, .what = why.what()}};
  }
}

}  // namespace scatterproof::spec
