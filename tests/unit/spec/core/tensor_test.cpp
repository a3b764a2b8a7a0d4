// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/tensor.hpp"

#include <gtest/gtest.h>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::spec {
namespace {

Tensor counting(DType dtype, const Shape& shape) {
  std::vector<Scalar> values;
  for (std::int64_t i = 0; i < numel(shape); ++i) values.push_back(Scalar::of_int(i % 2 ? i : -i));
  return Tensor(dtype, shape, values);
}

TEST(Numel, IsChecked) {
  EXPECT_EQ(checked_numel(Shape{}), 1);
  EXPECT_EQ(checked_numel(Shape{3, 0, 5}), 0);
  EXPECT_EQ(checked_numel(Shape{2, -1}), std::nullopt);
  EXPECT_EQ(checked_numel(Shape{1LL << 32, 1LL << 31}), std::nullopt);
  EXPECT_EQ(checked_numel(Shape{0, 1LL << 32, 1LL << 31}), std::nullopt);
}

TEST(View, StaysInsideItsStorage) {
  auto storage = std::make_shared<Tensor::Storage>(4 * 6);
  EXPECT_TRUE(Tensor::view(DType::f32, {2, 3}, {3, 1}, 0, storage));
  EXPECT_FALSE(Tensor::view(DType::f32, {2, 3}, {3, 1}, 1, storage));
  EXPECT_TRUE(Tensor::view(DType::f32, {2, 3}, {-3, -1}, 5, storage));
  EXPECT_FALSE(Tensor::view(DType::f32, {2, 3}, {-3, -1}, 4, storage));
  EXPECT_TRUE(Tensor::view(DType::f32, {100}, {0}, 5, storage));
  EXPECT_FALSE(Tensor::view(DType::f32, {100}, {1LL << 62}, 0, storage));
  EXPECT_FALSE(Tensor::view(DType::f64, {2, 3}, {3, 1}, 0, storage));
  EXPECT_FALSE(Tensor::view(DType::f32, {2, 3}, {3}, 0, storage));
  EXPECT_TRUE(Tensor::view(DType::f32, {0, 3}, {3, 1}, 99, storage));  // no element is ever reached
}

TEST(Next, WalksRowMajor) {
  Coords at{0, 0};
  const Shape shape{2, 2};
  std::vector<Coords> seen;
  do seen.push_back(at);
  while (next(at, shape));
  EXPECT_EQ(seen, (std::vector<Coords>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(Layouts, HoldTheSameValuesForEveryDtype) {
  for (const DType dtype : all_dtypes)
    for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3}, Shape{3, 1, 2}, Shape{0, 2}}) {
      const Tensor plain = counting(dtype, shape);
      for (const Layout layout : all_layouts)
        EXPECT_TRUE(identical(plain, with_layout(plain, layout))) << name(dtype) << ' ' << name(layout);
    }
}

TEST(Layouts, ReallyDiffer) {
  const Tensor plain = counting(DType::i32, {2, 3});
  EXPECT_EQ(with_layout(plain, Layout::transposed).strides(), (Shape{1, 2}));
  EXPECT_EQ(with_layout(plain, Layout::sliced).strides(), (Shape{6, 2}));
  EXPECT_EQ(with_layout(plain, Layout::sliced).offset(), 3);
  EXPECT_EQ(with_layout(plain, Layout::reversed).strides(), (Shape{-3, -1}));
  const Tensor rows(DType::i32, {2, 3},
                    std::vector<Scalar>{Scalar::of_int(1), Scalar::of_int(2), Scalar::of_int(3),
                                        Scalar::of_int(1), Scalar::of_int(2), Scalar::of_int(3)});
  EXPECT_EQ(with_layout(rows, Layout::expanded).strides(), (Shape{0, 1}));
  EXPECT_FALSE(with_layout(plain, Layout::sliced).is_contiguous());
}

TEST(Layouts, CompactIsContiguousAndAlone) {
  const std::vector<Scalar> values(6, Scalar::of_int(1));
  const Tensor plain(DType::f32, {2, 3}, values);
  EXPECT_TRUE(is_compact(plain));
  EXPECT_TRUE(is_compact(Tensor(DType::f32, {2, 0})));
  for (const Layout layout : all_layouts)
    EXPECT_EQ(is_compact(with_layout(plain, layout)), layout == Layout::contiguous) << name(layout);
  EXPECT_FALSE(is_compact(with_strides(plain, {3, 1}, 1)));  // contiguous, between other elements
}

TEST(Layouts, PaddedRowsAreDenseAndApart) {
  const Tensor rows = with_layout(counting(DType::i32, {2, 2, 3}), Layout::padded);
  EXPECT_EQ(rows.strides(), (Shape{8, 4, 1}));
  EXPECT_EQ(rows.offset(), 1);
  EXPECT_EQ(rows.storage().size(), 17 * sizeof(std::int32_t));
  EXPECT_EQ(layout_of(rows), Layout::padded);
  const Tensor vector = with_layout(counting(DType::f32, {5}), Layout::padded);
  EXPECT_EQ(vector.strides(), Shape{1});
  EXPECT_EQ(vector.offset(), 1);
  EXPECT_EQ(layout_of(vector), Layout::padded);
}

TEST(Layouts, HaveNamesThatAreRead) {
  for (const Layout layout : all_layouts) EXPECT_EQ(parse_layout(name(layout)), layout);
}

TEST(Tensors, AreViewsAndClonesAreNot) {
  Tensor a = counting(DType::f64, {3});
  Tensor view = a, copy = a.clone();
  view.set(Coords{1}, Scalar::of_real(42));
  EXPECT_EQ(a.get(Coords{1}).real(), 42);
  EXPECT_EQ(copy.get(Coords{1}).real(), 1);
}

TEST(Overlaps, AreElementsInOnePlace) {
  const auto overlap = [](const Shape& shape, const Shape& strides, std::int64_t offset = 0) {
    return overlaps_itself(
        *Tensor::view(DType::i8, shape, strides, offset, std::make_shared<Tensor::Storage>(64)));
  };
  EXPECT_FALSE(overlap({}, {}));
  EXPECT_FALSE(overlap({2, 3}, {3, 1}));
  EXPECT_FALSE(overlap({3, 2}, {-1, 3}, 2));  // mirrored
  EXPECT_FALSE(overlap({1, 3}, {0, 1}));      // an axis of one element
  EXPECT_TRUE(overlap({2, 3}, {0, 1}));
  EXPECT_TRUE(overlap({2, 3}, {1, 1}));
  EXPECT_TRUE(overlap({2, 3}, {-2, 1}, 2));
  EXPECT_FALSE(overlap({3, 2}, {2, 3}));  // 0, 3, 2, 5, 4, 7
  EXPECT_TRUE(overlap({4, 2}, {2, 6}));   // 0 + 6 = 6 + 0
}

TEST(Text, OfTensorsCallsAndOutcomes) {
  const Tensor t = counting(DType::i64, {2, 2});
  EXPECT_EQ(to_string(t), "[[0, 1], [-2, 3]]");
  EXPECT_EQ(to_string(t, 3), "[[0, 1], [-2, ...]]");
  EXPECT_EQ(to_string(counting(DType::i64, {2, 0})), "[[], []]");
  EXPECT_EQ(to_string(Call{"torch.gather", {{"input", t}, {"dim", Scalar::of_int(1)}}}),
            "torch.gather(input=i64[2,2] [[0, 1], [-2, 3]], dim=1)");
  EXPECT_EQ(to_string(Outcome{Refused{{"IndexError", "LookupError"}, "out of range\nsecond line"}}),
            "refused: IndexError: out of range");
  EXPECT_EQ(to_string(Outcome{Crashed{11, 0, ""}}), "crashed: signal 11 (Segmentation fault)");
}

TEST(Runs, AreTheElementsInRowMajorOrder) {
  for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{7}, Shape{2, 1, 3}, Shape{3, 4, 5}, Shape{1, 1}})
    for (const Layout layout : all_layouts) {
      const Tensor tensor = with_layout(Tensor(DType::i32, shape), layout);
      std::vector<std::int64_t> by_runs, one_by_one;
      every_run(tensor, [&](const ElementRun& run) {
        for (std::int64_t i = 0; i < run.count; ++i) by_runs.push_back(run.position + i * run.stride);
        return true;
      });
      if (Coords at(shape.size(), 0); tensor.numel() > 0) do
          one_by_one.push_back(tensor.position(at));
        while (next(at, shape));
      EXPECT_EQ(by_runs, one_by_one) << to_string(shape) << " " << name(layout);
    }
}

TEST(Runs, OfDenseTensorsAreOne) {
  const auto runs = [](const Tensor& tensor) {
    int count = 0;
    every_run(tensor, [&](const ElementRun&) { return ++count > 0; });
    return count;
  };
  const Tensor tensor(DType::i32, {3, 4, 5});
  EXPECT_EQ(runs(tensor), 1);
  EXPECT_EQ(runs(with_layout(tensor, Layout::sliced)), 1);
  EXPECT_EQ(runs(with_layout(tensor, Layout::reversed)), 1);
  EXPECT_EQ(runs(with_layout(tensor, Layout::padded)), 12);
}

}  // namespace
}  // namespace scatterproof::spec
