// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "scatterproof/spec/core/nan.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::Dice;
using spec::DType;
using spec::Scalar;

/// value * 2^exponent, which fits into a double. Much quicker than std::ldexp, and needed several times for
/// each call.
double scaled(double value, int exponent) {
  return value * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
}

/// A NaN with a payload, or a signalling one, whose payload is never 0.
double other_nan(bool negative, const spec::FloatFormat& format, Dice& dice) {
  const int lowest = 53 - format.precision;  // the last bit of the format's fraction, in a double's
  const std::uint64_t quiet = dice.one_in(2) ? std::uint64_t{1} << 51 : 0;
  const std::uint64_t payload = dice.one_in(2) ? std::uint64_t{1} << 50 : std::uint64_t{1} << lowest;
  return spec::make_nan(negative, quiet | payload);
}

/// Of two kinds each: NaN, infinities, zeros, ones, subnormals, and the ends of the range.
constexpr std::int64_t special_kinds = 12;
double special_number(const spec::FloatFormat& format, std::int64_t drawn, Dice& dice) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double values[] = {std::numeric_limits<double>::quiet_NaN(), infinity, 0.0, 1.0};
  const double sign = drawn % 2 == 0 ? 1 : -1;
  if (drawn < 2 && dice.one_in(2)) return other_nan(sign < 0, format, dice);
  if (drawn < 8) return std::copysign(values[drawn / 2], sign);
  if (drawn < 10) return sign * std::ldexp(1.0, format.min_exponent - format.precision + 1);
  return sign * scaled(2.0 - scaled(1.0, 1 - format.precision), format.max_exponent);
}

/// Around the powers of two at which narrower integers wrap, and floats stop holding every integer.
std::int64_t wide_integer(const spec::IntegerRange& range, Dice& dice) {
  constexpr int steps[] = {7, 8, 15, 16, 24, 31, 32, 53, 62};
  std::int64_t value = 0;
  do {
    value = (std::int64_t{1} << steps[dice.below(9)]) + dice.in(-3, 3);
  } while (value > range.highest);
  return range.lowest < 0 && dice.one_in(2) ? -value : value;
}

double wide_number(const spec::FloatFormat& format, bool products, Dice& dice) {
  const double significand = 1 + spec::unit(dice.bits());
  // Two factors reach the end of the range, of both ends.
  if (products) return scaled(significand, static_cast<int>(dice.in(-1, 1)) * (format.max_exponent / 2));
  constexpr int steps[] = {0, 0, 1};
  const double value = scaled(significand, steps[dice.below(3)] * format.precision);
  return dice.one_in(2) ? -value : value;
}

/// Draws elements one by one. One class for each kind of dtypes, so that a tensor is filled without a look at
/// its dtype for each element: small calls are made in a microsecond.
class Elements {
 public:
  Elements(DType dtype, const DataStyle& style, Dice& dice) : style_(style), dice_(dice) {
    if (spec::is_integer(dtype))
      range_ = spec::integer_range(dtype);
    else if (dtype == DType::boolean)
      all_true_ = dice.one_in(8);
    else
      format_ = spec::float_format(dtype);
    if (style.mode == DataMode::special && dice.one_in(4)) only_ = 2 * dice.below(special_kinds / 2);
  }

  bool boolean() {
    if (all_true_) return true;
    if (style_.mode == DataMode::sparse) return one_of_many();
    const bool on_lattice =
        style_.mode == DataMode::lattice || (style_.mode == DataMode::special && !dice_.one_in(2));
    return on_lattice ? !dice_.one_in(4) : dice_.one_in(2);  // true is what shows
  }

  std::int64_t integer() {
    switch (style_.mode) {
      case DataMode::real:
        return static_cast<std::int64_t>(dice_.bits());  // wraps into the dtype
      case DataMode::special: {
        if (!dice_.one_in(2)) break;
        const std::int64_t values[] = {0, 1, range_.lowest, range_.highest, range_.highest / 2 + 1};
        return values[dice_.below(5)];
      }
      case DataMode::wide:
        return wide_integer(range_, dice_);
      case DataMode::sparse:
        if (!one_of_many()) return neutral();
        break;
      case DataMode::few:
        return static_cast<std::int64_t>(one_of_few());
      case DataMode::lattice:
        break;
    }
    return static_cast<std::int64_t>(on_lattice());
  }

  double real() {
    switch (style_.mode) {
      case DataMode::real:
        return rounding();
      case DataMode::special:
        if (only_ || dice_.one_in(2)) return special();
        break;
      case DataMode::wide:
        return wide_number(format_, style_.products, dice_);
      case DataMode::sparse:
        if (!one_of_many()) return neutral();
        break;
      case DataMode::few:
        return one_of_few();
      case DataMode::lattice:
        break;
    }
    return on_lattice();
  }

  std::complex<double> complex() {
    switch (style_.mode) {
      case DataMode::real: {
        const double re = rounding();
        return {re, rounding()};
      }
      case DataMode::special: {
        if (!dice_.one_in(2)) break;
        const double re = special();
        return {re, special()};
      }
      case DataMode::wide: {
        const double im = wide_number(format_, style_.products, dice_);
        return {wide_number(format_, style_.products, dice_), im};
      }
      case DataMode::sparse:
        if (!one_of_many()) return neutral();
        break;
      case DataMode::few:
        return one_of_few();
      case DataMode::lattice:
        break;
    }
    if (style_.products) {
      const auto im = static_cast<double>(dice_.in(-1, 1));
      return {static_cast<double>(dice_.in(-1, 1)), im};
    }
    const double re = on_lattice();
    return {re, static_cast<double>(dice_.in(-4, 4))};
  }

