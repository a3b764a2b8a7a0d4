// SPDX-License-Identifier: Apache-2.0
// Tensor literals: what they give, and what is refused.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <cmath>

#include "fixture.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor tensor(const std::string& literal) {
  return std::get<Tensor>(*only(file_with(literal)).call.find("x"));
}
std::string shown(const std::string& literal) {
  const Tensor made = tensor(literal);
  return std::string(name(made.dtype())) + to_string(made.shape()) + " " + to_string(made);
}
std::string refusal(const std::string& literal) {
  const auto lines = complaints(file_with(literal));
  return lines.size() == 1 ? lines.front() : std::to_string(lines.size()) + " errors";
}

TEST(Literal, TakesItsShapeFromTheNesting) {
  EXPECT_EQ(shown("{dtype: i32, values: [[1, 2, 3], [4, 5, 6]]}"), "i32[2, 3] [[1, 2, 3], [4, 5, 6]]");
  EXPECT_EQ(shown("{dtype: i32, values: []}"), "i32[0] []");
  EXPECT_EQ(tensor("{dtype: i32, values: [[], []]}").shape(), (Shape{2, 0}));
  EXPECT_EQ(tensor("{dtype: i32, values: 7}").shape(), Shape{});
}

TEST(Literal, TakesFlatValuesFillAndArangeWithAShape) {
  EXPECT_EQ(shown("{dtype: i32, shape: [2, 2], values: [1, 2, 3, 4]}"), "i32[2, 2] [[1, 2], [3, 4]]");
  EXPECT_EQ(shown("{dtype: i32, shape: [2, 2], values: [[1, 2], [3, 4]]}"), "i32[2, 2] [[1, 2], [3, 4]]");
  EXPECT_EQ(shown("{dtype: bool, shape: [2], fill: true}"), "bool[2] [true, true]");
  EXPECT_EQ(shown("{dtype: u8, shape: [3], arange: 5}"), "u8[3] [5, 6, 7]");
  EXPECT_EQ(tensor("{dtype: f32, shape: [0, 3]}").shape(), (Shape{0, 3}));
}

TEST(Literal, ReadsSpecialFloats) {
  const auto values = tensor("{dtype: f32, values: [nan, -inf, -0.0, 0x1.8p3, 0.1, 5]}").values();
  EXPECT_TRUE(std::isnan(values[0].real()));
  EXPECT_EQ(values[1].real(), -HUGE_VAL);
  EXPECT_TRUE(std::signbit(values[2].real()));
  EXPECT_EQ(values[3].real(), 12.0);
  EXPECT_EQ(values[4].real(), static_cast<double>(0.1f)) << "the nearest f32";
  EXPECT_EQ(values[5].kind(), Scalar::Kind::real);
}

TEST(Literal, ReadsComplexNumbersAsPairs) {
  EXPECT_EQ(tensor("{dtype: c64, values: [[1, 2], [3, -4]]}").shape(), Shape{2});
  EXPECT_TRUE(
      identical(tensor("{dtype: c64, values: [[1, 2], [3, -4]]}").values()[1], Scalar::of_complex(3, -4)));
  EXPECT_TRUE(identical(tensor("{dtype: c128, values: [5, 6]}").values()[0], Scalar::of_complex(5, 0)));
  EXPECT_EQ(tensor("{dtype: c64, shape: [], values: [1, 2]}").shape(), Shape{});
}

TEST(Literal, LayoutsKeepTheValues) {
  for (const std::string layout : {"transposed", "sliced", "reversed"}) {
    const Tensor made = tensor("{dtype: i64, values: [[1, 2], [3, 4], [5, 6]], layout: " + layout + "}");
    EXPECT_FALSE(made.is_contiguous()) << layout;
    EXPECT_EQ(to_string(made), "[[1, 2], [3, 4], [5, 6]]") << layout;
  }
  EXPECT_EQ(tensor("{dtype: i64, shape: [4, 2], fill: 3, layout: expanded}").strides(), (Shape{0, 0}));
}

TEST(Literal, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal("{dtype: u8, values: [255, 256]}"), HasSubstr("6:36: error: '256' does not fit u8"));
  EXPECT_THAT(refusal("{dtype: i64, values: [1.0]}"), HasSubstr("'1.0' does not fit i64"));
  EXPECT_THAT(refusal("{dtype: i64, values: [true]}"), HasSubstr("'true' does not fit i64"));
  EXPECT_THAT(refusal("{dtype: bool, values: [2]}"), HasSubstr("'2' does not fit bool"));
  EXPECT_THAT(refusal("{dtype: f16, values: [70000]}"), HasSubstr("'70000' does not fit f16"));
  EXPECT_THAT(refusal("{dtype: i8, shape: [3], arange: 126}"), HasSubstr("counting reaches 128"));
}

TEST(Literal, CountsToTheEndOfI64AndNotBeyond) {
  EXPECT_EQ(shown("{dtype: i64, shape: [2], arange: 9223372036854775806}"),
            "i64[2] [9223372036854775806, 9223372036854775807]");
  EXPECT_THAT(refusal("{dtype: i64, shape: [3], arange: 9223372036854775806}"),
              HasSubstr("counting reaches 2^63, which does not fit i64"));
}

