// SPDX-License-Identifier: Apache-2.0
// Expressions over lists of tensors: their values in both evaluators, their errors, and how they read.
#include <fmt/format.h>

#include "fast_evaluator.hpp"
#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {
namespace {

constexpr Types item_type = static_cast<Types>(Type::tensor);
constexpr Types may_be_absent = item_type | static_cast<Types>(Type::none);

/// A list with these items, and a tuple of sizes.
class Lists {
 public:
  explicit Lists(std::vector<Tensor> given, bool optional = false, const std::string& name = "i")
      : given_(std::move(given)) {
    for (std::size_t i = 0; i < max_items; ++i) {
      scope.declare(fmt::format("{}_{}", name, i), i == 0 && !optional ? item_type : may_be_absent, name);
      if (i < given_.size())
        frame.emplace_back(TensorPart{&given_[i], static_cast<int>(i), {}});
      else
        frame.emplace_back(None{});
    }
    scope.declare("sizes", static_cast<Types>(Type::tuple));
    frame.emplace_back(Shape{5, 3, 4});
  }

  ExpressionPtr parse(const std::string& text) const {
    auto parsed = parse_expression({"spec.yaml", {3, 1}, text}, scope, any_types);
    EXPECT_TRUE(parsed) << text << "\n" << to_string(parsed.errors());
    return parsed ? parsed.value() : nullptr;
  }

  /// What both evaluators say.
  std::string value(const std::string& text) const {
    const auto parsed = parse(text);
    if (!parsed) return "does not parse";
    const std::string slow = by_reference(*parsed, frame), fast = fast_value(*parsed, frame);
    return slow == fast ? slow : fmt::format("{}, but fast {}", slow, fast);
  }

  std::string errors(const std::string& text) const {
    const auto parsed = parse_expression({"spec.yaml", {3, 1}, text}, scope, any_types);
    return parsed ? "no error" : to_string(parsed.errors());
  }

  Scope scope;
  Frame frame;

