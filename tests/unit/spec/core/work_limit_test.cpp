// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/work_limit.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "scatterproof/spec/core/hash_index.hpp"

namespace scatterproof::spec {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Works until it is told to stop, for at most ten seconds.
std::optional<LimitReached> work() {
  const auto end = Clock::now() + std::chrono::seconds(10);
  try {
    while (Clock::now() < end)
      for (int i = 0; i < 1000; ++i) WorkLimit::step();
  } catch (const LimitReached& why) {
    return why;
  }
  return std::nullopt;
}

TEST(WorkLimits, EndWorkThatTakesLonger) {
  const WorkLimit limit("counting", milliseconds(20));
  const auto why = work();
  ASSERT_TRUE(why);
  EXPECT_EQ(why->why(), LimitReached::Why::too_long);
  EXPECT_STREQ(why->what(), "counting took longer than 0.02 s");
}

TEST(WorkLimits, EndWithTheirScope) {
  { const WorkLimit limit("counting", milliseconds(1)); }
  EXPECT_NO_THROW({
    for (int i = 0; i < 1'000'000; ++i) WorkLimit::step();
    WorkLimit::check();
  });
}

TEST(WorkLimits, AllCountWhereTheyAreNested) {
  const WorkLimit outer("the whole", milliseconds(20));
  const WorkLimit inner("a part", std::chrono::hours(1));
  const auto why = work();
  ASSERT_TRUE(why);
  EXPECT_STREQ(why->what(), "the whole took longer than 0.02 s");
}

TEST(WorkLimits, EndInterruptedWorkInsideOthers) {
  std::atomic<bool> interrupted{false};
  const WorkLimit outer(&interrupted);
  const WorkLimit inner("a part", std::chrono::hours(1));
  EXPECT_NO_THROW(WorkLimit::check());
  interrupted = true;
  const auto why = work();
  ASSERT_TRUE(why);
  EXPECT_EQ(why->why(), LimitReached::Why::interrupted);
}

TEST(HashIndexes, FindEqualItemsAmongManyWithOneHash) {
  for (const std::uint64_t spread : {0, 1, 64}) {
    HashIndex index;
    std::vector<std::uint64_t> items;
    const auto add = [&](std::uint64_t item) {
      const bool added = index.add(item * spread, [&](std::size_t i) { return items[i] == item; });
      if (added) items.push_back(item);
      return added;
    };
    for (std::uint64_t item = 0; item < 1000; ++item) EXPECT_TRUE(add(item));
    for (std::uint64_t item = 0; item < 1000; ++item) EXPECT_FALSE(add(item));
    EXPECT_EQ(items.size(), 1000u);
  }
}

}  // namespace
}  // namespace scatterproof::spec
