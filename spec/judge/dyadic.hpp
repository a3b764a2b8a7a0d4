// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic for bounds: integers times powers of two, closed under + - *. Every finite float is one.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstdint>
#include <memory>

namespace scatterproof::spec::judging {

/// fraction * 2^exponent, not negative, within a few units in the last place of the value that it
/// approximates: for reports, never for a comparison.
struct Magnitude {
  double fraction = 0;
  std::int64_t exponent = 0;

  static Magnitude of(double value);  ///< precondition: finite
};

/// significand * 2^exponent, with no limit on either. Most significands of most sums fit a machine's integer.
class Dyadic {
 public:
  Dyadic() = default;
  explicit Dyadic(double value);  ///< exact; precondition: finite
  static Dyadic of_integer(std::int64_t value);
  static Dyadic power_of_two(std::int64_t exponent);

  int sign() const { return wide_ ? wide_->sign() : (narrow_ > 0) - (narrow_ < 0); }
  Dyadic abs() const;
  /// floor(log2 |value|). Precondition: not zero.
  std::int64_t top() const;
  /// The leading `bits` bits, the rest cut off toward zero: relative error below 2^(1 - bits).
  Dyadic truncated(unsigned bits) const;
  Magnitude magnitude() const;
  /// A double within a few units in the last place: for reports, never for a comparison. Saturates.
  double approximate() const;

  friend Dyadic operator+(const Dyadic& a, const Dyadic& b);
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b);
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b);
  friend std::strong_ordering operator<=>(const Dyadic& a, const Dyadic& b);
  friend bool operator==(const Dyadic& a, const Dyadic& b) { return (a <=> b) == 0; }

 private:
  using Integer = boost::multiprecision::cpp_int;
  __extension__ using Narrow = __int128;
  Dyadic(Narrow significand, std::int64_t exponent) : narrow_(significand), exponent_(exponent) {}
  Dyadic(Integer significand, std::int64_t exponent);

  Integer integer() const { return wide_ ? *wide_ : Integer(narrow_); }
  /// Of |significand|.
  unsigned width() const;
  Dyadic negated() const;

  Narrow narrow_ = 0;                    ///< the significand, unless there is a wide one
  std::shared_ptr<const Integer> wide_;  ///< one that does not fit
  std::int64_t exponent_ = 0;
};

/// a / b, 0 when a is, else infinite when b is zero. Saturates.
double ratio(const Magnitude& a, const Magnitude& b);

}  // namespace scatterproof::spec::judging
