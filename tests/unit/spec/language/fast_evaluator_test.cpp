// SPDX-License-Identifier: Apache-2.0
// The fast evaluator against the reference evaluator: the same value, or none where that has none, on random
// expressions and on a few that are asked in special ways.
#include "fast_evaluator.hpp"

#include <rapidcheck.h>

#include "draw.hpp"

namespace scatterproof::spec::language {
namespace {

TEST(FastEvaluator, AgreesOnRandomExpressions) {
  const World& world = scatter_world();
  int known = 0, all = 0;
  const bool agrees = rc::check("the fast evaluator says what the reference evaluator says", [&] {
    const std::string text = Draw().truth(*rc::gen::inRange(0, 5));
    RC_LOG() << text;
    const auto parsed = parse_expression({"f", {1, 1}, text}, world.scope, truth);
    RC_PRE(static_cast<bool>(parsed));
    const std::string fast = fast_value(**parsed, world.frame);
    ++all;
    if (fast == "unsure") return;
    ++known;
    RC_ASSERT(fast == by_reference(**parsed, world.frame));
  });
  EXPECT_TRUE(agrees);
  EXPECT_GT(known, all * 9 / 10) << "it hardly ever answers by itself";
}

TEST(FastEvaluator, ComputesWithRealNumbersItself) {
  const World world = rich_world();
  for (const char* text : {"-half", "-f[0]", "-f[1]", "half + n", "3 - half * half", "n / 4", "n / 0",
                           "f[0] / half", "-f[0] / n", "f[0] // 1", "f[0] % n"}) {
    const auto parsed = parse_expression({"f", {1, 1}, text}, world.scope, any_types);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(fast_value(**parsed, world.frame), by_reference(**parsed, world.frame)) << text;
  }
}

TEST(FastEvaluator, LooksAtTheEndsAloneWhereItIsTold) {
  World world;
  world.tensor("x", integers({3, 4}, {1, 1, 1, 1, 1, 1, -1, 1, 1, 1, 1, 1}));
  const auto all = world.parse("all p in positions(shape(x)): x[p] + 0 > 0");
  const auto last = world.parse("all p in positions(shape(x)): p != (2, 3)");
  FastEvaluator fast;
  for (const Value& value : world.frame) EXPECT_TRUE(fast.add().assign(value));
  EXPECT_FALSE(fast.truth(*all));
  fast.sample(6);  // at either end: all there are
  EXPECT_FALSE(fast.truth(*all));
  fast.sample(5);
  EXPECT_TRUE(fast.truth(*all));
  fast.sample(1);
  EXPECT_FALSE(fast.truth(*last));
}

// It counts on from where it stood, so every order of questions and every change in between is asked.
TEST(FastEvaluator, CountsTruesInAnyOrder) {
  World world = rich_world();
  world.scope.declare("p", static_cast<Types>(Type::tuple));
  const auto parsed = world.parse("trues(mask, (2, 2, 3), p)");
  ASSERT_NE(parsed, nullptr);
  const Tensor other = integers({2, 3}, {0, 1, 1, 1, 1, 0}, DType::boolean);
  int mask_slot = -1;
  ASSERT_NE(world.scope.find("mask", &mask_slot), nullptr);
  const auto mask = static_cast<std::size_t>(mask_slot);
  FastEvaluator fast;
  for (const Value& value : world.frame) EXPECT_TRUE(fast.add().assign(value));
  const std::size_t p = fast.size();
  world.frame.push_back(Shape{});
  fast.add();
  for (const std::int64_t step : {1, 5, 7, 11}) {
    for (std::int64_t n = 0; n < 36; ++n) {
      const std::int64_t at = n * step % 12;
      world.frame[p] = Shape{at / 6, at / 3 % 2, at % 3};
      if (n == 20) {
        world.frame[mask] = TensorPart{&other, 4, {}};
        EXPECT_TRUE(fast.slot(mask).assign(world.frame[mask]));
        fast.changed(mask);
      }
      EXPECT_TRUE(fast.slot(p).assign(world.frame[p]));
      fast.changed(p);
      FastValue scratch;
      EXPECT_EQ(shown(fast.value(*parsed, scratch)), by_reference(*parsed, world.frame)) << n;
    }
  }
}

TEST(FastEvaluator, FailsWhereTheReferenceFails) {
  const World world = rich_world();
  for (const char* text : {"size(x, n)", "x[n, 0] == 1", "huge * 4 > 0", "not (size(x, n) == 1)",
                           "all p in positions(shape(x)): x[p] < size(x, n)"}) {
    const auto parsed = world.parse(text);
    ASSERT_NE(parsed, nullptr);
    EXPECT_EQ(fast_value(*parsed, world.frame), "no value") << text;
    EXPECT_EQ(by_reference(*parsed, world.frame), "no value") << text;
  }
}

}  // namespace
}  // namespace scatterproof::spec::language
