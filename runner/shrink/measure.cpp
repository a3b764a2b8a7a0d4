// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::DType;
using spec::Scalar;

// Classes of numbers lie apart by more than any member of the class before can reach, and 2^28 elements of
// the dearest stay below 2^64.
constexpr std::uint64_t small_integers = std::uint64_t{1} << 20;
constexpr std::uint64_t finite = 2 * small_integers;
constexpr std::uint64_t special = 2 * finite;

/// |value| = significand * 2^exponent, the significand odd.
std::uint64_t cost_of_odd_part(std::uint64_t significand, int exponent, bool negative) {
  const int twos = std::countr_zero(significand);
  const auto bits = static_cast<std::uint64_t>(std::bit_width(significand >> twos));
  return finite + (bits << 12) + 2 * static_cast<std::uint64_t>(std::abs(exponent + twos)) +
         (negative ? 1 : 0);
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::uint64_t cost_of_integer(std::int64_t value) {
  const std::uint64_t size = magnitude(value);
  if (size < small_integers) return 2 * size + (value < 0 ? 1 : 0);
  return cost_of_odd_part(size, 0, value < 0);
}

std::uint64_t cost_of_real(double value) {
  if (std::isnan(value)) return special + 3;
  if (std::isinf(value)) return special + (value > 0 ? 1 : 2);
  if (value == 0) return std::signbit(value) ? special : 0;
  if (std::abs(value) < static_cast<double>(small_integers) && value == std::trunc(value))
    return cost_of_integer(static_cast<std::int64_t>(value));
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  return cost_of_odd_part(static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53, value < 0);
}

std::uint64_t cost_of_attribute(const spec::ArgumentDecl& declared, const spec::Argument& value) {
  if (declared.fallback ? identical(*declared.fallback, value) : std::holds_alternative<spec::None>(value))
    return 0;
  if (declared.kind == spec::ArgumentKind::choice) {
    const auto place =
        std::ranges::find_if(declared.choices, [&](const auto& choice) { return identical(choice, value); });
    const auto* word = place == declared.choices.end() ? std::get_if<std::string>(&value) : nullptr;
    return 1 + static_cast<std::uint64_t>(place - declared.choices.begin()) + (word ? word->size() : 0);
  }
  const auto* number = std::get_if<Scalar>(&value);
  return 1 + (number ? cost(*number) : 0);
}

void add_tensor(Measure& sum, const spec::Tensor& tensor) {
  sum.ranks += 1 + tensor.rank();
  for (const std::int64_t size : tensor.shape()) sum.extent += static_cast<std::uint64_t>(size);
  sum.dtypes += cost(tensor.dtype());
  sum.layouts += spec::has_contiguous_layout(tensor) ? 0 : 1;
  if (tensor.numel() == 0) return;
  spec::Coords at(tensor.rank(), 0);
  do sum.values += cost(tensor.get(at));
  while (spec::next(at, tensor.shape()));
}

}  // namespace

std::uint64_t cost(const Scalar& value) {
  if (value.is_integral()) return cost_of_integer(value.integer());
  return cost_of_real(value.real()) +
         (value.kind() == Scalar::Kind::complex ? cost_of_real(value.imag()) : 0);
}

std::uint64_t cost(DType dtype) {
  constexpr std::array order = {DType::i64, DType::f32,     DType::f64, DType::i32,  DType::i16, DType::i8,
                                DType::u8,  DType::boolean, DType::f16, DType::bf16, DType::c64, DType::c128};
  static_assert(order.size() == spec::all_dtypes.size());
  return static_cast<std::uint64_t>(std::ranges::find(order, dtype) - order.begin());
}

Measure measure(const spec::OpSpec& op, const spec::Call& call) {
  Measure sum;
  sum.omitted = call.omitted.size();
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    sum.shared += spec::shared_with(call, i) ? 1 : 0;
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) {
      add_tensor(sum, *tensor);
    } else if (const auto* list = std::get_if<spec::Shape>(&value)) {
      sum.ranks += 1 + list->size();
      for (const std::int64_t entry : *list) sum.extent += cost(Scalar::of_int(entry));
    } else if (const spec::ArgumentDecl* declared = op.argument(name)) {
      sum.attributes += cost_of_attribute(*declared, value);
    }
  }
  return sum;
}

}  // namespace scatterproof::runner::shrink
