// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/scalar.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "scatterproof/spec/core/literal.hpp"
#include "scatterproof/spec/core/nan.hpp"

namespace scatterproof::spec {
namespace {

bool same_bits(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Rounds once, to nearest even, into a format narrower than double; overflow gives infinity (IEEE 754
/// §4.3.1).
double round_to(double value, FloatFormat format) {
  if (value == 0 || !std::isfinite(value)) return value;
  // Most values already fit the format: they lie in its normal range and have no bits beyond its last.
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int normal = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const std::uint64_t behind = (std::uint64_t{1} << (53 - format.precision)) - 1;
  if ((bits & behind) == 0 && normal >= format.min_exponent && normal <= format.max_exponent) return value;
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| in [2^(exponent-1), 2^exponent)
  const int quantum = std::max(exponent - 1, format.min_exponent) - (format.precision - 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  const double limit = std::ldexp(2.0 - std::ldexp(1.0, 1 - format.precision), format.max_exponent);
  return std::abs(rounded) > limit ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

double round_real(double value, DType dtype) {
  if (std::isnan(value)) return narrow_nan(value, float_format(dtype));
  switch (dtype) {
    case DType::f64:
    case DType::c128:
      return value;
    case DType::f32:
    case DType::c64:
      return static_cast<double>(static_cast<float>(value));
    default:
      return round_to(value, float_format(dtype));
  }
}

std::int64_t wrap_integer(std::int64_t value, DType dtype) {
  switch (dtype) {
    case DType::u8:
      return static_cast<std::uint8_t>(value);
    case DType::i8:
      return static_cast<std::int8_t>(value);
    case DType::i16:
      return static_cast<std::int16_t>(value);
    case DType::i32:
      return static_cast<std::int32_t>(value);
    default:
      return value;
  }
}

/// Truncates toward zero; a value that does not fit in 64 bits saturates, and NaN gives 0 (C leaves both
/// undefined; no document relies on them).
std::int64_t truncate(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
  if (value < -0x1p63) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

std::string with_point(std::string text) {
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // 7 -> 7.0; inf, nan and 1e30 stay
  return text;
}

/// `exact`: a NaN has its sign and its payload.
std::string real_text(double value, DType dtype, bool exact) {
  if (std::isnan(value)) return exact ? nan_literal(round_real(value, dtype)) : "nan";
  if (dtype == DType::f64 || dtype == DType::c128) return with_point(fmt::format("{}", value));
  if (dtype == DType::f32 || dtype == DType::c64)
    return with_point(fmt::format("{}", static_cast<float>(value)));
  for (int digits = 1; digits < 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    if (same_bits(round_real(std::stod(text), dtype), value)) return with_point(text);
  }
  return with_point(fmt::format("{}", value));
}

std::string text_of(const Scalar& value, DType dtype, bool exact) {
  switch (value.kind()) {
    case Scalar::Kind::boolean:
      return value.integer() ? "true" : "false";
    case Scalar::Kind::integer:
      return fmt::format("{}", value.integer());
    case Scalar::Kind::real:
      return real_text(value.real(), is_float(dtype) ? dtype : DType::f64, exact);
    case Scalar::Kind::complex:
      break;
  }
  const DType part = is_complex(dtype) ? dtype : DType::c128;
  const std::string imaginary = real_text(value.imag(), part, exact);
  return real_text(value.real(), part, exact) + (imaginary.front() == '-' ? "" : "+") + imaginary + "j";
}

DType widest_of(const Scalar& value) {
  return value.kind() == Scalar::Kind::complex ? DType::c128 : DType::f64;
}

}  // namespace

bool identical(const Scalar& a, const Scalar& b) {
  if (a.kind_ != b.kind_) return false;
  if (a.is_integral()) return a.integer_ == b.integer_;
  return same_bits(a.real_, b.real_) && same_bits(a.imag_, b.imag_);
}

std::string to_string(const Scalar& value) { return to_string(value, widest_of(value)); }
std::string to_string(const Scalar& value, DType dtype) { return text_of(value, dtype, false); }

std::string literal(const Scalar& value) { return literal(value, widest_of(value)); }
std::string literal(const Scalar& value, DType dtype) { return text_of(value, dtype, true); }

Scalar convert(const Scalar& value, DType dtype) {
  if (dtype == DType::boolean)
    return Scalar::of_bool(value.is_integral() ? value.integer() != 0
                                               : value.real() != 0 || value.imag() != 0);
  if (is_integer(dtype))
    return Scalar::of_int(
        wrap_integer(value.is_integral() ? value.integer() : truncate(value.real()), dtype));
  // A 64-bit integer must not go through double on its way to f32, or it would be rounded twice.
  const bool direct = value.is_integral() && (dtype == DType::f32 || dtype == DType::c64);
  const double real =
      direct ? static_cast<double>(static_cast<float>(value.integer())) : round_real(value.real(), dtype);
  return is_complex(dtype) ? Scalar::of_complex(real, round_real(value.imag(), dtype))
                           : Scalar::of_real(real);
}

bool fits(const Scalar& value, DType dtype) {
  const Scalar converted = convert(value, dtype);
  if (value.is_integral()) {
    if (converted.is_integral()) return converted.integer() == value.integer();
    const double real = converted.real();
    return real >= -0x1p63 && real < 0x1p63 && static_cast<std::int64_t>(real) == value.integer();
  }
  if (converted.is_integral())
    return value.imag() == 0 && static_cast<double>(converted.integer()) == value.real() &&
           std::abs(value.real()) < 0x1p63;
  return same_bits(converted.real(), value.real()) && same_bits(converted.imag(), value.imag());
}

bool in_range(const Scalar& value, DType dtype) {
  if (!is_float(dtype) && !is_complex(dtype)) return fits(value, dtype);
  if (is_float(dtype) && value.imag() != 0) return false;
  const Scalar converted = convert(value, dtype);
  return std::isfinite(converted.real()) == std::isfinite(value.real()) &&
         std::isfinite(converted.imag()) == std::isfinite(value.imag());
}

}  // namespace scatterproof::spec
