// SPDX-License-Identifier: Apache-2.0
// The fast evaluator's numbers, tuples and subscripts.
#include <algorithm>

#include "inexact.hpp"
#include "scatterproof/spec/language/arithmetic.hpp"
#include "scatterproof/spec/language/fast_evaluator.hpp"

namespace scatterproof::spec::language {

std::int64_t FastEvaluator::whole(std::int64_t a, Operator op, std::int64_t b) {
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
    case Operator::floor_divide:
    case Operator::modulo:
      if (b == 0) {
        fail();
      } else if (b == -1) {
        return op == Operator::modulo ? 0 : whole(0, Operator::subtract, a);
      } else {
        return op == Operator::modulo ? floor_division(a, b).remainder : floor_division(a, b).quotient;
      }
      break;
    default:
      throw std::logic_error("no operator of integers");
  }
  if (overflows) fail();
  return result;
}

void FastEvaluator::combine(const FastValue& left, Operator op, const FastValue& right, FastValue& out) {
  if (left.kind == FastValue::Kind::integer && right.kind == FastValue::Kind::integer &&
      op != Operator::join && op != Operator::divide)
    return out.set_integer(whole(left.integer, op, right.integer));
  if (op == Operator::join) {
    if (left.kind != FastValue::Kind::tuple || right.kind != FastValue::Kind::tuple) return fail();
    if (&left != &out) out.assign(left);
    for (const std::int64_t item : right.tuple) append(out.tuple, item);
    return;
  }
  if (!is_number(left) || !is_number(right)) return fail();
  const Scalar a = number_of(left), b = number_of(right);
  if (a.is_integral() && b.is_integral() && op != Operator::divide)
    return out.set_integer(whole(a.integer(), op, b.integer()));
  if (op == Operator::floor_divide || op == Operator::modulo) return fail();
  out.set_element(inexact(a, op, b), -1, -1);
}

void FastEvaluator::arithmetic(const Node& node, FastValue& out) {
  FastValue scratch;
  const FastValue& first = view(node.operands[0], out);
  for (std::size_t i = 0; i < node.operators.size() && fine(); ++i)
    combine(i == 0 ? first : out, node.operators[i], view(node.operands[i + 1], scratch), out);
}

void FastEvaluator::replacement(const Node& node, FastValue& out) {
  const ShortTuple& from = tuple(node.operands[0], out);
  if (&from != &out.tuple) {
    out.kind = FastValue::Kind::tuple;
    out.tuple.assign(from);
  }
  const auto count = static_cast<std::int64_t>(out.tuple.count);
  for (std::size_t i = 1; i < node.operands.size() && fine(); i += 2) {
    const std::int64_t d = integer(node.operands[i]);
    if (d < -count || d >= count) return fail();
    out.tuple.at[static_cast<std::size_t>(d < 0 ? d + count : d)] = integer(node.operands[i + 1]);
  }
}

void FastEvaluator::slice(const Node& node, FastValue& out) {
  FastValue scratch;
  const ShortTuple& items = tuple(node.operands[0], scratch);
  const auto count = static_cast<std::int64_t>(items.count);
  const auto bound_of = [&](const Node& bound, std::int64_t otherwise) {
    if (bound.kind == NodeKind::literal && std::holds_alternative<None>(bound.value)) return otherwise;
    const std::int64_t b = integer(bound);
    return std::clamp<std::int64_t>(b < 0 ? b + count : b, 0, count);
  };
  const std::int64_t from = bound_of(node.operands[1], 0), to = bound_of(node.operands[2], count);
  ShortTuple& part = out.set_tuple();
  for (std::int64_t i = from; i < to; ++i) append(part, items.at[static_cast<std::size_t>(i)]);
}

// --- subscripts ---

void FastEvaluator::subscript(const Node& node, FastValue& out) {
  FastValue scratch;
  const FastValue& base = view(node.operands[0], scratch);
  if (base.kind == FastValue::Kind::tuple) {
    const auto count = static_cast<std::int64_t>(base.tuple.count);
    const std::int64_t i = integer(node.operands[1]);
    if (i < -count || i >= count) return fail();
    return out.set_integer(base.tuple.at[static_cast<std::size_t>(i < 0 ? i + count : i)]);
  }
  if (base.kind != FastValue::Kind::part) return fail();
  // The usual subscript, x[p], needs no collecting.
  if (node.operands.size() == 2 && base.tuple.count == 0) {
    FastValue inner;
    const FastValue& at = view(node.operands[1], inner);
    if (at.kind == FastValue::Kind::tuple && at.tuple.count == base.tensor->rank() && !node.wraps)
      return element(base, at.tuple, out);
  }
  ShortTuple at;
  coordinates(node, base, at);
  if (!fine()) return;
  if (at.count == base.tensor->rank()) return element(base, at, out);
  out.set_part(base.tensor, base.argument);
  out.tuple.assign(at);
}

