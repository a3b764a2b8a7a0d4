// SPDX-License-Identifier: Apache-2.0
// The quick evaluator's booleans: connectives, quantifiers, comparisons.
#include <algorithm>
#include <stdexcept>

#include "scatterproof/spec/language/arithmetic.hpp"
#include "scatterproof/spec/language/quick.hpp"

namespace scatterproof::spec::language {

bool QuickEvaluator::truth(const Node& node) {
  const auto& o = node.operands;
  const auto holds_here = [this](const Node& operand) { return truth(operand); };
  switch (node.kind) {
    case Kind::quantified:
      return quantified(node);
    case Kind::negation:
      return !truth(o[0]);
    case Kind::conjunction:
      return std::all_of(o.begin(), o.end(), holds_here);
    case Kind::disjunction:
      return std::any_of(o.begin(), o.end(), holds_here);
    case Kind::implication:
      return !truth(o[0]) || truth(o[1]);
    case Kind::comparison:
      return comparison(node);
    case Kind::conditional:
      return truth(o[truth(o[0]) ? 1 : 2]);
    default:
      break;
  }
  Item scratch;
  const Item& seen = view(node, scratch);
  if (seen.kind == Item::Kind::boolean) return seen.integer != 0;
  if (is_number(seen))
    if (const Scalar number = number_of(seen); number.kind() == Scalar::Kind::boolean)
      return number.integer() != 0;
  fail();
  return false;
}

// --- quantifiers ---

/// Binds the variable to each value of the domain until `stop` gives true, or something has no value.
template <class Stop>
bool QuickEvaluator::search(const Node& node, Stop&& stop) {
  const Node& domain = node.operands[0];
  Item& bound = locals_[static_cast<std::size_t>(node.slot)];
  const bool filtered = node.operands.size() == 3;
  const auto stops = [&] { return ((!filtered || truth(node.operands[2])) && stop()) || !fine(); };
  Item scratch;
  if (domain.is_call(Function::positions))
    return search_positions(node, tuple(domain.operands[0], scratch), stops);
  if (domain.is_call(Function::range)) {
    const bool from_zero = domain.operands.size() == 1;
    const std::int64_t from = from_zero ? 0 : integer(domain.operands[0]);
    const std::int64_t to = integer(domain.operands.back());
    for (std::int64_t i = from; fine() && i < to; ++i) {
      bound.set_integer(i);
      if (stops()) return true;
    }
    return false;
  }
  ShortTuple items;
  items.assign(tuple(domain, scratch));
  for (std::size_t i = 0; fine() && i < items.count; ++i) {
    bound.set_integer(items.at[i]);
    if (stops()) return true;
  }
  return false;
}

template <class Stop>
bool QuickEvaluator::search_positions(const Node& node, const ShortTuple& sizes, Stop&& stop) {
  const auto count = checked_numel(sizes.span());
  if (!count) fail();
  if (!fine() || *count == 0) return false;
  ShortTuple limits;
  limits.assign(sizes);  // what it was read from may be the variable's own slot
  ShortTuple& at = locals_[static_cast<std::size_t>(node.slot)].set_tuple();
  at.count = limits.count;
  std::fill_n(at.at.begin(), at.count, 0);
  for (;;) {
    if (stop()) return true;
    std::size_t d = at.count;
    while (d > 0 && ++at.at[d - 1] == limits.at[d - 1]) at.at[--d] = 0;
    if (d == 0) return false;
  }
}

bool QuickEvaluator::all(const Node& node) {
  return !search(node, [&] { return !truth(node.operands[1]); });
}

bool QuickEvaluator::quantified(const Node& node) {
  const Node& body = node.operands[1];
  switch (node.quantifier) {
    case Quantifier::all:
      return node.bounds ? all_within(node) : all(node);
    case Quantifier::any:
      return search(node, [&] { return truth(body); });
    case Quantifier::unique:
      return unique(node);
  }
  throw std::logic_error("no such quantifier");
}

/// Each tuple is compared with all before it, which is quick for a few; for more the plain evaluator has a
/// set.
bool QuickEvaluator::unique(const Node& node) {
  constexpr std::size_t few = 32;
  std::array<ShortTuple, few> seen;
  std::size_t count = 0;
  return !search(node, [&] {
    Item scratch;
    const ShortTuple& one = tuple(node.operands[1], scratch);
    if (!fine() || std::find(seen.begin(), seen.begin() + count, one) != seen.begin() + count) return true;
    if (count == few)
      fail(State::unsure);
    else
      seen[count++].assign(one);
    return false;
  });
}

// --- comparisons ---

bool QuickEvaluator::comparison(const Node& node) {
  std::int64_t a = 0, b = 0;
  if (node.operators.size() == 1 && node.operators[0] <= Operator::greater_equal &&
      read_whole(node.operands[0], a) && read_whole(node.operands[1], b))
    return ordered(a, node.operators[0], b);
  // Each operand is evaluated once, though it stands in two pairs: nothing here has side effects.
  Item scratch[2];
  const Item* left = &view(node.operands[0], scratch[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const Operator op = node.operators[i];
    const Node& right = node.operands[i + 1];
    if (op == Operator::in || op == Operator::not_in) {
      if (member(*left, right) != (op == Operator::in)) return false;
      if (i + 1 == node.operators.size()) return true;
    }
    const Item* seen = &view(right, scratch[(i + 1) % 2]);
    if (op != Operator::in && op != Operator::not_in && !holds(*left, op, *seen)) return false;
    left = seen;
  }
  return true;
}

bool QuickEvaluator::member(const Item& item, const Node& collection) {
  Item scratch;
  if (collection.kind == Kind::list)
    return std::any_of(collection.operands.begin(), collection.operands.end(),
                       [&](const Node& one) { return holds(item, Operator::equal, view(one, scratch)); });
  std::int64_t wanted = 0;
  const bool whole = read_integer(item, wanted);
  const ShortTuple& items = tuple(collection, scratch);
  return whole && std::find(items.begin(), items.end(), wanted) != items.end();
}

namespace {

bool equal(const Item& a, const Item& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Item::Kind::none:
      return true;
    case Item::Kind::word:
      return *a.word == *b.word;
    case Item::Kind::dtype:
      return a.dtype == b.dtype;
    case Item::Kind::tuple:
      return a.tuple == b.tuple;
    default:
      return false;
  }
}

}  // namespace

bool QuickEvaluator::holds(const Item& left, Operator op, const Item& right) {
  if (!fine()) return false;
  if (left.kind == Item::Kind::integer && right.kind == Item::Kind::integer)
    return ordered(left.integer, op, right.integer);
  if (is_number(left) && is_number(right)) {
    const Scalar a = number_of(left), b = number_of(right);
    if (a.is_integral() && b.is_integral()) return ordered(a.integer(), op, b.integer());
    if (op == Operator::equal || op == Operator::not_equal)
      return (a.real() == b.real() && a.imag() == b.imag()) == (op == Operator::equal);
    if (a.kind() != Scalar::Kind::complex && b.kind() != Scalar::Kind::complex)
      return ordered(a.real(), op, b.real());
    fail();
    return false;
  }
  const bool equality = op == Operator::equal || op == Operator::not_equal;
  if (!equality || left.kind == Item::Kind::part || right.kind == Item::Kind::part) {
    fail();
    return false;
  }
  return equal(left, right) == (op == Operator::equal);
}

}  // namespace scatterproof::spec::language
