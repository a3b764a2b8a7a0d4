// SPDX-License-Identifier: Apache-2.0
// From a text to a checked expression, and its value for one call.
#include "expression.hpp"

#include <fmt/format.h>

#include "checker.hpp"
#include "evaluator.hpp"
#include "intervals.hpp"
#include "lower.hpp"
#include "quick.hpp"
#include "syntax.hpp"

namespace scatterproof::spec::language {
namespace {

using ExpressionPtr = std::shared_ptr<const Expression>;

constexpr Types position = Type::integer | Type::tuple;

void mark_bounds(Node& node) {
  node.bounds = is_bounds(node);
  for (Node& operand : node.operands) mark_bounds(operand);
}

}  // namespace

ExpressionPtr finish(Node root, std::string text, const Text& source, const Scope& scope, Types expected,
                     Errors& errors) {
  const std::size_t before = errors.size();
  check(root, source, scope, expected, errors);
  if (errors.size() != before) return nullptr;
  mark_bounds(root);
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
        error_at(text, brackets.begin, "one position is written", "a tuple: out[(i, j)] <- VALUE"));
  if (!errors.empty()) return errors;
  Node at = lower(*brackets.children[0], text, Notation::ours, errors);
  Node what = lower(value, text, Notation::ours, errors);
  if (!errors.empty()) return errors;
  Write write;
  write.at = finish(std::move(at), std::string(brackets.children[0]->text), text, scope, position, errors);
  write.value =
      finish(std::move(what), std::string(value.text), text, scope, Type::number | Type::boolean, errors);
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
