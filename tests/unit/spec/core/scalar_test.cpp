// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/scalar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scatterproof/spec/core/literal.hpp"
#include "scatterproof/spec/core/nan.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Scalar real(double v) { return Scalar::of_real(v); }

TEST(DTypes, NamesReadBack) {
  for (const DType dtype : all_dtypes) EXPECT_EQ(parse_dtype(name(dtype)), dtype);
  EXPECT_EQ(parse_dtype("float32"), std::nullopt);
}

/// Ties go to even and the carry may reach infinity: figures from the formats' definitions (IEEE 754 §3.6).
TEST(Convert, RoundsHalfOnce) {
  EXPECT_EQ(convert(real(2049), DType::f16).real(), 2048);        // tie, even below
  EXPECT_EQ(convert(real(2051), DType::f16).real(), 2052);        // tie, even above
  EXPECT_EQ(convert(real(65519), DType::f16).real(), 65504);      // below the half-way to 2^16
  EXPECT_EQ(convert(real(65520), DType::f16).real(), infinity);   // the half-way itself
  EXPECT_EQ(convert(real(0x1p-24), DType::f16).real(), 0x1p-24);  // smallest subnormal
  EXPECT_EQ(convert(real(0x1p-25), DType::f16).real(), 0);        // tie to even zero
  EXPECT_EQ(convert(real(0x1.8p-25), DType::f16).real(), 0x1p-24);
  // Through float this would round twice: 1 + 2^-11 + 2^-40 is just above a tie of f16, and at it after
  // float.
  EXPECT_EQ(convert(real(1 + 0x1p-11 + 0x1p-40), DType::f16).real(), 1 + 0x1p-10);
}

TEST(Convert, RoundsBfloat) {
  EXPECT_EQ(convert(real(257), DType::bf16).real(), 256);
  EXPECT_EQ(convert(real(259), DType::bf16).real(), 260);
  EXPECT_EQ(convert(real(3.4e38), DType::bf16).real(), infinity);
  EXPECT_TRUE(std::signbit(convert(real(-0.0), DType::bf16).real()));
}

TEST(Convert, IntegersWrapAndTruncate) {
  EXPECT_EQ(convert(Scalar::of_int(300), DType::u8).integer(), 44);
  EXPECT_EQ(convert(Scalar::of_int(200), DType::i8).integer(), -56);
  EXPECT_EQ(convert(real(-1.9), DType::i32).integer(), -1);
  EXPECT_EQ(convert(real(NAN), DType::i64).integer(), 0);
  EXPECT_EQ(convert(real(1e30), DType::i64).integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(convert(real(0.5), DType::boolean).integer(), 1);
  EXPECT_EQ(convert(Scalar::of_int((std::int64_t{1} << 62) + 1), DType::f32).real(), 0x1p62);
}

TEST(Fits, IsExactRepresentability) {
  EXPECT_TRUE(fits(Scalar::of_int(2048), DType::f16));
  EXPECT_FALSE(fits(Scalar::of_int(2049), DType::f16));
  EXPECT_FALSE(fits(Scalar::of_int(256), DType::u8));
  EXPECT_FALSE(fits(real(0.1), DType::f32));
  EXPECT_TRUE(fits(real(NAN), DType::bf16));
  EXPECT_FALSE(fits(real(1.5), DType::i64));
  EXPECT_FALSE(fits(Scalar::of_int(std::numeric_limits<std::int64_t>::max()), DType::f64));
}

TEST(Identical, KnowsZerosAndNaN) {
  EXPECT_FALSE(identical(real(0.0), real(-0.0)));
  EXPECT_TRUE(identical(real(NAN), real(-NAN)));
  EXPECT_FALSE(identical(real(1), Scalar::of_int(1)));
  EXPECT_FALSE(identical(Scalar::of_complex(1, 2), Scalar::of_complex(1, -2)));
}

TEST(Text, IsShortestForItsDtype) {
  EXPECT_EQ(to_string(convert(real(0.1), DType::f32), DType::f32), "0.1");
  EXPECT_EQ(to_string(convert(real(0.1), DType::bf16), DType::bf16), "0.1");
  EXPECT_EQ(to_string(convert(real(1.23), DType::f16), DType::f16), "1.23");
  EXPECT_EQ(to_string(real(7)), "7.0");
  EXPECT_EQ(to_string(real(-0.0)), "-0.0");
  EXPECT_EQ(to_string(real(-infinity)), "-inf");
  EXPECT_EQ(to_string(Scalar::of_complex(1, -2)), "1.0-2.0j");
  EXPECT_EQ(to_string(Scalar::of_bool(true)), "true");
}

/// Each 16-bit pattern is stored, read and stored again unchanged.
TEST(Storage, EverySixteenBitPatternSurvives) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    Tensor tensor(dtype, {1});
    auto* bits = reinterpret_cast<std::uint16_t*>(tensor.storage().data());
    for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
      *bits = static_cast<std::uint16_t>(pattern);
      const Scalar value = tensor.at_position(0);
      tensor.set_at_position(0, value);
      ASSERT_EQ(*bits, pattern) << name(dtype) << ' ' << value.real();
    }
  }
}

/// Quiet and signalling NaNs with the first and the last bits of a payload, in storage and as text.
TEST(Nan, KeepsItsBits) {
  for (const std::uint32_t pattern : {0x7fc00000U, 0xffc00000U, 0x7f800001U, 0xffa00000U, 0x7fffffffU}) {
    Tensor tensor(DType::f32, {1});
    auto* const bits = reinterpret_cast<std::uint32_t*>(tensor.storage().data());
    *bits = pattern;
    const Scalar value = tensor.at_position(0);
    *bits = 0;
    tensor.set_at_position(0, value);
    EXPECT_EQ(*bits, pattern);
    *bits = 0;
    const auto read = read_nan(literal(value, DType::f32));
    ASSERT_TRUE(read) << literal(value, DType::f32);
    tensor.set_at_position(0, real(*read));
    EXPECT_EQ(*bits, pattern);
  }
}

TEST(Nan, HasItsFractionAsText) {
  EXPECT_EQ(nan_literal(make_nan(false, std::uint64_t{1} << 51)), "nan");
  EXPECT_EQ(nan_literal(make_nan(true, std::uint64_t{1} << 50)), "-nan(0x.4)");
  EXPECT_EQ(nan_literal(make_nan(false, 1)), "nan(0x.0000000000001)");
  EXPECT_EQ(nan_literal(narrow_nan(make_nan(true, 1), float_format(DType::bf16))), "-nan");
  for (const char* text :
       {"nan()", "nan(0x.)", "nan(0x.0)", "nan(0x.00000000000001)", "nan(0x.g)", "nan(4)", "+nan"})
    EXPECT_FALSE(read_nan(text)) << text;
}

}  // namespace
}  // namespace scatterproof::spec
