// SPDX-License-Identifier: Apache-2.0
#include "core_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "scatterproof/spec/core/nan.hpp"
#include "text_check.hpp"

namespace scatterproof::spec::yaml {
namespace {

template <std::size_t N>
bool one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool all_of_set(std::string_view text, std::string_view set) {
  return !text.empty() && text.find_first_not_of(set) == std::string_view::npos;
}

constexpr std::string_view decimal = "0123456789";
constexpr std::string_view hexadecimal = "0123456789abcdefABCDEF";

/// Matches a number written with `digits` (which may be hexadecimal), with an optional point and an optional
/// decimal exponent after one of `marks`.
bool looks_real(std::string_view text, std::string_view digits, std::string_view marks) {
  const std::size_t exponent = text.find_first_of(marks);
  if (exponent != std::string_view::npos) {
    std::string_view power = text.substr(exponent + 1);
    if (power.starts_with('-') || power.starts_with('+')) power.remove_prefix(1);
    if (!all_of_set(power, decimal)) return false;
    text = text.substr(0, exponent);
  }
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return exponent != std::string_view::npos && all_of_set(text, digits);
  const std::string_view before = text.substr(0, point), after = text.substr(point + 1);
  return (all_of_set(before, digits) || (before.empty() && !after.empty())) &&
         (after.empty() || all_of_set(after, digits));
}

PlainValue integer(std::string_view text, std::string_view digits, bool negative, int base) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t magnitude = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (parsed.ec != std::errc{} || magnitude > largest + (negative ? 1 : 0))
    return {Node::Kind::integer, Scalar::of_int(0),
            fmt::format("integer {} does not fit in 64 bits (signed: -9223372036854775808 .. "
                        "9223372036854775807)",
                        shown(text, 40)),
            "put it in quotes if it is a string"};
  return {.kind = Node::Kind::integer,
          .number = Scalar::of_int(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude))};
}

PlainValue real(std::string_view text, std::string_view digits, bool negative, std::chars_format format) {
  double magnitude = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, format);
  if (parsed.ec != std::errc{})
    return {.kind = Node::Kind::real,
            .number = Scalar::of_real(0),
            .wrong = fmt::format("number {} does not fit in a 64-bit float", shown(text, 40)),
            .hint = "the largest is about 1.8e308, the smallest above zero 4.9e-324; write infinity as inf"};
  return {.kind = Node::Kind::real, .number = Scalar::of_real(negative ? -magnitude : magnitude)};
}

std::optional<PlainValue> word(std::string_view text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto real_word = [](double v) {
    return PlainValue{.kind = Node::Kind::real, .number = Scalar::of_real(v)};
  };
  const auto truth = [](bool v) {
    return PlainValue{.kind = Node::Kind::boolean, .number = Scalar::of_bool(v)};
  };
  if (one_of<5>(text, {"", "~", "null", "Null", "NULL"})) return PlainValue{.kind = Node::Kind::null};
  if (one_of<3>(text, {"true", "True", "TRUE"})) return truth(true);
  if (one_of<3>(text, {"false", "False", "FALSE"})) return truth(false);
  if (const auto nan = read_nan(text)) return real_word(*nan);
  const bool negative = text.starts_with('-'), positive = text.starts_with('+');
  if (negative || positive) text.remove_prefix(1);
  if (!positive && one_of<3>(text, {".nan", ".NaN", ".NAN"}))
    return real_word(std::copysign(std::numeric_limits<double>::quiet_NaN(), negative ? -1.0 : 1.0));
  if (one_of<4>(text, {"inf", ".inf", ".Inf", ".INF"})) return real_word(negative ? -infinity : infinity);
  return std::nullopt;
}

}  // namespace

PlainValue type_plain(std::string_view text) {
  if (auto value = word(text)) return *value;
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (all_of_set(digits, decimal)) return integer(text, digits, negative, 10);
  if (digits.starts_with("0o") && all_of_set(digits.substr(2), "01234567"))
    return integer(text, digits.substr(2), negative, 8);
  if (digits.starts_with("0x")) {
    digits.remove_prefix(2);
    if (all_of_set(digits, hexadecimal)) return integer(text, digits, negative, 16);
    if (looks_real(digits, hexadecimal, "pP")) return real(text, digits, negative, std::chars_format::hex);
  } else if (looks_real(digits, decimal, "eE")) {
    return real(text, digits, negative, std::chars_format::general);
  }
  return {.kind = Node::Kind::string};
}

}  // namespace scatterproof::spec::yaml
