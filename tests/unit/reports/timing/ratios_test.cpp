// SPDX-License-Identifier: Apache-2.0
// Ratios worked out by hand, and that only like is compared with like.
#include "ratios.hpp"

#include <gtest/gtest.h>

#include "made.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::reports {
namespace {

using made::record;
using made::steady;
using made::unsteady;

TEST(Spread, IsThatOfTheSortedTimes) {
  const spec::Spread five = spec::spread({5, 1, 4, 2, 3});
  EXPECT_EQ(five.minimum, 1);
  EXPECT_EQ(five.median, 3);
  EXPECT_EQ(five.interquartile, 2);  // 4 - 2
  const spec::Spread four = spec::spread({10, 40, 20, 30});
  EXPECT_EQ(four.minimum, 10);
  EXPECT_EQ(four.median, 25);
  EXPECT_EQ(four.interquartile, 15);  // 32.5 - 17.5
  const spec::Spread one = spec::spread({7});
  EXPECT_EQ(one.minimum, 7);
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.interquartile, 0);
}

TEST(Spread, IsSteadyUpToATenth) {
  EXPECT_TRUE(spec::is_steady({1, 10, 1}));
  EXPECT_FALSE(spec::is_steady({1, 10, 1.001}));
  EXPECT_TRUE(spec::is_steady(spec::spread(steady(1))));
  EXPECT_FALSE(spec::is_steady(spec::spread(unsteady(1))));
}

TEST(RatioOf, TakesMinimaAndMedians) {
  const Ratio r = ratio({6, 9, 0}, {3, 3, 0});
  EXPECT_EQ(r.by_minimum, 2);
  EXPECT_EQ(r.by_median, 3);
  EXPECT_TRUE(r.significant);
  EXPECT_FALSE(ratio({6, 9, 1}, {3, 3, 0}).significant);
  EXPECT_FALSE(ratio({6, 9, 0}, {3, 3, 1}).significant);
  EXPECT_FALSE(r.sides_differ());
  EXPECT_TRUE((Ratio{1.1, 0.9, true}).sides_differ());
}

TEST(RatioOf, ALuckyMinimumIsNoFact) {
  EXPECT_TRUE((Ratio{15.8, 6.1, true}).has_lucky_minimum());
  EXPECT_TRUE((Ratio{6.1, 15.8, true}).has_lucky_minimum());
  EXPECT_FALSE((Ratio{2.1, 2.0, true}).has_lucky_minimum());
  EXPECT_FALSE((Ratio{2.1, 2.0, false}).is_fact());
  EXPECT_FALSE((Ratio{15.8, 6.1, true}).is_fact());
  EXPECT_TRUE((Ratio{2.1, 2.0, true}).is_fact());
}

TEST(FiguresOf, SharesAreOfFloorAndCopy) {
  const auto all =
      figures_of(made::run({record("openmp", 1, steady(2e-3)), record("openmp", 2, unsteady(1e-3))}));
  // 1 ms of floor in 2 ms; 16 MB in 2 ms are 8 GB/s of 20; 1,000,000 lookups in 2 ms.
  EXPECT_DOUBLE_EQ(all[0].share_of_floor->by_minimum, 0.5);
  EXPECT_DOUBLE_EQ(all[0].share_of_floor->by_median, 1 / 2.04);
  EXPECT_TRUE(all[0].share_of_floor->significant);
  EXPECT_DOUBLE_EQ(*all[0].bytes_per_second, 8e9);
  EXPECT_DOUBLE_EQ(all[0].share_of_copy->by_minimum, 0.4);
  EXPECT_DOUBLE_EQ(*all[0].seconds_per_lookup, 2e-9);
  // With two threads copies go at 32 GB/s: 16 of them is a half.
  EXPECT_DOUBLE_EQ(all[1].share_of_copy->by_minimum, 0.5);
  EXPECT_FALSE(all[1].share_of_floor->significant);
}

TEST(FiguresOf, WhatWasNotTimedHasNone) {
  auto wrong = record("openmp", 1, {});
  wrong.verdict = "mismatch";
  auto no_floor = record("thrust-cpp", 1, steady(1e-3));
  no_floor.floor_seconds = no_floor.bytes_algorithmic = 0;
  no_floor.lookups = 0;
  const auto all = figures_of(made::run({wrong, no_floor, record("torch@2.13.0", 1, steady(1e-3))}));
  EXPECT_FALSE(all[0].times);
  EXPECT_TRUE(all[0].against.empty());
  EXPECT_FALSE(all[0].share_of_floor);
  EXPECT_FALSE(all[1].share_of_floor || all[1].share_of_copy || all[1].bytes_per_second ||
               all[1].seconds_per_lookup);
  EXPECT_TRUE(all[1].times);
}

TEST(FiguresOf, PeersAreComparedAtEqualThreadsByTheirBestCall) {
  auto index_select = record("torch@2.13.0", 2, steady(3e-3));
  index_select.call = "torch.index_select";
  const auto all = figures_of(made::run({record("openmp", 1, steady(2e-3)), record("openmp", 2, steady(1e-3)),
                                         record("torch@2.13.0", 1, steady(8e-3)),
                                         record("torch@2.13.0", 2, steady(7e-3)), index_select}));
  EXPECT_DOUBLE_EQ(all[0].against.at("torch").by_minimum, 4);
  EXPECT_DOUBLE_EQ(all[1].against.at("torch").by_minimum, 3);
  EXPECT_TRUE(all[2].against.empty()) << "peers are not held against each other";
}

