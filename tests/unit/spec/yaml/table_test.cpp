// SPDX-License-Identifier: Apache-2.0
// Files with a table `apis:`: what each row makes of them, and what is refused where.
#include "scatterproof/spec/yaml/table.hpp"

#include <gmock/gmock.h>

namespace scatterproof::spec::yaml {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Document document(const std::string& text) {
  auto read = read_text("t.yaml", text);
  if (!read) throw std::logic_error(to_string(read.errors()));
  return std::move(read).value();
}

/// A value as flow text without quotes.
std::string words(const Node& node) {
  std::string text;
  for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + words(item);
  for (const Member& member : node.members)
    text += (text.empty() ? "" : ", ") + member.first + ": " + words(member.second);
  if (node.kind == Node::Kind::list) return "[" + text + "]";
  return node.kind == Node::Kind::map ? "{" + text + "}" : node.text;
}

std::vector<std::string> rows(const std::string& text, const TableLimits& limits = {}) {
  const auto made = rows_of(document(text), nullptr, limits);
  if (!made) throw std::logic_error(to_string(made.errors()));
  std::vector<std::string> all;
  for (const TableRow& row : *made) all.push_back(words(row.document.root));
  return all;
}

/// Each as `line:column: what (hint)`.
std::vector<std::string> complaints(const std::string& text, const TableLimits& limits = {}) {
  const auto made = rows_of(document(text), nullptr, limits);
  std::vector<std::string> lines;
  if (made) return lines;
  for (const Error& error : made.errors())
    lines.push_back(std::to_string(error.at.line) + ":" + std::to_string(error.at.column) + ": " +
                    error.what + (error.hint.empty() ? "" : " (" + error.hint + ")"));
  return lines;
}

TEST(Table, AFileWithoutOneIsItself) {
  EXPECT_THAT(rows("api: x\na: ${b}\n"), ElementsAre("{api: x, a: ${b}}"));
}

TEST(Table, ColumnsFillTexts) {
  EXPECT_THAT(rows("apis: {x: {a: 1, b: two}, y: {a: 3, b: four}}\nc: ${a}\nd: is ${b}, ${a} and ${api}\n"),
              ElementsAre("{api: x, c: 1, d: is two, 1 and x}", "{api: y, c: 3, d: is four, 3 and y}"));
}

TEST(Table, AWholeValueKeepsItsKindAndItsPlace) {
  const auto made = rows_of(document("apis: {x: {a: [7]}, y: {a: 2}}\nb: ${a}\n"));
  ASSERT_TRUE(made);
  const Node& list = *made->front().document.root.find("b");
  EXPECT_EQ(list.kind, Node::Kind::list);
  EXPECT_EQ(list.at, (Position{1, 15}));
  EXPECT_EQ(made->back().document.root.find("b")->kind, Node::Kind::integer);
  EXPECT_EQ(made->back().at, (Position{1, 21}));
}

TEST(Table, WhatARowLeavesOutIsLeftOut) {
  EXPECT_THAT(rows("apis: {x: {a: 1}, y: {}}\nb: ${a}\nc: [0, \"${a}\"]\n"),
              ElementsAre("{api: x, b: 1, c: [0, 1]}", "{api: y, c: [0]}"));
}

TEST(Table, AListInAListGivesItsItems) {
  EXPECT_THAT(rows("apis: {x: {a: [1, [2]]}}\nb: [0, \"${a}\"]\n"), ElementsAre("{api: x, b: [0, 1, [2]]}"));
}

TEST(Table, AColumnChooses) {
  const std::string text =
      "apis: {x: {a: max}, y: {a: sum}, z: {}}\n"
      "b: {\"${a}\": {max: [1], else: 2}}\n"
      "c: [{\"${a}\": {max: {d: \"${api}\"}}}]\n";
  EXPECT_THAT(rows(text),
              ElementsAre("{api: x, b: [1], c: [{d: x}]}", "{api: y, b: 2, c: []}", "{api: z, b: 2, c: []}"));
}

TEST(Table, ColumnsAreMadeOfOthers) {
  EXPECT_THAT(rows("apis: {x: {a: max}, y: {a: min}}\n"
                   "columns: {b: {\"${a}\": {max: 1, else: 101}}, c: \"${b}0\"}\n"
                   "d: ${c}\n"),
              ElementsAre("{api: x, d: 10}", "{api: y, d: 1010}"));
}

TEST(Table, AListOfNamesHasNoColumns) {
  EXPECT_THAT(rows("apis: [x, y]\na: {\"${api}\": {x: 1}}\n"), ElementsAre("{api: x, a: 1}", "{api: y}"));
}

TEST(Table, MistakesAreReportedOnceAtTheirPlace) {
  EXPECT_THAT(complaints("apis: {x: {a1: 1}, y: {a1: 2}}\nb: ${a2}\nc: ${a1}\n"),
              ElementsAre("2:4: the table has no column 'a2' (did you mean 'a1'?)"));
  EXPECT_THAT(complaints("apis: {x: {a: 1, b: 2}}\nc: ${b}\n"),
              ElementsAre("1:12: nothing in the file names the column 'a'"));
  EXPECT_THAT(complaints("apis: {x: {a: 1}, y: {}}\nb: is ${a}\n"),
              ElementsAre("1:19: the row of y has no 'a' (the text at line 2 needs it)"));
  EXPECT_THAT(complaints("apis: {x: {a: [1]}}\nb: is ${a}\n"),
              ElementsAre("1:15: column 'a' stands inside a text: its value must be one word or number"));
  EXPECT_THAT(complaints("apis: {x: {a: max}}\nb: {\"${a}\": {mix: 1}}\n"),
              ElementsAre("2:14: no row has 'mix' in column 'a' (did you mean 'max'?)"));
  EXPECT_THAT(complaints("apis: {x: {a: max}}\nb: {\"${a}\": [1]}\n"),
              ElementsAre("2:13: below ${a} stands a value for each of its words"));
  EXPECT_THAT(complaints("apis: {x: {a: max}}\nb: {\"${a}\": 1, c: 2}\nd: ${a}\n"),
              ElementsAre(HasSubstr("2:5: a key with a ${column} stands alone in its map")));
  EXPECT_THAT(complaints("apis: {x: {a: \"${api}\"}}\nb: ${a}\n"),
              ElementsAre(HasSubstr("1:15: a value of the table is taken as it is")));
  EXPECT_THAT(complaints("apis: [x, x]\na: 1\n"), ElementsAre("1:11: 'x' is already in the list"));
  EXPECT_THAT(complaints("apis: [x]\na: is ${api\n"), ElementsAre("2:4: a '${' has no matching '}'"));
  EXPECT_THAT(complaints("apis: {x: {a: 1}}\ncolumns: {a: 2}\nb: ${a}\n"),
              ElementsAre("2:11: the table has a column 'a' already"));
  EXPECT_THAT(complaints("apis: [x]\napi: x\n"), ElementsAre(HasSubstr("a file that has a table")));
  EXPECT_THAT(complaints("apis: some-file\na: 1\n"), ElementsAre(HasSubstr("only a case file")));
  EXPECT_THAT(complaints("apis: {x: 1}\na: 1\n"), ElementsAre(HasSubstr("1:11:")));
}

TEST(Table, ATableMakesNoMoreThanIsAllowed) {
  const std::string text =
      "apis: {x: {a: [1, 2, 3]}, y: {a: [4, 5, 6]}}\nb: [\"${a}\", \"${a}\", \"${a}\"]\n";
  EXPECT_THAT(complaints(text), IsEmpty());
  EXPECT_THAT(complaints(text, {.values = 20, .bytes = 1000}),
              ElementsAre("1:8: what all rows make of this file is too large (split the file)"));
  EXPECT_THAT(complaints(text, {.values = 1000, .bytes = 20}),
              ElementsAre("1:8: what all rows make of this file is too large (split the file)"));
}

TEST(Table, AnErrorOfSomeRowsNamesThem) {
  const auto made = rows_of(document("apis: {x: {a: 1}, y: {a: 2}}\nb: ${a}\n"));
  ASSERT_TRUE(made);
  const Error everywhere{.file = "t.yaml", .at = {2, 1}, .what = "wrong"};
  const Error once{.file = "t.yaml", .at = {2, 4}, .what = "odd"};
  const Errors joined = join_errors(*made, {{everywhere}, {everywhere, once}});
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_EQ(joined[0].what, "wrong");
  EXPECT_EQ(joined[1].what, "odd (in the row of y, line 1)");
}

}  // namespace
}  // namespace scatterproof::spec::yaml
