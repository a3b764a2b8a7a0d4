// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::spec::yaml {
namespace {

using Kind = Node::Kind;

Node value_of(const std::string& written) {
  const Result<Document> document = read_text("t.yaml", "[" + written + "]\n");
  EXPECT_TRUE(document) << written << ": " << (document ? "" : to_string(document.errors()));
  return document ? document->root.items.at(0) : Node{};
}

Errors errors_of(const std::string& text, const TextLimits& limits = {}) {
  const Result<Document> document = read_text("t.yaml", text, limits);
  return document ? Errors{} : document.errors();
}

TEST(CoreTypes, Integers) {
  const std::pair<const char*, std::int64_t> known[] = {
      {"0", 0},
      {"-0", 0},
      {"007", 7},
      {"+12", 12},
      {"-12", -12},
      {"0x1F", 31},
      {"0xff", 255},
      {"-0x10", -16},
      {"0o17", 15},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
      {"0x7fffffffffffffff", std::numeric_limits<std::int64_t>::max()},
      {"9007199254740993", 9007199254740993}};  // no double has this value
  for (const auto& [written, value] : known) {
    const Node node = value_of(written);
    EXPECT_EQ(node.kind, Kind::integer) << written;
    EXPECT_EQ(node.number.integer(), value) << written;
    EXPECT_EQ(node.text, written);
  }
}

TEST(CoreTypes, Reals) {
  const std::pair<const char*, double> known[] = {
      {"1e3", 1000},
      {"1.", 1},
      {".5", 0.5},
      {"-.5", -0.5},
      {"+1.5E-3", 0.0015},
      {"0.1", 0.1},
      {"12e03", 12000},
      {"0x1.8p3", 12},
      {"-0x1p-2", -0.25},
      {"0x.8p1", 1},
      {"0x1.8", 1.5},
      {"4.9e-324", 4.9e-324},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"0x1p-1074", 4.9e-324},
      {"inf", HUGE_VAL},
      {"+inf", HUGE_VAL},
      {".inf", HUGE_VAL},
      {".Inf", HUGE_VAL},
      {"-inf", -HUGE_VAL},
      {"-.INF", -HUGE_VAL}};
  for (const auto& [written, value] : known) {
    const Node node = value_of(written);
    EXPECT_EQ(node.kind, Kind::real) << written;
    EXPECT_EQ(node.number.real(), value) << written;
  }
  for (const char* written : {"nan", ".nan", ".NaN", ".NAN"}) {
    const Node node = value_of(written);
    EXPECT_EQ(node.kind, Kind::real) << written;
    EXPECT_TRUE(std::isnan(node.number.real())) << written;
    EXPECT_FALSE(std::signbit(node.number.real())) << written;
    const Node negative = value_of(std::string("-") + written);
    EXPECT_TRUE(std::isnan(negative.number.real()) && std::signbit(negative.number.real())) << written;
  }
  EXPECT_TRUE(std::signbit(value_of("-0.0").number.real()));
  EXPECT_FALSE(std::signbit(value_of("0.0").number.real()));
}

RC_GTEST_PROP(CoreTypes, EveryIntegerComesBackExactly, (std::int64_t value)) {
  const auto magnitude =
      value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  char octal[40], hexadecimal[40];
  std::snprintf(octal, sizeof octal, "%s0o%llo", value < 0 ? "-" : "",
                static_cast<unsigned long long>(magnitude));
  std::snprintf(hexadecimal, sizeof hexadecimal, "%s0x%llx", value < 0 ? "-" : "",
                static_cast<unsigned long long>(magnitude));
  for (const std::string& written : {std::to_string(value), std::string(octal), std::string(hexadecimal)}) {
    const Node node = value_of(written);
    RC_ASSERT(node.kind == Kind::integer);
    RC_ASSERT(node.number.integer() == value);
  }
}

RC_GTEST_PROP(CoreTypes, EveryFloatComesBackExactly, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  for (const char* format : {"%.17e", "%.13a"}) {
    char written[60];
    std::snprintf(written, sizeof written, format, value);
    const Node node = value_of(written);
    RC_ASSERT(node.kind == Kind::real);
    RC_ASSERT(std::bit_cast<std::uint64_t>(node.number.real()) == bits);
  }
}

