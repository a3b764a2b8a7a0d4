// SPDX-License-Identifier: Apache-2.0
// Which calls are made next: each once, and where time is limited, where something is still found.
#include "scatterproof/runner/fuzz/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace scatterproof::runner::fuzz {
namespace {

TEST(InTurns, TakesOneApiOfEachFrameworkAndVariantsLast) {
  std::vector<spec::OpSpec> specs(6);
  const auto make = [&](std::size_t i, std::string api, std::string framework, std::string variant_of = "") {
    specs[i].api = std::move(api);
    specs[i].framework = std::move(framework);
    specs[i].variant_of = std::move(variant_of);
  };
  make(0, "jax.a", "jax");
  make(1, "jax.b", "jax");
  make(2, "numpy.a.dim", "numpy", "numpy.a");
  make(3, "numpy.a", "numpy");
  make(4, "torch.a", "torch");
  make(5, "torch.b", "torch");
  std::vector<const spec::OpSpec*> apis;
  for (const spec::OpSpec& spec : specs) apis.push_back(&spec);
  std::vector<std::string> order;
  for (const spec::OpSpec* api : in_turns(apis)) order.push_back(api->api);
  EXPECT_EQ(order,
            (std::vector<std::string>{"jax.a", "numpy.a", "torch.a", "jax.b", "torch.b", "numpy.a.dim"}));
}

TEST(Schedule, ShardsTogetherHandOutEveryNumberOfEveryApiOnce) {
  std::set<std::pair<std::size_t, std::uint64_t>> seen;
  for (const std::uint64_t shard : {1, 2, 3}) {
    Schedule schedule(4, 1000, {shard, 3});
    std::set<std::size_t> apis;
    while (const auto block = schedule.next()) {
      apis.insert(block->api);
      for (std::uint64_t number = block->first; number < block->last; ++number)
        EXPECT_TRUE(seen.insert({block->api, number}).second) << block->api << ' ' << number;
    }
    EXPECT_EQ(apis.size(), 4u) << "shard " << shard;
  }
  EXPECT_EQ(seen.size(), 4000u);
}

/// The seconds that each API gets of about a thousand, when its blocks take `seconds` and show `found` kinds.
std::vector<double> shares(const std::vector<double>& seconds, const std::vector<std::uint64_t>& found) {
  Schedule schedule(seconds.size(), 0, {});
  std::vector<double> given(seconds.size());
  for (double gone = 0; gone < 1000;) {
    const Block block = *schedule.next();
    schedule.done(block, {.seconds = seconds[block.api]}, found[block.api]);
    given[block.api] += seconds[block.api];
    gone += seconds[block.api];
  }
  return given;
}

TEST(Schedule, ApisGetEqualTimeHoweverSlow) {
  for (const double share : shares({0.1, 1, 4}, {0, 0, 0})) EXPECT_NEAR(share, 1000.0 / 3, 5);
}

TEST(Schedule, AnApiThatShowsSomethingNewGetsMoreTime) {
  const std::vector<double> given = shares({1, 1, 1}, {0, 1, 0});
  EXPECT_GT(given[1], 2 * given[0]);
  EXPECT_GT(given[0], 100) << "the others are not forgotten";
}

/// A slow engine would spend its time on the first blocks of a few APIs.
TEST(Schedule, InALimitedTimeTheFirstBlocksComeInParts) {
  Schedule schedule(2, 0, {2, 3});
  std::vector<std::uint64_t> lengths, numbers;
  for (int i = 0; i < 14; ++i) {
    const Block part = *schedule.next();
    schedule.done(part, {.seconds = 1}, 0);
    if (part.api != 0) continue;
    lengths.push_back(part.last - part.first);
    for (std::uint64_t number = part.first; number < part.last; ++number) numbers.push_back(number);
  }
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{4, 4, 8, 16, 32, 64, 64}));
  const auto blocks = [&](std::uint64_t number) { return number / Schedule::block % 3 == 1; };
  EXPECT_TRUE(std::ranges::all_of(numbers, blocks)) << "all of this shard's";
  EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), numbers.size());
}