TEST(FiguresOf, InPlaceIsNotComparedWithOutOfPlace) {
  auto ours_out = record("openmp", 1, steady(3e-3));
  auto numpy_out = record("numpy@2.3.1", 1, steady(6e-3));
  ours_out.in_place = numpy_out.in_place = false;
  const auto all = figures_of(made::run({record("openmp", 1, steady(2e-3)), ours_out, numpy_out}));
  EXPECT_FALSE(all[0].against.contains("numpy"));
  EXPECT_DOUBLE_EQ(all[1].against.at("numpy").by_minimum, 2);
}

TEST(FiguresOf, OtherRowsAndDevicesAreNotLike) {
  auto cuda = record("thrust-cuda", 1, steady(1e-4));
  cuda.device = "cuda:0";
  auto other_row = made::with_distribution(record("openmp", 1, steady(1e-3)), "sorted", 1e-3);
  const auto all = figures_of(made::run({cuda, other_row, record("torch@2.13.0", 1, steady(1e-3))}));
  EXPECT_TRUE(all[0].against.empty());
  EXPECT_FALSE(all[0].share_of_copy) << "the copy rate is the CPU's";
  EXPECT_TRUE(all[1].against.empty());
}

TEST(FiguresOf, ScalingIsOneThreadsTimeOverSeverals) {
  const auto all = figures_of(
      made::run({record("openmp", 1, steady(3e-3)), record("openmp", 2, steady(2e-3)),
                 record("torch@2.13.0", 1, steady(8e-3)), record("torch@2.13.0", 2, unsteady(8e-3))}));
  EXPECT_FALSE(all[0].scaling);
  EXPECT_DOUBLE_EQ(all[1].scaling->by_minimum, 1.5);
  EXPECT_DOUBLE_EQ(all[3].scaling->by_minimum, 1);
  EXPECT_FALSE(all[3].scaling->significant);
}

TEST(FiguresOf, DeterministicIsHeldAgainstTheFastModeOfTheSameEngine) {
  const auto all = figures_of(
      made::run({record("openmp-deterministic", 2, steady(5e-3)), record("openmp", 2, steady(4e-3)),
                 record("openmp", 1, steady(1e-3)), record("thrust-cpp", 2, steady(1e-3))}));
  EXPECT_DOUBLE_EQ(all[0].deterministic->by_minimum, 1.25);
  EXPECT_FALSE(all[1].deterministic);
}

TEST(SkewsOf, IsTheWorstOverTheBestAndTheSameBeyondTheFloors) {
  const auto times = [](const char* distribution, double seconds, double floor) {
    return made::with_distribution(record("openmp", 1, steady(seconds)), distribution, floor);
  };
  auto other_size = times("hot", 1e-6, 1e-6);
  other_size.table_bytes *= 2;
  const auto skews = skews_of(made::run(
      {times("uniform", 12e-3, 6e-3), times("sorted", 2e-3, 2e-3), times("zipf", 3e-3, 1e-3), other_size}));
  ASSERT_EQ(skews.size(), 1U);
  EXPECT_EQ(skews[0].worst.distribution, "uniform");
  EXPECT_EQ(skews[0].best.distribution, "sorted");
  EXPECT_DOUBLE_EQ(skews[0].factor.by_minimum, 6);
  EXPECT_DOUBLE_EQ(skews[0].beyond_floors->by_minimum, 2);  // 6 over 6 ms / 2 ms
  EXPECT_TRUE(skews[0].factor.significant);
}

TEST(SkewsOf, KeepsEnginesThreadsAndTypesApart) {
  auto threads = made::with_distribution(record("openmp", 2, steady(1e-3)), "sorted", 1e-3);
  auto engine = made::with_distribution(record("thrust-cpp", 1, steady(1e-3)), "sorted", 1e-3);
  auto dtype = made::with_distribution(record("openmp", 1, steady(1e-3)), "sorted", 1e-3);
  dtype.dtype = "i64";
  auto out_of_place = made::with_distribution(record("openmp", 1, steady(1e-3)), "sorted", 1e-3);
  out_of_place.in_place = false;
  EXPECT_TRUE(
      skews_of(made::run({record("openmp", 1, steady(1e-3)), threads, engine, dtype, out_of_place})).empty());
}

TEST(IsPeer, IsAFrameworkAndNoPath) {
  EXPECT_TRUE(is_peer("torch@2.13.0"));
  EXPECT_FALSE(is_peer("openmp"));
  EXPECT_FALSE(is_peer("so:/home/a@b/lib.so"));
  EXPECT_EQ(spec::without_release("torch@2.13.0"), "torch");
  EXPECT_EQ(spec::without_release("so:/home/a@b/lib.so"), "so:/home/a@b/lib.so");
  EXPECT_TRUE(is_peer("torch:compile@2.13.0"));
  EXPECT_FALSE(is_peer("cmd:./worker a@b"));
  EXPECT_EQ(spec::without_release("torch:compile@2.13.0"), "torch:compile");
  EXPECT_EQ(spec::without_form("torch:compile@2.13.0"), "torch@2.13.0");
  EXPECT_EQ(spec::without_form("torch:compile"), "torch");
  EXPECT_EQ(spec::without_form("torch@2.13.0"), "torch@2.13.0");
  EXPECT_EQ(spec::without_form("recorded:a@b"), "recorded:a@b");
}

TEST(IsWrong, SparesWhatWasDeclined) {
  spec::TimingRecord r;
  for (const char* verdict : {"mismatch", "crash", "timeout", "unexpected_error", "nonsense"})
    EXPECT_TRUE((r.verdict = verdict, is_wrong(r))) << verdict;
  for (const char* verdict : {"pass", "weak", "unsupported", "open", "infra"})
    EXPECT_FALSE((r.verdict = verdict, is_wrong(r))) << verdict;
}

}  // namespace
}  // namespace scatterproof::reports
