// SPDX-License-Identifier: Apache-2.0
// Sums as an engine may compute them: in any order, rounded after each addition.
#pragma once

#include <algorithm>
#include <cmath>

#include "scatterproof/spec/gradient/judge_gradient.hpp"

namespace scatterproof::spec {

/// Where the last bit of a number other than 0 stands.
inline int last_bit(double number) {
  int exponent = 0;
  double significand = std::frexp(number, &exponent);
  while (significand != std::floor(significand)) significand *= 2, --exponent;
  return exponent;
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
    last_bit_ = std::min(last_bit_, last_bit(value));
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
