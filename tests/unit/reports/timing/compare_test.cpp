// SPDX-License-Identifier: Apache-2.0
// What became slower, and what only looks so.
#include <gtest/gtest.h>

#include <sstream>

#include "made.hpp"
#include "scatterproof/reports/timing.hpp"

namespace scatterproof::reports {
namespace {

using made::record;
using made::steady;
using made::unsteady;

std::string printed(const TimingComparison& comparison) {
  std::ostringstream out;
  print_comparison(out, {}, comparison);
  return out.str();
}

TEST(CompareTimings, FindsWhatTakesLongerThanTheFactor) {
  const auto before = made::run({record("openmp", 1, steady(2e-3)), record("openmp", 2, steady(2e-3))});
  const auto now = made::run({record("openmp", 1, steady(2.98e-3)), record("openmp", 2, steady(4e-3))});
  const auto found = compare_timings(before, now, 1.5);
  EXPECT_EQ(found.compared, 2U);
  ASSERT_EQ(found.slower.size(), 1U);
  EXPECT_EQ(found.slower[0].now.threads, 2);
  EXPECT_DOUBLE_EQ(found.slower[0].by_minimum, 2);
  EXPECT_TRUE(found.slower[0].significant);
  EXPECT_EQ(printed(found),
            "SLOWER B1/gather/f32/i64/uniform/1MiB on openmp, 2 threads, in place: 2.00 ms -> 4.00 ms, "
            "2.00x, p = 0.004\n"
            "1 of 2 rows take more than 1.5x as long as before, or are wrong now\n");
}

TEST(CompareTimings, OneLuckyRepetitionBeforeDoesNotCount) {
  const auto before = made::run({record("openmp", 1, {1e-3, 1.9e-3, 2e-3, 2.1e-3, 2.2e-3})});
  const auto now = made::run({record("openmp", 1, steady(2e-3))});
  EXPECT_TRUE(compare_timings(before, now, 1.5).slower.empty());
}

TEST(CompareTimings, SpreadIsSaid) {
  const auto found = compare_timings(made::run({record("openmp", 1, steady(1e-3))}),
                                     made::run({record("openmp", 1, unsteady(3e-3))}), 1.5);
  ASSERT_EQ(found.slower.size(), 1U);
  EXPECT_FALSE(found.slower[0].significant);
  EXPECT_NE(printed(found).find("~3.00x (not significant)"), std::string::npos);
}

TEST(CompareTimings, ChanceIsRuledOutByAllRepetitionsTogether) {
  const auto compared = [](std::vector<double> before, std::vector<double> now) {
    return compare_timings(made::run({record("openmp", 1, std::move(before))}),
                           made::run({record("openmp", 1, std::move(now))}), 1.5);
  };
  const auto few = compared({1e-3, 1.01e-3, 1.02e-3}, {2e-3, 2.01e-3, 2.02e-3});
  EXPECT_TRUE(few.slower.empty());
  EXPECT_EQ(few.unsure, 1U);
  EXPECT_NE(printed(few).find("1 more may be"), std::string::npos);
  // Minimum and median are twice as long, yet half of the times lie among those before.
  const auto mixed = compared({1e-3, 1e-3, 1e-3, 9e-3, 9e-3}, {2e-3, 2e-3, 2e-3, 2e-3, 2e-3});
  EXPECT_TRUE(mixed.slower.empty());
  EXPECT_EQ(mixed.unsure, 1U);
  EXPECT_EQ(compared(steady(1e-3), steady(2e-3)).unsure, 0U);
}

TEST(CompareTimings, WhatIsWrongNowIsWorseThanSlow) {
  auto wrong = record("openmp", 1, {});
  wrong.verdict = "mismatch";
  wrong.note = "cell [3] is 7";
  const auto found = compare_timings(made::run({record("openmp", 1, steady(1e-3))}), made::run({wrong}), 1.5);
  EXPECT_EQ(found.compared, 1U);
  ASSERT_EQ(found.slower.size(), 1U);
  EXPECT_NE(printed(found).find("mismatch: cell [3] is 7"), std::string::npos);
}

TEST(CompareTimings, WhatIsDeclinedOrAbsentIsNotCompared) {
  auto unsupported = record("openmp", 1, {});
  unsupported.verdict = "unsupported";
  const auto before = made::run({record("openmp", 1, steady(1e-3)), record("openmp", 2, steady(1e-3))});
  const auto found = compare_timings(before, made::run({unsupported}), 1.5);
  EXPECT_EQ(found.compared, 0U);
  EXPECT_TRUE(found.slower.empty());
}

TEST(CompareTimings, AReleaseOfAPeerIsHeldAgainstTheOneBefore) {
  const auto found = compare_timings(made::run({record("jax@0.10.1", 1, steady(1e-3))}),
                                     made::run({record("jax@0.11.0", 1, steady(500e-3))}), 1.5);
  ASSERT_EQ(found.slower.size(), 1U);
  EXPECT_DOUBLE_EQ(found.slower[0].by_minimum, 500);
}

TEST(CompareTimings, AnEnginesBestCallCounts) {
  const auto before =
      made::run({record("torch@2.13.0", 1, steady(5e-3)), record("torch@2.13.0", 1, steady(1e-3))});
  EXPECT_EQ(compare_timings(before, made::run({record("torch@2.13.0", 1, steady(3e-3))}), 1.5).slower.size(),
            1U);
  EXPECT_TRUE(
      compare_timings(made::run({record("torch@2.13.0", 1, steady(3e-3))}), before, 1.5).slower.empty());
}

TEST(CompareTimings, InPlaceAndOutOfPlaceAreTwoThings) {
  auto out_of_place = record("openmp", 1, steady(9e-3));
  out_of_place.in_place = false;
  EXPECT_EQ(compare_timings(made::run({record("openmp", 1, steady(1e-3))}), made::run({out_of_place}), 1.5)
                .compared,
            0U);
}

TEST(CompareTimings, AnotherMachineIsSaid) {
  auto before = made::run({record("openmp", 1, steady(1e-3))});
  const auto now = before;
  EXPECT_TRUE(compare_timings(before, now, 1.5).same_machine);
  before.machine.cpu = "Another CPU";
  const auto found = compare_timings(before, now, 1.5);
  EXPECT_FALSE(found.same_machine);
  EXPECT_NE(printed(found).find("another machine"), std::string::npos);
}

}  // namespace
}  // namespace scatterproof::reports
