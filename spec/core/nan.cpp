// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/nan.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

namespace scatterproof::spec {
namespace {

constexpr int fraction_width = 52;  // of a double
constexpr std::uint64_t all_of_fraction = (std::uint64_t{1} << fraction_width) - 1;
constexpr std::uint64_t quiet = std::uint64_t{1} << (fraction_width - 1);
constexpr std::size_t most_digits = fraction_width / 4;
constexpr std::string_view opening = "nan(0x.";

std::uint64_t fraction_of(double nan) { return std::bit_cast<std::uint64_t>(nan) & all_of_fraction; }

}  // namespace

double make_nan(bool negative, std::uint64_t fraction) {
  constexpr std::uint64_t exponent = std::uint64_t{0x7ff} << fraction_width;
  return std::bit_cast<double>(static_cast<std::uint64_t>(negative) << 63 | exponent | fraction);
}

double narrow_nan(double nan, FloatFormat format) {
  const std::uint64_t lost = all_of_fraction >> (format.precision - 1);
  const std::uint64_t kept = fraction_of(nan) & ~lost;
  return make_nan(std::signbit(nan), kept == 0 ? quiet : kept);
}

std::string nan_literal(double nan) {
  const std::string_view sign = std::signbit(nan) ? "-" : "";
  const std::uint64_t fraction = fraction_of(nan);
  if (fraction == quiet) return fmt::format("{}nan", sign);
  std::string digits = fmt::format("{:013x}", fraction);
  digits.resize(digits.find_last_not_of('0') + 1);
  return fmt::format("{}{}{})", sign, opening, digits);
}

std::optional<double> read_nan(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text == "nan") return make_nan(negative, quiet);
  if (!text.starts_with(opening) || !text.ends_with(')')) return std::nullopt;
  std::string digits(text.substr(opening.size(), text.size() - opening.size() - 1));
  if (digits.empty() || digits.size() > most_digits) return std::nullopt;
  digits.resize(most_digits, '0');
  std::uint64_t fraction = 0;
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, fraction, 16);
  if (parsed.ec != std::errc{} || parsed.ptr != end || fraction == 0) return std::nullopt;
  return make_nan(negative, fraction);
}

double nan_of_bits(std::uint64_t bits, int fraction_bits, int exponent_bits) {
  const bool negative = bits >> (fraction_bits + exponent_bits) & 1;
  return make_nan(negative, bits << (fraction_width - fraction_bits) & all_of_fraction);
}

std::uint64_t bits_of_nan(double nan, int fraction_bits, int exponent_bits) {
  const std::uint64_t exponent = (std::uint64_t{1} << exponent_bits) - 1;
  return static_cast<std::uint64_t>(std::signbit(nan)) << (fraction_bits + exponent_bits) |
         exponent << fraction_bits | fraction_of(nan) >> (fraction_width - fraction_bits);
}

}  // namespace scatterproof::spec
