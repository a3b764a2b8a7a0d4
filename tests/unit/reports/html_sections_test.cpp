// SPDX-License-Identifier: Apache-2.0
// What HTML shows in addition to a run: earlier runs, times, and comparisons. Well-formed whatever the
// strings, and small.
#include <gtest/gtest.h>

#include "hostile.hpp"
#include "parsed_page.hpp"
#include "scatterproof/reports/comparison.hpp"
#include "scatterproof/reports/difference.hpp"
#include "scatterproof/reports/timing.hpp"
#include "timing/made.hpp"

namespace scatterproof::reports {
namespace {

/// Two members that part on one input class, and agree on the rest.
ComparisonPage comparison_of(const std::string& word, std::size_t differences = 1) {
  FamilyPage family{.name = word,
                    .summary = word,
                    .inputs = 3,
                    .members = {{word, word}, {"b.gather", "b@2"}},
                    .classes = {},
                    .differences = {}};
  const PageBehaviour agrees{
      .letter = "=", .name = "as defined", .says = "", .tone = PageBehaviour::Tone::same, .inputs = 2};
  const PageBehaviour counts{
      .letter = "w", .name = word, .says = word, .tone = PageBehaviour::Tone::reads, .inputs = 2};
  const PageBehaviour refuses{
      .letter = "R", .name = "refuses", .says = "", .tone = PageBehaviour::Tone::refuses, .inputs = 1};
  family.classes = {{word, word, {{counts}, {refuses, agrees}}}, {"", "none", {{agrees}, {}}}};
  const PageAnswer first{.member = 0,
                         .does = word,
                         .outcome = word,
                         .document = word,
                         .contradicts = true,
                         .sentence = word,
                         .snippet = word};
  const PageAnswer second{.member = 1,
                          .does = "refuses",
                          .outcome = "E",
                          .document = "documented",
                          .contradicts = false,
                          .sentence = "",
                          .snippet = ""};
  for (std::size_t i = 0; i < differences; ++i)
    family.differences.push_back({.in = word,
                                  .name = word,
                                  .kind = word,
                                  .witness = word,
                                  .caveat = word,
                                  .portable = {word},
                                  .answers = {first, second}});
  return {.tool_version = word, .made = word, .families = {family}};
}

std::string page_of(const ComparisonPage& page) {
  std::ostringstream out;
  write_comparison_page(out, page);
  return out.str();
}

std::string difference_of(const std::string& word) {
  DifferencePage page{
      .tool_version = word, .before = word, .after = word, .summary = word, .note = word, .groups = {}};
  page.groups.push_back({.direction = "worse",
                         .title = word,
                         .before = word,
                         .after = word,
                         .explanation = word,
                         .reproduce = word,
                         .calls = 7,
                         .ids = {word}});
  std::ostringstream out;
  write_difference_page(out, page);
  return out.str();
}

spec::TimingRun hostile_times(const std::string& word) {
  spec::TimingRun run = made::run(
      {made::record("openmp", 1, made::steady(2e-3)), made::record("torch@2.13.0", 1, made::steady(3e-3))});
  run.machine.cpu = run.machine.when = word;
  for (spec::TimingRecord& record : run.records)
    record.row = record.benchmark = record.operation = record.distribution = word;
  run.records.front().engine = word;
  return run;
}

/// Three runs: it failed in none, then in half of the calls, then in all.
Past past_of(const std::string& api, const std::string& engine, const std::string& word) {
  return {.runs = {{"first" + word, "2024-04-01T00:00:00Z", word},
                   {"second" + word, "2024-04-02T00:00:00Z", word},
                   {"third" + word, word, word}},
          .rows = {{{api, engine}, {{0, word, 4, 0}, {1, word, 4, 2}, {2, word, 4, 4}}}}};
}

std::string page_with(const spec::Run& run, const Past& past, const std::vector<spec::TimingRun>& timings) {
  std::ostringstream out;
  const auto reporter = make_reporter("html", out, {});
  reporter->past_known(past);
  for (const spec::TimingRun& one : timings) reporter->timed(one);
  replay(run, *reporter);
  return out.str();
}

TEST(HtmlSections, AreWellFormedWhateverTheBytes) {
  for (const std::string& hostile : hostile_strings()) {
    expect_sound(page_of(comparison_of(hostile)));
    expect_sound(difference_of(hostile));
    expect_sound(
        page_with(hostile_run(hostile), past_of(hostile, hostile, hostile), {hostile_times(hostile)}));
    std::ostringstream out;
    write_timing_page(out, {hostile_times(hostile)}, hostile);
    expect_sound(out.str());
  }
}

TEST(HtmlSections, AComparisonHasLettersThatLeadToDifferences) {
  const std::string html = page_of(comparison_of("gather"));
  EXPECT_NE(
      html.find("<td class=\"reads\" title=\"gather (2 inputs)\"><b>w</b> <a href=\"#gather/1\">1</a></td>"),
      std::string::npos);
  EXPECT_NE(html.find("<td class=\"refuses\" title=\"refuses (1 input), as defined (2 inputs)\"><b>R=</b> <a "
                      "href=\"#gather/1\">1</a></td>"),
            std::string::npos);
  EXPECT_NE(html.find("<td class=\"same\" title=\"as defined (2 inputs)\"><b>=</b></td><td class=\"absent\""),
            std::string::npos)
      << "of another class";
  EXPECT_NE(html.find("<b>Write it portably:</b> gather"), std::string::npos);
}

TEST(HtmlSections, AComparisonStaysSmall) {
  const std::string html = page_of(comparison_of(std::string(5000, 'x'), 3000));
  EXPECT_GT(html.size(), 2000000U) << "the room is used";
  EXPECT_LT(html.size(), 5000000U);
  EXPECT_NE(html.find("Cut to keep the page small: the scripts of"), std::string::npos);
}

TEST(HtmlSections, WhatWasNotSeenAgainIsMarked) {
  ComparisonPage page = comparison_of("gather");
  page.families.front().classes.front().cells.at(1).front().repeated = false;
  page.families.front().differences.front().caveat = "asked again, a member did something else";
  const std::string html = page_of(page);
  EXPECT_NE(html.find("title=\"refuses (1 input; not when asked again), as defined (2 inputs)\"><b>R~=</b>"),
            std::string::npos);
  EXPECT_NE(html.find("The smallest call that shows it (asked again, a member did something else):"),
            std::string::npos);
}

TEST(HtmlSections, ASparklineSaysInWordsWhatItShows) {
  const spec::Run run = large_run(1, 1);
  const std::string html = page_with(run, past_of("api.number0", "alpha@1", ""), {});
  EXPECT_NE(html.find("<title>failures in 2 of 3 runs; 4 of 4 calls in the last</title>"), std::string::npos);
  EXPECT_NE(html.find("Failed calls by run: 2024-04-01: 0 of 4, 2024-04-02: 2 of 4"), std::string::npos);
  EXPECT_NE(html.find("Fails since run <a href=\"#run/second\"><code>second</code></a> of 2024-04-02; did "
                      "not in run <a href=\"#run/first\">"),
            std::string::npos);
  // Whole columns of 22 pixels; half of one; none.
  EXPECT_NE(html.find("class=\"ok\" d=\"M0 0.0h6v22.0h-6zM8 11.0h6v11.0h-6z\""), std::string::npos);
  EXPECT_NE(html.find("class=\"bad\" d=\"M8 0.0h6v11.0h-6zM16 0.0h6v22.0h-6z\""), std::string::npos);
  EXPECT_EQ(page_with(run, {}, {}).find("Earlier runs"), std::string::npos);
}

TEST(HtmlSections, WhatNeverFailedIsCountedAndWhatNoLongerFailsIsSaid) {
  Past past = past_of("api.number0", "alpha@1", "");
  past.rows.begin()->second[2].failures = 0;
  past.rows[{"api.number1", "beta@2"}] = {{2, "1", 1, 0}};
  const std::string html = page_with(large_run(1, 1), past, {});
  EXPECT_NE(html.find("Does not fail since this run; did fail in run <a href=\"#run/second\">"),
            std::string::npos);
  EXPECT_NE(html.find("1 pair of API and engine never failed."), std::string::npos);
  EXPECT_NE(html.find("No failure in 1 run."), std::string::npos);
}

TEST(HtmlSections, TimesAreDrawnWithTheirSpread) {
  std::ostringstream out;
  write_timing_page(out, {made::run({made::record("openmp", 1, made::steady(2e-3))})}, "0.1.0");
  EXPECT_NE(out.str().find("openmp 0.1.0: 2.00 ms / 2.04 ms / 2.07 ms"), std::string::npos);
  EXPECT_NE(out.str().find("gather on openmp: share of the floor"), std::string::npos);
}

}  // namespace
}  // namespace scatterproof::reports