TEST(CoreTypes, WordsThatAreNoNumbers) {
  for (const char* written :
       {"yes", "no",   "on",    "off",   "y",     "Yes", "tRUE",       "nULL", "NaN",
        "Inf", "+nan", "1_000", "0b1",   "0x",    "0o8", "1e",         "e3",   ".",
        "-",   "+",    "0x1p",  "1.2.3", "1e1.5", "12a", "2026-11-21", "1:30", "a>=2.0"}) {
    const Node node = value_of(written);
    EXPECT_EQ(node.kind, Kind::string) << written;
    EXPECT_EQ(node.text, written);
  }
}

TEST(CoreTypes, NothingAndTruth) {
  for (const char* written : {"~", "null", "Null", "NULL"}) {
    EXPECT_EQ(value_of(written).kind, Kind::null) << written;
    EXPECT_EQ(value_of(written).text, written);
  }
  for (const char* written : {"true", "True", "TRUE"}) {
    EXPECT_EQ(value_of(written).kind, Kind::boolean);
    EXPECT_EQ(value_of(written).number.integer(), 1) << written;
  }
  for (const char* written : {"false", "False", "FALSE"}) {
    EXPECT_EQ(value_of(written).kind, Kind::boolean);
    EXPECT_EQ(value_of(written).number.integer(), 0) << written;
  }
}

TEST(CoreTypes, QuotedAndBlockTextsAreStrings) {
  const Result<Document> document =
      read_text("t.yaml", "a: \"1\"\nb: '~'\nc: |\n  1\nd: >-\n  true\ne: \"\"\n");
  ASSERT_TRUE(document);
  for (const auto& [key, node] : document->root.members) EXPECT_EQ(node.kind, Kind::string) << key;
  EXPECT_EQ(document->root.find("c")->text, "1\n");
  EXPECT_EQ(document->root.find("d")->text, "true");
}

TEST(Positions, OfKeysAndValues) {
  const Result<Document> document = read_text("t.yaml",
                                              "# comment\n"
                                              "a: 1\n"
                                              "empty:\n"
                                              "block: |\n"
                                              "  text\n"
                                              "flow: [\"\xC3\xA9\", {x: 1,\n"
                                              "   \"y\": 2}]\n"
                                              "list:\n"
                                              "  - 1\n"
                                              "  -\n"
                                              "  - - 3\n"
                                              "last: ~\n");
  ASSERT_TRUE(document) << to_string(document.errors());
  const Node& root = document->root;
  const auto key = [](const Node& map, std::size_t i) { return map.key_positions.at(i); };
  EXPECT_EQ(root.at, (Position{2, 1}));
  EXPECT_EQ(root.find("a")->at, (Position{2, 4}));
  EXPECT_EQ(root.find("empty")->at, (Position{3, 1})) << "a value that is not there is at its key";
  EXPECT_EQ(root.find("block")->at, (Position{4, 8}));
  const Node& flow = *root.find("flow");
  EXPECT_EQ(flow.at, (Position{6, 7}));
  EXPECT_EQ(flow.items[0].at, (Position{6, 8}));
  EXPECT_EQ(flow.items[1].at, (Position{6, 14})) << "columns count bytes: e acute is two";
  EXPECT_EQ(key(flow.items[1], 1), (Position{7, 4}));
  EXPECT_EQ(flow.items[1].find("y")->at, (Position{7, 9}));
  const Node& list = *root.find("list");
  EXPECT_EQ(list.at, (Position{9, 3}));
  EXPECT_EQ(list.items[0].at, (Position{9, 5}));
  EXPECT_EQ(list.items[1].at, (Position{10, 3})) << "an item that is not there is at its dash";
  EXPECT_EQ(list.items[2].items[0].at, (Position{11, 7}));
  EXPECT_EQ(key(root, 5), (Position{12, 1}));
  EXPECT_EQ(root.find("last")->at, (Position{12, 7}));
}

