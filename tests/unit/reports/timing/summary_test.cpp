// SPDX-License-Identifier: Apache-2.0
// The Markdown summary: the verdict first, links that lead somewhere, and a size that a comment can hold.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "highlights.hpp"
#include "made.hpp"
#include "scatterproof/reports/timing.hpp"

namespace scatterproof::reports {
namespace {

namespace fs = std::filesystem;
using made::record;
using made::steady;
using made::unsteady;

class Summary : public testing::Test {
 protected:
  ~Summary() override { fs::remove_all(folder_); }

  std::string of(const spec::TimingRun& run) {
    fs::remove_all(folder_);
    const auto written = write_timing_reports(run, folder_);
    if (!written) return spec::to_string(written.errors());
    EXPECT_EQ(written->front(), folder_ / "summary.md");
    for (const fs::path& path : *written) EXPECT_GT(fs::file_size(path), 0U) << path;
    std::ifstream file(written->front(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  const fs::path folder_ = fs::path(testing::TempDir()) / "scatterproof_summary_test" / "below";
};

spec::TimingRun small_run() {
  return made::run({record("openmp", 1, steady(2e-3)), record("openmp", 2, steady(1.25e-3)),
                    record("torch@2.13.0", 1, steady(6e-3)), record("torch@2.13.0", 2, unsteady(5e-3))});
}

TEST_F(Summary, BeginsWithTheVerdict) {
  const std::string text = of(small_run());
  // Shares 50 % and 80 %; against torch 3 at one thread, and with two threads no fact.
  EXPECT_EQ(text.find("# Benchmark\n\n**All 4 timed results were judged right first.**\n"
                      "- `openmp`: 65 % of the floor in the median; faster than torch in 1 of 1 comparisons, "
                      "3.00x in the median\n"),
            0U)
      << text;
  EXPECT_NE(
      text.find(
          "| `openmp` | share of floor | 80 % `B1/gather/f32/i64/uniform/1MiB`, 2 threads | 65 % | 50 % "
          "`B1/gather/f32/i64/uniform/1MiB`, 1 thread | 2 of 2 |"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("| `openmp` | against torch | 3.00x"), std::string::npos);
  EXPECT_NE(text.find("1 of 2 |"), std::string::npos);
  EXPECT_NE(text.find("~4.00x"), std::string::npos) << "marked in the rows";
  EXPECT_NE(text.find("| 1 | 20.0 GB/s | 500 M lines/s | 300 M lines/s |"), std::string::npos);
}

TEST_F(Summary, WrongResultsComeFirst) {
  auto run = small_run();
  run.records[0].verdict = "mismatch";
  run.records[0].note = "cell [3] is 7";
  run.records[0].seconds.clear();
  const std::string text = of(run);
  EXPECT_EQ(text.find("# Benchmark\n\n**Wrong, and so not timed: 1 of 4 results.**\n"), 0U) << text;
  EXPECT_NE(text.find("| `B1/gather/f32/i64/uniform/1MiB` | `openmp` | 1 | `mismatch: cell [3] is 7` |"),
            std::string::npos);
  EXPECT_EQ(of(made::run({})).find("# Benchmark\n\n**Nothing was timed.**"), 0U);
}

TEST_F(Summary, WeakVerdictsAreSaid) {
  auto run = small_run();
  EXPECT_EQ(of(run).find("weak"), std::string::npos);
  run.records[0].verdict = run.records[1].verdict = "weak";
  EXPECT_NE(of(run).find("2 of the calls prove little: their verdict is weak.\n"), std::string::npos);
}

TEST_F(Summary, LinksLeadToPlotsBesideIt) {
  auto run = small_run();
  for (spec::TimingRecord r : small_run().records) {
    r.row += "/large";
    r.table_bytes *= 16;
    run.records.push_back(r);
  }
  const std::string text = of(run);
  const std::regex link(R"(!\[[^\]]*\]\(([^)]*)\))");
  std::size_t links = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i, ++links)
    EXPECT_TRUE(fs::exists(folder_ / (*i)[1].str())) << (*i)[1];
  EXPECT_EQ(links, 2U);
}

TEST_F(Summary, FitsIntoACommentWhateverTheRun) {
  spec::TimingRun run = made::run({});
  for (int i = 0; i < 1500; ++i)
    for (const char* engine : {"openmp", "torch@2.13.0"}) {
      auto r = record(engine, 1, steady(1e-3));
      r.benchmark = "B" + std::to_string(i % 70);
      r.row = "B1/" + std::string(static_cast<std::size_t>(i % 300), 'x') + std::to_string(i);
      r.note = std::string(5000, 'n');
      run.records.push_back(r);
      r.verdict = "mismatch";
      r.seconds.clear();
      run.records.push_back(r);
    }
  const std::string text = of(run);
  EXPECT_LT(text.size(), 65536U);
  EXPECT_TRUE(std::regex_search(text, std::regex(" [0-9]+ more lines are left out for lack of room\\.\n$")));
  const auto times = [&](const char* what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(times("<details>"), times("</details>"));
}

TEST_F(Summary, NamesCannotBreakATable) {
  spec::TimingRun run = small_run();
  for (spec::TimingRecord& r : run.records) {
    r.row = r.benchmark = r.operation = "a|b`c\n<b>](x)";
    r.distribution = "|";
  }
  run.machine.cpu = "|`\n|";
  const std::string text = of(run);
  std::istringstream lines(text);
  std::size_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    if (line.empty() || line[0] != '|') bars = 0;
    if (columns > 0 && bars > 0) {
      EXPECT_EQ(bars, columns) << line;
    }
    columns = bars;
  }
  EXPECT_EQ(text.find("<b>]"), text.find("`a\\|b'c <b>](x)`") + 8) << "only where it is quoted";
}

TEST_F(Summary, AFolderThatCannotBeIsAnError) {
  fs::create_directories(folder_.parent_path());
  std::ofstream(folder_) << "a file";
  const auto written = write_timing_reports(small_run(), folder_);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.errors()[0].file, folder_.string());
}

TEST_F(Summary, AFileThatCannotBeWrittenIsAnError) {
  fs::create_directories(folder_ / "floor-gather-openmp.svg");  // a folder where a file is to be
  const auto written = write_timing_reports(small_run(), folder_);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.errors()[0].file, (folder_ / "floor-gather-openmp.svg").string());
}

TEST(HighlightsOf, RankOnlyFacts) {
  auto fast = made::with_distribution(record("openmp", 1, unsteady(1e-4)), "sorted", 1e-3);
  auto middle = made::with_distribution(record("openmp", 1, steady(4e-3)), "block", 1e-3);
  auto lucky = made::with_distribution(record("openmp", 1, {1e-5, 2e-3, 2e-3, 2e-3, 2e-3}), "zipf", 1e-3);
  const auto run = made::run({record("openmp", 1, steady(2e-3)), fast, middle, lucky});
  const auto all = highlights_of(run, figures_of(run));
  ASSERT_EQ(all.size(), 1U);
  const RatioSummary& floor = all[0].measures.at(0);
  EXPECT_EQ(floor.name, "share of floor");
  EXPECT_EQ(floor.all, 4U);
  EXPECT_EQ(floor.facts, 2U);
  EXPECT_DOUBLE_EQ(floor.best.value, 0.5);
  EXPECT_DOUBLE_EQ(floor.worst.value, 0.25);
  EXPECT_DOUBLE_EQ(floor.median, 0.375);
}

}  // namespace
}  // namespace scatterproof::reports
