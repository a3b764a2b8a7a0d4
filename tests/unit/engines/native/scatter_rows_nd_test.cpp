// SPDX-License-Identifier: Apache-2.0
// scatter_rows and scatter_nd by hand-computed numbers.
#include "kernel_calls.hpp"

namespace scatterproof::engines::test {
namespace {

KernelCall rows(Tensor data, std::int64_t axis, Tensor index, Tensor updates,
                Combiner combine = Combiner::assign) {
  return scatter(KernelOp::scatter_rows, std::move(data), axis, std::move(index), std::move(updates),
                 combine);
}
KernelCall nd(Tensor data, Tensor index, Tensor updates, Combiner combine = Combiner::assign) {
  return scatter(KernelOp::scatter_nd, std::move(data), 0, std::move(index), std::move(updates), combine);
}
Tensor ones() { return f32({3, 2}, {1, 1, 2, 2, 3, 3}); }
Tensor four_rows() { return f32({4, 2}, {1, 1, 2, 2, 3, 3, 4, 4}); }

TEST(ScatterRows, PaddlesTwoModes) {
  EXPECT_EQ(result_of(rows(ones(), 0, i64({4}, {2, 1, 0, 1}), four_rows())), "[[3, 3], [4, 4], [1, 1]]");
  KernelCall add = rows(ones(), 0, i64({4}, {2, 1, 0, 1}), four_rows(), Combiner::sum);
  add.include_start = false;  // the rows named are zeroed first
  EXPECT_EQ(result_of(add), "[[3, 3], [6, 6], [1, 1]]");
  add.include_start = true;
  EXPECT_EQ(result_of(add), "[[4, 4], [8, 8], [4, 4]]");
}

TEST(ScatterRows, AlongAnotherAxis) {
  const KernelCall call =
      rows(f32({2, 3}, {1, 2, 3, 4, 5, 6}), 1, i64({2}, {2, 0}), f32({2, 2}, {10, 20, 30, 40}));
  EXPECT_EQ(result_of(call), "[[20, 2, 10], [40, 5, 30]]");
}

TEST(ScatterRows, AScalarIndexNamesOneRow) {
  EXPECT_EQ(result_of(rows(ones(), 0, i64({}, {1}), f32({2}, {8, 9}))), "[[1, 1], [8, 9], [3, 3]]");
  EXPECT_EQ(refusal_of(rows(ones(), 0, i64({}, {1}), f32({1, 2}, {8, 9}))),
            "rank: updates have 2 dimensions, 1 are needed");
}

TEST(ScatterRows, AnIndexOfAnyRankTakesTheAxisPlace) {
  EXPECT_EQ(result_of(rows(ones(), 0, i64({2, 2}, {2, 1, 0, 1}), f32({2, 2, 2}, {1, 1, 2, 2, 3, 3, 4, 4}),
                           Combiner::sum)),
            "[[4, 4], [8, 8], [4, 4]]");
}

TEST(ScatterRows, SurplusRowsAreIgnoredOnlyWhenAllowed) {
  KernelCall call = rows(ones(), 0, i64({2}, {2, 0}), four_rows());
  EXPECT_EQ(refusal_of(call), "shape: updates have sizes [4, 2], [2, 2] are needed");
  call.surplus_updates = true;
  EXPECT_EQ(result_of(call), "[[2, 2], [2, 2], [1, 1]]");
  call.index = i64({5}, {0, 0, 0, 0, 0});
  EXPECT_EQ(refusal_of(call), "shape: updates have sizes [4, 2], [5, 2] are needed");
}

TEST(ScatterRows, BroadcastStretchesUpdates) {
  KernelCall call = rows(ones(), 0, i64({3}, {0, 0, 2}), f32({2}, {1, 10}), Combiner::sum);
  EXPECT_EQ(refusal_kind(call), "rank");
  call.broadcast = true;
  EXPECT_EQ(result_of(call), "[[3, 21], [2, 2], [4, 13]]");
  call.updates = f32({3, 1}, {1, 2, 3});
  EXPECT_EQ(result_of(call), "[[4, 4], [2, 2], [6, 6]]");
}

TEST(ScatterRows, Refuses) {
  const KernelCall good = rows(ones(), 0, i64({1}, {0}), f32({1, 2}, {8, 9}));
  KernelCall call = good;
  call.data = f32({}, {1});
  EXPECT_EQ(refusal_kind(call), "rank");
  call = good;
  call.index = i64({1, 1}, {0});
  EXPECT_EQ(refusal_of(call), "rank: updates have 2 dimensions, 3 are needed");
  call = good;
  call.axis = -3;
  EXPECT_EQ(refusal_kind(call), "axis");
  call = good;
  call.updates = f32({1, 3}, {1, 2, 3});
  EXPECT_EQ(refusal_kind(call), "shape");
  call = good;
  call.index = i64({1}, {3});
  EXPECT_EQ(refusal_of(call), "index: index[0] is 3, outside [0, 3)");
  call = good;
  call.index = i64({1}, {-1});
  EXPECT_EQ(refusal_kind(call), "index");
  call.wrap_negative = true;
  EXPECT_EQ(result_of(call), "[[1, 1], [2, 2], [8, 9]]");
}

TEST(ScatterNd, TuplesOfEveryLength) {
  const Tensor data = f32({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(result_of(nd(data, i64({1, 2}, {0, 1}), f32({1}, {9}))), "[[1, 9], [3, 4]]");
  EXPECT_EQ(result_of(nd(data, i64({2, 1}, {1, 0}), f32({2, 2}, {5, 6, 7, 8}))), "[[7, 8], [5, 6]]");
  EXPECT_EQ(result_of(nd(data, i64({2}, {1, 0}), f32({}, {9}))), "[[1, 2], [9, 4]]");
  EXPECT_EQ(result_of(nd(data, Tensor(DType::i64, {2, 0}), f32({2, 2, 2}, {1, 1, 1, 1, 2, 2, 2, 2}),
                         Combiner::sum)),
            "[[4, 5], [6, 7]]");
}

TEST(ScatterNd, CollidingTuplesCombine) {
  const Tensor data = f32({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(result_of(nd(data, i64({2, 2}, {1, 1, 1, 1}), f32({2}, {10, 100}), Combiner::sum)),
            "[[1, 2], [3, 114]]");
  EXPECT_EQ(result_of(nd(data, i64({2, 2}, {1, 1, 1, 1}), f32({2}, {10, 100}), Combiner::prod)),
            "[[1, 2], [3, 4000]]");
}

TEST(ScatterNd, Refuses) {
  const KernelCall good = nd(f32({2, 2}, {1, 2, 3, 4}), i64({1, 2}, {0, 1}), f32({1}, {9}));
  KernelCall call = good;
  call.index = i64({1, 3}, {0, 0, 0});
  EXPECT_EQ(refusal_of(call), "shape: index has tuples of length 3, data has 2 dimensions");
  call = good;
  call.index = i64({}, {0});
  EXPECT_EQ(refusal_kind(call), "rank");
  call = good;
  call.data = f32({}, {0});
  EXPECT_EQ(refusal_kind(call), "rank");
  call = good;
  call.updates = f32({1, 1}, {9});
  EXPECT_EQ(refusal_of(call), "rank: updates have 2 dimensions, 1 are needed");
  call = good;
  call.updates = f32({2}, {9, 9});
  EXPECT_EQ(refusal_kind(call), "shape");
  call = good;
  call.index = i64({1, 2}, {0, 2});
  EXPECT_EQ(refusal_of(call), "index: index[0, 1] is 2, outside [0, 2)");
  call = good;
  call.index = i64({1, 2}, {-2, -1});
  EXPECT_EQ(refusal_kind(call), "index");
  call.wrap_negative = true;
  EXPECT_EQ(result_of(call), "[[1, 9], [3, 4]]");
}

}  // namespace
}  // namespace scatterproof::engines::test