 private:
  std::vector<Tensor> given_;
};

/// Shapes (2, 1), (3,) and ().
const Lists& three() {
  static const Lists lists(
      {integers({2, 1}, {4, -5}), integers({3}, {0, 2, 1}, DType::i32), integers({}, {-4})});
  return lists;
}

TEST(Lists, AQuantifierAsksEachItemThatIsGiven) {
  EXPECT_EQ(three().value("all x in i: rank(x) < 3"), "true");
  EXPECT_EQ(three().value("all x in i: rank(x) > 0"), "false");
  EXPECT_EQ(three().value("any x in i: dtype(x) == i32"), "true");
  EXPECT_EQ(three().value("any x in i: dtype(x) == i8"), "false");
  EXPECT_EQ(three().value("each x in i: numel(x)"), "(2, 3, 1)");
  EXPECT_EQ(three().value("max(each x in i: numel(x))"), "3");
}

TEST(Lists, AnItemHasANumber) {
  const std::string in_range = "all x, d in i: all p in positions(shape(x)): -sizes[d] <= x[p] < sizes[d]";
  EXPECT_EQ(three().value(in_range), "true");
  const Lists far({integers({2}, {4, 5}), integers({1}, {0})});
  EXPECT_EQ(far.value(in_range), "false");
  EXPECT_EQ(three().value("each x, d in i: 10 * d + rank(x)"), "(2, 11, 20)");
}

TEST(Lists, AFilterLeavesItemsOut) {
  EXPECT_EQ(three().value("all x in i where dtype(x) == i32: rank(x) == 1"), "true");
  EXPECT_EQ(three().value("any x in i where dtype(x) == i32: rank(x) == 2"), "false");
  EXPECT_EQ(three().value("each x, d in i where d != 1: d"), "(0, 2)");
}

TEST(Lists, QuantifiersAreNested) {
  EXPECT_EQ(three().value("any x, d in i: any y, e in i where d < e: dtype(x) == dtype(y)"), "true");
  EXPECT_EQ(three().value("each x in i: max(each y in i: numel(x) * numel(y))"), "(6, 9, 3)");
}

TEST(Lists, OfAnEmptyListAllHoldAndNoneDoes) {
  const Lists none({}, true);
  EXPECT_EQ(none.value("all x in i: rank(x) > 7"), "true");
  EXPECT_EQ(none.value("any x in i: rank(x) < 8"), "false");
  EXPECT_EQ(none.value("each x in i: rank(x)"), "()");
  EXPECT_EQ(none.value("broadcastable(shape(i))"), "true");
}

TEST(Lists, TheShapesOfAllItemsAreBroadcastable) {
  EXPECT_EQ(three().value("broadcastable(shape(i))"), "true");
  EXPECT_EQ(three().value("broadcastable(shape(i), (2, 3))"), "true");
  EXPECT_EQ(three().value("broadcastable(shape(i), (2, 4))"), "false");
  const Lists apart({integers({1}, {0}), integers({2}, {0, 0}), integers({3}, {0, 0, 0})});
  EXPECT_EQ(apart.value("broadcastable(shape(i))"), "false");
  EXPECT_EQ(apart.value("broadcastable((1, 2), (3, 1), (4, 1, 1))"), "true");
  const Lists masks({integers({4}, {1, 0, 1, 0}, DType::boolean), integers({2}, {0, 1})});
  EXPECT_EQ(masks.value("broadcastable(index_shape(i))"), "true");
  EXPECT_EQ(masks.value("broadcastable(shape(i))"), "false");
}

TEST(Lists, AWrongExpressionIsToldOnceAtItsPlace) {
  const auto fails = [](const std::string& text, const std::string& error) {
    EXPECT_EQ(three().errors(text), "spec.yaml:3:" + error + "\n") << text;
  };
  fails("all x in abcdefgh: rank(x) == 1", "10: error: unknown name 'abcdefgh'");
  EXPECT_EQ(Lists({}, true, "indices").errors("all x in indizes: rank(x) == 1"),
            "spec.yaml:3:10: error: unknown name 'indizes'\n  hint: did you mean 'indices'?\n");
  fails("all x in i: rank(abcdefgh) == 1", "18: error: unknown name 'abcdefgh'");
  fails("all x in i: rank(x)", "13: error: this is an integer, but a boolean is needed here");
  fails("each x in i: shape(x)", "14: error: this is a tuple, but an integer is needed here");
  fails("all sizes in i: true",
        "1: error: the name 'sizes' is already taken\n  hint: choose another name for the variable");
  fails("all x, i_1 in i: true",
        "1: error: the name 'i_1' is already taken\n  hint: choose another name for the variable");
  fails("all x, x in i: true",
        "1: error: the name 'x' is already taken\n  hint: choose another name for the variable");
  fails("all x, d in i: all d in dims(x): d == 0",
        "16: error: the name 'd' is already taken\n  hint: choose another name for the variable");
  fails("all i in (1, 2): i == 1",
        "1: error: the name 'i' is already taken\n  hint: choose another name for the variable");
  fails("all x, d in sizes: x == d",
        "1: error: 'd' would be the number of an item, and this is no list of tensors\n"
        "  hint: only a list of tensors has items with numbers");
  fails("unique x in i: rank(x)",
        "1: error: 'unique' is not over a list of tensors\n  hint: use all, any or each");
  fails("all x, in i: true", "8: error: expected a name");
  fails("all x, none in i: true", "8: error: 'none' is a value, not a name");
  fails("rank(i) == 1",
        "6: error: 'i' is a list of tensors\n  hint: name an item, such as i_0, or write elements(p, i)");
  fails("broadcastable(sizes)",
        "1: error: one shape is broadcastable with no other\n"
        "  hint: write broadcastable(shape, shape, ..) or broadcastable(shape(list))");
}

TEST(Lists, AFalseExpressionNamesTheItem) {
  const auto why = [](const Lists& lists, const std::string& text) {
    return explain_false(*lists.parse(text), lists.frame, lists.scope);
  };
  EXPECT_EQ(why(three(), "all x, d in i: all p in positions(shape(x)): x[p] < sizes[d] - 1"),
            "i_0[0,0] = 4 is not less than sizes[0] - 1 = 4");
  EXPECT_EQ(why(three(), "all x in i: rank(x) > 0"), "rank(i_2) = 0 is not greater than 0");
  EXPECT_EQ(why(three(), "count(i) == 2"), "count(i) = 3 is not 2");
  const Lists apart({integers({1}, {0}), integers({2}, {0, 0}), integers({3}, {0, 0, 0})});
  EXPECT_EQ(why(apart, "broadcastable(shape(i))"),
            "shape(i_1) = (2,) and shape(i_2) = (3,) have no common shape");
}

TEST(Lists, ReadAsTheyAreWritten) {
  const std::pair<std::string, std::string> texts[] = {
      {"all x in i: rank(x) == 1", "for every x in i: the number of dimensions of x is 1"},
      {"not (any x, d in i where d > 0: rank(x) == 1)",
       "it is not so that (for some x, item d, in i where d is greater than 0: the number of dimensions of x "
       "is 1)"},
      {"max(each x in i: rank(x)) == 1",
       "the largest of the tuple of the number of dimensions of x for every x in i is 1"},
      {"broadcastable(shape(i))", "the shape of i, one of each item, have a common shape"},
      {"count(i) == 1 and true", "how many of i are given is 1 and true"},
      {"true and (all x in i: rank(x) == 1) and true",
       "true and (for every x in i: the number of dimensions of x is 1) and true"}};
  for (const auto& [text, words] : texts) {
    const auto parsed = three().parse(text);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(print(parsed->root()), text);
    EXPECT_EQ(in_words(*parsed), words);
  }
}

}  // namespace
}  // namespace scatterproof::spec::language
