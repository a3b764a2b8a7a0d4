// SPDX-License-Identifier: Apache-2.0
// Table and summary of one recorded benchmark, byte for byte. SCATTERPROOF_APPROVE=1 accepts what they now
// say: read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "plots.hpp"
#include "scatterproof/reports/timing.hpp"
#include "summary.hpp"

namespace scatterproof::reports {
namespace {

const std::string folder = SCATTERPROOF_SOURCE_DIR "/tests/unit/reports/timing/";

spec::TimingRun recorded() {
  auto run = spec::read_timings(folder + "recorded.jsonl");
  if (!run) {
    ADD_FAILURE() << spec::to_string(run.errors());
    return {};
  }
  return *run;
}

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = folder + "expected/" + name;
  if (const char* approve = std::getenv("SCATTERPROOF_APPROVE"); approve && std::string(approve) == "1")
    std::ofstream(path, std::ios::binary) << actual;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(actual, expected.str()) << "the report differs from " << path;
}

std::string table(const Style& style) {
  std::ostringstream out;
  print_timing_table(out, style, recorded());
  return out.str();
}

TEST(TimingGolden, Table) { expect_golden("table.txt", table({false, 120, 0})); }
TEST(TimingGolden, TableInColour) { expect_golden("table-colour.txt", table({true, 120, 0})); }
TEST(TimingGolden, TableNarrow) { expect_golden("table-narrow.txt", table({false, 80, 0})); }

TEST(TimingGolden, Summary) {
  const spec::TimingRun run = recorded();
  const auto all = figures_of(run);
  std::vector<Plot> plots = bandwidth_plots(run.machine, all);
  for (Plot& plot : floor_plots(all)) plots.push_back(std::move(plot));
  expect_golden("summary.md", summary(run, all, plots));
  // One of each kind: what all of them hold is for plots_test.cpp to say.
  for (const Plot& plot : plots)
    if (plot.file == "bandwidth-gather-openmp-f32-i64.svg" || plot.file == "floor-gather-openmp.svg")
      expect_golden(plot.file, plot.svg);
}

}  // namespace
}  // namespace scatterproof::reports
