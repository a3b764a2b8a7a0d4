// SPDX-License-Identifier: Apache-2.0
// The fast evaluator's values, and the dispatch from nodes to functions.
#include "scatterproof/spec/language/fast_evaluator.hpp"

#include <algorithm>
#include <stdexcept>

#include "inexact.hpp"

namespace scatterproof::spec::language {

void FastValue::assign(const FastValue& other) {
  kind = other.kind;
  switch (kind) {
    case Kind::none:
      return;
    case Kind::boolean:
    case Kind::integer:
      integer = other.integer;
      return;
    case Kind::element:
      number = other.number, argument = other.argument, integer = other.integer, tensor = other.tensor;
      return;
    case Kind::word:
      word = other.word;
      return;
    case Kind::dtype:
      dtype = other.dtype;
      return;
    case Kind::part:
      tensor = other.tensor, argument = other.argument;
      [[fallthrough]];
    case Kind::tuple:
      tuple.assign(other.tuple);
      return;
  }
}

bool FastValue::assign(const Value& value) {
  const auto copy = [this](const Shape& items) {
    tuple.count = std::min(items.size(), ShortTuple::most);
    std::copy_n(items.begin(), tuple.count, tuple.at.begin());
    return tuple.count == items.size();
  };
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    set_integer(*whole);
  } else if (const auto* truth = std::get_if<bool>(&value)) {
    set_boolean(*truth);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    kind = Kind::word, word = text;
  } else if (const auto* type = std::get_if<DType>(&value)) {
    kind = Kind::dtype, dtype = *type;
  } else if (const auto* element = std::get_if<Element>(&value)) {
    set_element(element->value, element->argument, element->coords);
  } else if (const auto* items = std::get_if<Shape>(&value)) {
    kind = Kind::tuple;
    return copy(*items);
  } else if (const auto* part = std::get_if<TensorPart>(&value)) {
    set_part(part->tensor, part->argument);
    return copy(part->prefix);
  } else {
    kind = Kind::none;
  }
  return true;
}

bool is_number(const FastValue& item) {
  switch (item.kind) {
    case FastValue::Kind::boolean:
    case FastValue::Kind::integer:
    case FastValue::Kind::element:
      return true;
    case FastValue::Kind::part:
      return item.tensor->rank() == item.tuple.count;
    default:
      return false;
  }
}

Scalar number_of(const FastValue& item) {
  if (item.kind == FastValue::Kind::integer) return Scalar::of_int(item.integer);
  if (item.kind == FastValue::Kind::boolean) return Scalar::of_bool(item.integer != 0);
  return item.kind == FastValue::Kind::element ? item.number : item.tensor->get(item.tuple.span());
}

bool read_integer(const FastValue& item, std::int64_t& integer) {
  if (item.kind == FastValue::Kind::integer) {
    integer = item.integer;
    return true;
  }
  if (item.kind == FastValue::Kind::boolean || !is_number(item)) return false;
  const Scalar number = number_of(item);
  integer = number.integer();
  return number.kind() == Scalar::Kind::integer;
}

const ShortTuple& FastEvaluator::tuple(const Expression& expression, FastValue& scratch) {
  if (fits(expression)) return tuple(expression.root(), scratch);
  return scratch.set_tuple();
}

const FastValue& FastEvaluator::value(const Expression& expression, FastValue& scratch) {
  scratch.kind = FastValue::Kind::none;
  return fits(expression) ? view(expression.root(), scratch) : scratch;
}

const FastValue& FastEvaluator::view(const Node& node, FastValue& scratch) {
  if (node.kind == language::NodeKind::variable) return variable(node);
  if (node.kept >= 0) return kept(node);
  value(node, scratch);
  return scratch;
}

const FastValue& FastEvaluator::kept(const Node& node) {
  const auto place = static_cast<std::size_t>(node.kept);
  const std::uint32_t version = version_[static_cast<std::size_t>(node.deepest)];
  if (kept_of_[place] == version) return kept_[place];
  value(node, kept_[place]);
  kept_of_[place] = fine() ? version : 0;
  return kept_[place];
}

void FastEvaluator::value(const Node& node, FastValue& out) {
  using language::NodeKind;
  switch (node.kind) {
    case NodeKind::literal:
      if (!out.assign(node.value)) fail(State::unsure);
      return;
    case NodeKind::variable:
      return out.assign(variable(node));
    case NodeKind::tuple: {
      ShortTuple& items = out.set_tuple();
      for (const Node& item : node.operands) append(items, integer(item));
      return;
    }
    case NodeKind::conditional:
      return value(node.operands[truth(node.operands[0]) ? 1 : 2], out);
    case NodeKind::quantified:
      if (node.quantifier == Quantifier::each) return each(node, out);
      return out.set_boolean(truth(node));
    case NodeKind::negation:
    case NodeKind::conjunction:
    case NodeKind::disjunction:
    case NodeKind::implication:
    case NodeKind::comparison:
      return out.set_boolean(truth(node));
    case NodeKind::arithmetic:
      return arithmetic(node, out);
    case NodeKind::minus: {
      FastValue scratch;
      const FastValue& number = view(node.operands[0], scratch);
      if (!is_number(number)) return fail();
      const Scalar value = number_of(number);
      if (!value.is_integral()) return out.set_element(negated(value), -1, -1);
      return out.set_integer(whole(0, Operator::subtract, value.integer()));
    }
    case NodeKind::replacement:
      return replacement(node, out);
    case NodeKind::subscript:
      return subscript(node, out);
    case NodeKind::slice:
      return slice(node, out);
    case NodeKind::call:
      return call(node, out);
    case NodeKind::list:
      break;
  }
  throw std::logic_error("a node that the checker does not let pass");
}

std::int64_t FastEvaluator::integer(const Node& node) {
  std::int64_t integer = 0;
  if (read_whole(node, integer)) return integer;
  FastValue scratch;
  if (!read_integer(view(node, scratch), integer)) fail();
  return integer;
}

const ShortTuple& FastEvaluator::tuple(const Node& node, FastValue& scratch) {
  const FastValue& seen = view(node, scratch);
  if (seen.kind == FastValue::Kind::tuple) return seen.tuple;
  std::int64_t integer = 0;
  if (!read_integer(seen, integer)) fail();
  ShortTuple& single = scratch.set_tuple();
  append(single, integer);
  return single;
}

const FastValue* FastEvaluator::tensor(const Node& node, FastValue& scratch) {
  const FastValue& seen = view(node, scratch);
  if (seen.kind == FastValue::Kind::part) return &seen;
  fail();
  return nullptr;
}

}  // namespace scatterproof::spec::language
