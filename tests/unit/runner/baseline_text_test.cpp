// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline_text.hpp"

#include <gtest/gtest.h>

namespace scatterproof::runner {
namespace {

const std::string two_entries =
    "# Ours.\n"
    "baseline:\n"
    "    # the first\n"
    "    -   case: a/doc/*   # a comment inside\n"
    "        engine: torch\n"
    "        verdict: mismatch\n"
    "        reason: |\n"
    "          of several\n"
    "          lines\n"
    "        since: 2026-01-01\n"
    "\n"
    "    # the second\n"
    "    - {case: b, engine: torch, verdict: [crash, timeout], reason: r, since: 2026-01-02}\n"
    "# the end\n";

BaselineEntry entry() {
  BaselineEntry entry;
  entry.cases = {{.glob = "torch.gather/rule/R/*"}};
  entry.engine_glob = "cmd:./it's \"mine\"";
  entry.verdicts = {spec::Verdict::missing_error};
  entry.diagnosis_globs = {"no_refusal/result"};
  entry.reason = "?";
  entry.since = "2026-01-31";
  return entry;
}

std::string added(const std::string& text, const std::vector<BaselineEntry>& entries) {
  const auto made = with_entries("ci.yaml", text, entries);
  EXPECT_TRUE(made) << spec::to_string(made.errors());
  return made ? *made : "";
}

std::string removed(const std::string& text, const std::set<int>& lines) {
  const auto made = without_entries("ci.yaml", text, lines);
  EXPECT_TRUE(made) << spec::to_string(made.errors());
  return made ? *made : "";
}

TEST(BaselineText, GrowsAtItsEndAndKeepsTheRestAsItWas) {
  EXPECT_EQ(added(two_entries, {entry()}), two_entries +
                                               "    - case: \"torch.gather/rule/R/*\"\n"
                                               "      engine: \"cmd:./it's \\\"mine\\\"\"\n"
                                               "      verdict: missing_error\n"
                                               "      diagnosis: \"no_refusal/result\"\n"
                                               "      reason: \"?\"\n"
                                               "      since: 2026-01-31\n");
}

TEST(BaselineText, HasTheCallOfAnEntry) {
  BaselineEntry narrow = entry();
  narrow.call_glob = "*=f64[*";
  EXPECT_NE(added("", {narrow}).find("\n    call: \"*=f64[*\"\n"), std::string::npos);
}

TEST(BaselineText, BeginsWhereThereWasNone) {
  const std::string fresh = added("", {entry()});
  EXPECT_TRUE(fresh.starts_with("# Expected failures.\nbaseline:\n  - case: ")) << fresh;
  const std::string continued = added("baseline: [ ]  # none yet\n", {entry()});
  EXPECT_TRUE(continued.starts_with("baseline:   # none yet\n  - case: ")) << continued;
}

TEST(BaselineText, ALastLineWithoutANewlineStaysALine) {
  const std::string open = two_entries.substr(0, two_entries.size() - 1);
  EXPECT_EQ(added(open, {entry()}), added(two_entries, {entry()}));
}

TEST(BaselineText, LosesEntriesAndKeepsTheCommentsBetweenThem) {
  EXPECT_EQ(removed(two_entries, {4}),
            "# Ours.\n"
            "baseline:\n"
            "    # the first\n"
            "\n"
            "    # the second\n"
            "    - {case: b, engine: torch, verdict: [crash, timeout], reason: r, since: 2026-01-02}\n"
            "# the end\n");
  EXPECT_EQ(removed(two_entries, {13}),
            two_entries.substr(0, two_entries.find("    - {case")) + "# the end\n");
  EXPECT_EQ(removed(two_entries, {4, 13}),
            "# Ours.\nbaseline: []\n    # the first\n\n    # the second\n# the end\n");
}

TEST(BaselineText, WritesAListOfCasesAndLosesOneOfThem) {
  BaselineEntry several = entry();
  several.cases = {{.glob = "a/*"}, {.glob = "b"}};
  several.operation_glob = "scatter_nd";
  several.message_glob = "at [*]";
  const std::string text = added("", {several});
  EXPECT_NE(text.find("  - case:\n      - \"a/*\"\n      - b\n    operation: scatter_nd\n    engine: "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    message: \"at [*]\"\n    reason: "), std::string::npos) << text;
  std::string without_first = text;
  without_first.erase(text.find("      - \"a/*\"\n"), std::string("      - \"a/*\"\n").size());
  EXPECT_EQ(removed(text, {4}), without_first);
}

TEST(BaselineText, WhatWasRemovedCanComeAgain) {
  const std::string empty = removed(two_entries, {4, 13});
  EXPECT_NE(added(empty, {entry()}).find("\n  - case: \"torch.gather"), std::string::npos);
}

TEST(BaselineText, RefusesWhatItCannotEdit) {
  const std::string brackets =
      "baseline: [{case: b, engine: t, verdict: crash, reason: r, since: 2026-01-02}]\n";
  for (const std::string& text : {brackets, two_entries + "...\n", std::string("baseline:\n  - {}\n")}) {
    const auto made = with_entries("ci.yaml", text, {entry()});
    ASSERT_FALSE(made) << *made;
    EXPECT_EQ(made.errors().front().file, "ci.yaml");
  }
  EXPECT_EQ(with_entries("ci.yaml", brackets, {entry()}).errors().front().what,
            "the list is written in brackets");
}

}  // namespace
}  // namespace scatterproof::runner
