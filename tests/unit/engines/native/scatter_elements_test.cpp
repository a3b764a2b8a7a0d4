// SPDX-License-Identifier: Apache-2.0
// scatter_elements by hand-computed numbers: what is written where, under each policy, and what is refused.
#include "kernel_calls.hpp"

namespace scatterproof::engines::test {
namespace {

KernelCall elements(Tensor data, std::int64_t axis, Tensor index, Tensor updates,
                    Combiner combine = Combiner::assign) {
  return scatter(KernelOp::scatter_elements, std::move(data), axis, std::move(index), std::move(updates),
                 combine);
}
KernelCall square() {
  return elements(f32({2, 3}, {1, 2, 3, 4, 5, 6}), 0, i64({2, 2}, {1, 0, 1, 1}),
                  f32({2, 2}, {10, 20, 30, 40}));
}

TEST(ScatterElements, WritesAlongEachAxis) {
  EXPECT_EQ(result_of(square()), "[[1, 20, 3], [30, 40, 6]]");
  KernelCall columns = square();
  columns.axis = 1;
  EXPECT_EQ(result_of(columns), "[[20, 10, 3], [4, 40, 6]]");
  columns.axis = -1;
  EXPECT_EQ(result_of(columns), "[[20, 10, 3], [4, 40, 6]]");
}

TEST(ScatterElements, UpdatesBeyondTheIndexAreIgnored) {
  KernelCall call = square();
  call.updates = f32({3, 4}, {10, 20, 0, 0, 30, 40, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(result_of(call), "[[1, 20, 3], [30, 40, 6]]");
  call.index_equals_updates = true;
  EXPECT_EQ(refusal_of(call), "shape: updates have sizes [3, 4], [2, 2] are needed");
}

TEST(ScatterElements, AScalarStandsForAFullTensor) {
  KernelCall call = square();
  call.updates = Scalar::of_real(7.5);
  EXPECT_EQ(result_of(call), "[[1, 7.5, 3], [7.5, 7.5, 6]]");
  call.data = i64({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(result_of(call), "[[1, 7, 3], [7, 7, 6]]");
}

TEST(ScatterElements, TheIndexMayBeLongerThanDataAlongTheAxis) {
  EXPECT_EQ(result_of(elements(f32({2}, {1, 2}), 0, i64({4}, {0, 1, 0, 1}), f32({4}, {10, 20, 30, 40}),
                               Combiner::sum)),
            "[41, 62]");
}

TEST(ScatterElements, TensorsWithoutDimensionsGoTogether) {
  KernelCall call = elements(f32({}, {5}), 0, i64({}, {0}), f32({}, {7}));
  EXPECT_EQ(produced(call).shape(), Shape{});
  EXPECT_EQ(result_of(call), "7");
  call.updates = f32({1}, {7});
  EXPECT_EQ(refusal_of(call), "rank: updates have 1 dimensions, index has 0");
  call.index = i64({2}, {0, 0});
  EXPECT_EQ(refusal_of(call), "rank: index has 1 dimensions, data has 0");
  call.axis = 1;
  EXPECT_EQ(refusal_of(call), "axis: axis 1 is outside [-1, 1)");
}

TEST(ScatterElements, DimensionsMayBeRequired) {
  KernelCall call = elements(f32({1}, {5}), 0, i64({1}, {0}), f32({1}, {7}));
  call.needs_dimensions = true;
  EXPECT_EQ(result_of(call), "[7]");
  call.data = f32({}, {5});
  EXPECT_EQ(refusal_of(call), "rank: data has 0 dimensions, at least 1 is needed");
  call.data = f32({1}, {5});
  call.index = i64({}, {0});
  EXPECT_EQ(refusal_of(call), "rank: index has 0 dimensions, at least 1 is needed");
  call.index = i64({1}, {0});
  call.updates = f32({}, {7});
  EXPECT_EQ(refusal_of(call), "rank: updates have 0 dimensions, at least 1 is needed");
  call.updates = Scalar::of_int(7);
  EXPECT_EQ(result_of(call), "[7]");
}

TEST(ScatterElements, NegativeIndicesWrapOnlyWhenAllowed) {
  KernelCall call = elements(f32({3}, {1, 2, 3}), 0, i64({2}, {-1, -3}), f32({2}, {10, 20}));
  EXPECT_EQ(refusal_of(call), "index: index[0] is -1, outside [0, 3)");
  call.wrap_negative = true;
  EXPECT_EQ(result_of(call), "[20, 2, 10]");
  call.index = i64({2}, {-1, -4});
  EXPECT_EQ(refusal_of(call), "index: index[1] is -4, outside [-3, 3)");
  call.index = i64({2}, {2, 3});
  EXPECT_EQ(refusal_of(call), "index: index[1] is 3, outside [-3, 3)");
}

TEST(ScatterElements, ExtremeIndicesAreRefused) {
  for (const std::int64_t value : {INT64_MAX, INT64_MIN, std::int64_t{1} << 32, -(std::int64_t{1} << 31)}) {
    KernelCall call = elements(f32({3}, {1, 2, 3}), 0, Tensor(DType::i64, {1}), f32({1}, {9}));
    call.index.set(Shape{0}, Scalar::of_int(value));
    EXPECT_EQ(refusal_kind(call), "index") << value;
    call.wrap_negative = true;
    EXPECT_EQ(refusal_kind(call), "index") << value;
  }
}

TEST(ScatterElements, RefusesRanksSizesAxesAndTypes) {
  KernelCall call = square();
  call.axis = 2;
  EXPECT_EQ(refusal_of(call), "axis: axis 2 is outside [-2, 2)");
  call = square();
  call.axis = -3;
  EXPECT_EQ(refusal_kind(call), "axis");
  call = square();
  call.index = i64({2}, {0, 0});
  EXPECT_EQ(refusal_of(call), "rank: index has 1 dimensions, data has 2");
  call = square();
  call.updates = f32({4}, {1, 2, 3, 4});
  EXPECT_EQ(refusal_of(call), "rank: updates have 1 dimensions, index has 2");
  call = square();
  call.updates = f32({2, 1}, {1, 2});
  EXPECT_EQ(refusal_of(call), "shape: index has size 2 in dimension 1, updates have 1");
  call = square();
  call.index = i64({2, 4}, {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(refusal_of(call), "shape: index has size 4 in dimension 1, data has 3");
  call = square();
  call.index_equals_data = true;
  EXPECT_EQ(refusal_of(call), "shape: index has size 2 in dimension 1, but must have data's 3");
  call = square();
  call.index = tensor(DType::i16, {2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(refusal_of(call), "dtype: index of dtype i16 is not accepted");
  call.index_dtypes = {DType::i16};
  EXPECT_EQ(result_of(call), "[[30, 40, 3], [4, 5, 6]]");
  call = square();
  call.index_dtypes = {DType::i32};
  EXPECT_EQ(refusal_kind(call), "dtype");
  call = square();
  call.updates = i64({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(refusal_of(call), "dtype: updates are i64, data is f32");
}

TEST(ScatterElements, AnEmptyIndexChangesNothing) {
  KernelCall call = elements(f32({2, 3}, {1, 2, 3, 4, 5, 6}), 0, Tensor(DType::i64, {0, 3}),
                             Tensor(DType::f32, {0, 3}), Combiner::mean);
  call.include_start = false;
  EXPECT_EQ(result_of(call), "[[1, 2, 3], [4, 5, 6]]");
}

TEST(ScatterElements, AnEmptyIndexIsCheckedUnlessTheSpecSaysOtherwise) {
  KernelCall call =
      elements(f32({2, 3}, {1, 2, 3, 4, 5, 6}), 0, Tensor(DType::i64, {0}), Tensor(DType::f32, {0, 9}));
  EXPECT_EQ(refusal_kind(call), "rank");
  call.index = Tensor(DType::i64, {0, 4});
  EXPECT_EQ(refusal_kind(call), "shape");
  call.empty_index_unchecked = true;
  EXPECT_EQ(result_of(call), "[[1, 2, 3], [4, 5, 6]]");
  call.index = Tensor(DType::i64, {0});
  EXPECT_EQ(result_of(call), "[[1, 2, 3], [4, 5, 6]]");
  call.axis = 2;
  EXPECT_EQ(refusal_kind(call), "axis");
  call = square();
  call.empty_index_unchecked = true;  // this index has elements
  call.index = i64({2}, {0, 0});
  EXPECT_EQ(refusal_kind(call), "rank");
}

TEST(ScatterElements, BroadcastStretchesSizesOfOneOffTheAxis) {
  KernelCall call = elements(f32({2, 3}, {1, 2, 3, 4, 5, 6}), 1, i64({1, 2}, {2, 0}), f32({2, 1}, {10, 20}));
  EXPECT_EQ(refusal_kind(call), "shape");
  call.broadcast = true;
  EXPECT_EQ(result_of(call), "[[10, 2, 10], [20, 5, 20]]");
  call.updates = f32({2}, {7, 8});  // fewer dimensions: aligned at the end
  EXPECT_EQ(result_of(call), "[[8, 2, 7], [8, 5, 7]]");
  call.updates = f32({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(refusal_of(call), "shape: updates have sizes [3, 2], [2, 2] are needed");
  call.updates = f32({1, 1, 2}, {1, 2});
  EXPECT_EQ(refusal_kind(call), "rank");
  call.index = i64({3, 1}, {0, 0, 0});
  EXPECT_EQ(refusal_of(call), "shape: index has size 3 in dimension 0, data has 2");
}

TEST(ScatterElements, BroadcastStretchesDataToo) {
  KernelCall call =
      elements(f32({1, 2}, {1, 2}), 1, i64({3, 1}, {0, 1, 0}), f32({3, 1}, {10, 20, 30}), Combiner::sum);
  call.broadcast = true;
  EXPECT_EQ(result_of(call), "[[41, 22]]");
}

TEST(ScatterElements, AResultThatDoesNotStartFromDataIsFilled) {
  KernelCall call =
      elements(f32({4}, {1, 2, 3, 4}), 0, i64({4}, {2, 0, 2, 0}), f32({4}, {1, 2, 3, 4}), Combiner::prod);
  call.start_from_data = false;
  call.fill = Scalar::of_int(1);
  EXPECT_EQ(result_of(call), "[8, 1, 3]");
  call.output_size = 5;
  EXPECT_EQ(result_of(call), "[8, 1, 3, 1, 1]");
  call.output_size = 2;
  EXPECT_EQ(refusal_of(call), "index: index[0] is 2, outside [0, 2)");
}

TEST(ScatterElements, TheResultsSizeMustBeSound) {
  KernelCall call = elements(f32({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), 0, Tensor(DType::i64, {0, 2}),
                             Tensor(DType::f32, {4, 2}));
  call.start_from_data = false;
  EXPECT_EQ(refusal_of(call), "value: the size of the result is neither given nor follows from the index");
  call.output_size = -1;
  EXPECT_EQ(refusal_of(call), "value: output_size is -1");
  call.output_size = spec::max_numel;
  EXPECT_EQ(refusal_of(call), "value: a result of sizes [268435456, 2] is too large");
  call.output_size = INT64_MAX;
  EXPECT_EQ(refusal_kind(call), "value");
  call.output_size = 1;
  EXPECT_EQ(result_of(call), "[[0, 0]]");
  call.output_size.reset();
  call.index = i64({1, 2}, {-1, -2});
  EXPECT_EQ(refusal_kind(call), "index");
  call.index.set(Shape{0, 0}, Scalar::of_int(INT64_MAX));
  EXPECT_EQ(refusal_kind(call), "value");
}

}  // namespace
}  // namespace scatterproof::engines::test
