// SPDX-License-Identifier: Apache-2.0
// What colliding values make, for every combiner and dtype, by hand-computed numbers. All three scatters
// share the arithmetic; each is asked.
#include <limits>

#include "kernel_calls.hpp"

namespace scatterproof::engines::test {
namespace {

/// Two contributions, `a` then `b`, land in cell 0, which starts as `start`; cell 1 is left alone.
KernelCall collide(DType dtype, Combiner combine, bool include_start, double start, double a, double b) {
  KernelCall call = scatter(KernelOp::scatter_elements, tensor(dtype, {2}, {start, 1}), 0, i64({2}, {0, 0}),
                            tensor(dtype, {2}, {a, b}), combine);
  call.include_start = include_start;
  return call;
}
std::string collided(DType dtype, Combiner combine, bool include_start, double start, double a, double b) {
  return result_of(collide(dtype, combine, include_start, start, a, b));
}

TEST(Combine, EveryNumericDtype) {
  for (const DType dtype : spec::all_dtypes) {
    if (dtype == DType::boolean || spec::is_complex(dtype)) continue;
    SCOPED_TRACE(spec::name(dtype));
    EXPECT_EQ(collided(dtype, Combiner::assign, true, 7, 2, 3), "[3, 1]");
    EXPECT_EQ(collided(dtype, Combiner::sum, true, 7, 2, 3), "[12, 1]");
    EXPECT_EQ(collided(dtype, Combiner::sum, false, 7, 2, 3), "[5, 1]");
    EXPECT_EQ(collided(dtype, Combiner::prod, true, 7, 2, 3), "[42, 1]");
    EXPECT_EQ(collided(dtype, Combiner::prod, false, 7, 2, 3), "[6, 1]");
    EXPECT_EQ(collided(dtype, Combiner::mean, true, 7, 2, 3), "[4, 1]");
    EXPECT_EQ(collided(dtype, Combiner::mean, false, 7, 2, 4), "[3, 1]");
    EXPECT_EQ(collided(dtype, Combiner::amax, true, 7, 2, 3), "[7, 1]");
    EXPECT_EQ(collided(dtype, Combiner::amax, false, 7, 2, 3), "[3, 1]");
    EXPECT_EQ(collided(dtype, Combiner::amin, true, 1, 2, 3), "[1, 1]");
    EXPECT_EQ(collided(dtype, Combiner::amin, false, 1, 2, 3), "[2, 1]");
  }
}

TEST(Combine, Booleans) {
  const auto both = [](Combiner combine, bool start, bool a, bool b, bool include_start = true) {
    return collided(DType::boolean, combine, include_start, start, a, b);
  };
  EXPECT_EQ(both(Combiner::assign, true, true, false), "[false, true]");
  EXPECT_EQ(both(Combiner::sum, false, true, false), "[true, true]");
  EXPECT_EQ(both(Combiner::sum, false, false, false), "[false, true]");
  EXPECT_EQ(both(Combiner::sum, true, false, false, false), "[false, true]");
  EXPECT_EQ(both(Combiner::prod, true, true, false), "[false, true]");
  EXPECT_EQ(both(Combiner::prod, true, true, true), "[true, true]");
  EXPECT_EQ(both(Combiner::prod, false, true, true, false), "[true, true]");
  EXPECT_EQ(both(Combiner::amax, false, false, true), "[true, true]");
  EXPECT_EQ(both(Combiner::amin, true, false, true), "[false, true]");
  EXPECT_EQ(refusal_of(collide(DType::boolean, Combiner::mean, true, 0, 0, 0)), "dtype: bool has no mean");
}

TEST(Combine, ComplexNumbers) {
  for (const DType dtype : {DType::c64, DType::c128}) {
    KernelCall call = collide(dtype, Combiner::sum, true, 1, 0, 0);
    const std::vector<Scalar> updates = {Scalar::of_complex(1, 2), Scalar::of_complex(3, -1)};
    call.updates = Tensor(dtype, {2}, updates);
    EXPECT_EQ(result_of(call), "[5+1j, 1+0j]");
    call.combine = Combiner::prod;  // (1+2j)(3-1j) = 5+5j
    EXPECT_EQ(result_of(call), "[5+5j, 1+0j]");
    call.combine = Combiner::mean;
    call.include_start = false;
    EXPECT_EQ(result_of(call), "[2+0.5j, 1+0j]");
    call.combine = Combiner::assign;
    EXPECT_EQ(result_of(call), "[3-1j, 1+0j]");
    call.combine = Combiner::amax;
    EXPECT_EQ(refusal_kind(call), "dtype");
    call.combine = Combiner::amin;
    EXPECT_EQ(refusal_kind(call), "dtype");
  }
}

TEST(Combine, IntegersWrap) {
  EXPECT_EQ(collided(DType::i8, Combiner::sum, false, 0, 100, 100), "[-56, 1]");
  EXPECT_EQ(collided(DType::i8, Combiner::mean, false, 0, 100, 100), "[-28, 1]");
  EXPECT_EQ(collided(DType::u8, Combiner::sum, true, 1, 255, 2), "[2, 1]");
  EXPECT_EQ(collided(DType::u8, Combiner::prod, true, 2, 200, 2), "[32, 1]");
  EXPECT_EQ(collided(DType::i16, Combiner::prod, false, 0, 300, 300), "[24464, 1]");
  EXPECT_EQ(collided(DType::i32, Combiner::sum, false, 0, 2147483647, 1), "[-2147483648, 1]");
  KernelCall call = collide(DType::i64, Combiner::sum, true, 0, 0, 1);
  call.data.set(Shape{0}, Scalar::of_int(INT64_MAX));
  EXPECT_EQ(result_of(call), "[-9223372036854775808, 1]");
}

TEST(Combine, IntegerMeansRoundAsAsked) {
  KernelCall call = collide(DType::i32, Combiner::mean, false, 0, -1, -2);
  EXPECT_EQ(result_of(call), "[-2, 1]");
  call.integer_mean = spec::IntegerMean::truncate;
  EXPECT_EQ(result_of(call), "[-1, 1]");
  call = collide(DType::i32, Combiner::mean, false, 0, -1, -3);
  EXPECT_EQ(result_of(call), "[-2, 1]");
  EXPECT_EQ(collided(DType::i32, Combiner::mean, false, 0, 1, 2), "[1, 1]");
}

TEST(Combine, NanPropagates) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const DType dtype : {DType::f16, DType::bf16, DType::f32, DType::f64})
    for (const Combiner combine :
         {Combiner::amax, Combiner::amin, Combiner::sum, Combiner::prod, Combiner::mean}) {
      EXPECT_EQ(collided(dtype, combine, true, nan, 1, 2), "[nan, 1]");
      EXPECT_EQ(collided(dtype, combine, true, 0, nan, 2), "[nan, 1]");
      EXPECT_EQ(collided(dtype, combine, true, 0, 1, nan), "[nan, 1]");
      EXPECT_EQ(collided(dtype, combine, false, nan, nan, 1), "[nan, 1]");
    }
  EXPECT_EQ(collided(DType::f32, Combiner::amax, false, nan, 1, 2), "[2, 1]");
}

