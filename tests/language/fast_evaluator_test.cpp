// SPDX-License-Identifier: Apache-2.0
// The fast evaluator against the reference evaluator: the same value, or none where that has none, on random
// expressions and on one expression for each thing that it does its own way.
#include "scatterproof/spec/language/fast_evaluator.hpp"

#include <rapidcheck.h>

#include "draw.hpp"
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

using State = FastEvaluator::State;

std::string shown(const FastValue& item) {
  switch (item.kind) {
    case FastValue::Kind::none:
      return to_string(Value(None{}));
    case FastValue::Kind::boolean:
      return to_string(Value(item.integer != 0));
    case FastValue::Kind::integer:
      return to_string(Value(item.integer));
    case FastValue::Kind::element:
      return to_string(Value(Element{item.number, item.argument, item.integer})) + " from " +
             std::to_string(item.argument) + " at " + std::to_string(item.integer);
    case FastValue::Kind::word:
      return to_string(Value(*item.word));
    case FastValue::Kind::dtype:
      return to_string(Value(item.dtype));
    case FastValue::Kind::tuple:
      return to_string(Value(Shape(item.tuple.begin(), item.tuple.end())));
    case FastValue::Kind::part:
      return to_string(
          Value(TensorPart{item.tensor, item.argument, Shape(item.tuple.begin(), item.tuple.end())}));
  }
  return {};
}

std::string shown(const Value& value) {
  const auto* element = std::get_if<Element>(&value);
  return to_string(value) +
         (element ? " from " + std::to_string(element->argument) + " at " + std::to_string(element->coords)
                  : "");
}

std::string by_reference(const Expression& expression, const Frame& frame) {
  try {
    return shown(evaluate(expression, frame));
  } catch (const NotEvaluable&) {
    return "no value";
  }
}

/// What the fast evaluator says; `unsure` where it leaves the word to the reference evaluator.
std::string fast_value(const Expression& expression, const Frame& frame) {
  FastEvaluator fast;
  for (const Value& value : frame) EXPECT_TRUE(fast.add().assign(value));
  FastValue scratch;
  const FastValue& item = fast.value(expression, scratch);
  return fast.state() == State::unsure ? "unsure" : fast.fine() ? shown(item) : "no value";
}

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

World rich_world() {
  World world;
  std::vector<Scalar> reals = {Scalar::of_real(1.5), Scalar::of_real(-0.0)};
  world.tensor("x", integers({2, 3}, {1, -2, 0, 5, 4, 3}))
      .tensor("f", Tensor(DType::f32, {2}, reals))
      .tensor("b", integers({2}, {1, 0}, DType::boolean))
      .tensor("one", integers({}, {7}))
      .tensor("none3", integers({0, 3}, {}))
      .tensor("column", with_layout(integers({2, 3}, {1, -2, 0, 5, 4, 3}), Layout::transposed))
      .tensor("same", with_layout(integers({3}, {4, 4, 4}), Layout::expanded))
      .tensor("mask", with_layout(integers({2, 3}, {1, 0, 1, 0, 1, 1}, DType::boolean), Layout::transposed))
      .tensor("line", integers({1, 3}, {0, 1, 1}, DType::boolean))
      .tensor("single", integers({1, 3}, {4, 0, 2}))
      .integer("n", 2)
      .integer("huge", std::int64_t{1} << 62)
      .boolean("yes", true)
      .word("mode", "add")
      .add("absent", static_cast<Types>(Type::tensor) | static_cast<Types>(Type::none), None{})
      .add("half", static_cast<Types>(Type::number), Element{Scalar::of_real(0.5), 9, -1})
      .add("t", static_cast<Types>(Type::tuple), Shape{3, 1, 4});
  return world;
}

