// SPDX-License-Identifier: Apache-2.0
// NaNs with all their bits. A NaN has a sign and a fraction field (IEEE 754 §3.4): the field's first bit is 1
// for a quiet NaN and 0 for a signalling one, and the rest is the payload. A Scalar holds the NaN of a
// narrower dtype in a double with the same first bits of the fraction. The processor's own conversions make
// signalling NaNs quiet, so these go by the bits.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scatterproof/spec/core/dtype.hpp"

namespace scatterproof::spec {

/// The NaN with this sign and these 52 bits of fraction. Precondition: the fraction is not 0, as that of an
/// infinity is.
double make_nan(bool negative, std::uint64_t fraction);

/// The nearest NaN that the format has: it loses the last bits of the fraction. If no bit is left, it is
/// quiet. Precondition: `nan` is a NaN.
double narrow_nan(double nan, FloatFormat format);

/// `nan`, or for another than the default NaN its fraction field as a hexadecimal fraction: `nan(0x.4)`; with
/// its sign.
std::string nan_literal(double nan);

/// Reads what nan_literal writes; nothing if it is another text, or no NaN.
std::optional<double> read_nan(std::string_view text);

/// The NaN in the bits of a format of `1 + exponent + fraction` bits. Precondition: they are a NaN's.
double nan_of_bits(std::uint64_t bits, int fraction_bits, int exponent_bits);

/// The bits of a NaN in a format. Precondition: narrow_nan gave it.
std::uint64_t bits_of_nan(double nan, int fraction_bits, int exponent_bits);

/// As conversion does it, but a NaN keeps its bits.
inline double widened(float value) {
  return value == value ? static_cast<double>(value)
                        : nan_of_bits(std::bit_cast<std::uint32_t>(value), 23, 8);
}

/// As conversion does it, but a NaN keeps its bits. Precondition: narrow_nan gave it, if it is one.
inline float narrowed(double value) {
  return value == value ? static_cast<float>(value)
                        : std::bit_cast<float>(static_cast<std::uint32_t>(bits_of_nan(value, 23, 8)));
}

}  // namespace scatterproof::spec
