// SPDX-License-Identifier: Apache-2.0
// How the time of a comparison is shared, by a clock that moves on request.
#include "budget.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "shared.hpp"

namespace scatterproof::runner::compare {
namespace {

/// A comparison of a minute, whose engines take ten seconds to start again.
class Minute {
 public:
  explicit Minute(std::optional<double> seconds = 60) {
    plan_.seconds = seconds;
    plan_.starts = 10;
    plan_.shrink_seconds = 2;
    budget_.emplace(plan_, [this] { return now_; });
  }

  Budget& at(double second) {
    now_ = Budget::Clock::time_point{} + std::chrono::milliseconds(std::llround(second * 1000));
    return *budget_;
  }

 private:
  const spec::FamilyComparison comparison_ = comparison_of("gather_elements");
  Plan plan_{.comparison = comparison_, .members = {}};
  Budget::Clock::time_point now_{};
  std::optional<Budget> budget_;
};

TEST(Budget, AskingHasHalfOfWhatIsLeftAndSlowEnginesThreeQuarters) {
  Minute minute;
  minute.at(10).begin_asking();  // 40 seconds are left, without the starts
  EXPECT_FALSE(minute.at(29.9).has_asked_enough());
  EXPECT_TRUE(minute.at(30.1).has_asked_enough());
  EXPECT_FALSE(minute.at(39.9).has_ended_asking());
  EXPECT_TRUE(minute.at(40.1).has_ended_asking());
}

TEST(Budget, AfterASlowDrawASixthOfTheTimeIsLeftForAsking) {
  Minute minute;
  minute.at(58).begin_asking();
  EXPECT_FALSE(minute.at(58 + 4.9).has_asked_enough());
  EXPECT_TRUE(minute.at(58 + 5.1).has_asked_enough());
  EXPECT_TRUE(minute.at(58 + 7.6).has_ended_asking());
}

TEST(Budget, AskingHasTwoSecondsHoweverLittleTimeThereIs) {
  Minute minute(1);
  minute.at(5).begin_asking();
  EXPECT_FALSE(minute.at(6.9).has_ended_asking());
  EXPECT_TRUE(minute.at(7.1).has_ended_asking());
}

TEST(Budget, DifferencesHaveThreeQuartersOfTheRestAndEachOneALittleOfIt) {
  Minute minute;
  minute.at(20).begin_differences();
  EXPECT_TRUE(minute.at(49.9).has_time_for_differences());
  EXPECT_FALSE(minute.at(50.1).has_time_for_differences());
  EXPECT_DOUBLE_EQ(minute.at(20).to_shrink_one(), 30. / 600);
  EXPECT_DOUBLE_EQ(minute.at(44).to_shrink_one(), 6. / 600);
  EXPECT_EQ(minute.at(55).to_shrink_one(), 0);
}

TEST(Budget, NothingBeginsThatWouldEndAfterTheWhole) {
  Minute minute;
  EXPECT_TRUE(minute.at(56.9).has_time_to_ask_again());
  EXPECT_FALSE(minute.at(57.1).has_time_to_ask_again());
  EXPECT_TRUE(minute.at(46.9).has_time_to_start_again());
  EXPECT_FALSE(minute.at(47.1).has_time_to_start_again());
}

TEST(Budget, WithoutALimitNothingEnds) {
  Minute minute(std::nullopt);
  minute.at(0).begin_asking();
  minute.at(0).begin_differences();
  const Budget& late = minute.at(100'000);
  EXPECT_FALSE(late.has_asked_enough());
  EXPECT_FALSE(late.has_ended_asking());
  EXPECT_TRUE(late.has_time_for_differences());
  EXPECT_TRUE(late.has_time_to_ask_again());
  EXPECT_TRUE(late.has_time_to_start_again());
  EXPECT_EQ(late.to_shrink_one(), 2);
}

}  // namespace
}  // namespace scatterproof::runner::compare
