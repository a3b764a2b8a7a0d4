// SPDX-License-Identifier: Apache-2.0
// Sums as an engine may compute them: in any order, rounded after each addition. judging.md, section 12, has
// the proof of the bound.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scatterproof/spec/core/dtype.hpp"
#include "scatterproof/spec/gradient/judge_gradient.hpp"

namespace scatterproof::spec {

/// Precondition: the element is one of the choice's.
const GradientChoice::Member& member_of(const GradientChoice& choice, std::size_t argument,
                                        std::size_t element);

/// A finite number other than 0 as an odd integer, without its sign, times a power of two.
struct OddTimesPower {
  std::uint64_t odd = 0;
  int exponent = 0;  ///< where the last bit stands
};
inline OddTimesPower odd_times_power(double number) {
  constexpr int fraction_bits = 52, least_exponent = -1074;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto biased = static_cast<int>(bits >> fraction_bits & 0x7ff);  // 0: subnormal
  const std::uint64_t integer = biased ? fraction | std::uint64_t{1} << fraction_bits : fraction;
  const int zeros = std::countr_zero(integer);
  return {integer >> zeros, least_exponent + std::max(biased - 1, 0) + zeros};
}

/// Relative to its size: of a number that was made here by as many operations.
inline double own_error(std::size_t count) { return static_cast<double>(count) * std::ldexp(1.0, -52); }

/// Numbers that are summed in any order, in formats at least as fine as this one.
class RoundedSum {
 public:
  explicit RoundedSum(FloatFormat format) : format_(format) {}

  /// `roundings`: the number may have been rounded this often before.
  void add(double value, int roundings) {
    if (value == 0) return;
    ++count_;
    value_ += value;
    magnitude_ += std::abs(value);
    roundings_ = std::max(roundings_, roundings);
    if (!std::isfinite(value)) return;
    int exponent = 0;
    std::frexp(value, &exponent);
    last_bit_ = std::min(last_bit_,
                         roundings > 0 ? exponent - format_.precision - 1 : odd_times_power(value).exponent);
  }

  Interval interval() const {
    if (count_ == 0) return {};
    const bool may_be_flushed = last_bit_ < format_.min_exponent;
    if (roundings_ == 0 && !may_be_flushed && magnitude_ <= std::ldexp(1.0, last_bit_ + format_.precision))
      return {value_, 0};
    const double lost = may_be_flushed ? 2 * (count_ + roundings_) * underflow() : 0;
    return {value_, relative_error() == INFINITY ? INFINITY : relative_error() * magnitude_ + lost};
  }
  /// Of the sum, with respect to the sum of magnitudes.
  double relative_error() const {
    const int operations = count_ + roundings_ + 1;
    constexpr double rounded_twice = 1 + 0x1p-10;  // by way of a wider format
    const double error = operations * rounded_twice * std::ldexp(1.0, -format_.precision) +
                         own_error(static_cast<std::size_t>(operations));
    return error >= 0.5 ? INFINITY : error / (1 - error);
  }
  double magnitude() const { return magnitude_; }

 private:
  /// What one operation may lose below the normal numbers: all, but for f16, whose subnormal numbers no
  /// machine in use flushes to zero (section 3).
  double underflow() const {
    const bool is_f16 = format_.precision == float_format(DType::f16).precision;
    return std::ldexp(1.0, format_.min_exponent - (is_f16 ? format_.precision : 0));
  }

  FloatFormat format_;
  int count_ = 0, roundings_ = 0, last_bit_ = 1 << 20;
  double value_ = 0, magnitude_ = 0;
};

}  // namespace scatterproof::spec
