// SPDX-License-Identifier: Apache-2.0
#include "lists.hpp"

#include <utility>

namespace scatterproof::spec::language {
namespace {

const Scope::List* list_at(const Node& node, const Scope& scope) {
  return node.kind == NodeKind::variable ? scope.find_list(node.name) : nullptr;
}

Node node_at(const Node& place, NodeKind kind, std::vector<Node> operands = {}) {
  Node node;
  node.kind = kind;
  node.begin = place.begin;
  node.operands = std::move(operands);
  return node;
}

Node item_at(const Node& place, const Scope& scope, const Scope::List& list, std::size_t i) {
  Node item = node_at(place, NodeKind::variable);
  item.name = scope.variables()[list.first + i].name;
  return item;
}

/// Whether item `i` is given; the literal true where it always is.
Node is_given(const Node& place, const Scope& scope, const Scope::List& list, std::size_t i) {
  const bool optional = (scope.variables()[list.first + i].types & static_cast<Types>(Type::none)) != 0;
  Node node = node_at(place, optional ? NodeKind::call : NodeKind::literal);
  node.value = true;
  node.function = Function::given;
  if (optional) node.operands.push_back(item_at(place, scope, list, i));
  return node;
}

Node only_if(Node condition, Node shape) {
  if (condition.kind == NodeKind::literal) return shape;
  const Node place = shape;
  return node_at(place, NodeKind::conditional,
                 {std::move(condition), std::move(shape), node_at(place, NodeKind::tuple)});
}

/// Each operand that `items` writes out gives place to what that adds; the call keeps what was written.
template <class Items>
void replace_operands(Node& call, const Items& items) {
  std::vector<Node> operands;
  for (const Node& operand : call.operands)
    if (!items(operand, operands)) operands.push_back(operand);
  if (operands.size() == call.operands.size()) return;
  call.written = std::make_shared<const Node>(call);
  call.operands = std::move(operands);
}

void replace(Node& node, std::string_view name, const Node& by) {
  if (node.kind == NodeKind::variable && node.name == name) {
    const std::size_t begin = node.begin;
    node = by;
    node.begin = begin;
    return;
  }
  for (Node& operand : node.operands) replace(operand, name, by);
}

}  // namespace

void put_items(Node& call, const Scope& scope) {
  replace_operands(call, [&](const Node& operand, std::vector<Node>& operands) {
    const Scope::List* const list = list_at(operand, scope);
    for (std::size_t i = 0; list != nullptr && i < list->count; ++i)
      operands.push_back(item_at(operand, scope, *list, i));
    return list != nullptr;
  });
}

void put_shapes(Node& call, const Scope& scope) {
  replace_operands(call, [&](const Node& operand, std::vector<Node>& operands) {
    const bool shapes = operand.is_call(Function::shape) || operand.is_call(Function::index_shape);
    const Scope::List* const list = shapes ? list_at(operand.operands[0], scope) : nullptr;
    for (std::size_t i = 0; list != nullptr && i < list->count; ++i) {
      Node shape = operand;
      shape.operands[0] = item_at(operand.operands[0], scope, *list, i);
      operands.push_back(only_if(is_given(operand, scope, *list, i), std::move(shape)));
    }
    return list != nullptr;
  });
}

Node of_item(const Node& quantified, const Scope& scope, const Scope::List& list, std::size_t i) {
  const Node& place = quantified.operands[0];
  Node body = quantified.operands[1];
  Node condition = is_given(place, scope, list, i);
  if (quantified.operands.size() == 3) {
    const Node& filter = quantified.operands[2];
    condition = condition.kind == NodeKind::literal
                    ? filter
                    : node_at(place, NodeKind::conjunction, {std::move(condition), filter});
  }
  const bool always = condition.kind == NodeKind::literal;
  Node whole = std::move(body);
  if (quantified.quantifier == Quantifier::each)
    whole = only_if(std::move(condition), node_at(place, NodeKind::tuple, {std::move(whole)}));
  else if (!always)
    whole = node_at(place,
                    quantified.quantifier == Quantifier::all ? NodeKind::implication : NodeKind::conjunction,
                    {std::move(condition), std::move(whole)});
  replace(whole, quantified.name, item_at(place, scope, list, i));
  Node number = node_at(place, NodeKind::literal);
  number.value = static_cast<std::int64_t>(i);
  if (!quantified.number.empty()) replace(whole, quantified.number, number);
  return whole;
}

Node put_together(const Node& quantified, std::vector<Node> of_items) {
  const NodeKind kind = quantified.quantifier == Quantifier::each  ? NodeKind::arithmetic
                        : quantified.quantifier == Quantifier::all ? NodeKind::conjunction
                                                                   : NodeKind::disjunction;
  Node whole = node_at(quantified, kind, std::move(of_items));
  if (kind == NodeKind::arithmetic) whole.operators.assign(whole.operands.size() - 1, Operator::join);
  whole.written = std::make_shared<const Node>(quantified);
  return whole;
}

const Node* binding_of(std::string_view name, const Node& node) {
  if (node.kind == NodeKind::quantified && (node.name == name || node.number == name)) return &node;
  for (const Node& operand : node.operands)
    if (const Node* found = binding_of(name, operand)) return found;
  return nullptr;
}

}  // namespace scatterproof::spec::language
