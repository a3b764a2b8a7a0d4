// SPDX-License-Identifier: Apache-2.0
// A tensor that is edited keeps its layout, so that a failure that needs the layout can be shrunk.
#include "scatterproof/runner/calls/tensor_edits.hpp"

#include <gtest/gtest.h>

#include "counting.hpp"

namespace scatterproof::runner {
namespace {

using spec::DType;
using spec::Shape;
using spec::Tensor;

TEST(TensorEdits, KeepANamedLayout) {
  const Tensor rows = with_layout(counting({3, 4}), spec::Layout::padded);
  EXPECT_EQ(without_range(rows, 1, 0, 2).strides(), (Shape{3, 1}));
  EXPECT_EQ(layout_of(without_range(rows, 0, 0, 1)), spec::Layout::padded);
}

TEST(TensorEdits, KeepTheOrderOfAxesAndTheGapsBetweenThem) {
  const auto edited = [](const Shape& strides) {
    const Tensor plain = counting({3, 4}), laid = with_strides(plain, strides, 2);
    const Tensor made = without_range(laid, 1, 0, 2);
    EXPECT_TRUE(identical(made, without_range(plain, 1, 0, 2)));
    return made.strides();
  };
  EXPECT_EQ(edited({10, 2}), (Shape{6, 2}));   // every second element, and two more between rows
  EXPECT_EQ(edited({2, -9}), (Shape{2, -9}));  // columns first, three apart, the last one first
  EXPECT_EQ(edited({-4, 1}), (Shape{-2, 1}));  // dense rows, the last one first
}

TEST(TensorEdits, AreContiguousWhereElementsOverlap) {
  const Tensor zeros = with_strides(Tensor(DType::i32, {3, 4}), {1, 1}, 1);
  EXPECT_TRUE(without_range(zeros, 1, 0, 2).is_contiguous());
}

}  // namespace
}  // namespace scatterproof::runner
