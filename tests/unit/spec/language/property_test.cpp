// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every expression: printing and reading are inverse, what is known beforehand comes true,
// and whatever is false can be explained. Random texts never do more than be refused.
#include <rapidcheck.h>

#include "draw.hpp"
#include "scatterproof/spec/language/ast.hpp"
#include "support.hpp"

namespace scatterproof::spec::language {
namespace {

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
      "self",   "index", "axis",      "rank", "size", "(",     ")",  "[",    "]",    ",",
      ":",      "=",     "==",        "<",    "<=",   "+",     "-",  "*",    "++",   "with",
      "all",    "any",   "unique",    "each", "in",   "where", "if", "then", "else", "and",
      "not",    "or",    "implies",   "1",    "2.5",  "\"a\"", "'",  ".",    "np",   ".shape",
      "for",    "idx",   "np.copy(",  "+=",   "#",    "\n",    "  ", "<-",   "out",  "def",
      "return", "range", "positions", "f32",  "\xff"};
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
