// SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

#include <array>
#include <cmath>

#include "comparison_modes.hpp"

namespace scatterproof::spec::judging {
namespace {

/// An operation rounded first to a wider format and then to this one errs by up to u(1 + 2^-11) (f64 by way
/// of the 80-bit format; every other pair of formats errs less): twice that excess is granted to every
/// operation.
constexpr double double_rounding = 1 + 0x1p-10;

Dyadic largest(FloatFormat format) {
  return (Dyadic::power_of_two(format.precision) - Dyadic::of_integer(1)) *
         Dyadic::power_of_two(format.max_exponent - format.precision + 1);
}

Arithmetic make(DType dtype, Accumulate accumulate) {
  const FloatFormat result = float_format(dtype);
  const bool narrow = dtype == DType::f16 || dtype == DType::bf16;
  const FloatFormat partial = narrow && accumulate == Accumulate::wider ? float_format(DType::f32) : result;
  Arithmetic made;
  made.step = std::ldexp(double_rounding, -partial.precision);
  made.last_step = std::ldexp(double_rounding, -result.precision);
  // Hardware flushes subnormal results of every format to zero in one mode or another, f16 excepted.
  made.tiny = dtype == DType::f16 ? Dyadic::power_of_two(result.min_exponent - result.precision)
                                  : Dyadic::power_of_two(result.min_exponent);
  made.smallest_normal = Dyadic::power_of_two(result.min_exponent);
  made.largest_partial = largest(partial);
  made.largest_result = largest(result);
  made.smallest_exponent = result.min_exponent;
  made.lowest_safe = lowest_safe_exponent(dtype);
  made.precision = result.precision;
  return made;
}

}  // namespace

const Arithmetic& arithmetic(DType dtype, Accumulate accumulate) {
  static const auto table = [] {
    std::array<std::array<Arithmetic, 2>, all_dtypes.size()> all;
    for (const DType one : all_dtypes)
      if (is_float(one) || is_complex(one))
        for (const Accumulate kind : {Accumulate::any, Accumulate::wider})
          all[static_cast<std::size_t>(one)][static_cast<std::size_t>(kind)] = make(one, kind);
    return all;
  }();
  return table[static_cast<std::size_t>(dtype)][static_cast<std::size_t>(accumulate)];
}

Dyadic growth(double step, std::size_t operations) {
  const double exponent = step * static_cast<double>(operations);  // (1 + u)^n <= e^(n u)
  if (exponent > 600) return Dyadic::power_of_two(static_cast<std::int64_t>(1.45 * exponent));
  return Dyadic(std::expm1(exponent) *
                (1 + 0x1p-40));  // the factor covers the rounding of expm1 and of n * u
}

}  // namespace scatterproof::spec::judging
