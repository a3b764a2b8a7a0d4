// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/dtype.hpp"

#include <cassert>
#include <limits>

namespace scatterproof::spec {
namespace {

enum class Class : std::uint8_t { boolean, integer, real, complex };

struct Facts {
  std::string_view name;
  std::size_t size;
  Class kind;
  FloatFormat format;  // floats, and the parts of complex numbers
  IntegerRange range;  // integers and bool
};

template <class T>
constexpr IntegerRange range_of() {
  return {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};
}

constexpr FloatFormat binary16{11, -14, 15};
constexpr FloatFormat bfloat16{8, -126, 127};
constexpr FloatFormat binary32{24, -126, 127};
constexpr FloatFormat binary64{53, -1022, 1023};

constexpr std::array<Facts, all_dtypes.size()> facts_table = {{
    {"bool", 1, Class::boolean, {}, {0, 1}},
    {"u8", 1, Class::integer, {}, range_of<std::uint8_t>()},
    {"i8", 1, Class::integer, {}, range_of<std::int8_t>()},
    {"i16", 2, Class::integer, {}, range_of<std::int16_t>()},
    {"i32", 4, Class::integer, {}, range_of<std::int32_t>()},
    {"i64", 8, Class::integer, {}, range_of<std::int64_t>()},
    {"f16", 2, Class::real, binary16, {}},
    {"bf16", 2, Class::real, bfloat16, {}},
    {"f32", 4, Class::real, binary32, {}},
    {"f64", 8, Class::real, binary64, {}},
    {"c64", 8, Class::complex, binary32, {}},
    {"c128", 16, Class::complex, binary64, {}},
}};

const Facts& facts(DType dtype) { return facts_table[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::string_view name(DType dtype) { return facts(dtype).name; }

std::optional<DType> parse_dtype(std::string_view text) {
  for (const DType dtype : all_dtypes)
    if (name(dtype) == text) return dtype;
  return std::nullopt;
}

std::size_t size_of(DType dtype) { return facts(dtype).size; }
bool is_integer(DType dtype) { return facts(dtype).kind == Class::integer; }
bool is_float(DType dtype) { return facts(dtype).kind == Class::real; }
bool is_complex(DType dtype) { return facts(dtype).kind == Class::complex; }

FloatFormat float_format(DType dtype) {
  assert(is_float(dtype) || is_complex(dtype));
  return facts(dtype).format;
}

IntegerRange integer_range(DType dtype) {
  assert(is_integer(dtype) || dtype == DType::boolean);
  return facts(dtype).range;
}

}  // namespace scatterproof::spec