TEST(Literal, FillsEveryElementOfEveryDtype) {
  for (const DType dtype : all_dtypes)
    for (const std::int64_t size : {0, 1, 2, 3, 7, 64, 1000}) {
      const Tensor made = tensor("{dtype: " + std::string(name(dtype)) + ", shape: [" + std::to_string(size) +
                                 "], fill: " + (dtype == DType::boolean ? "true" : "3") + "}");
      const auto values = made.values();
      ASSERT_EQ(values.size(), static_cast<std::size_t>(size));
      for (const Scalar& value : values)
        EXPECT_EQ(value.real(), dtype == DType::boolean ? 1 : 3) << name(dtype);
    }
}

TEST(Literal, RefusesRaggedAndMiscountedLists) {
  EXPECT_THAT(refusal("{dtype: i64, values: [[1, 2], [3]]}"),
              HasSubstr("1 items where the shape [2, 2] has 2 in dimension 1"));
  EXPECT_THAT(refusal("{dtype: i64, values: [1, [2]]}"), HasSubstr("nested deeper"));
  EXPECT_THAT(refusal("{dtype: i64, shape: [3], values: [1, 2]}"),
              HasSubstr("2 items where the shape [3] has 3"));
  EXPECT_THAT(refusal("{dtype: i64, shape: [2], values: [[1, 2]]}"),
              HasSubstr("nested deeper than the shape [2]"));
  EXPECT_THAT(refusal("{dtype: i64, shape: [2]}"), HasSubstr("the tensor's elements are missing"));
  EXPECT_THAT(refusal("{dtype: i64, shape: [100000, 100000], fill: 0}"), HasSubstr("a literal has at most"));
}

TEST(Literal, LiesWhereItsStridesAndOffsetPutIt) {
  const Tensor made =
      tensor("{dtype: i64, values: [[1, 2], [3, 4]], strides: [1, -3], offset: 3, storage: 9}");
  EXPECT_EQ(to_string(made), "[[1, 2], [3, 4]]");
  EXPECT_EQ(made.strides(), (Shape{1, -3}));
  EXPECT_EQ(made.offset(), 3);
  EXPECT_EQ(made.storage().size(), 9 * sizeof(std::int64_t));
  EXPECT_EQ(made.at_position(2).integer(), 0x5a5a5a5a5a5a5a5a) << "nothing is there";
}

TEST(Literal, HasStorageUpToItsLastElement) {
  EXPECT_EQ(tensor("{dtype: u8, values: [[1, 2], [3, 4]], strides: [1, 3], offset: 2}").storage().size(), 7U);
  EXPECT_EQ(tensor("{dtype: u8, shape: [3, 2], fill: 7, strides: [0, 0]}").storage().size(), 1U);
  EXPECT_EQ(tensor("{dtype: u8, shape: [0, 2], strides: [9, 9]}").storage().size(), 0U);
  EXPECT_EQ(tensor("{dtype: u8, shape: [], values: 1, strides: [], offset: 4}").storage().size(), 5U);
}

TEST(Literal, RefusesPlacesThatItCannotLieIn) {
  const std::string outside = "put elements outside the storage";
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [2], storage: 2}"), HasSubstr(outside));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [-1]}"), HasSubstr(outside));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [9223372036854775807], offset: 9}"),
              HasSubstr(outside));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [100000000]}"), HasSubstr(outside));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [1], storage: 100000000}"), HasSubstr(outside));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [1, 1]}"),
              HasSubstr("2 strides for 1 dimensions"));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [1.5]}"), HasSubstr("integer"));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [0]}"),
              HasSubstr("elements that share a place in the storage have different values"));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], strides: [1], layout: sliced}"), HasSubstr("exclude"));
  EXPECT_THAT(refusal("{dtype: u8, values: [1, 2], offset: 1}"), HasSubstr("strides"));
}

/// The sign of a NaN stays in arguments, for kernels that compare bits, in every float dtype.
TEST(Literal, KeepsTheSignOfNaN) {
  for (const DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
    const Tensor made = tensor("{dtype: " + std::string(name(dtype)) + ", values: [nan, -nan]}");
    EXPECT_FALSE(std::signbit(made.values()[0].real())) << name(dtype);
    EXPECT_TRUE(std::signbit(made.values()[1].real())) << name(dtype);
    EXPECT_THAT(to_string(Argument(made)), ::testing::EndsWith("[nan, -nan]")) << name(dtype);
    EXPECT_EQ(to_string(made), "[nan, nan]") << "as a result";
  }
  EXPECT_THAT(to_string(Argument(tensor("{dtype: c64, values: [[-nan, nan]]}"))),
              ::testing::EndsWith("[-nan+nanj]"));
}

/// What is printed for a value reads back as that value, in every float dtype.
TEST(Literal, PrintedFloatsReadBack) {
  EXPECT_TRUE(rc::check("floats", [] {
    const double value = *rc::gen::arbitrary<double>();
    const DType dtype = *rc::gen::element(DType::f16, DType::bf16, DType::f32, DType::f64);
    const Scalar rounded = convert(Scalar::of_real(value), dtype);
    RC_PRE(std::isfinite(rounded.real()));
    const Tensor made =
        tensor("{dtype: " + std::string(name(dtype)) + ", values: [" + to_string(rounded, dtype) + "]}");
    RC_ASSERT(identical(made.values().front(), rounded));
  }));
}

}  // namespace
}  // namespace scatterproof::spec::testing