 private:
  double special() {
    return special_number(format_, only_ ? *only_ + dice_.below(2) : dice_.below(special_kinds), dice_);
  }
  bool one_of_many() { return dice_.one_in(16); }
  double one_of_few() { return style_.few[static_cast<std::size_t>(dice_.below(std::ssize(style_.few)))]; }
  /// What changes no sum, or no product.
  int neutral() const { return style_.products ? 1 : 0; }
  double on_lattice() {
    constexpr double factors[] = {1, -1, 1, 2, -2, 0.5, 1, 3};
    if (style_.products) return factors[dice_.below(8)];
    return static_cast<double>(dice_.in(-8, 8)) * style_.unit;
  }
  double rounding() {
    const double significand = spec::unit(dice_.bits()) * 2 - 1;
    return scaled(significand, static_cast<int>(dice_.in(-3, 3)));
  }

  const DataStyle style_;
  Dice& dice_;
  spec::IntegerRange range_ = {};
  spec::FloatFormat format_ = {};
  /// Special numbers are all of this kind and no other comes: it is seen where many meet. Empty: of any.
  std::optional<std::int64_t> only_;
  bool all_true_ = false;  ///< as the start of a logical and, or a mask that takes everything
};

Scalar drawn(DType dtype, Elements& from) {
  if (dtype == DType::boolean) return Scalar::of_bool(from.boolean());
  if (spec::is_integer(dtype)) return Scalar::of_int(from.integer());
  if (!spec::is_complex(dtype)) return Scalar::of_real(from.real());
  const std::complex<double> value = from.complex();
  return Scalar::of_complex(value.real(), value.imag());
}

}  // namespace

double lattice_unit(DType dtype, bool fine) {
  if (!fine || !(spec::is_float(dtype) || spec::is_complex(dtype))) return 1;
  const int digits = spec::float_format(dtype).precision;
  if (digits < 24) return 1;
  return 1 + std::ldexp(1.0, -spec::float_format(digits < 53 ? DType::f16 : DType::f32).precision);
}

void fill(spec::Tensor& tensor, const DataStyle& style, Dice& dice) {
  const DType dtype = tensor.dtype();
  Elements from(dtype, style, dice);
  switch (dtype) {
    case DType::u8:
      return spec::assign<std::uint8_t>(tensor, [&] { return from.integer(); });
    case DType::i8:
      return spec::assign<std::int8_t>(tensor, [&] { return from.integer(); });
    case DType::i16:
      return spec::assign<std::int16_t>(tensor, [&] { return from.integer(); });
    case DType::i32:
      return spec::assign<std::int32_t>(tensor, [&] { return from.integer(); });
    case DType::i64:
      return spec::assign<std::int64_t>(tensor, [&] { return from.integer(); });
    case DType::f32:
      return spec::assign<float>(tensor, [&] { return spec::narrowed(from.real()); });
    case DType::f64:
      return spec::assign<double>(tensor, [&] { return from.real(); });
    case DType::c64:
      return spec::assign<std::complex<float>>(tensor, [&] {
        const std::complex<double> value = from.complex();
        return std::complex<float>(spec::narrowed(value.real()), spec::narrowed(value.imag()));
      });
    case DType::c128:
      return spec::assign<std::complex<double>>(tensor, [&] { return from.complex(); });
    case DType::boolean:
    case DType::f16:
    case DType::bf16:
      for (std::int64_t n = 0, count = tensor.numel(); n < count; ++n)
        tensor.set_at_position(n, drawn(dtype, from));
  }
}

// Sums of integers are exact whatever their size, and small ones hide the width of an accumulator. Where most
// values are zero, thousands of contributions have an exact sum in every dtype: what counts them shows.
DataMode draw_data_mode(DType dtype, bool products, Dice& dice) {
  using enum DataMode;
  constexpr DataMode modes[] = {lattice, lattice, sparse, real, special, special, wide, wide};
  constexpr DataMode of_integers[] = {lattice, real, real, sparse, special, special, wide, wide};
  return (spec::is_integer(dtype) && !products ? of_integers : modes)[dice.below(8)];
}

// Gradients tell little of values that are far apart, or NaN: products leave the range, and nothing is known
// of a comparison with NaN.
DataMode draw_differentiated_mode(Dice& dice) {
  using enum DataMode;
  constexpr DataMode modes[] = {few, few, few, lattice, sparse, real, special, wide};
  return modes[dice.below(8)];
}

std::span<const double> draw_few(bool products, Dice& dice) {
  // A start and its contributions have the same few, so that they tie, or both are 0.
  static constexpr double one[] = {1}, zeros[] = {0.0, -0.0}, down[] = {0.0, -0.0, -1, -2},
                          up[] = {0.0, -0.0, 1, 2}, two[] = {-1, 2}, four[] = {3, 1, -1, 0.5};
  static constexpr double factors[] = {0, 1, -1, 2},
                          with_a_zero[] = {0, 1, 1, -1, 2, 1, 0.5, 1, -2, 1, 1, -1, 1, 1, 3, 1},
                          without[] = {1, -1, 2, 0.5};
  using Few = std::span<const double>;
  if (products) return dice.pick(std::vector<Few>{factors, with_a_zero, with_a_zero, without, one});
  return dice.pick(std::vector<Few>{one, zeros, down, up, two, four});
}

Scalar bare_number(DType dtype, bool products, Dice& dice) {
  constexpr double inexact[] = {0.1, 1.0 / 3, -2.7, 16777217};
  if (spec::is_float(dtype) && dice.one_in(4))
    if (const auto x = Scalar::of_real(inexact[dice.below(4)]); in_range(x, dtype)) return x;
  Elements from(dtype, {.mode = DataMode::lattice, .products = products}, dice);
  return spec::convert(drawn(dtype, from), dtype);
}

}  // namespace scatterproof::runner::fuzz
