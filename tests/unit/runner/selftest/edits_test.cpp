// SPDX-License-Identifier: Apache-2.0
// What one step from an expression is, worked out by hand.
#include "edits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace scatterproof::runner::selftest {
namespace {

using spec::language::Scope;
using spec::language::Type;
using spec::language::Types;

Scope scope() {
  Scope names;
  names.declare("x", static_cast<Types>(Type::tensor));
  names.declare("src", static_cast<Types>(Type::tensor));
  names.declare("d", static_cast<Types>(Type::integer));
  names.declare("word", static_cast<Types>(Type::word));
  names.declare("p", static_cast<Types>(Type::tuple));
  return names;
}

std::shared_ptr<const spec::language::Expression> parse(const std::string& text) {
  auto expression = spec::language::parse_expression({"test", {1, 1}, text}, scope(), 255);
  EXPECT_TRUE(expression) << text << (expression ? "" : spec::to_string(expression.errors()));
  return expression ? *expression : nullptr;
}

/// As `sense text`, without the parentheses that edits put everywhere.
std::vector<std::string> plain(const std::vector<Edit>& edits) {
  static const char* const senses[] = {"weakened", "tightened", "changed"};
  std::vector<std::string> texts;
  for (const Edit& edit : edits) {
    EXPECT_TRUE(parse(edit.text)) << edit.text;
    std::string text = edit.text;
    std::erase_if(text, [](char c) { return c == '(' || c == ')'; });
    texts.push_back(std::string(senses[static_cast<int>(edit.sense)]) + " " + text);
  }
  return texts;
}

std::vector<std::string> conditions(const std::string& text) { return plain(condition_edits(*parse(text))); }
std::vector<std::string> coordinates(const std::string& text) {
  return plain(coordinate_edits(*parse(text), {"x", "src"}));
}

using Texts = std::vector<std::string>;

TEST(ConditionEdits, MoveABoundByOneBothWays) {
  EXPECT_EQ(conditions("d < rank(x)"), (Texts{"weakened d <= rankx", "tightened d < rankx + -1"}));
  EXPECT_EQ(conditions("d >= 1"), (Texts{"weakened d >= 1 + -1", "tightened d > 1"}));
}

TEST(ConditionEdits, TakeEachComparisonOfAChain) {
  EXPECT_EQ(conditions("0 <= d < 3"), (Texts{"weakened 0 <= d + 1 < 3", "tightened 0 < d < 3",
                                             "weakened 0 <= d <= 3", "tightened 0 <= d < 3 + -1"}));
}

TEST(ConditionEdits, WeakenUnderANegationWhatTheyTightenWithoutIt) {
  EXPECT_EQ(conditions("not d < 3"), (Texts{"tightened not d <= 3", "weakened not d < 3 + -1"}));
  EXPECT_EQ(conditions("d < 3 implies word == \"a\""),
            (Texts{"tightened word == \"a\"", "tightened d <= 3 implies word == \"a\"",
                   "weakened d < 3 + -1 implies word == \"a\"", "changed d < 3 implies word != \"a\""}));
}

TEST(ConditionEdits, DropPartsOfConnectivesAndItemsOfLists) {
  EXPECT_EQ(conditions("word == \"a\" or word == \"b\""),
            (Texts{"tightened word == \"b\"", "tightened word == \"a\"",
                   "changed word != \"a\" or word == \"b\"", "changed word == \"a\" or word != \"b\""}));
  EXPECT_EQ(conditions("word in [\"a\", \"b\"]"),
            (Texts{"tightened word in [\"b\"]", "tightened word in [\"a\"]"}));
}

TEST(ConditionEdits, AddADtypeToAListOfThem) {
  EXPECT_EQ(conditions("dtype(x) in [bool, f64]"),
            (Texts{"tightened dtypex in [f64]", "tightened dtypex in [bool]",
                   "weakened dtypex in [bool, f64, u8]"}));
}

TEST(ConditionEdits, SwapQuantifiersAndDropTheirFilters) {
  EXPECT_EQ(
      conditions("all e in dims(x) where e != d: size(x, e) > 0"),
      (Texts{"changed any e in dimsx where e != d: sizex, e > 0", "tightened all e in dimsx: sizex, e > 0",
             "weakened all e in dimsx where e != d: sizex, e >= 0",
             "tightened all e in dimsx where e != d: sizex, e > 0 + 1",
             "changed all e in dimsx where e == d: sizex, e > 0"}));
}

TEST(CoordinateEdits, TakeTheNextAxisAndTheNextIndex) {
  EXPECT_EQ(coordinates("p with d = x[p]"),
            (Texts{"changed p with d + 1 % lenp = x[p]", "changed p with d = x[p] + 1", "changed p",
                   "changed p with d = src[p]"}));
}

TEST(CoordinateEdits, LeaveOutAWrapAndReadElsewhere) {
  EXPECT_EQ(coordinates("wrap(p, shape(x))"), (Texts{"changed p", "changed wrapp, shapesrc"}));
}

TEST(CoordinateEdits, TakeTheNextNumberAndCountOneMore) {
  const auto offers = [](const std::string& text, const std::string& edit) {
    const Texts edits = coordinates(text);
    return std::ranges::find(edits, "changed " + edit) != edits.end();
  };
  EXPECT_TRUE(offers("(trues(x, (2, 3), p),)", "truesx, 2, 3, p + 1,"));
  EXPECT_TRUE(offers("unravel(d, shape(x))", "unraveld + 1 % productshapex, shapex"));
  EXPECT_TRUE(offers("(ravel(p, shape(x)),)", "ravelp, shapex + 1,"));
}

TEST(CoordinateEdits, JoinTheOtherWayRoundAndMoveSlices) {
  EXPECT_EQ(coordinates("p ++ shape(x)[d:]"),
            (Texts{"changed shapex[d:] ++ p", "changed p ++ shapex[d + 1:]", "changed p ++ shapex[d - 1:]",
                   "changed p ++ shapesrc[d:]"}));
}

TEST(WordEdits, ReplaceWhatIsGivenNotWhatIsComparedWith) {
  EXPECT_EQ(
      plain(word_edits(*parse("if word == \"sum\" then \"sum\" else \"prod\""), {"sum", "prod", "mean"})),
      (Texts{"changed if word == \"sum\" then \"prod\" else \"prod\"",
             "changed if word == \"sum\" then \"mean\" else \"prod\"",
             "changed if word == \"sum\" then \"sum\" else \"sum\"",
             "changed if word == \"sum\" then \"sum\" else \"mean\""}));
}

}  // namespace
}  // namespace scatterproof::runner::selftest
