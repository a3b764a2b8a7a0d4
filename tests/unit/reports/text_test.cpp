// SPDX-License-Identifier: Apache-2.0
// Strings from anywhere made fit for a person.
#include "text.hpp"

#include <gtest/gtest.h>

namespace scatterproof::reports {
namespace {

TEST(Printable, KeepsText) {
  EXPECT_EQ(printable("plain\ttext\nin lines"), "plain\ttext\nin lines");
  EXPECT_EQ(printable("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"), "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
}

TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(printable(std::string_view("\0\x1b[31m\r\x7f", 8)), "\\x00\\x1b[31m\\x0d\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u009b");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");
  EXPECT_EQ(printable("\xef\xbf\xbe\xf0\x9f\xbf\xbf"), "\\ufffe\\u1ffff");
}

TEST(Printable, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\xff"
                      "b\xc3"),
            "a\\xffb\\xc3");
  EXPECT_EQ(printable("\x80"), "\\x80");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");                    // overlong
  EXPECT_EQ(printable("\xe0\x80\x80"), "\\xe0\\x80\\x80");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last code point
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");                    // cut off
}

TEST(Printable, LeavesNothingThatIsNotSeen) {
  EXPECT_EQ(printable("\xd8\x9c\xe2\x80\x8b\xe2\x80\x8f\xe2\x81\xa0\xef\xbb\xbf\xf3\xa0\x81\x81"),
            "\\u061c\\u200b\\u200f\\u2060\\ufeff\\ue0041");
}

TEST(Printable, LeavesNoCommandToACiSystem) {
  EXPECT_EQ(printable("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(printable("a\n \t::set-output name=a::b"), "a\n \t\\x3a:set-output name=a::b");
  EXPECT_EQ(printable("a ##[error]x ##vso[b] ##teamcity[c]"),
            "a \\x23#[error]x \\x23#vso[b] \\x23#teamcity[c]");
  EXPECT_EQ(printable("x[::2] std::vector :: ## Heading [link] ###"),
            "x[::2] std::vector :: ## Heading [link] ###");
}

TEST(OneLine, HasNoLineBreakAndNoTab) { EXPECT_EQ(one_line("a\n\tb\r\n::c"), "a\\n\\tb\\x0d\\n\\x3a:c"); }

TEST(Hanging, IndentsWhatFollowsTheFirstLine) {
  EXPECT_EQ(spec::hanging("error: a\nSummary: b\n", 2), "error: a\n  Summary: b\n  ");
}

TEST(Capped, CutsBetweenCharacters) {
  EXPECT_EQ(capped("abc", 3), "abc");
  EXPECT_EQ(capped("abcd", 3), "abc... (1 more bytes)");
  EXPECT_EQ(capped("ab\xe2\x82\xac!", 4), "ab... (4 more bytes)");
}

TEST(Shortened, CutsColumnsBetweenCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4), "\xc3\xa9...");
}

TEST(WidthOf, CountsCodePoints) {
  EXPECT_EQ(width_of(""), 0U);
  EXPECT_EQ(width_of("12 \xc2\xb7 1"), 6U);
}

TEST(Wrapped, BreaksAtSpacesAndKeepsLines) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("one two three", 8), (Lines{"one two", "three"}));
  EXPECT_EQ(wrapped("a\n\n  b c", 80), (Lines{"a", "", "  b c"}));
  EXPECT_EQ(wrapped("unbreakable", 4), (Lines{"unbreakable"}));
  EXPECT_EQ(wrapped("", 4), (Lines{""}));
}

TEST(StandingOf, ABaselineEntryOutweighsTheVerdict) {
  spec::Record record;
  record.verdict = spec::Verdict::mismatch;
  record.disposition = spec::Disposition::known;
  EXPECT_EQ(standing(record), Standing::known);
  record.disposition = spec::Disposition::unexpected;
  EXPECT_EQ(standing(record), Standing::failed);
  record.disposition = spec::Disposition::as_expected;
  EXPECT_EQ(standing(record), Standing::failed);  // never silently good
  record.verdict = spec::Verdict::weak;
  EXPECT_EQ(standing(record), Standing::weak);
}

TEST(Cause, IsTheFirstLineOrTheVerdictsMeaning) {
  spec::Record record;
  record.verdict = spec::Verdict::crash;
  EXPECT_EQ(cause(record), "the engine's process died");
  record.explanation = "signal 11\nmore";
  EXPECT_EQ(cause(record), "signal 11");
}

}  // namespace
}  // namespace scatterproof::reports
