// SPDX-License-Identifier: Apache-2.0
#include "dyadic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scatterproof::spec::judging {

Dyadic::Dyadic(double value) {
  if (value == 0) return;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  significand_ = static_cast<std::int64_t>(std::ldexp(fraction, 53));  // 53 bits: exact
  exponent_ = exponent - 53;
}

Dyadic Dyadic::of_integer(std::int64_t value) { return {Integer(value), 0}; }
Dyadic Dyadic::power_of_two(std::int64_t exponent) { return {Integer(1), exponent}; }

Dyadic Dyadic::abs() const { return {boost::multiprecision::abs(significand_), exponent_}; }

std::int64_t Dyadic::top() const {
  return exponent_ + static_cast<std::int64_t>(msb(boost::multiprecision::abs(significand_)));
}

Dyadic Dyadic::truncated(unsigned bits) const {
  if (sign() == 0) return {};
  Integer magnitude = boost::multiprecision::abs(significand_);
  const unsigned width = static_cast<unsigned>(msb(magnitude)) + 1;
  if (width <= bits) return *this;
  magnitude >>= width - bits;
  return {sign() < 0 ? Integer(-magnitude) : magnitude, exponent_ + (width - bits)};
}

double Dyadic::approximate() const {
  if (sign() == 0) return 0;
  const Dyadic leading = truncated(53);
  const std::int64_t exponent = std::clamp<std::int64_t>(leading.exponent_, -5000, 5000);
  return std::ldexp(leading.significand_.convert_to<double>(), static_cast<int>(exponent));
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.sign() == 0) return b;
  if (b.sign() == 0) return a;
  if (a.exponent_ < b.exponent_) return b + a;
  const auto shift = static_cast<std::size_t>(a.exponent_ - b.exponent_);
  return {Dyadic::Integer((a.significand_ << shift) + b.significand_), b.exponent_};
}

Dyadic operator-(const Dyadic& a, const Dyadic& b) {
  return a + Dyadic{Dyadic::Integer(-b.significand_), b.exponent_};
}

Dyadic operator*(const Dyadic& a, const Dyadic& b) {
  if (a.sign() == 0 || b.sign() == 0) return {};
  return {Dyadic::Integer(a.significand_ * b.significand_), a.exponent_ + b.exponent_};
}

std::strong_ordering operator<=>(const Dyadic& a, const Dyadic& b) {
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  if (a.sign() == 0) return std::strong_ordering::equal;
  // Values far apart in size are not aligned, because exponents of products can be in the millions.
  if (a.top() != b.top()) return a.sign() > 0 ? a.top() <=> b.top() : b.top() <=> a.top();
  return (a - b).sign() <=> 0;
}

double ratio(const Dyadic& a, const Dyadic& b) {
  if (a.sign() == 0) return 0;
  if (b.sign() == 0) return std::numeric_limits<double>::infinity();
  const std::int64_t shift = a.top() - b.top();
  const Dyadic near_a = a.abs() * Dyadic::power_of_two(-a.top());
  const Dyadic near_b = b.abs() * Dyadic::power_of_two(-b.top());
  return std::ldexp(near_a.approximate() / near_b.approximate(),
                    static_cast<int>(std::clamp<std::int64_t>(shift, -5000, 5000)));
}

}  // namespace scatterproof::spec::judging
