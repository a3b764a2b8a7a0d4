// SPDX-License-Identifier: Apache-2.0
// The three gathers by hand-computed numbers.
#include "kernel_calls.hpp"

namespace scatterproof::engines::test {
namespace {

Tensor six() { return f32({2, 3}, {1, 2, 3, 4, 5, 6}); }
KernelCall gather_nd(Tensor data, Tensor index, std::int64_t batch_dims = 0) {
  KernelCall call = gather(KernelOp::gather_nd, std::move(data), 0, std::move(index));
  call.batch_dims = batch_dims;
  return call;
}

TEST(GatherElements, AlongEachAxis) {
  const Tensor index = i64({2, 2}, {1, 0, 0, 1});
  EXPECT_EQ(result_of(gather(KernelOp::gather_elements, six(), 0, index)), "[[4, 2], [1, 5]]");
  EXPECT_EQ(result_of(gather(KernelOp::gather_elements, six(), 1, index)), "[[2, 1], [4, 5]]");
  EXPECT_EQ(result_of(gather(KernelOp::gather_elements, six(), -1, index)), "[[2, 1], [4, 5]]");
}

TEST(GatherElements, TheResultHasTheIndexShape) {
  EXPECT_EQ(result_of(gather(KernelOp::gather_elements, six(), 1, i64({1, 5}, {2, 2, 0, 1, 2}))),
            "[[3, 3, 1, 2, 3]]");
  const KernelCall scalar = gather(KernelOp::gather_elements, f32({}, {7}), 0, i64({}, {0}));
  EXPECT_EQ(produced(scalar).shape(), Shape{});
  EXPECT_EQ(result_of(scalar), "7");
  EXPECT_EQ(refusal_of(gather(KernelOp::gather_elements, f32({3}, {7, 8, 9}), 0, i64({}, {2}))),
            "rank: index has 0 dimensions, data has 1");
}

TEST(GatherElements, Policies) {
  KernelCall call = gather(KernelOp::gather_elements, six(), 1, i64({1, 2}, {-1, 0}));
  EXPECT_EQ(refusal_of(call), "index: index[0, 0] is -1, outside [0, 3)");
  call.wrap_negative = true;
  EXPECT_EQ(result_of(call), "[[3, 1]]");
  call.broadcast = true;
  EXPECT_EQ(result_of(call), "[[3, 1], [6, 4]]");
  call.broadcast = false;
  call.index_equals_data = true;
  EXPECT_EQ(refusal_kind(call), "shape");
  call.index_equals_data = false;
  call.index = i64({3, 1}, {0, 0, 0});
  EXPECT_EQ(refusal_kind(call), "shape");
  call.data = f32({1, 3}, {1, 2, 3});
  call.broadcast = true;  // data's size of 1 is stretched too
  call.index = i64({3, 1}, {0, 2, 1});
  EXPECT_EQ(result_of(call), "[[1], [3], [2]]");
}

TEST(GatherElements, EmptyIndex) {
  KernelCall call = gather(KernelOp::gather_elements, six(), 0, Tensor(DType::i64, {0, 2}));
  EXPECT_EQ(produced(call).shape(), (Shape{0, 2}));
  call.index = Tensor(DType::i64, {5, 0, 2});
  EXPECT_EQ(refusal_of(call), "rank: index has 3 dimensions, data has 2");
  call.empty_index_unchecked = true;
  EXPECT_EQ(produced(call).shape(), (Shape{5, 0, 2}));
  call.axis = 2;
  EXPECT_EQ(refusal_kind(call), "axis");
}

TEST(GatherRows, AnIndexOfAnyRankTakesTheAxisPlace) {
  EXPECT_EQ(result_of(gather(KernelOp::gather_rows, six(), 0, i64({3}, {1, 0, 1}))),
            "[[4, 5, 6], [1, 2, 3], [4, 5, 6]]");
  EXPECT_EQ(result_of(gather(KernelOp::gather_rows, six(), 1, i64({1, 2}, {2, 0}))), "[[[3, 1]], [[6, 4]]]");
  EXPECT_EQ(result_of(gather(KernelOp::gather_rows, six(), -1, i64({}, {1}))), "[2, 5]");
  EXPECT_EQ(produced(gather(KernelOp::gather_rows, six(), 0, Tensor(DType::i64, {0}))).shape(),
            (Shape{0, 3}));
}

TEST(GatherRows, Refuses) {
  KernelCall call = gather(KernelOp::gather_rows, six(), 0, i64({1}, {2}));
  EXPECT_EQ(refusal_of(call), "index: index[0] is 2, outside [0, 2)");
  call.index = i64({1}, {-2});
  EXPECT_EQ(refusal_kind(call), "index");
  call.wrap_negative = true;
  EXPECT_EQ(result_of(call), "[[1, 2, 3]]");
  call.axis = 2;
  EXPECT_EQ(refusal_kind(call), "axis");
  call.data = f32({}, {1});
  EXPECT_EQ(refusal_kind(call), "rank");
  call = gather(KernelOp::gather_rows, f32({1, 1, 1, 1, 1}, {1}), 0, i64({1, 1, 1, 1, 1}, {0}));
  EXPECT_EQ(refusal_of(call), "value: the result would have 9 dimensions, at most 8 are possible");
}

TEST(GatherNd, TuplesAndBatches) {
  EXPECT_EQ(result_of(gather_nd(six(), i64({2, 2}, {0, 2, 1, 0}))), "[3, 4]");
  EXPECT_EQ(result_of(gather_nd(six(), i64({2, 1}, {1, 0}))), "[[4, 5, 6], [1, 2, 3]]");
  EXPECT_EQ(result_of(gather_nd(six(), i64({2, 1}, {2, 0}), 1)), "[3, 4]");
  EXPECT_EQ(result_of(gather_nd(six(), Tensor(DType::i64, {2, 0}), 1)), "[[1, 2, 3], [4, 5, 6]]")
      << "all behind the batch";
  EXPECT_EQ(result_of(gather_nd(f32({}, {7}), Tensor(DType::i64, {2, 0}))), "[7, 7]");
  EXPECT_EQ(result_of(gather_nd(f32({2}, {7, 8}), Tensor(DType::i64, {3, 0}))), "[[7, 8], [7, 8], [7, 8]]");
  const Tensor cube = f32({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(result_of(gather_nd(cube, i64({2, 1}, {1, 0}), 1)), "[[2, 3], [4, 5]]");
  EXPECT_EQ(result_of(gather_nd(cube, i64({2, 2, 1}, {1, 0, 0, 1}), 2)), "[[1, 2], [4, 7]]");
}

TEST(GatherNd, Refuses) {
  KernelCall call = gather_nd(six(), i64({2, 1}, {1, 0}));
  call.batch_dims = 2;
  EXPECT_EQ(refusal_of(call), "value: batch_dims 2 is outside [0, 2)");
  call.batch_dims = -1;
  EXPECT_EQ(refusal_kind(call), "value");
  call = gather_nd(six(), i64({3, 1}, {0, 0, 0}), 1);
  EXPECT_EQ(refusal_of(call), "shape: the first 1 sizes of index [3, 1] differ from those of data [2, 3]");
  call = gather_nd(six(), i64({1, 3}, {0, 0, 0}));
  EXPECT_EQ(refusal_of(call), "shape: index has tuples of length 3, data has 2 dimensions behind the batch");
  call = gather_nd(six(), i64({2, 2}, {0, 0, 0, 0}), 1);
  EXPECT_EQ(refusal_kind(call), "shape");
  call = gather_nd(six(), i64({1, 2}, {1, 3}));
  EXPECT_EQ(refusal_of(call), "index: index[0, 1] is 3, outside [0, 3)");
  call = gather_nd(six(), i64({1, 2}, {-1, -3}));
  EXPECT_EQ(refusal_kind(call), "index");
  call.wrap_negative = true;
  EXPECT_EQ(result_of(call), "[4]");
  EXPECT_EQ(refusal_kind(gather_nd(six(), i64({}, {0}))), "rank");
  EXPECT_EQ(refusal_kind(gather_nd(f32({}, {0}), i64({1}, {0}))), "rank");
}

}  // namespace
}  // namespace scatterproof::engines::test
