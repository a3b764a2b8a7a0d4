// SPDX-License-Identifier: Apache-2.0
// The table on a terminal: unsure ratios carry their mark, the width is kept, what is wrong shows no time.
#include <gtest/gtest.h>

#include <sstream>

#include "made.hpp"
#include "scatterproof/reports/timing.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

using made::record;
using made::steady;
using made::unsteady;

std::string printed(const spec::TimingRun& run, const Style& style = {false, 120, 0}) {
  std::ostringstream out;
  print_timing_table(out, style, run);
  return out.str();
}

/// The first line that holds all of it.
std::string line_with(const std::string& text, const std::string& what) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(what) != std::string::npos) return line;
  return "no line has " + what;
}

TEST(TimingTable, ASteadyRatioIsAFactAndAnUnsteadyOneIsMarked) {
  const std::string sure =
      printed(made::run({record("openmp", 1, steady(2e-3)), record("torch@2.13.0", 1, steady(4e-3))}));
  EXPECT_NE(line_with(sure, "    openmp").find(" 2.00x"), std::string::npos) << sure;
  EXPECT_EQ(sure.find('~'), std::string::npos);
  const std::string unsure =
      printed(made::run({record("openmp", 1, steady(2e-3)), record("torch@2.13.0", 1, unsteady(4e-3))}));
  EXPECT_NE(line_with(unsure, "    openmp").find("~2.00x"), std::string::npos) << unsure;
  EXPECT_NE(line_with(unsure, "    openmp").find(" 50 %"), std::string::npos) << "its own share is a fact";
  EXPECT_NE(line_with(unsure, "    torch").find("~17 %"), std::string::npos) << "its spread";
  EXPECT_NE(line_with(unsure, "    torch").find("~25 %"), std::string::npos) << "its share of the floor";
  EXPECT_NE(unsure.find("\n~ not significant: an interquartile range above 10 %"), std::string::npos);
}

TEST(TimingTable, TheLinesBelowExplainWhatIsInIt) {
  const auto key_of = [](const spec::TimingRun& run) {
    const std::string text = printed(run);
    return std::pair(text.find("over the time taken\nvs: times faster") != std::string::npos,
                     text.find("a/b: a by the minimum of the times") != std::string::npos);
  };
  const auto peer = record("torch@2.13.0", 1, steady(4e-3));
  EXPECT_EQ(key_of(made::run({record("openmp", 1, steady(2e-3)), peer})), std::pair(true, false));
  auto lucky = steady(2e-3);
  lucky.front() = 0.5e-3;  // the minimum alone is much faster
  EXPECT_EQ(key_of(made::run({record("openmp", 1, lucky), peer})), std::pair(true, true));
  auto wrong = record("thrust-omp", 2, {});
  wrong.verdict = "mismatch";
  EXPECT_EQ(key_of(made::run({wrong})), std::pair(false, false));
  const std::string alone = printed(made::run({record("openmp", 1, steady(2e-3))}));
  EXPECT_NE(alone.find("\nof floor, of copy: the time that memory needs"), std::string::npos) << alone;
  EXPECT_EQ(alone.find("\nvs"), std::string::npos) << alone;
}

TEST(TimingTable, ColoursOnlyWhereTheStyleHasThem) {
  const auto run = made::run({record("openmp", 1, steady(2e-3)), record("torch@2.13.0", 1, steady(4e-3))});
  EXPECT_EQ(printed(run).find('\x1b'), std::string::npos);
  EXPECT_NE(printed(run, {true, 120, 0}).find("\x1b[32m2.00x\x1b[0m"), std::string::npos);
  const auto unsure =
      made::run({record("openmp", 1, unsteady(1.25e-3)), record("torch@2.13.0", 1, steady(1e-3))});
  const std::string painted = printed(unsure, {true, 120, 0});
  EXPECT_NE(painted.find("\x1b[33m~80 %\x1b[0m"), std::string::npos) << "not green";
  EXPECT_NE(painted.find("\x1b[33m~0.80x\x1b[0m"), std::string::npos) << "not red";
}

TEST(TimingTable, WhatIsWrongShowsItsVerdictAndNoTime) {
  auto wrong = record("thrust-omp", 2, {});
  wrong.verdict = "mismatch";
  wrong.note = "cell [3] is 7\nand more";
  auto declined = record("thrust-tbb", 1, {});
  declined.verdict = "unsupported";
  const std::string text = printed(made::run({record("openmp", 1, steady(2e-3)), wrong, declined}));
  EXPECT_NE(text.find("\n    thrust-omp, 2 threads: mismatch: cell [3] is 7\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n    thrust-tbb, 1 thread: unsupported\n"), std::string::npos) << text;
}

TEST(TimingTable, OfSeveralCallsTheBestIsShown) {
  auto slow = record("torch@2.13.0", 1, steady(9e-3));
  slow.call = "torch.gather";
  const std::string text = printed(made::run({slow, record("torch@2.13.0", 1, steady(4e-3))}));
  EXPECT_NE(text.find("4.00 ms"), std::string::npos);
  EXPECT_EQ(text.find("9.00 ms"), std::string::npos);
}

TEST(TimingTable, KeepsItsWidthAndSaysWhatItLeavesOut) {
  std::vector<spec::TimingRecord> records;
  for (const char* engine :
       {"openmp", "openmp-deterministic", "torch@2.13.0", "onnxruntime@1.31.0", "numpy@2.3.1"})
    for (const int threads : {1, 2}) records.push_back(record(engine, threads, unsteady(4e-3)));
  for (const int width : {120, 100, 90}) {
    const std::string text = printed(made::run(records), {false, width, 0});
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(width_of(line), static_cast<std::size_t>(width)) << line;
    EXPECT_NE(text.find("too narrow to show: "), std::string::npos) << width;
  }
  const std::string wide = printed(made::run(records), {false, 200, 0});
  EXPECT_EQ(wide.find("too narrow to show: "), std::string::npos) << wide;
  // However narrow it is, times and shares stay.
  EXPECT_NE(line_with(printed(made::run(records), {false, 10, 0}), "    openmp").find("4.00 ms"),
            std::string::npos);
}

TEST(TimingTable, AnyBytesAreShownAsText) {
  auto hostile = record("so:./\x1b[31m.so", 1, steady(1e-3));
  hostile.row = hostile.benchmark = "\x1b]0;\xff";
  hostile.distribution = "\r";
  const std::string text = printed(made::run({hostile}));
  for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
}

TEST(TimingTable, ARunWithoutRecordsIsTheMachine) {
  EXPECT_NE(printed(made::run({})).find("Example CPU, 2 cores, 32 MiB last-level cache"), std::string::npos);
}

}  // namespace
}  // namespace scatterproof::reports
