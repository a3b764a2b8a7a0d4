// SPDX-License-Identifier: Apache-2.0
// Held against scipy.stats.mannwhitneyu(now, before, alternative='greater', method='asymptotic').
#include "mann_whitney.hpp"

#include <gtest/gtest.h>

namespace scatterproof::reports {
namespace {

TEST(MannWhitney, AgreesWithScipy) {
  EXPECT_NEAR(chance_of_slower({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 0.006092890177672406, 1e-12);
  EXPECT_NEAR(chance_of_slower({1, 2, 3}, {4, 5, 6}), 0.04042779918502612, 1e-12);
  EXPECT_NEAR(chance_of_slower({6, 7, 8, 9, 10}, {1, 2, 3, 4, 5}), 0.9966923245172357, 1e-12);
  EXPECT_NEAR(chance_of_slower({1}, {2}), 0.5, 1e-12);
}

TEST(MannWhitney, TiesAreHalfAPairAndNarrowTheSpread) {
  EXPECT_NEAR(chance_of_slower({1, 2, 3, 4, 5}, {3, 4, 5, 6, 7}), 0.056923149003329024, 1e-12);
  EXPECT_NEAR(chance_of_slower({1, 1, 2, 2}, {2, 2, 3, 3}), 0.04317936982350621, 1e-12);
}

TEST(MannWhitney, KnowsWhenThereIsNothingToTell) {
  EXPECT_EQ(chance_of_slower({}, {1}), 1);
  EXPECT_EQ(chance_of_slower({1}, {}), 1);
  EXPECT_EQ(chance_of_slower({1, 1, 1}, {1, 1, 1}), 1);
}

TEST(MannWhitney, TheUnitDoesNotMatter) {
  EXPECT_EQ(chance_of_slower({1e-9, 3e-9, 2e-9}, {4e-9, 2.5e-9, 6e-9}),
            chance_of_slower({1, 3, 2}, {4, 2.5, 6}));
}

}  // namespace
}  // namespace scatterproof::reports
