// SPDX-License-Identifier: Apache-2.0
// Any strides in, contiguous out; 32-bit and 64-bit indices; and the arguments are only read.
#include "kernel_calls.hpp"

namespace scatterproof::engines::test {
namespace {

/// One call of each operation, with a result known by hand.
std::vector<std::pair<KernelCall, std::string>> known_calls() {
  const Tensor data = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor updates = f32({2, 2}, {10, 20, 30, 40});
  return {
      {scatter(KernelOp::scatter_elements, data, 0, i64({2, 2}, {1, 0, 1, 1}), updates),
       "[[1, 20, 3], [30, 40, 6]]"},
      {scatter(KernelOp::scatter_rows, data, 1, i64({2}, {2, 0}), updates), "[[20, 2, 10], [40, 5, 30]]"},
      {scatter(KernelOp::scatter_nd, data, 0, i64({2, 2, 2}, {0, 0, 0, 1, 1, 0, 1, 2}), updates),
       "[[10, 20, 3], [30, 5, 40]]"},
      {gather(KernelOp::gather_elements, data, 0, i64({2, 2}, {1, 0, 0, 1})), "[[4, 2], [1, 5]]"},
      {gather(KernelOp::gather_rows, data, 1, i64({1, 2}, {2, 0})), "[[[3, 1]], [[6, 4]]]"},
      {gather(KernelOp::gather_nd, data, 0, i64({2, 2}, {0, 2, 1, 0})), "[3, 4]"},
  };
}

KernelCall in_layout(KernelCall call, spec::Layout layout) {
  call.data = spec::with_layout(call.data, layout);
  call.index = spec::with_layout(call.index, layout);
  if (call.updates) call.updates = spec::with_layout(std::get<Tensor>(*call.updates), layout);
  return call;
}

TEST(Layouts, EveryOperationReadsEveryLayout) {
  for (const auto& [call, expected] : known_calls())
    for (const spec::Layout layout : spec::all_layouts) {
      const KernelCall strided = in_layout(call, layout);
      EXPECT_EQ(result_of(strided), expected) << spec::name(layout);
    }
}

TEST(Layouts, StrideZeroIndexAndUpdates) {
  KernelCall call = scatter(KernelOp::scatter_elements, f32({2}, {1, 2}), 0, i64({3}, {1, 1, 1}),
                            f32({3}, {5, 5, 5}), Combiner::sum);
  call = in_layout(call, spec::Layout::expanded);
  ASSERT_EQ(call.index.strides(), Shape{0});
  EXPECT_EQ(result_of(call), "[1, 17]");
}

TEST(Layouts, IndicesOf32Bits) {
  for (auto [call, expected] : known_calls()) {
    call.index = Tensor(DType::i32, call.index.shape(), call.index.values());
    EXPECT_EQ(result_of(call), expected);
  }
}

TEST(Layouts, EveryDtypeIsMovedBitForBit) {
  for (const DType dtype : spec::all_dtypes) {
    const Tensor data = tensor(dtype, {3}, {1, 0, 1});
    EXPECT_TRUE(spec::identical(produced(gather(KernelOp::gather_rows, data, 0, i64({2}, {1, 2}))),
                                tensor(dtype, {2}, {0, 1})))
        << spec::name(dtype);
    EXPECT_TRUE(spec::identical(
        produced(scatter(KernelOp::scatter_nd, data, 0, i64({1, 1}, {0}), tensor(dtype, {1}, {0}))),
        tensor(dtype, {3}, {0, 0, 1})))
        << spec::name(dtype);
  }
}

TEST(Layouts, ArgumentsAreOnlyRead) {
  for (const auto& [call, expected] : known_calls())
    for (const spec::Layout layout : spec::all_layouts) {
      const KernelCall strided = in_layout(call, layout);
      const Tensor::Storage data = strided.data.storage();
      const Tensor::Storage index = strided.index.storage();
      const Tensor result = produced(strided);
      EXPECT_EQ(strided.data.storage(), data);
      EXPECT_EQ(strided.index.storage(), index);
      EXPECT_NE(result.shared_storage(), strided.data.shared_storage());
    }
}

}  // namespace
}  // namespace scatterproof::engines::test
