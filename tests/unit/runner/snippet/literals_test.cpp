// SPDX-License-Identifier: Apache-2.0
// Python's spelling of values.
#include "literals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "scatterproof/spec/core/nan.hpp"

namespace scatterproof::runner::snippet {
namespace {

using spec::DType;
using spec::Scalar;
using spec::Tensor;

TEST(Literals, AreExact) {
  EXPECT_EQ(python(Scalar::of_bool(true)), "True");
  EXPECT_EQ(python(Scalar::of_int(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  EXPECT_EQ(python(Scalar::of_real(0.1)), "0.1");
  EXPECT_EQ(python(Scalar::of_real(-0.0)), "-0.0");
  EXPECT_EQ(python(Scalar::of_real(std::nan("")), DType::f16), "nan");
  EXPECT_EQ(python(Scalar::of_real(-std::numeric_limits<double>::quiet_NaN()), DType::f32), "-nan");
  EXPECT_EQ(python(Scalar::of_real(spec::make_nan(true, 1)), DType::f64), "nan_of_bits(0xfff0000000000001)");
  EXPECT_EQ(python(Scalar::of_real(-std::numeric_limits<double>::infinity()), DType::bf16), "-inf");
  EXPECT_EQ(python(Scalar::of_complex(-0.0, std::nan("")), DType::c64), "complex(-0.0, nan)");
  EXPECT_EQ(python(convert(Scalar::of_real(0.1), DType::f32), DType::f32), "0.1");
}

TEST(Literals, EscapeWords) {
  EXPECT_EQ(python(std::string("add")), "\"add\"");
  EXPECT_EQ(python(std::string("a\"b\\c\n")), "\"a\\\"b\\\\c\\x0a\"");
}

TEST(Literals, HaveShapes) {
  EXPECT_EQ(python_tuple({}), "()");
  EXPECT_EQ(python_tuple({3}), "(3,)");
  EXPECT_EQ(python_tuple({3, 0}), "(3, 0)");
  const std::vector<Scalar> values = {Scalar::of_int(1), Scalar::of_int(2), Scalar::of_int(3),
                                      Scalar::of_int(4)};
  const Tensor matrix(DType::i64, {2, 2}, values);
  EXPECT_EQ(nested_lists(matrix), "[[1, 2], [3, 4]]");
  EXPECT_EQ(nested_lists(Tensor(DType::boolean, {})), "False");
  EXPECT_EQ(flat_storage(std::vector{with_layout(matrix, spec::Layout::transposed)}), "[1, 3, 2, 4]");
  EXPECT_EQ(flat_storage(std::vector{with_layout(matrix, spec::Layout::reversed)}), "[4, 3, 2, 1]");
  EXPECT_EQ(flat_storage(std::vector{with_layout(matrix, spec::Layout::sliced)}),
            "[0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 0]");
}

}  // namespace
}  // namespace scatterproof::runner::snippet
