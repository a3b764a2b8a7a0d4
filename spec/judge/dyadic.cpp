// SPDX-License-Identifier: Apache-2.0
#include "dyadic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scatterproof::spec::judging {
namespace {

double scaled(double fraction, std::int64_t exponent) {
  return std::ldexp(fraction, static_cast<int>(std::clamp<std::int64_t>(exponent, -5000, 5000)));
}

}  // namespace

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
  return exponent_ + static_cast<std::int64_t>(sign() > 0 ? msb(significand_) : msb(Integer(-significand_)));
}

Dyadic Dyadic::truncated(unsigned bits) const {
  if (sign() == 0) return {};
  const auto width = static_cast<unsigned>(top() - exponent_) + 1;
  if (width <= bits) return *this;
  Integer magnitude = boost::multiprecision::abs(significand_);
  magnitude >>= width - bits;
  return {sign() < 0 ? Integer(-magnitude) : magnitude, exponent_ + (width - bits)};
}

Magnitude Magnitude::of(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  return {fraction, exponent};
}

Magnitude Dyadic::magnitude() const {
  if (sign() == 0) return {};
  const Dyadic leading = truncated(53);
  return {std::abs(leading.significand_.convert_to<double>()), leading.exponent_};
}

double Dyadic::approximate() const {
  const Magnitude size = magnitude();
  return scaled(sign() < 0 ? -size.fraction : size.fraction, size.exponent);
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

double ratio(const Magnitude& a, const Magnitude& b) {
  if (a.fraction == 0) return 0;
  if (b.fraction == 0) return std::numeric_limits<double>::infinity();
  return scaled(a.fraction / b.fraction, a.exponent - b.exponent);
}

}  // namespace scatterproof::spec::judging