void FastEvaluator::coordinates(const Node& node, const FastValue& base, ShortTuple& out) {
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
    FastValue scratch;
    const FastValue& seen = view(node.operands[i], scratch);
    if (seen.kind == FastValue::Kind::tuple) {
      for (std::size_t j = 0; j < seen.tuple.count && fine(); ++j) add(seen.tuple.at[j]);
      continue;
    }
    std::int64_t coordinate = 0;
    if (!read_integer(seen, coordinate)) return fail();
    add(coordinate);
  }
}

/// Where an element lies in the storage, and its flat coordinates. False outside of the tensor.
bool FastEvaluator::find(const Tensor& tensor, const ShortTuple& at, std::int64_t& position,
                         std::int64_t& flat) {
  const Shape &sizes = tensor.shape(), &strides = tensor.strides();
  position = tensor.offset(), flat = 0;
  for (std::size_t d = 0; d < at.count; ++d) {
    const std::int64_t i = at.at[d];
    if (i < 0 || i >= sizes[d]) return false;
    position += i * strides[d];
    flat = flat * sizes[d] + i;
  }
  return true;
}

void FastEvaluator::element(const FastValue& base, const ShortTuple& at, FastValue& out) {
  std::int64_t position = 0, flat = 0;
  if (!find(*base.tensor, at, position, flat)) return fail();
  out.kind = FastValue::Kind::element;
  out.number = base.tensor->at_position(position);
  out.argument = base.argument;
  out.integer = flat;
  out.tensor = base.tensor;
}

// --- short cuts ---

/// Short cut for x[p] of integers where both are plain names and there is a value: most rules and meanings
/// read this for every element.
bool FastEvaluator::read_element(const Node& node, std::int64_t& integer) const {
  if (node.operands.size() != 2 || node.wraps || node.operands[0].kind != NodeKind::variable ||
      node.operands[1].kind != NodeKind::variable)
    return false;
  const FastValue &base = variable(node.operands[0]), &at = variable(node.operands[1]);
  if (base.kind != FastValue::Kind::part || base.tuple.count > 0 || at.kind != FastValue::Kind::tuple ||
      at.tuple.count != base.tensor->rank() || !is_integer(base.tensor->dtype()))
    return false;
  std::int64_t position = 0, flat = 0;
  if (!find(*base.tensor, at.tuple, position, flat)) return false;
  integer = load_integer(*base.tensor, position);
  return true;
}

/// Short cut for the expressions that most rules consist of, without a FastValue, where the value is an
/// integer. False otherwise; the general path then finds out why.
bool FastEvaluator::read_whole(const Node& node, std::int64_t& integer) const {
  if (node.kind == NodeKind::variable) {
    const FastValue& item = variable(node);
    integer = item.integer;
    return item.kind == FastValue::Kind::integer;
  }
  if (node.kind == NodeKind::literal) {
    const auto* whole = std::get_if<std::int64_t>(&node.value);
    if (whole != nullptr) integer = *whole;
    return whole != nullptr;
  }
  if (node.kind == NodeKind::subscript) return read_element(node, integer);
  const bool is_rank = node.is_call(Function::rank), is_size = node.is_call(Function::size);
  if ((!is_rank && !is_size) || node.operands[0].kind != NodeKind::variable) return false;
  const FastValue& part = variable(node.operands[0]);
  if (part.kind != FastValue::Kind::part || part.tuple.count > 0) return false;
  const Shape& sizes = part.tensor->shape();
  const auto rank = static_cast<std::int64_t>(sizes.size());
  integer = rank;
  std::int64_t d = 0;
  if (is_rank) return true;
  if (!read_whole(node.operands[1], d) || d < -rank || d >= rank) return false;
  integer = sizes[static_cast<std::size_t>(d < 0 ? d + rank : d)];
  return true;
}

}  // namespace scatterproof::spec::language
