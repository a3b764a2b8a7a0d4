// SPDX-License-Identifier: Apache-2.0
// One function per kind of node. An expression without a value throws NotEvaluable with a sentence that names
// it.
#include "scatterproof/spec/language/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace scatterproof::spec::language {

Value Evaluator::value(const Node& node) {
  switch (node.kind) {
    case NodeKind::literal:
      return node.value;
    case NodeKind::variable:
      return variable(node);
    case NodeKind::tuple: {
      Shape items;
      items.reserve(node.operands.size());
      for (const Node& item : node.operands) items.push_back(integer(item));
      return items;
    }
    case NodeKind::conditional:
      return value(node.operands[truth(node.operands[0]) ? 1 : 2]);
    case NodeKind::quantified:
      return quantified(node);
    case NodeKind::negation:
      return !truth(node.operands[0]);
    case NodeKind::conjunction:
      return std::all_of(node.operands.begin(), node.operands.end(), [&](const Node& n) { return truth(n); });
    case NodeKind::disjunction:
      return std::any_of(node.operands.begin(), node.operands.end(), [&](const Node& n) { return truth(n); });
    case NodeKind::implication:
      return !truth(node.operands[0]) || truth(node.operands[1]);
    case NodeKind::comparison:
      return comparison(node);
    case NodeKind::arithmetic:
      return arithmetic(node);
    case NodeKind::minus:
      return negate(value(node.operands[0]));
    case NodeKind::replacement:
      return replacement(node);
    case NodeKind::subscript:
      return subscript(node);
    case NodeKind::slice:
      return slice(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::list:
      break;
  }
  throw std::logic_error("a node that the checker does not let pass");
}

const Value& Evaluator::view(const Node& node, Value& scratch) {
  if (node.kind == NodeKind::variable) return variable(node);
  if (node.kind == NodeKind::literal) return node.value;
  scratch = value(node);
  return scratch;
}

bool Evaluator::truth(const Node& node) {
  Value scratch;
  const Value& seen = view(node, scratch);
  if (const auto* plain = std::get_if<bool>(&seen)) return *plain;
  if (const auto read = as_bool(seen)) return *read;
  throw NotEvaluable(fmt::format("{} is {}, not true or false", print(node), to_string(seen)));
}

std::int64_t Evaluator::integer(const Node& node) {
  Value scratch;
  const Value& seen = view(node, scratch);
  if (const auto read = as_integer(seen)) return *read;
  throw NotEvaluable(fmt::format("{} is {}, not an integer", print(node), to_string(seen)));
}

Shape Evaluator::tuple(const Node& node) {
  Value scratch;
  const Value& seen = view(node, scratch);
  if (const auto* items = std::get_if<Shape>(&seen)) return *items;
  if (const auto read = as_integer(seen)) return {*read};
  throw NotEvaluable(fmt::format("{} is {}, not a tuple", print(node), to_string(seen)));
}

const TensorPart& Evaluator::tensor(const Node& node, Value& scratch) {
  const Value& seen = view(node, scratch);
  if (const auto* part = std::get_if<TensorPart>(&seen)) return *part;
  if (std::holds_alternative<None>(seen)) throw NotEvaluable(fmt::format("{} is not given", print(node)));
  throw NotEvaluable(fmt::format("{} is {}, not a tensor", print(node), to_string(seen)));
}

// --- booleans ---

Value Evaluator::quantified(const Node& node) {
  const Node& body = node.operands[1];
  switch (node.quantifier) {
    case Quantifier::all:
      return !search(node, [&] { return !truth(body); });
    case Quantifier::any:
      return search(node, [&] { return truth(body); });
    case Quantifier::unique: {
      std::set<Shape> seen;
      return !search(node, [&] { return !seen.insert(tuple(body)).second; });
    }
    case Quantifier::each: {
      Shape items;
      search(node, [&] {
        items.push_back(integer(body));
        return false;
      });
      return items;
    }
  }
  throw std::logic_error("no such quantifier");
}

bool Evaluator::comparison(const Node& node) {
  for (std::size_t i = 0; i < node.operators.size(); ++i)
    if (!pair_holds(node.operands[i], node.operators[i], node.operands[i + 1])) return false;
  return true;
}

bool Evaluator::pair_holds(const Node& left, Operator op, const Node& right) {
  Value first_scratch, second_scratch;
  const Value& first = view(left, first_scratch);
  if (op == Operator::in) return member(first, right);
  if (op == Operator::not_in) return !member(first, right);
  return holds(first, op, view(right, second_scratch));
}

bool Evaluator::member(const Value& value, const Node& collection) {
  if (collection.kind == NodeKind::list)
    return std::any_of(collection.operands.begin(), collection.operands.end(), [&](const Node& item) {
      Value scratch;
      return holds(value, Operator::equal, view(item, scratch));
    });
  const auto wanted = as_integer(value);
  const Shape items = tuple(collection);
  return wanted && std::find(items.begin(), items.end(), *wanted) != items.end();
}

// --- numbers and tuples ---

Value Evaluator::arithmetic(const Node& node) {
  Value result = value(node.operands[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    Value scratch;
    result = combine(result, node.operators[i], view(node.operands[i + 1], scratch));
  }
  return result;
}

Value Evaluator::replacement(const Node& node) {
  Shape items = tuple(node.operands[0]);
  const auto count = static_cast<std::int64_t>(items.size());
  for (std::size_t i = 1; i < node.operands.size(); i += 2) {
    const std::int64_t d = integer(node.operands[i]);
    if (d < -count || d >= count)
      throw NotEvaluable(fmt::format("{} has no element {}", to_string(Value(items)), d));
    items[static_cast<std::size_t>(d < 0 ? d + count : d)] = integer(node.operands[i + 1]);
  }
  return items;
}

Value Evaluator::slice(const Node& node) {
  const Shape items = tuple(node.operands[0]);
  const auto count = static_cast<std::int64_t>(items.size());
  const auto bound_of = [&](const Node& bound, std::int64_t otherwise) {
    if (bound.kind == NodeKind::literal && std::holds_alternative<None>(bound.value)) return otherwise;
    const std::int64_t b = integer(bound);
    return std::clamp<std::int64_t>(b < 0 ? b + count : b, 0, count);
  };
  const std::int64_t from = bound_of(node.operands[1], 0);
  const std::int64_t to = bound_of(node.operands[2], count);
  return from < to ? Shape(items.begin() + from, items.begin() + to) : Shape{};
}

// --- subscripts ---

Value Evaluator::subscript(const Node& node) {
  Value scratch;
  const Value& base = view(node.operands[0], scratch);
  if (const auto* items = std::get_if<Shape>(&base)) {
    const auto count = static_cast<std::int64_t>(items->size());
    const std::int64_t i = integer(node.operands[1]);
    if (i < -count || i >= count)
      throw NotEvaluable(fmt::format("{}: {} has no element {}", print(node), to_string(base), i));
    return (*items)[static_cast<std::size_t>(i < 0 ? i + count : i)];
  }
  Value unused;
  const TensorPart& part = std::holds_alternative<TensorPart>(base) ? std::get<TensorPart>(base)
                                                                    : tensor(node.operands[0], unused);
  const Coordinates found = coordinates(node, part, node.operands.size() - 1);
  if (found.count == part.tensor->rank()) return element_at(part, found.span());
  return TensorPart{part.tensor, part.argument, Coords(found.at.begin(), found.at.begin() + found.count)};
}

Coordinates Evaluator::coordinates(const Node& subscript, const TensorPart& base, std::size_t count) {
  Coordinates result;
  result.count = base.prefix.size();
  std::copy(base.prefix.begin(), base.prefix.end(), result.at.begin());
  for (std::size_t i = 1; i <= count; ++i) {
    Value scratch;
    const Value& seen = view(subscript.operands[i], scratch);
    if (const auto* items = std::get_if<Shape>(&seen)) {
      for (const std::int64_t coordinate : *items) append(result, subscript, base, coordinate);
    } else if (const auto coordinate = as_integer(seen)) {
      append(result, subscript, base, *coordinate);
    } else {
      throw NotEvaluable(fmt::format("{}: the subscript {} is {}, not an integer or a tuple",
                                     print(subscript), print(subscript.operands[i]), to_string(seen)));
    }
  }
  return result;
}

void Evaluator::append(Coordinates& to, const Node& subscript, const TensorPart& base,
                       std::int64_t coordinate) {
  const Shape& sizes = base.tensor->shape();
  const Node& name = subscript.operands[0];
  if (to.count == sizes.size())
    throw NotEvaluable(fmt::format("{}: more coordinates than {} has dimensions ({})", print(subscript),
                                   print(name), sizes.size()));
  const std::int64_t size = sizes[to.count];
  const std::int64_t wrapped = subscript.wraps && coordinate < 0 ? coordinate + size : coordinate;
  if (wrapped < 0 || wrapped >= size)
    throw NotEvaluable(fmt::format("{}: {} lies outside dimension {} of {}, whose size is {}",
                                   print(subscript), coordinate, to.count, print(name), size));
  to.at[to.count++] = wrapped;
}

}  // namespace scatterproof::spec::language
