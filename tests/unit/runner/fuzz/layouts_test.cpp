// SPDX-License-Identifier: Apache-2.0
// Drawn strides hold the same values, are of every kind, and do not depend on the values.
#include "layouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "counting.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::DType;
using spec::Shape;
using spec::Tensor;

TEST(MixedLayouts, HoldTheSameValues) {
  spec::Dice dice(1, 2);
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{5}, Shape{2, 3}, Shape{3, 1, 2}, Shape{0, 2}, Shape{2, 3, 2, 2}})
    for (int n = 0; n < 200; ++n) {
      const Tensor plain = counting(shape), laid = mixed(plain, {}, dice);
      EXPECT_TRUE(identical(plain, laid)) << spec::to_string(shape) << ' ' << spec::to_string(laid.strides());
      EXPECT_FALSE(spec::overlaps_itself(laid));
    }
}

TEST(MixedLayouts, AreOfEveryKind) {
  spec::Dice dice(3, 4);
  const Tensor plain = counting({3, 4, 5}), rows(DType::i32, {3, 1, 5});  // all zeros
  int dense_rows = 0, steps = 0, negative = 0, reordered = 0, offsets = 0, repeated = 0, odd = 0;
  for (int n = 0; n < 3000; ++n) {
    const Tensor laid = mixed(plain, {}, dice);
    const Shape& s = laid.strides();
    dense_rows += s[2] == 1 && s[1] > 5;
    steps += s[2] == 2;
    negative += std::ranges::any_of(s, [](std::int64_t one) { return one < 0; });
    reordered += std::abs(s[0]) < std::abs(s[1]) || std::abs(s[1]) < std::abs(s[2]);
    offsets += laid.offset() % 4 != 0;
    const Shape of_rows = mixed(rows, draw_flat_axis({}, 3, dice), dice).strides();
    repeated += of_rows[0] == 0 || of_rows[2] == 0;
    odd += of_rows[1] == -7;
  }
  for (const int count : {dense_rows, steps, negative, reordered, offsets, repeated, odd})
    EXPECT_GT(count, 30);
}

TEST(MixedLayouts, DependOnTheShapeAndNotOnTheValues) {
  spec::Dice one(5, 6), other(5, 6);
  for (int n = 0; n < 50; ++n) {
    const Shape strides = mixed(counting({3, 2, 4}), {}, one).strides();
    EXPECT_EQ(strides, mixed(Tensor(DType::i32, {3, 2, 4}), {}, other).strides());
  }
  EXPECT_EQ(one.bits(), other.bits());
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
