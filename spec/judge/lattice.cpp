// SPDX-License-Identifier: Apache-2.0
// Comparison mode lattice: float values that are small multiples of one power of two. Every subset of them
// sums (or multiplies) to a number of the dtype, so no order, tree or accumulator width can round, and one
// value is right.
#include <algorithm>
#include <bit>
#include <cmath>

#include "comparison_modes.hpp"

namespace scatterproof::spec::judging {
namespace {

constexpr int double_precision = 53;

double largest_finite(FloatFormat format) {
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - format.precision), format.max_exponent);
}

using FewDoubles = boost::container::small_vector<double, 8>;

FewDoubles parts(std::span<const Scalar> values, bool imaginary) {
  FewDoubles all;
  all.reserve(values.size());
  for (const Scalar& value : values) all.push_back(imaginary ? value.imag() : value.real());
  return all;
}

/// Exact by the caller's check, in any order.
double sum(std::span<const double> values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

/// The sum over a power of two of values, when that quotient needs no rounding either.
std::optional<double> exact_mean(std::span<const double> values, DType dtype) {
  const std::size_t count = values.size();
  if (!std::has_single_bit(count)) return std::nullopt;
  const int shift = std::countr_zero(count);
  if (shift > float_format(dtype).precision) return std::nullopt;  // the reciprocal might be rounded
  const double total = sum(values);
  if (total != 0 && lowest_bit(total) - shift < lowest_safe_exponent(dtype)) return std::nullopt;
  return std::ldexp(total, -shift);
}

/// |value| as an odd integer (the sum of the parts' magnitudes, for a complex one) and a power of two.
struct Factor {
  std::uint64_t magnitude = 0;
  int exponent = 0;
};
Factor factor_of(const Scalar& value) {
  const double re = std::abs(value.real()), im = std::abs(value.imag());
  int exponent = re == 0 ? lowest_bit(im) : lowest_bit(re);
  if (im != 0) exponent = std::min(exponent, lowest_bit(im));
  const double re_units = std::ldexp(re, -exponent), im_units = std::ldexp(im, -exponent);
  constexpr double too_many = 0x1p62;
  if (re_units >= too_many || im_units >= too_many) return {std::uint64_t{1} << 63, exponent};
  return {static_cast<std::uint64_t>(re_units) + static_cast<std::uint64_t>(im_units), exponent};
}

bool is_numeric_zero(const Scalar& value) { return value.real() == 0 && value.imag() == 0; }

/// Whether every subset of the values has an exact product: the product of all magnitudes fits the
/// significand, and neither the largest nor the smallest partial product leaves the range.
bool multiplies_exactly(std::span<const Scalar> values, DType dtype) {
  const FloatFormat format = float_format(dtype);
  const std::uint64_t most = std::uint64_t{1} << format.precision;
  std::uint64_t magnitude = 1;
  long lowest = 0;
  double largest = 1;
  for (const Scalar& value : values) {
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) return false;
    if (is_numeric_zero(value)) continue;
    const Factor factor = factor_of(value);
    if (factor.magnitude > most / magnitude) return false;
    magnitude *= factor.magnitude;
    lowest += std::min(factor.exponent, 0);
    largest *= std::max(1.0, std::abs(value.real()) + std::abs(value.imag()));
  }
  return lowest >= lowest_safe_exponent(dtype) && largest <= largest_finite(format);
}

Scalar product(std::span<const Scalar> values, DType dtype) {
  double re = 1, im = 0;
  for (const Scalar& value : values) {
    const double next_re = re * value.real() - im * value.imag();
    im = re * value.imag() + im * value.real();
    re = next_re;
  }
  return is_complex(dtype) ? Scalar::of_complex(re, im) : Scalar::of_real(re);
}

std::optional<Scalar> sum_or_mean(const Bag& bag, std::span<const Scalar> values) {
  double result[2] = {0, 0};
  for (int part = 0; part < (is_complex(bag.dtype) ? 2 : 1); ++part) {
    const FewDoubles all = parts(values, part == 1);
    const std::span<const double> numbers(all.data(), all.size());
    if (!sums_exactly(numbers, bag.dtype)) return std::nullopt;
    const auto exact = bag.combine == Combiner::sum ? sum(numbers) : exact_mean(numbers, bag.dtype);
    if (!exact) return std::nullopt;
    result[part] = *exact;
  }
  return is_complex(bag.dtype) ? Scalar::of_complex(result[0], result[1]) : Scalar::of_real(result[0]);
}

}  // namespace

int lowest_bit(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  constexpr int lowest = -1074;  // of the last bit of a subnormal number, and of those of exponent 1
  return exponent == 0 ? lowest + std::countr_zero(fraction)
                       : lowest + exponent - 1 + std::countr_zero(fraction | std::uint64_t{1} << 52);
}

int lowest_safe_exponent(DType dtype) {
  const FloatFormat format = float_format(dtype);
  return dtype == DType::f16 ? format.min_exponent - format.precision + 1 : format.min_exponent;
}

bool sums_exactly(std::span<const double> numbers, DType dtype) {
  const FloatFormat format = float_format(dtype);
  double magnitude =
      0;  // exact while it is below 2^53 units of the lowest bit, and never below that once above
  int lowest = format.max_exponent;
  for (const double value : numbers) {
    if (!std::isfinite(value)) return false;
    magnitude += std::abs(value);
    if (value != 0) lowest = std::min(lowest, lowest_bit(value));
  }
  if (magnitude == 0) return true;
  const double units = std::ldexp(magnitude, -lowest), most = std::ldexp(1.0, format.precision);
  // At 2^53 units `magnitude` itself may have been rounded down to that.
  const bool few = units < most || (units == most && format.precision < double_precision);
  return few && lowest >= lowest_safe_exponent(dtype) && magnitude <= largest_finite(format);
}

std::optional<Allowed> on_lattice(const Bag& bag, std::span<const Scalar> values) {
  std::optional<Scalar> exact;
  if (bag.combine == Combiner::sum_over_root && values.size() > 1) return std::nullopt;
  if (bag.combine != Combiner::prod)
    exact = sum_or_mean(bag, values);
  else if (multiplies_exactly(values, bag.dtype))
    exact = product(values, bag.dtype);
  if (!exact) return std::nullopt;
  Allowed allowed;
  allowed.mode = values.size() == 1 ? ComparisonMode::exact : ComparisonMode::lattice;
  allowed.listed = {*exact};
  allowed.zeros_alike = true;
  return allowed;
}

}  // namespace scatterproof::spec::judging