TEST(Positions, ByteOrderMarkAndCarriageReturnsDoNotCount) {
  const Result<Document> document = read_text("t.yaml",
                                              "\xEF\xBB\xBF"
                                              "a: 1\r\nb:\r\n  c: x\r\n");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->root.find("a")->at, (Position{1, 4}));
  EXPECT_EQ(document->root.find("b")->find("c")->at, (Position{3, 6}));
  EXPECT_EQ(document->root.find("b")->find("c")->text, "x");
  EXPECT_EQ(document->error({3, 6}, "w").source_line, "  c: x");
  EXPECT_EQ(document->error({1, 1}, "w").source_line, "a: 1");
  EXPECT_EQ(document->error({9, 1}, "w").source_line, "");
}

TEST(Reader, KeepsTheOrderAndKeysAreTexts) {
  const Result<Document> document = read_text("t.yaml", "z: 1\n1: 2\ntrue: 3\n\"a b\": 4\n");
  ASSERT_TRUE(document);
  std::vector<std::string> keys;
  for (const auto& member : document->root.members) keys.push_back(member.first);
  EXPECT_EQ(keys, (std::vector<std::string>{"z", "1", "true", "a b"}));
  EXPECT_EQ(document->root.find("none"), nullptr);
}

TEST(Reader, OneDocumentMayHaveItsMarkers) {
  const Result<Document> document = read_text("t.yaml", "# c\n---\na: 1\n...\n# end\n");
  ASSERT_TRUE(document) << to_string(document.errors());
  EXPECT_EQ(document->root.find("a")->number.integer(), 1);
}

TEST(Reader, TellsAllErrorsOfOneFile) {
  const Errors errors = errors_of("a: 1\na: 99999999999999999999\nb: &x 1\nc: {d: 1, d: 2}\n");
  ASSERT_EQ(errors.size(), 4u) << to_string(errors);
  EXPECT_EQ(errors[0].at, (Position{2, 1}));
  EXPECT_EQ(errors[0].hint, "it was first given at line 1, column 1");
  EXPECT_EQ(errors[0].source_line, "a: 99999999999999999999");
  EXPECT_EQ(errors[1].at, (Position{2, 4}));
  EXPECT_EQ(errors[2].at, (Position{3, 4}));
  EXPECT_EQ(errors[3].at, (Position{4, 11}));
  EXPECT_EQ(errors[3].file, "t.yaml");
}

/// Each limit lets its own size pass and refuses one more.
struct Edge {
  const char* words;
  TextLimits limits;
  std::string fits;
  std::string too_much;
};

TEST(Reader, LimitsAreExact) {
  TextLimits small;
  small.file_bytes = 100;
  small.depth = 3;
  small.scalars = 5;
  small.scalar_bytes = 10;
  small.keys_per_map = 2;
  small.key_bytes = 4;
  const std::vector<Edge> edges = {
      {"more than the 100 allowed", small, "#" + std::string(97, ' ') + "\n1",
       "#" + std::string(98, ' ') + "\n1"},
      {"deeper than 3 levels", small, "[[[1]]]", "[[[[1]]]]"},
      {"more than 5 values", small, "[1, 2, 3, 4, 5]", "[1, 2, 3, 4, 5, 6]"},
      {"more than the 10 allowed", small, "'0123456789'", "'0123456789x'"},
      {"more than 2 keys", small, "{a: 1, b: 2}", "{a: 1, b: 2, c: }"},
      {"more than the 4 allowed", small, "abcd: 1", "abcde: 1"},
      {"more than 20 of the characters", small, "# " + std::string(20, ',') + "\n1",
       "# " + std::string(21, ',') + "\n1"},
  };
  for (const Edge& edge : edges) {
    EXPECT_TRUE(errors_of(edge.fits, edge.limits).empty())
        << edge.words << to_string(errors_of(edge.fits, edge.limits));
    const Errors errors = errors_of(edge.too_much, edge.limits);
    ASSERT_EQ(errors.size(), 1u) << edge.words;
    EXPECT_NE(errors[0].what.find(edge.words), std::string::npos) << errors[0].what;
  }
}

TEST(Reader, MessagesNeverCarryControlBytes) {
  const Errors errors = errors_of("a: 1\n\"x\\u001b[31m\": 1\n\"x\\u001b[31m\": 2\n");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].what, "key 'x\\x1b[31m' is given twice");
}

}  // namespace
}  // namespace scatterproof::spec::yaml