TEST(FastEvaluator, AgreesOnEveryFunctionAndOperator) {
  const World world = rich_world();
  const std::vector<std::string> texts = {
      "n",
      "yes",
      "mode",
      "half",
      "t",
      "x",
      "absent",
      "one",
      "one + 1",
      "-one",
      "-half",
      "-yes",
      "-n",
      "rank(x)",
      "rank(x[0])",
      "rank(absent)",
      "size(x, 1)",
      "size(x, -1)",
      "size(x, 2)",
      "size(x, -3)",
      "shape(x)",
      "shape(x[1])",
      "numel(x)",
      "numel(none3)",
      "dims(x)",
      "dtype(x)",
      "dtype(x) == i64",
      "dtype(x) in [i32, f32]",
      "len(t)",
      "len(x)",
      "len(one)",
      "tuple(x)",
      "tuple(same)",
      "max(same)",
      "all p in positions(shape(same)): 0 <= same[p] < 5",
      "all p in positions(shape(same)): 0 <= same[p] < 4",
      "tuple(x[1])",
      "tuple(b)",
      "tuple(f)",
      "tuple(none3[0:0])",
      "range(3)",
      "range(2, n)",
      "range(0, huge)",
      "range(-huge, huge)",
      "range(20)",
      "product(t)",
      "sum(t)",
      "product((huge, 4))",
      "sum((huge, huge))",
      "min(x)",
      "max(x[0])",
      "max(none3)",
      "max(f)",
      "max(b)",
      "min(3, one, n)",
      "max(t)",
      "max(())",
      "abs(-n)",
      "abs(one)",
      "abs(half)",
      "abs(-huge - huge)",
      "wrap(-1, 3)",
      "wrap(t, t)",
      "wrap((-1, -2, 5), t)",
      "wrap(t, (1, 2))",
      "wrap((0, -1, 2), t)",
      "wrap(x[0, 1], size(x, 0))",
      "wrap(-huge - huge, -1)",
      "broadcast(shape(x), (2, 1))",
      "broadcast((2, 3), (3, 2))",
      "broadcastable((2,), t)",
      "broadcasts_to((1, 3), shape(x))",
      "broadcasts_to(shape(x), (1, 3))",
      "stretch((5, 6), (1, 3))",
      "stretch((5,), (1, 3))",
      "ravel((1, 2), shape(x))",
      "ravel((), ())",
      "ravel((2, 0), shape(x))",
      "ravel((0, -1), shape(x))",
      "ravel((0,), shape(x))",
      "ravel((0, 0), (-1, -1))",
      "unravel(4, shape(x))",
      "unravel(x[1, 0], t)",
      "unravel(0, ())",
      "unravel(6, shape(x))",
      "unravel(-1, shape(x))",
      "unravel(0, shape(none3))",
      "unravel(0, (huge, huge))",
      "x[unravel(n, shape(x))]",
      "count(x, absent, one)",
      "count(absent)",
      "common_shape(x, absent, one)",
      "common_shape(x, line)",
      "common_shape(x, f)",
      "elements((1, 2), x, absent, one, same, column)",
      "elements((1, 2), x, single)",
      "elements((1,), x)",
      "elements((2, 0), x)",
      "elements((0, -1), x)",
      "elements((0, 0), none3)",
      "elements((0,), b)",
      "elements((0,), x[1])",
      "elements((1, 2, 1), same)",
      "trues(mask, (2, 3))",
      "trues(mask, shape(x), (1, 1))",
      "trues(mask, (2, 2, 3), (1, 0, 2))",
      "trues(mask, (3,))",
      "trues(mask, (2, 3), (2, 0))",
      "trues(mask, (0, 2, 3))",
      "trues(mask[1], (2, 3))",
      "trues(line, (4, 3), (2, 1))",
      "trues(line, (3,))",
      "trues(b, (2,))",
      "trues(x, shape(x))",
      "trues(absent, (2,))",
      "trues(mask, (2, 3), (1, 1)) + trues(mask, (2, 3), (0, 2)) + trues(line, (2, 3))",
      "all p in positions((2, 3)): trues(mask, (2, 3), p) <= 3",
      "-7 // 4",
      "-7 % -4",
      "n % 0",
      "n // -1",
      "(-huge - huge) // -1",
      "(-huge - huge) % -1",
      "is_tensor(x)",
      "is_tensor(n)",
      "given(absent)",
      "given(x)",
      "is_float(dtype(f))",
      "is_integer(dtype(b))",
      "is_complex(dtype(x))",
      "holds(dtype(x), n)",
      "represents(dtype(f), n / 2)",
      "represents(dtype(b), n == 1)",
      "represents(dtype(f), 1e300)",
      "holds(dtype(b), n)",
      "holds(dtype(f), x[0, 1])",
      "holds(u8, 2 * n - 300)",
      "holds(dtype(f), 1e300)",
      "holds(dtype(b), n == 1)",
      "x[0, 1]",
      "x[(1, 2)]",
      "x[(1,), 2]",
      "x[1][2]",
      "x[n, 0]",
      "x[0, -1]",
      "x[0, 1, 2]",
      "x[(0, 1, 2)]",
      "x[t]",
      "x[1]",
      "column[0, 2]",
      "column[(1, 1)]",
      "t[0]",
      "t[-1]",
      "t[3]",
      "t[-4]",
      "t[1:]",
      "t[:-1]",
      "t[-9:9]",
      "t[2:1]",
      "t ++ shape(x)",
      "t ++ t ++ t ++ t ++ t ++ t",
      "t with 0 = 9",
      "t with -1 = n with 0 = one",
      "t with 3 = 1",
      "t with 0 = x[0, 0]",
      "x[t with 0 = 1 with 1 = 9]",
      "n // 0",
      "7 // n",
      "-7 % 4",
      "n / 2",
      "huge + huge",
      "huge * 4",
      "n + half",
      "half == 0.5",
      "half < n",
      "f[0] > 1",
      "f[1] == 0",
      "b[0]",
      "not b[1]",
      "b[0] and yes",
      "one and yes",
      "yes == 1",
      "mode == \"add\"",
      "mode != \"sum\"",
      "mode in [\"a\", \"add\"]",
      "mode == n",
      "t == (3, 1, 4)",
      "t != shape(x)",
      "absent == n",
      "absent == absent",
      "x == n",
      "n < t",
      "n in t",
      "3 in t",
      "n not in dims(x)",
      "one in (7, 8)",
      "mode in t",
      "0 <= n < 3",
      "0 < n < n < 4",
      "3 in t == yes",
      "if yes then n else t",
      "if given(absent) then absent else x",
      "absent[0]",
      "absent implies yes",
      "yes implies absent",
      "yes or absent",
      "not yes and absent",
      "all p in positions(shape(x)): x[p] >= -2",
      "all p in positions(shape(x)): 0 <= x[p] < size(x, 7)",
      "all p in positions(shape(x)): x[p] < 100",
      "all p in positions(shape(x)): -2 <= x[p] < size(absent, 0)",
      "any p in positions(shape(x)): x[p] == 5",
      "all p in positions(shape(none3)): x[p] == 1 // 0",
      "all p in positions((1, -1)): yes",
      "all p in positions(shape(x)) where x[p] > 0: x[p] < 5",
      "all p in positions(shape(one)): one[p] == 7",
      "all p in positions(shape(x)): all q in positions(shape(x)): x[p] == x[q] implies p == q",
      "unique p in positions(shape(x)): (x[p],)",
      "unique p in positions(shape(x)): p with 0 = 0",
      "unique i in range(40): (i,)",
      "unique i in range(100): (i, i // 2)",
      "unique i in range(100): (i - i // 70 * 70, 1)",
      "unique i in t: t[i]",
      "all d in dims(x): size(x, d) > 1",
      "any d in range(5): size(x, d) == 9",
      "any d in range(5): size(x, d) == 3",
      "all i in range(-1, 2): t[i] > 0",
      "all a in t: all b in t: all c in t: all d in t: all e in t: a + b + c + d + e > 0",
      "all p in positions((1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)): yes"};
  int unsure = 0, refused = 0;
  for (const std::string& text : texts) {
    const auto parsed = parse_expression({"f", {1, 1}, text}, world.scope, any_types);
    refused += parsed ? 0 : 1;
    if (!parsed) continue;
    const std::string fast = fast_value(**parsed, world.frame);
    if (fast == "unsure")
      ++unsure;
    else
      EXPECT_EQ(fast, by_reference(**parsed, world.frame)) << text;
  }
  EXPECT_LT(unsure, 25);
  EXPECT_LT(refused, 30);  // the checker knows some of them to be wrong
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
