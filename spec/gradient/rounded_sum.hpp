// SPDX-License-Identifier: Apache-2.0
// Sums as an engine may compute them: in any order, rounded after each addition.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

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

/// Of a sum of as many numbers that is made here, with respect to the sum of their magnitudes.
inline double own_error(std::size_t count) { return static_cast<double>(count) * std::ldexp(1.0, -52); }

/// Numbers that are summed in any order, in formats of at least this precision.
class RoundedSum {
 public:
  explicit RoundedSum(int precision) : precision_(precision) {}

  /// `roundings`: the number may have been rounded this often before.
  void add(double value, int roundings) {
    if (value == 0) return;
    ++count_;
    value_ += value;
    magnitude_ += std::abs(value);
    roundings_ = std::max(roundings_, roundings);
    if (std::isfinite(value)) last_bit_ = std::min(last_bit_, odd_times_power(value).exponent);
  }

  Interval interval() const {
    if (count_ == 0) return {};
    if (roundings_ == 0 && magnitude_ <= std::ldexp(1.0, last_bit_ + precision_)) return {value_, 0};
    return {value_, relative_error() == INFINITY ? INFINITY : relative_error() * magnitude_};
  }
  /// Of the sum, with respect to the sum of magnitudes.
  double relative_error() const {
    const double error = (count_ + roundings_ + 1) * std::ldexp(1.0, -precision_) +
                         own_error(static_cast<std::size_t>(count_));
    return error >= 0.5 ? INFINITY : error / (1 - error);
  }
  double magnitude() const { return magnitude_; }

 private:
  int precision_;
  int count_ = 0, roundings_ = 0, last_bit_ = 1 << 20;
  double value_ = 0, magnitude_ = 0;
};

}  // namespace scatterproof::spec
