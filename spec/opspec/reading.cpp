// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/opspec/reading.hpp"

#include <algorithm>

#include "scatterproof/spec/language/functions.hpp"
#include "scatterproof/spec/language/print.hpp"

namespace scatterproof::spec {

bool reads_values(const language::Node& root, const std::vector<std::size_t>& arguments,
                  const std::vector<bool>& lets) {
  bool found = false;
  const auto is_one_of_them = [&](const language::Node& node) {
    return node.kind == language::NodeKind::variable && !node.local &&
           std::ranges::find(arguments, static_cast<std::size_t>(node.slot)) != arguments.end();
  };
  visit(root, [&](const language::Node& node) {
    if (node.kind == language::NodeKind::subscript && is_one_of_them(node.operands[0])) found = true;
    if (language::reads_of(node) == language::Reads::elements &&
        std::ranges::any_of(node.operands, is_one_of_them))
      found = true;
    if (node.kind == language::NodeKind::variable && !node.local && lets[static_cast<std::size_t>(node.slot)])
      found = true;
  });
  return found;
}

std::vector<bool> lets_that_read(const OpSpec& spec, const std::vector<std::size_t>& arguments) {
  std::vector<bool> lets(spec.arguments.size(), false);
  for (const auto& [name, expression] : spec.lets)
    lets.push_back(reads_values(expression->root(), arguments, lets));
  return lets;
}

bool decides_with_values(const OpSpec& spec, std::size_t argument) {
  const std::vector<std::size_t> arguments = {argument};
  const std::vector<bool> lets = lets_that_read(spec, arguments);
  const auto reads = [&](const ExpressionPtr& expression) {
    return expression && reads_values(expression->root(), arguments, lets);
  };
  const Meaning& meaning = spec.meaning;
  return reads(meaning.result_shape) || reads(meaning.where) || reads(meaning.at) ||
         std::ranges::any_of(meaning.loops, [&](const Loop& loop) { return reads(loop.domain); }) ||
         std::ranges::any_of(spec.rules,
                             [&](const Rule& rule) { return reads(rule.require) || reads(rule.unless); });
}

namespace {

/// Whether the rule asks this of an argument that `matters`.
template <class Matters>
bool asks_for_layout_of(const Rule& rule, const Matters& matters) {
  bool found = false;
  visit(rule.require->root(), [&](const language::Node& node) {
    found = found || (node.is_call(language::Function::is_compact) && matters(node.operands[0]));
  });
  return found;
}

}  // namespace

bool asks_for_layout(const Rule& rule) {
  return asks_for_layout_of(rule, [](const language::Node&) { return true; });
}

bool asks_for_layout(const OpSpec& spec, std::size_t argument) {
  return std::ranges::any_of(spec.rules, [&](const Rule& rule) {
    return asks_for_layout_of(rule, [&](const language::Node& asked) {
      return asked.kind == language::NodeKind::variable && !asked.local &&
             static_cast<std::size_t>(asked.slot) == argument;
    });
  });
}

}  // namespace scatterproof::spec
