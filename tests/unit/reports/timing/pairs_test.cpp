// SPDX-License-Identifier: Apache-2.0
// Which rows of two benchmarks are compared with each other.
#include <gtest/gtest.h>

#include "made.hpp"
#include "scatterproof/reports/timing.hpp"

namespace scatterproof::reports {
namespace {

using made::record;
using made::steady;

TimingPairs pairs(std::vector<spec::TimingRecord> before, std::vector<spec::TimingRecord> after) {
  return pairs_of(made::run(std::move(before)), made::run(std::move(after)), PairBy::engine);
}

TEST(TimingPairs, WhatIsWrongNowIsCompared) {
  auto wrong = record("openmp", 1, {});
  wrong.verdict = "mismatch";
  const auto found = pairs({record("openmp", 1, steady(1e-3))}, {wrong});
  ASSERT_EQ(found.both.size(), 1U);
  EXPECT_TRUE(found.both[0].is_wrong_now());
}

TEST(TimingPairs, WhatIsDeclinedOrAbsentIsNotCompared) {
  auto unsupported = record("openmp", 1, {});
  unsupported.verdict = "unsupported";
  const auto found =
      pairs({record("openmp", 1, steady(1e-3)), record("openmp", 2, steady(1e-3))}, {unsupported});
  EXPECT_TRUE(found.both.empty());
  EXPECT_EQ(found.only_before, 2U);
}

TEST(TimingPairs, AReleaseOfAPeerIsComparedWithTheOneBefore) {
  const auto found =
      pairs({record("jax@0.10.1", 1, steady(1e-3))}, {record("jax@0.11.0", 1, steady(500e-3))});
  ASSERT_EQ(found.both.size(), 1U);
  EXPECT_EQ(found.both[0].after.engine, "jax@0.11.0");
}

TEST(TimingPairs, AnEnginesFastestCallCounts) {
  const std::vector<spec::TimingRecord> two = {record("torch@2.13.0", 1, steady(5e-3)),
                                               record("torch@2.13.0", 1, steady(1e-3))};
  const auto found = pairs(two, {record("torch@2.13.0", 1, steady(3e-3))});
  ASSERT_EQ(found.both.size(), 1U);
  EXPECT_EQ(found.both[0].before.seconds, steady(1e-3));
}

TEST(TimingPairs, InPlaceAndOutOfPlaceAreTwoThings) {
  auto out_of_place = record("openmp", 1, steady(9e-3));
  out_of_place.in_place = false;
  const auto found = pairs({record("openmp", 1, steady(1e-3))}, {out_of_place});
  EXPECT_TRUE(found.both.empty());
  EXPECT_EQ(found.only_after, 1U);
}

TEST(TimingPairs, AnotherProcessorIsAnotherMachine) {
  auto before = made::run({record("openmp", 1, steady(1e-3))});
  const auto now = before;
  EXPECT_TRUE(same_machine(before, now));
  before.machine.cpu = "Another CPU";
  EXPECT_FALSE(same_machine(before, now));
}

}  // namespace
}  // namespace scatterproof::reports