TEST(Combine, LowPrecisionRoundsAtEachStep) {
  EXPECT_EQ(collided(DType::f16, Combiner::sum, true, 2048, 1, 1), "[2048, 1]");
  EXPECT_EQ(collided(DType::bf16, Combiner::sum, true, 256, 1, 1), "[256, 1]");
  EXPECT_EQ(collided(DType::f32, Combiner::sum, true, 16777216, 1, 1), "[16777216, 1]");
  EXPECT_EQ(collided(DType::f64, Combiner::sum, true, 16777216, 1, 1), "[16777218, 1]");
  EXPECT_EQ(collided(DType::f16, Combiner::sum, true, 65504, 65504, 0), "[inf, 1]");
}

TEST(Combine, SumsBeginAtPlusZeroWithoutTheStart) {
  EXPECT_EQ(collided(DType::f32, Combiner::sum, false, 5, -0.0, -0.0), "[0, 1]");
  EXPECT_EQ(collided(DType::f32, Combiner::sum, true, -0.0, -0.0, -0.0), "[-0, 1]");
}

TEST(Combine, RowsAndTuplesCombineAlike) {
  const Tensor data = f32({2, 1}, {7, 1});
  const Tensor updates = f32({2, 1}, {2, 4});
  const std::vector<std::pair<Combiner, std::string>> cases = {
      {Combiner::assign, "[[4], [1]]"}, {Combiner::sum, "[[6], [1]]"},  {Combiner::prod, "[[8], [1]]"},
      {Combiner::mean, "[[3], [1]]"},   {Combiner::amax, "[[4], [1]]"}, {Combiner::amin, "[[2], [1]]"}};
  for (const auto& [combine, expected] : cases) {
    KernelCall rows = scatter(KernelOp::scatter_rows, data, 0, i64({2}, {0, 0}), updates, combine);
    rows.include_start = false;
    EXPECT_EQ(result_of(rows), expected);
    KernelCall nd = scatter(KernelOp::scatter_nd, data, 0, i64({2, 1}, {0, 0}), updates, combine);
    nd.include_start = false;
    EXPECT_EQ(result_of(nd), expected);
  }
}

}  // namespace
}  // namespace scatterproof::engines::test