/// The order in which APIs get blocks until the last one begins, when a beginning takes a second, other
/// blocks take `seconds`, and each shows `found` kinds.
std::vector<std::size_t> order_of_turns(double seconds, bool in_vain, std::uint64_t found = 0) {
  Schedule schedule(3, 0, {});
  std::set<std::size_t> begun;
  std::vector<std::size_t> order;
  while (begun.size() < 3 && order.size() < 100) {
    const Block block = *schedule.next();
    const double making = begun.insert(block.api).second ? 1 : 0;
    schedule.done(block, {.making = making, .seconds = making + seconds, .in_vain = in_vain}, found);
    order.push_back(block.api);
  }
  return order;
}

TEST(Schedule, CallsGetAFifthOfTheTimeThatItTakesToBeginTheNextApi) {
  EXPECT_EQ(order_of_turns(1. / 16, false), (std::vector<std::size_t>{0, 0, 0, 0, 1, 1, 1, 1, 2}));
  EXPECT_EQ(order_of_turns(4, false), (std::vector<std::size_t>{0, 1, 2})) << "calls of a slow engine";
}

/// The first page has 240 calls.
TEST(Schedule, AnApiWaitsBeforeMoreOfItsFormsAreSolved) {
  Schedule schedule(2, 0, {});
  std::vector<std::uint64_t> made(2), most(2);
  for (const bool is_begun : {false, true}) {
    while (made[1] == 0 || (is_begun && most[1] < 192)) {
      const Block block = *schedule.next();
      const double making = block.first == 0 ? 1 : 0;
      schedule.done(block, {.making = making, .seconds = making + 1e-4}, 0);
      made[block.api] += block.last - block.first;
      most[block.api] = block.last;
    }
    EXPECT_LE(most[0], 240u) << "while the other has forms that are not used";
  }
  for (int i = 0; i < 4; ++i) schedule.done(*schedule.next(), {.seconds = 1}, 0);
  EXPECT_GT(schedule.next()->first, 240u) << "it waits, and is not forgotten";
}

/// Seconds to begin each of four APIs; the turns before the last one begins.
std::size_t turns_before_last(const std::vector<double>& making) {
  Schedule schedule(making.size() + 1, 0, {});
  for (std::size_t turns = 0;; ++turns) {
    const Block block = *schedule.next();
    if (block.api == making.size()) return turns;
    const double begins = block.first == 0 ? making[block.api] : 0;
    schedule.done(block, {.making = begins, .seconds = begins + 1. / 64}, 0);
  }
}

TEST(Schedule, ApisWhoseFormsAreKeptSayLittleOfTheTimeThatItTakesToSolveSome) {
  const std::size_t all_solved = turns_before_last({1, 1, 1});
  EXPECT_EQ(turns_before_last({0, 0, 1}), all_solved);
}

TEST(Schedule, WhatFirstCallsShowDoesNotHoldUpOtherApis) {
  EXPECT_EQ(order_of_turns(1. / 16, false, 9), order_of_turns(1. / 16, false));
}

TEST(Schedule, WhileAJobBeginsAnApiOthersTakeOtherApis) {
  Schedule schedule(2, 0, {});
  const Block first = *schedule.next();
  schedule.done(first, {.making = 1, .seconds = 1}, 0);
  std::size_t beginning = first.api;
  while (beginning == first.api) {
    const Block block = *schedule.next();
    beginning = block.api;
    if (beginning == first.api) schedule.done(block, {.seconds = 0.1}, 0);
  }
  for (int i = 0; i < 4; ++i) {
    const Block block = *schedule.next();
    EXPECT_EQ(block.api, first.api);
    schedule.done(block, {.seconds = 1}, 0);
  }
  schedule.done({.api = beginning, .first = 0, .last = Schedule::first_part}, {.making = 1, .seconds = 1}, 0);
  EXPECT_EQ(schedule.next()->api, beginning);
}

TEST(Schedule, AnApiOfWhichNoCallCanBeMadeDoesNotHoldUpTheOthers) {
  EXPECT_EQ(order_of_turns(0, true), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Schedule, EveryApiComesFirstOnce) {
  Schedule schedule(5, 0, {});
  std::set<std::size_t> apis;
  for (int job = 0; job < 5; ++job) apis.insert(schedule.next()->api);
  EXPECT_EQ(apis.size(), 5u);
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
