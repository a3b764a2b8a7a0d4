// SPDX-License-Identifier: Apache-2.0
#include "dyadic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace scatterproof::spec::judging {
namespace {

constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

TEST(Dyadic, HoldsEveryDoubleExactly) {
  for (const double value :
       {0.0, 1.0, -1.0, 0.1, -3.5e300, smallest, largest, -largest, 0x1.fffffffffffffp-1})
    EXPECT_EQ(Dyadic(value).approximate(), value);
}

TEST(Dyadic, AddsAcrossTheWholeRangeWithoutLoss) {
  const Dyadic sum = Dyadic(largest) + Dyadic(smallest);
  EXPECT_GT(sum, Dyadic(largest));
  EXPECT_EQ(sum - Dyadic(largest), Dyadic(smallest));
}

TEST(Dyadic, ComparesAcrossSignsAndSizes) {
  EXPECT_LT(Dyadic(-1), Dyadic(smallest));
  EXPECT_LT(Dyadic(-2), Dyadic(-1));
  EXPECT_LT(Dyadic(), Dyadic(smallest));
  EXPECT_EQ(Dyadic(0.0), Dyadic(-0.0));
  EXPECT_EQ(Dyadic(0.5), Dyadic::power_of_two(-1));
  EXPECT_LT(Dyadic(0.1) + Dyadic(0.2), Dyadic(0.1 + 0.2));  // the double sum was rounded up
}

TEST(Dyadic, MultipliesWithoutLimit) {
  Dyadic power(largest);
  for (int i = 0; i < 10; ++i) power = power * power;
  EXPECT_EQ(power.top(), 1024 * 1024 - 1);
  EXPECT_EQ(Dyadic(3) * Dyadic(-0.25), Dyadic(-0.75));
  EXPECT_EQ(Dyadic() * power, Dyadic());
}

/// Significands of 61 to 131 bits: on both sides of what one machine integer, or a product of two, holds.
TEST(Dyadic, NarrowAndWideSignificandsAgree) {
  const Dyadic one(1);
  for (int i = 60; i <= 130; ++i)
    for (int j = 60; j <= 130; ++j) {
      const Dyadic p = Dyadic::power_of_two(i), q = Dyadic::power_of_two(j);
      const Dyadic a = p + one, b = q - one, minus_b = one - q;
      EXPECT_EQ(a + b - b, a) << i << " " << j;
      EXPECT_EQ(b + minus_b, Dyadic()) << i << " " << j;
      EXPECT_EQ(a + b - p, q) << i << " " << j;
      EXPECT_EQ(a * b, Dyadic::power_of_two(i + j) - p + q - one) << i << " " << j;
      EXPECT_EQ(a * minus_b + a * b, Dyadic()) << i << " " << j;
      EXPECT_EQ(b + (b + b), Dyadic(3) * b) << j;
      EXPECT_EQ(a < b, i < j) << i << " " << j;
      EXPECT_EQ(b.top(), j - 1);
      EXPECT_EQ(minus_b.truncated(2), Dyadic::power_of_two(j - 2) - q);
    }
}

TEST(Dyadic, TopIsTheFloorOfTheLogarithm) {
  EXPECT_EQ(Dyadic(1).top(), 0);
  EXPECT_EQ(Dyadic(-7.5).top(), 2);
  EXPECT_EQ(Dyadic(smallest).top(), -1074);
}

TEST(Dyadic, TruncatesTowardZero) {
  EXPECT_EQ(Dyadic(7).truncated(2), Dyadic(6));
  EXPECT_EQ(Dyadic(-7).truncated(2), Dyadic(-6));
  EXPECT_EQ(Dyadic(7).truncated(3), Dyadic(7));
}

TEST(Dyadic, RatioIsFiniteWhereTheNumbersAreNot) {
  const Dyadic huge = Dyadic::power_of_two(100000);
  EXPECT_EQ(ratio((huge * Dyadic(3)).magnitude(), huge.magnitude()), 3);
  EXPECT_EQ(ratio(Dyadic().magnitude(), huge.magnitude()), 0);
  EXPECT_TRUE(std::isinf(ratio(huge.magnitude(), Dyadic().magnitude())));
}

}  // namespace
}  // namespace scatterproof::spec::judging
