// SPDX-License-Identifier: Apache-2.0
// Parses and checks expressions, and evaluates them for one call.
#include "expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "checker.hpp"
#include "intervals.hpp"
#include "lower.hpp"
#include "scatterproof/spec/language/evaluator.hpp"
#include "scatterproof/spec/language/fast_evaluator.hpp"
#include "syntax.hpp"

namespace scatterproof::spec::language {
namespace {

constexpr Types position = Type::integer | Type::tuple;

void mark_bounds(Node& node) {
  node.bounds = is_bounds(node);
  for (Node& operand : node.operands) mark_bounds(operand);
}

/// The highest slot of the frame that is used; empty when a quantified variable is.
std::optional<int> deepest_slot(const Node& node) {
  if (node.kind == NodeKind::quantified || (node.kind == NodeKind::variable && node.local))
    return std::nullopt;
  int deepest = node.kind == NodeKind::variable ? node.slot : 0;
  for (const Node& operand : node.operands) {
    const auto below = deepest_slot(operand);
    if (!below) return std::nullopt;
    deepest = std::max(deepest, *below);
  }
  return deepest;
}

/// Gives places to the largest parts that do not use the last slot, the innermost loop's variable.
void mark_kept(Node& node, int last, std::int8_t& places) {
  if (node.kind == NodeKind::variable || node.kind == NodeKind::literal || node.kind == NodeKind::list)
    return;
  const auto deepest = deepest_slot(node);
  const bool constant = deepest && *deepest < last && last <= std::numeric_limits<std::int8_t>::max();
  if (constant && static_cast<std::size_t>(places) < FastEvaluator::most_kept) {
    node.kept = places++;
    node.deepest = static_cast<std::int8_t>(*deepest);
    return;
  }
  for (Node& operand : node.operands) mark_kept(operand, last, places);
}

}  // namespace

ExpressionPtr finish(Node root, std::string text, const Text& source, const Scope& scope, Types expected,
                     Errors& errors, const std::function<void(Node&)>& mark) {
  const std::size_t before = errors.size();
  check(root, source, scope, expected, errors);
  if (errors.size() != before) return nullptr;
  mark_bounds(root);
  if (mark) mark(root);
  const Types types = root.types;
  const Constancy constancy = constancy_of(root);
  return std::make_shared<Expression>(std::make_shared<const Node>(std::move(root)), std::move(text), types,
                                      constancy);
}

Result<ExpressionPtr> parse_expression(const Text& text, const Scope& scope, Types expected) {
  const auto syntax = parse_syntax(text, Goal::expression);
  if (!syntax) return syntax.errors();
  Errors errors;
  Node root = lower(**syntax, text, Notation::ours, errors);
  if (!errors.empty()) return errors;
  auto expression = finish(std::move(root), text.text, text, scope, expected, errors);
  if (!expression) return errors;
  return expression;
}

Result<Write> parse_write(const Text& text, const Scope& scope) {
  const auto syntax = parse_syntax(text, Goal::write);
  if (!syntax) return syntax.errors();
  const Syntax &target = *(*syntax)->children[0], &brackets = *(*syntax)->children[1],
               &value = *(*syntax)->children[2];
  Errors errors;
  if (target.text != "out")
    errors.push_back(
        error_at(text, target.begin, fmt::format("the result is called 'out' here, not '{}'", target.text)));
  if (brackets.children.size() != 1)
    errors.push_back(
        error_at(text, brackets.begin, "expected one position", "write a tuple: out[(i, j)] <- VALUE"));
  if (!errors.empty()) return errors;
  Node at = lower(*brackets.children[0], text, Notation::ours, errors);
  Node what = lower(value, text, Notation::ours, errors);
  if (!errors.empty()) return errors;
  Write write;
  std::int8_t places = 0;
  const int last = static_cast<int>(scope.size()) - 1;
  write.at = finish(std::move(at), std::string(brackets.children[0]->text), text, scope, position, errors,
                    [&](Node& root) { mark_kept(root, last, places); });
  write.value = finish(std::move(what), std::string(value.text), text, scope, Type::number | Type::boolean,
                       errors, [&](Node& root) { mark_kept(root, last, places); });
  if (!errors.empty()) return errors;
  return write;
}

Value evaluate(const Expression& expression, const Frame& frame) {
  return Evaluator(frame, expression.root()).value(expression.root());
}

bool evaluate_bool(const Expression& expression, const Frame& frame) {
  return Evaluator(frame, expression.root()).truth(expression.root());
}

Shape evaluate_tuple(const Expression& expression, const Frame& frame) {
  return Evaluator(frame, expression.root()).tuple(expression.root());
}

}  // namespace scatterproof::spec::language
