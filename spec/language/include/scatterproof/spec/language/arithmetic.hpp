// SPDX-License-Identifier: Apache-2.0
// What operators do with values, wherever the values come from.
#pragma once

#include <optional>
#include <stdexcept>

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

/// The sizes of the dimensions of a tensor, or of a part: those after its prefix.
std::span<const std::int64_t> sizes_of(const TensorPart& part);
/// The element at a position inside the tensor, with its origin.
Element element_at(const TensorPart& part, std::span<const std::int64_t> at);

/// A part that is one element counts as a number everywhere.
std::optional<Scalar> as_number(const Value& value);
std::optional<std::int64_t> as_integer(const Value& value);  ///< not a boolean
std::optional<bool> as_bool(const Value& value);

/// Whether `left op right` holds; not for `in`. Throws NotEvaluable for tensors.
bool holds(const Value& left, Operator op, const Value& right);
/// The same for two values that C++ can order.
template <class T>
bool ordered(const T& a, Operator op, const T& b) {
  switch (op) {
    case Operator::equal:
      return a == b;
    case Operator::not_equal:
      return a != b;
    case Operator::less:
      return a < b;
    case Operator::less_equal:
      return a <= b;
    case Operator::greater:
      return a > b;
    case Operator::greater_equal:
      return a >= b;
    default:
      throw std::logic_error("not an order");
  }
}

/// `left op right` for `+ - * / // % ++`. Throws NotEvaluable when it has no value.
Value combine(const Value& left, Operator op, const Value& right);
Value negate(const Value& value);

/// `a + b` or `a * b` in a dtype: integers wrap, floats are rounded to the dtype.
Scalar combine_in(DType dtype, const Scalar& a, Operator op, const Scalar& b);

/// Rounded down, as in Python; the remainder has the divisor's sign. Precondition: b is neither 0 nor -1.
struct FloorDivision {
  std::int64_t quotient, remainder;
};
inline FloorDivision floor_division(std::int64_t a, std::int64_t b) {
  const std::int64_t remainder = a % b;
  const bool rounds_down = remainder != 0 && (remainder < 0) != (b < 0);
  return {a / b - (rounds_down ? 1 : 0), rounds_down ? remainder + b : remainder};
}

}  // namespace scatterproof::spec::language
