// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every expression: printing and reading are inverse, what is known beforehand comes true,
// and whatever is false can be explained. Random texts never do more than be refused.
#include <rapidcheck.h>

#include "spec/language/ast.hpp"
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

/// Draws well-typed texts over the arguments of scatter_world(), smaller the deeper they are.
class Draw {
 public:
  std::string truth(int depth) {
    if (depth <= 0)
      return *rc::gen::elementOf(
          std::vector<std::string>{"true", "false", "overwrite", "given(output_size)"});
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
        return grouped(truth(depth - 1)) + " and " + grouped(truth(depth - 1));
      case 1:
        return grouped(truth(depth - 1)) + " or " + grouped(truth(depth - 1));
      case 2:
        return grouped(truth(depth - 1)) + " implies " + truth(depth - 1);
      case 3:
        return "not " + grouped(truth(depth - 1));
      case 4:
        return quantified(depth);
      case 5:
        return tuple(depth - 1) + pick({" == ", " != "}) + tuple(depth - 1);
      case 6:
        return integer(depth - 1) + pick({" in ", " not in "}) + tuple(depth - 1);
      default:
        return integer(depth - 1) + relation() + integer(depth - 1) +
               (coin() ? relation() + integer(depth - 1) : "");
    }
  }

 private:
  std::string integer(int depth) {
    std::vector<std::string> leaves = {"0",   "1",          "-2",           "7",      "axis",
                                       "dim", "rank(self)", "numel(index)", "row[0]", "len(pairs)"};
    leaves.insert(leaves.end(), bound_.begin(), bound_.end());
    if (depth <= 0) return *rc::gen::elementOf(leaves);
    switch (*rc::gen::inRange(0, 7)) {
      case 0:
        return "(if " + truth(depth - 1) + " then " + integer(depth - 1) + " else " + integer(depth - 1) +
               ")";
      case 1:
        return "size(" + pick({"self", "index", "src"}) + ", " + integer(depth - 1) + ")";
      case 2:
        return pick({"min", "max", "wrap"}) + "(" + integer(depth - 1) + ", " + integer(depth - 1) + ")";
      case 3:
        return "(" + tuple(depth - 1) + ")[" + integer(depth - 1) + "]";
      case 4:
        return "-" + grouped(integer(depth - 1));
      default:
        return grouped(integer(depth - 1)) + pick({" + ", " - ", " * ", " // ", " % "}) +
               grouped(integer(depth - 1));
    }
  }

  std::string tuple(int depth) {
    if (depth <= 0) return pick({"()", "(1, 2)", "shape(index)", "dims(self)", "tuple(row)"});
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        return "(" + tuple(depth - 1) + ") ++ (" + tuple(depth - 1) + ")";
      case 1:
        return "(" + tuple(depth - 1) + ")[" + integer(depth - 1) + ":" + integer(depth - 1) + "]";
      case 2:
        return "((" + tuple(depth - 1) + ") with " + integer(0) + " = " + integer(0) + ")";
      default:
        return "(" + integer(depth - 1) + ",)";
    }
  }

  std::string quantified(int depth) {
    const std::string name = "v" + std::to_string(bound_.size());
    const std::string domain = coin() ? tuple(depth - 1) : "range(" + integer(0) + ")";
    bound_.push_back(name);
    const std::string filter = coin() ? " where " + truth(0) : "";
    const std::string body = coin() ? truth(depth - 1) : name + relation() + integer(depth - 1);
    bound_.pop_back();
    return "(" + pick({"all ", "any "}) + name + " in " + domain + filter + ": " + body + ")";
  }

  static std::string grouped(const std::string& text) { return coin() ? "(" + text + ")" : text; }
  static std::string pick(std::vector<std::string> options) {
    return *rc::gen::elementOf(std::move(options));
  }
  static std::string relation() { return pick({" == ", " != ", " < ", " <= ", " > ", " >= "}); }
  static bool coin() { return *rc::gen::arbitrary<bool>(); }

  std::vector<std::string> bound_;
};

void reads_back_and_keeps_its_word() {
  const World& world = scatter_world();
  const std::string text = Draw().truth(*rc::gen::inRange(0, 4));
  RC_LOG() << text;
  const auto parsed = parse_expression({"f", {1, 1}, text}, world.scope, truth);
  RC_PRE(static_cast<bool>(parsed));  // a few are refused: an empty chain of types, a dimension beyond 8
  const std::string printed = print((*parsed)->root());
  const auto again = parse_expression({"f", {1, 1}, printed}, world.scope, truth);
  RC_ASSERT(static_cast<bool>(again));
  RC_ASSERT(print((*again)->root()) == printed);
  RC_ASSERT(!in_words(**parsed).empty());
  bool holds = false;
  try {
    holds = evaluate_bool(**parsed, world.frame);
  } catch (const NotEvaluable&) {
    RC_ASSERT_THROWS_AS(evaluate_bool(**again, world.frame), NotEvaluable);
    return;
  }
  RC_ASSERT(evaluate_bool(**again, world.frame) == holds);
  if (holds)
    RC_ASSERT((*parsed)->constancy() != Constancy::always_false);
  else
    RC_ASSERT((*parsed)->constancy() != Constancy::always_true);
  if (!holds) RC_ASSERT(!explain_false(**parsed, world.frame, world.scope).empty());
}

TEST(EveryExpression, ReadsBackAsItIsPrintedAndKeepsItsWord) {
  EXPECT_TRUE(rc::check(reads_back_and_keeps_its_word));
}

void places_are_known(const Errors& errors) {
  RC_ASSERT(!errors.empty());
  for (const Error& error : errors)
    RC_ASSERT(error.at.line >= 1 && error.at.column >= 1 && !error.what.empty());
}

void is_read_or_refused() {
  const World& world = scatter_world();
  const std::vector<std::string> tokens = {
      "self", "index", "axis",   "rank", "size",    "(",        ")",         "[",     "]",
      ",",    ":",     "=",      "==",   "<",       "<=",       "+",         "-",     "*",
      "++",   "with",  "all",    "any",  "unique",  "in",       "where",     "if",    "then",
      "else", "and",   "not",    "or",   "implies", "1",        "2.5",       "\"a\"", "'",
      ".",    "np",    ".shape", "for",  "idx",     "np.copy(", "+=",        "#",     "\n",
      "  ",   "<-",    "out",    "def",  "return",  "range",    "positions", "f32",   "\xff"};
  std::string text;
  for (int i = *rc::gen::inRange(0, 30); i > 0; --i) text += *rc::gen::elementOf(tokens) + " ";
  const Text source{"f", {1, 1}, text};
  if (const auto read = parse_expression(source, world.scope, any_types); !read)
    places_are_known(read.errors());
  if (const auto read = parse_write(source, world.scope); !read) places_are_known(read.errors());
  if (const auto read = parse_program(source, {}, world.scope); !read) places_are_known(read.errors());
}

TEST(EveryText, IsReadOrRefusedAndNothingElse) { EXPECT_TRUE(rc::check(is_read_or_refused)); }

}  // namespace
}  // namespace scatterproof::spec::language
