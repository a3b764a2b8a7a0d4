// SPDX-License-Identifier: Apache-2.0
// The element types a tensor can have, and what the rest of the code needs to know of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scatterproof::spec {

enum class DType : std::uint8_t { boolean, u8, i8, i16, i32, i64, f16, bf16, f32, f64, c64, c128 };

inline constexpr std::array<DType, 12> all_dtypes = {DType::boolean, DType::u8,  DType::i8,  DType::i16,
                                                     DType::i32,     DType::i64, DType::f16, DType::bf16,
                                                     DType::f32,     DType::f64, DType::c64, DType::c128};

/// The name used in YAML, in messages and on the wire: bool u8 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128.
std::string_view name(DType dtype);
std::optional<DType> parse_dtype(std::string_view name);

/// Bytes of one element.
std::size_t size_of(DType dtype);

bool is_integer(DType dtype);  ///< u8 i8 i16 i32 i64 (not bool)
bool is_float(DType dtype);    ///< f16 bf16 f32 f64
bool is_complex(DType dtype);  ///< c64 c128

/// The real format of a float dtype or of the parts of a complex one (IEEE 754 terms).
/// precision p: bits of significand with the hidden one; unit roundoff u = 2^-p;
/// min_exponent: exponent of the smallest normal, 2^min_exponent; max_exponent: of the largest finite number.
struct FloatFormat {
  int precision;
  int min_exponent;
  int max_exponent;
};
/// Precondition: is_float(dtype) || is_complex(dtype).
FloatFormat float_format(DType dtype);

/// The range of an integer dtype (bool: 0..1). Precondition: not float, not complex.
struct IntegerRange {
  std::int64_t lowest;
  std::int64_t highest;
};
IntegerRange integer_range(DType dtype);

}  // namespace scatterproof::spec
