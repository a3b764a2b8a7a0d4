// SPDX-License-Identifier: Apache-2.0
// Integers are exact in 64 bits or have no value; other numbers are doubles (or pairs of them).
#include "scatterproof/spec/language/arithmetic.hpp"

#include <fmt/format.h>

#include <array>
#include <complex>
#include <stdexcept>

#include "inexact.hpp"

namespace scatterproof::spec::language {
namespace {

std::int64_t flat_position(const Shape& sizes, std::span<const std::int64_t> at) {
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) flat = flat * sizes[d] + at[d];
  return flat;
}

std::complex<double> complex_of(const Scalar& s) { return {s.real(), s.imag()}; }

std::int64_t whole(std::int64_t a, Operator op, std::int64_t b) {
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
      if (b == 0) throw NotEvaluable(fmt::format("{} {} 0 has no value", a, symbol(op)));
      if (b == -1) return op == Operator::modulo ? 0 : whole(0, Operator::subtract, a);
      return op == Operator::modulo ? floor_division(a, b).remainder : floor_division(a, b).quotient;
  }
  if (overflows) throw NotEvaluable(fmt::format("{} {} {} does not fit 64 bits", a, symbol(op), b));
  return result;
}

bool numbers_hold(const Scalar& a, Operator op, const Scalar& b) {
  if (a.is_integral() && b.is_integral()) return ordered(a.integer(), op, b.integer());
  if (op == Operator::equal) return complex_of(a) == complex_of(b);
  if (op == Operator::not_equal) return complex_of(a) != complex_of(b);
  if (a.kind() == Scalar::Kind::complex || b.kind() == Scalar::Kind::complex)
    throw NotEvaluable("complex numbers have no order");
  return ordered(a.real(), op, b.real());
}

}  // namespace

Scalar inexact(const Scalar& a, Operator op, const Scalar& b) {
  if (a.kind() == Scalar::Kind::complex || b.kind() == Scalar::Kind::complex) {
    const auto x = complex_of(a), y = complex_of(b);
    const auto result = op == Operator::add        ? x + y
                        : op == Operator::subtract ? x - y
                        : op == Operator::multiply ? x * y
                                                   : x / y;
    return Scalar::of_complex(result.real(), result.imag());
  }
  const double x = a.real(), y = b.real();
  switch (op) {
    case Operator::add:
      return Scalar::of_real(x + y);
    case Operator::subtract:
      return Scalar::of_real(x - y);
    case Operator::multiply:
      return Scalar::of_real(x * y);
    case Operator::divide:
      return Scalar::of_real(x / y);
    default:
      throw NotEvaluable(fmt::format("'{}' takes integers", symbol(op)));
  }
}

Scalar negated(const Scalar& a) {
  return a.kind() == Scalar::Kind::complex ? Scalar::of_complex(-a.real(), -a.imag())
                                           : Scalar::of_real(-a.real());
}

std::span<const std::int64_t> sizes_of(const TensorPart& part) {
  return std::span<const std::int64_t>(part.tensor->shape()).subspan(part.prefix.size());
}

Element element_at(const TensorPart& part, std::span<const std::int64_t> at) {
  return {part.tensor->get(at), part.argument, flat_position(part.tensor->shape(), at)};
}

std::optional<Scalar> as_number(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return Scalar::of_int(*integer);
  if (const auto* element = std::get_if<Element>(&value)) return element->value;
  if (const auto* boolean = std::get_if<bool>(&value)) return Scalar::of_bool(*boolean);
  if (const auto* part = std::get_if<TensorPart>(&value); part != nullptr && sizes_of(*part).empty())
    return part->tensor->get(part->prefix);
  return std::nullopt;
}

std::optional<std::int64_t> as_integer(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  const auto number = as_number(value);
  if (!number || number->kind() != Scalar::Kind::integer) return std::nullopt;
  return number->integer();
}

std::optional<bool> as_bool(const Value& value) {
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean;
  const auto number = as_number(value);
  if (!number || number->kind() != Scalar::Kind::boolean) return std::nullopt;
  return number->integer() != 0;
}

bool holds(const Value& left, Operator op, const Value& right) {
  const auto a = as_number(left), b = as_number(right);
  if (a && b) return numbers_hold(*a, op, *b);
  if (std::holds_alternative<TensorPart>(left) || std::holds_alternative<TensorPart>(right))
    throw NotEvaluable("a tensor of several elements is not compared as a whole");
  if (op != Operator::equal && op != Operator::not_equal)
    throw NotEvaluable(fmt::format("{} and {} have no order", to_string(left), to_string(right)));
  const bool equal = left.index() == right.index() &&
                     std::visit(
                         [&](const auto& x) {
                           using T = std::decay_t<decltype(x)>;
                           if constexpr (std::is_same_v<T, Element> || std::is_same_v<T, TensorPart>)
                             return false;
                           else
                             return x == std::get<T>(right);
                         },
                         left);
  return equal == (op == Operator::equal);
}

Value combine(const Value& left, Operator op, const Value& right) {
  if (op == Operator::join) {
    const auto *a = std::get_if<Shape>(&left), *b = std::get_if<Shape>(&right);
    if (a == nullptr || b == nullptr) throw NotEvaluable("'++' joins tuples");
    Shape joined = *a;
    joined.insert(joined.end(), b->begin(), b->end());
    return joined;
  }
  const auto a = as_number(left), b = as_number(right);
  if (!a || !b)
    throw NotEvaluable(fmt::format("'{}' takes numbers, not {}", symbol(op), to_string(a ? right : left)));
  if (a->is_integral() && b->is_integral() && op != Operator::divide)
    return whole(a->integer(), op, b->integer());
  return Element{inexact(*a, op, *b)};
}

Value negate(const Value& value) {
  const auto number = as_number(value);
  if (!number) throw NotEvaluable(fmt::format("'-' takes a number, not {}", to_string(value)));
  if (number->is_integral()) return whole(0, Operator::subtract, number->integer());
  return Element{negated(*number)};
}

Scalar combine_in(DType dtype, const Scalar& a, Operator op, const Scalar& b) {
  if (!a.is_integral() || !b.is_integral()) return convert(inexact(a, op, b), dtype);
  const auto x = static_cast<std::uint64_t>(a.integer()), y = static_cast<std::uint64_t>(b.integer());
  return convert(Scalar::of_int(static_cast<std::int64_t>(op == Operator::add ? x + y : x * y)), dtype);
}

}  // namespace scatterproof::spec::language
