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
