// SPDX-License-Identifier: Apache-2.0
// The figures that head a report: calls that could not be judged are not counted as judged.
#include "scatterproof/reports/counts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hostile.hpp"

namespace scatterproof::reports {
namespace {

TEST(Headline, CountsAsJudgedWhereTheOracleTookASide) {
  using enum spec::Verdict;
  using enum spec::Disposition;
  CallCounts counts;
  counts.add(pass, as_expected, 400);
  counts.add(weak, as_expected, 5);
  for (const spec::Verdict verdict : {mismatch, wrong_error, missing_error, unexpected_error, crash, timeout})
    counts.add(verdict, unexpected, 2);
  counts.add(open, as_expected, 2000);
  counts.add(unsupported, as_expected, 233);
  EXPECT_EQ(headline(counts), "417 calls judged, of them 12 failed; not judged: 2000 open, 233 unsupported");
  counts.add(infra, unexpected, 1);
  counts.add(disputed, unexpected, 1);
  EXPECT_EQ(
      headline(counts),
      "417 calls judged, of them 12 failed; not judged: 2000 open, 233 unsupported, 1 infra, 1 disputed");
  EXPECT_EQ(counts.all(), 417U + 2000 + 233 + 2);
}

TEST(Headline, SaysWhichFailuresAreExcused) {
  using enum spec::Verdict;
  using enum spec::Disposition;
  CallCounts counts;
  counts.add(pass, as_expected, 3);
  counts.add(mismatch, known, 4);
  counts.add(crash, flaky, 1);
  counts.add(crash, expired, 1);
  EXPECT_EQ(headline(counts), "9 calls judged, of them 6 failed (4 known, 1 flaky)");
}

TEST(Headline, LeavesOutWhatThereIsNotAndSaysWhatIsMissing) {
  using enum spec::Verdict;
  using enum spec::Disposition;
  CallCounts counts;
  EXPECT_EQ(headline(counts), "0 calls judged");
  EXPECT_EQ(headline(counts, 0), "0 calls judged");
  EXPECT_EQ(headline(counts, 25), "0 of 25 calls done: 0 calls judged");
  counts.add(open, as_expected, 2);
  EXPECT_EQ(headline(counts), "0 calls judged; not judged: 2 open");
  counts.add(pass, as_expected, 1);
  EXPECT_EQ(headline(counts, 25), "3 of 25 calls done: 1 call judged, of them 0 failed; not judged: 2 open");
  EXPECT_EQ(headline(counts, 3), "1 call judged, of them 0 failed; not judged: 2 open");
  counts.add(disputed, unexpected, 1);  // one record for the calls of all engines
  EXPECT_EQ(headline(counts, 25), "1 call judged, of them 0 failed; not judged: 2 open, 1 disputed");
}

spec::Record calls_that_are(spec::Verdict verdict, std::uint64_t count) {
  spec::Record record;
  record.id = "api/fuzz/valid";
  record.api = "api";
  record.engine = "engine";
  record.verdict = verdict;
  record.disposition = spec::Disposition::as_expected;
  record.count = count;
  return record;
}

/// Calls of `fuzz`: a record stands for many.
TEST(Headline, IsTheSameInEveryReport) {
  using enum spec::Verdict;
  spec::Run run = large_run(0, 0);
  run.header.planned = 0;
  run.records = {calls_that_are(pass, 417), calls_that_are(open, 2000), calls_that_are(unsupported, 233)};
  const std::string said = "417 calls judged, of them 0 failed; not judged: 2000 open, 233 unsupported";
  for (const char* kind : {"console", "markdown", "html", "junit", "tap", "ctrf"}) {
    const std::string text = rendered_as(kind, run);
    EXPECT_NE(text.find(said), std::string::npos) << kind << '\n' << text.substr(0, 2000);
    EXPECT_EQ(text.find("2650"), std::string::npos) << kind;
  }
  run.header.planned = 9000;
  run.trailer.reset();
  for (const char* kind : {"console", "markdown", "html", "github", "junit", "tap", "ctrf"})
    EXPECT_NE(rendered_as(kind, run).find("2650 of 9000 calls done: " + said), std::string::npos) << kind;
}

TEST(Headline, ARunInWhichNothingCouldBeJudgedIsNoGoodOne) {
  using enum spec::Verdict;
  spec::Run run = large_run(0, 0);
  run.header.planned = 0;
  run.records = {calls_that_are(open, 2000)};
  EXPECT_NE(rendered_as("html", run).find("Not clear"), std::string::npos);
  run.records.push_back(calls_that_are(pass, 1));
  EXPECT_EQ(rendered_as("html", run).find("Not clear"), std::string::npos);
}

}  // namespace
}  // namespace scatterproof::reports
