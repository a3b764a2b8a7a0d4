// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace scatterproof::runner::fuzz {
namespace {

using spec::Dice;
using spec::DType;
using spec::Scalar;

/// value * 2^exponent, which a double holds. Much quicker than std::ldexp, and there are several for each call.
double scaled(double value, int exponent) {
  return value * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

Scalar number(DType dtype, double value, Dice& dice) {
  if (spec::is_complex(dtype)) return Scalar::of_complex(value, static_cast<double>(dice.in(-4, 4)));
  return spec::is_float(dtype) ? Scalar::of_real(value) : Scalar::of_int(static_cast<std::int64_t>(value));
}

Scalar lattice(DType dtype, double unit, bool products, Dice& dice) {
  if (dtype == DType::boolean) return Scalar::of_bool(!dice.one_in(4));  // true is what shows
  constexpr double factors[] = {1, -1, 1, 2, -2, 0.5, 1, 3};
  if (products && spec::is_complex(dtype))
    return Scalar::of_complex(static_cast<double>(dice.in(-1, 1)), static_cast<double>(dice.in(-1, 1)));
  if (products) return number(dtype, factors[dice.below(8)], dice);
  return number(dtype, static_cast<double>(dice.in(-8, 8)) * unit, dice);
}

Scalar real(DType dtype, Dice& dice) {
  if (!spec::is_float(dtype) && !spec::is_complex(dtype)) {
    if (dtype == DType::boolean) return Scalar::of_bool(dice.one_in(2));
    return Scalar::of_int(static_cast<std::int64_t>(dice.bits()));  // wraps into the dtype
  }
  const auto draw = [&] {
    const double significand = spec::unit(dice.bits()) * 2 - 1;
    return scaled(significand, static_cast<int>(dice.in(-3, 3)));
  };
  const double re = draw();
  return spec::is_complex(dtype) ? Scalar::of_complex(re, draw()) : Scalar::of_real(re);
}

double special_number(const spec::FloatFormat& format, Dice& dice) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double values[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, -0.0, 0.0, 1.0};
  const auto drawn = dice.below(8);
  if (drawn < 6) return values[drawn];
  if (drawn == 6) return std::ldexp(1.0, format.min_exponent - format.precision + 1);
  return scaled(2.0 - scaled(1.0, 1 - format.precision), format.max_exponent);
}

Scalar special(DType dtype, Dice& dice) {
  if (dtype == DType::boolean) return Scalar::of_bool(dice.one_in(2));
  if (!spec::is_float(dtype) && !spec::is_complex(dtype)) {
    const spec::IntegerRange range = spec::integer_range(dtype);
    const std::int64_t values[] = {0, 1, range.lowest, range.highest, range.highest / 2 + 1};
    return Scalar::of_int(values[dice.below(5)]);
  }
  const auto draw = [&] { return special_number(spec::float_format(dtype), dice); };
  const double re = draw();
  return spec::is_complex(dtype) ? Scalar::of_complex(re, draw()) : Scalar::of_real(re);
}

/// Around the powers of two at which narrower integers wrap, and floats stop holding every integer.
std::int64_t wide_integer(DType dtype, Dice& dice) {
  constexpr int steps[] = {7, 8, 15, 16, 24, 31, 32, 53, 62};
  const spec::IntegerRange range = spec::integer_range(dtype);
  std::int64_t value = 0;
  do {
    value = (std::int64_t{1} << steps[dice.below(9)]) + dice.in(-3, 3);
  } while (value > range.highest);
  return range.lowest < 0 && dice.one_in(2) ? -value : value;
}

double wide_number(DType dtype, bool products, Dice& dice) {
  const spec::FloatFormat format = spec::float_format(dtype);
  const double significand = 1 + spec::unit(dice.bits());
  // Two factors reach the end of the range, of both ends.
  if (products) return scaled(significand, static_cast<int>(dice.in(-1, 1)) * (format.max_exponent / 2));
  constexpr int steps[] = {0, 0, 1};
  const double value = scaled(significand, steps[dice.below(3)] * format.precision);
  return dice.one_in(2) ? -value : value;
}

Scalar wide(DType dtype, bool products, Dice& dice) {
  if (dtype == DType::boolean) return Scalar::of_bool(dice.one_in(2));
  if (spec::is_complex(dtype))
    return Scalar::of_complex(wide_number(dtype, products, dice), wide_number(dtype, products, dice));
  if (spec::is_float(dtype)) return Scalar::of_real(wide_number(dtype, products, dice));
  return Scalar::of_int(wide_integer(dtype, dice));
}

}  // namespace

double lattice_unit(DType dtype, bool fine) {
  if (!fine || !(spec::is_float(dtype) || spec::is_complex(dtype))) return 1;
  const int digits = spec::float_format(dtype).precision;
  if (digits < 24) return 1;
  return 1 + std::ldexp(1.0, -spec::float_format(digits < 53 ? DType::f16 : DType::f32).precision);
}

Scalar datum(DType dtype, DataMode mode, double unit, bool products, Dice& dice) {
  switch (mode) {
    case DataMode::real:
      return real(dtype, dice);
    case DataMode::special:
      return dice.one_in(2) ? special(dtype, dice) : lattice(dtype, unit, products, dice);
    case DataMode::wide:
      return wide(dtype, products, dice);
    case DataMode::lattice:
      break;
  }
  return lattice(dtype, unit, products, dice);
}

// Sums of integers are exact whatever their size, and small ones hide the width of an accumulator.
DataMode draw_data_mode(DType dtype, bool products, Dice& dice) {
  using enum DataMode;
  constexpr DataMode modes[] = {lattice, lattice, lattice, real, special, special, wide, wide};
  constexpr DataMode of_integers[] = {lattice, real, real, real, special, special, wide, wide};
  return (spec::is_integer(dtype) && !products ? of_integers : modes)[dice.below(8)];
}

Scalar bare_number(DType dtype, bool products, Dice& dice) {
  constexpr double inexact[] = {0.1, 1.0 / 3, -2.7, 16777217};
  if (spec::is_float(dtype) && dice.one_in(4))
    if (const auto x = Scalar::of_real(inexact[dice.below(4)]); in_range(x, dtype)) return x;
  return spec::convert(lattice(dtype, 1, products, dice), dtype);
}

}  // namespace scatterproof::runner::fuzz
