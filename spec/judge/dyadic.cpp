// SPDX-License-Identifier: Apache-2.0
#include "dyadic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace scatterproof::spec::judging {
namespace {

double scaled(double fraction, std::int64_t exponent) {
  return std::ldexp(fraction, static_cast<int>(std::clamp<std::int64_t>(exponent, -5000, 5000)));
}

/// The sum of two significands of 126 bits fits as well, and so does a product of two that have 126 together.
constexpr unsigned narrow_bits = 126;

__extension__ using Unsigned = unsigned __int128;

unsigned bits(Unsigned value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return static_cast<unsigned>(high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low));
}

}  // namespace

Dyadic::Dyadic(double value) {
  if (value == 0) return;
  constexpr int fraction_bits = 52, bias = 1075;  // of a binary64: IEEE 754, 3.4
  const auto encoded = std::bit_cast<std::uint64_t>(std::abs(value));
  const auto biased = static_cast<int>(encoded >> fraction_bits);
  auto magnitude = static_cast<std::int64_t>(encoded & ((std::uint64_t{1} << fraction_bits) - 1));
  if (biased != 0) magnitude |= std::int64_t{1} << fraction_bits;
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(magnitude));
  magnitude >>= zeros;
  narrow_ = value < 0 ? -magnitude : magnitude;
  exponent_ = std::max(biased, 1) - bias + zeros;
}

Dyadic::Dyadic(Integer significand, std::int64_t exponent) : exponent_(exponent) {
  if (significand.is_zero() || msb(boost::multiprecision::abs(significand)) < narrow_bits)
    narrow_ = significand.convert_to<Narrow>();
  else
    wide_ = std::make_shared<const Integer>(std::move(significand));
}

Dyadic Dyadic::of_integer(std::int64_t value) { return {Narrow{value}, 0}; }
Dyadic Dyadic::power_of_two(std::int64_t exponent) { return {Narrow{1}, exponent}; }

Dyadic Dyadic::negated() const {
  return wide_ ? Dyadic(Integer(-*wide_), exponent_) : Dyadic(-narrow_, exponent_);
}

Dyadic Dyadic::abs() const { return sign() < 0 ? negated() : *this; }

unsigned Dyadic::width() const {
  if (wide_) return static_cast<unsigned>(msb(boost::multiprecision::abs(*wide_))) + 1;
  return bits(static_cast<Unsigned>(narrow_ < 0 ? -narrow_ : narrow_));
}

std::int64_t Dyadic::top() const { return exponent_ + static_cast<std::int64_t>(width()) - 1; }

Dyadic Dyadic::truncated(unsigned most) const {
  if (sign() == 0) return {};
  const unsigned too_many = width() - std::min(width(), most);
  if (too_many == 0) return *this;
  if (sign() < 0) return abs().truncated(most).negated();
  return wide_ ? Dyadic(Integer(*wide_ >> too_many), exponent_ + too_many)
               : Dyadic(narrow_ >> too_many, exponent_ + too_many);
}

Magnitude Magnitude::of(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  return {fraction, exponent};
}

Magnitude Dyadic::magnitude() const {
  if (sign() == 0) return {};
  const Dyadic leading = truncated(53);
  return {std::abs(static_cast<double>(leading.narrow_)), leading.exponent_};
}

double Dyadic::approximate() const {
  const Magnitude size = magnitude();
  return scaled(sign() < 0 ? -size.fraction : size.fraction, size.exponent);
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.sign() == 0) return b;
  if (b.sign() == 0) return a;
  if (a.exponent_ < b.exponent_) return b + a;
  const auto shift = static_cast<std::uint64_t>(a.exponent_ - b.exponent_);
  if (!a.wide_ && !b.wide_ && a.width() + shift <= narrow_bits && b.width() <= narrow_bits)
    return {a.narrow_ * (Dyadic::Narrow{1} << shift) + b.narrow_, b.exponent_};
  return {Dyadic::Integer((a.integer() << shift) + b.integer()), b.exponent_};
}

Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + b.negated(); }

Dyadic operator*(const Dyadic& a, const Dyadic& b) {
  if (a.sign() == 0 || b.sign() == 0) return {};
  const std::int64_t exponent = a.exponent_ + b.exponent_;
  if (!a.wide_ && !b.wide_ && a.width() + b.width() <= narrow_bits) return {a.narrow_ * b.narrow_, exponent};
  return {Dyadic::Integer(a.integer() * b.integer()), exponent};
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
