// SPDX-License-Identifier: Apache-2.0
// The quick evaluator's numbers, tuples and subscripts.
#include <algorithm>

#include "quick.hpp"

namespace scatterproof::spec::language {

std::int64_t QuickEvaluator::whole(std::int64_t a, Operator op, std::int64_t b) {
  std::int64_t result = 0;
  bool overflows = false;
  switch (op) {
    case Operator::add:
      overflows = __builtin_add_overflow(a, b, &result);
      break;
    case Operator::subtract:
      overflows = __builtin_sub_overflow(a, b, &result);
      break;
    case Operator::multiply:
      overflows = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      fail(State::unsure);  // division, which no hot expression has
  }
  if (overflows) fail();
  return result;
}

void QuickEvaluator::combine(const Item& left, Operator op, const Item& right, Item& out) {
  if (left.kind == Item::Kind::integer && right.kind == Item::Kind::integer && op != Operator::join)
    return out.set_integer(whole(left.integer, op, right.integer));
  if (op == Operator::join) {
    if (left.kind != Item::Kind::tuple || right.kind != Item::Kind::tuple) return fail();
    if (&left != &out) out.assign(left);
    for (const std::int64_t item : right.tuple) append(out.tuple, item);
    return;
  }
  if (!is_number(left) || !is_number(right)) return fail();
  const Scalar a = number_of(left), b = number_of(right);
  if (!a.is_integral() || !b.is_integral()) return fail(State::unsure);
  out.set_integer(whole(a.integer(), op, b.integer()));
}

void QuickEvaluator::arithmetic(const Node& node, Item& out) {
  Item scratch;
  const Item& first = view(node.operands[0], out);
  for (std::size_t i = 0; i < node.operators.size() && fine(); ++i)
    combine(i == 0 ? first : out, node.operators[i], view(node.operands[i + 1], scratch), out);
}

void QuickEvaluator::replacement(const Node& node, Item& out) {
  const ShortTuple& from = tuple(node.operands[0], out);
  if (&from != &out.tuple) {
    out.kind = Item::Kind::tuple;
    out.tuple.assign(from);
  }
  const auto count = static_cast<std::int64_t>(out.tuple.count);
  for (std::size_t i = 1; i < node.operands.size() && fine(); i += 2) {
    const std::int64_t d = integer(node.operands[i]);
    if (d < -count || d >= count) return fail();
    out.tuple.at[static_cast<std::size_t>(d < 0 ? d + count : d)] = integer(node.operands[i + 1]);
  }
}

void QuickEvaluator::slice(const Node& node, Item& out) {
  Item scratch;
  const ShortTuple& items = tuple(node.operands[0], scratch);
  const auto count = static_cast<std::int64_t>(items.count);
  const auto bound_of = [&](const Node& bound, std::int64_t otherwise) {
    if (bound.kind == Kind::literal && std::holds_alternative<None>(bound.value)) return otherwise;
    const std::int64_t b = integer(bound);
    return std::clamp<std::int64_t>(b < 0 ? b + count : b, 0, count);
  };
  const std::int64_t from = bound_of(node.operands[1], 0), to = bound_of(node.operands[2], count);
  ShortTuple& part = out.set_tuple();
  for (std::int64_t i = from; i < to; ++i) append(part, items.at[static_cast<std::size_t>(i)]);
}

// --- subscripts ---

void QuickEvaluator::subscript(const Node& node, Item& out) {
  Item scratch;
  const Item& base = view(node.operands[0], scratch);
  if (base.kind == Item::Kind::tuple) {
    const auto count = static_cast<std::int64_t>(base.tuple.count);
    const std::int64_t i = integer(node.operands[1]);
    if (i < -count || i >= count) return fail();
    return out.set_integer(base.tuple.at[static_cast<std::size_t>(i < 0 ? i + count : i)]);
  }
  if (base.kind != Item::Kind::part) return fail();
  // The usual one, x[p], needs no collecting.
  if (node.operands.size() == 2 && base.tuple.count == 0) {
    Item inner;
    const Item& at = view(node.operands[1], inner);
    if (at.kind == Item::Kind::tuple && at.tuple.count == base.tensor->rank() && !node.wraps)
      return element(base, at.tuple, out);
  }
  ShortTuple at;
  coordinates(node, base, at);
  if (!fine()) return;
  if (at.count == base.tensor->rank()) return element(base, at, out);
  out.set_part(base.tensor, base.argument);
  out.tuple.assign(at);
}

void QuickEvaluator::coordinates(const Node& node, const Item& base, ShortTuple& out) {
  const Shape& sizes = base.tensor->shape();
  const auto add = [&](std::int64_t coordinate) {
    if (out.count == sizes.size()) return fail();
    const std::int64_t size = sizes[out.count];
    const std::int64_t wrapped = node.wraps && coordinate < 0 ? coordinate + size : coordinate;
    if (wrapped < 0 || wrapped >= size) return fail();
    append(out, wrapped);
  };
  out.assign(base.tuple);
  for (std::size_t i = 1; i < node.operands.size() && fine(); ++i) {
    Item scratch;
    const Item& seen = view(node.operands[i], scratch);
    if (seen.kind == Item::Kind::tuple) {
      for (std::size_t j = 0; j < seen.tuple.count && fine(); ++j) add(seen.tuple.at[j]);
      continue;
    }
    std::int64_t coordinate = 0;
    if (!read_integer(seen, coordinate)) return fail();
    add(coordinate);
  }
}

void QuickEvaluator::element(const Item& base, const ShortTuple& at, Item& out) {
  const Tensor& tensor = *base.tensor;
  const Shape &sizes = tensor.shape(), &strides = tensor.strides();
  std::int64_t position = tensor.offset(), flat = 0;
  for (std::size_t d = 0; d < at.count; ++d) {
    const std::int64_t i = at.at[d];
    if (i < 0 || i >= sizes[d]) return fail();
    position += i * strides[d];
    flat = flat * sizes[d] + i;
  }
  out.set_element(tensor.at_position(position), base.argument, flat);
  out.tensor = &tensor;
}

}  // namespace scatterproof::spec::language
