// SPDX-License-Identifier: Apache-2.0
// The plots are SVG that any reader takes, with the lines and bars that the records call for, and texts that
// do not lie over each other.
#include "plots.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <pugixml.hpp>

#include "made.hpp"
#include "text.hpp"

namespace scatterproof::reports {
namespace {

using made::record;
using made::steady;

spec::TimingRecord sized(spec::TimingRecord r, std::int64_t table_bytes) {
  r.row += fmt::format("/{}", table_bytes);
  r.table_bytes = table_bytes;
  return r;
}

/// Two engines with two numbers of threads on two distributions and four sizes.
spec::TimingRun broad_run() {
  std::vector<spec::TimingRecord> records;
  for (const std::int64_t size : {16LL << 10, 4LL << 20, 16LL << 20, 256LL << 20})
    for (const char* distribution : {"uniform", "sorted"})
      for (const char* engine : {"openmp", "torch@2.13.0"})
        for (const int threads : {1, 2}) {
          const double seconds = 1e-6 * static_cast<double>(size >> 10) / threads;
          records.push_back(sized(
              made::with_distribution(record(engine, threads, steady(seconds)), distribution, seconds / 2),
              size));
        }
  return made::run(records);
}

std::vector<Plot> all_plots(const spec::TimingRun& run) {
  const auto all = figures_of(run);
  std::vector<Plot> plots = bandwidth_plots(run.machine, all);
  for (Plot& plot : floor_plots(all)) plots.push_back(std::move(plot));
  return plots;
}

std::size_t count(const pugi::xml_document& document, const char* path) {
  return document.select_nodes(path).size();
}

pugi::xml_document parsed(const Plot& plot) {
  pugi::xml_document document;
  const auto result =
      document.load_buffer(plot.svg.data(), plot.svg.size(), pugi::parse_full, pugi::encoding_utf8);
  EXPECT_TRUE(result) << result.description() << " at " << result.offset;
  return document;
}

void expect_well_formed(const Plot& plot) {
  parsed(plot);
  const std::string path = testing::TempDir() + "scatterproof_plot_test.svg";
  std::ofstream(path, std::ios::binary) << plot.svg;
  if (std::system("command -v xmllint >/dev/null") == 0) {  // a stricter reader than pugixml
    EXPECT_EQ(std::system(("xmllint --noout '" + path + "'").c_str()), 0) << plot.file;
  }
}

TEST(Plots, AreXmlWhateverTheBytes) {
  std::string every_byte;
  for (int b = 1; b < 256; ++b)
    if (b != '@') every_byte += static_cast<char>(b);  // which would make a peer of the engine
  for (const std::string& hostile :
       {every_byte, std::string("]]></style><script>"), std::string("&#0;\"'<>")}) {
    spec::TimingRun run = broad_run();
    run.machine.cpu = hostile;
    for (spec::TimingRecord& r : run.records) {
      r.distribution += hostile;
      r.row += hostile;
      r.operation = r.dtype = r.index_dtype = hostile;
      r.engine += hostile;
    }
    const auto plots = all_plots(run);
    EXPECT_FALSE(plots.empty());
    for (const Plot& plot : plots) {
      expect_well_formed(plot);
      EXPECT_EQ(count(parsed(plot), "//script"), 0U);
      for (const char c : plot.file)
        EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_')
            << plot.file;
    }
  }
}

TEST(Plots, AreOneOfEachKindForAnOperationAndEngine) {
  const auto plots = all_plots(broad_run());
  ASSERT_EQ(plots.size(), 2U) << "the peer has none of its own";
  EXPECT_EQ(plots[0].file, "bandwidth-gather-openmp-f32-i64.svg");
  EXPECT_EQ(plots[1].file, "floor-gather-openmp.svg");
  for (const Plot& plot : plots) expect_well_formed(plot);
}

TEST(Plots, FollowLightAndDarkSchemesAndKeepTextAsText) {
  for (const Plot& plot : all_plots(broad_run())) {
    const auto document = parsed(plot);
    EXPECT_NE(
        std::string(document.child("svg").child("style").text().get()).find("prefers-color-scheme: dark"),
        std::string::npos);
    EXPECT_EQ(document.child("svg").child("title").text().get(),
              plot.title.substr(0, plot.title.find(", f32")));
    EXPECT_GT(count(document, "//text"), 10U);
  }
}

TEST(BandwidthPlots, HaveALineAndAFloorForEachDistributionInEachPanel) {
  const auto plots = all_plots(broad_run());
  const auto document = parsed(plots.at(0));
  // Four panels (two engines, two numbers of threads) of two distributions; the legend has one floor more.
  EXPECT_EQ(count(document, "//path[starts-with(@class, 'series')]"), 8U);
  EXPECT_EQ(count(document, "//path[starts-with(@class, 'floor')]"), 9U);
  EXPECT_EQ(count(document, "//path[starts-with(@class, 'f') and title]"), 32U) << "a mark for each record";
  for (const char* head :
       {"openmp, 1 thread", "openmp, 2 threads", "torch@2.13.0, 1 thread", "torch@2.13.0, 2 threads"})
    EXPECT_EQ(count(document, fmt::format("//text[. = '{}']", head).c_str()), 1U) << head;
  for (const char* words : {"GB/s, algorithmic", "16 KiB", "256 MiB", "uniform", "sorted", "cache, 32 MiB"})
    EXPECT_GE(count(document, fmt::format("//text[. = '{}']", words).c_str()), 1U) << words;
}

TEST(BandwidthPlots, PeersStandInTheTablesOrderAndOnlyWhereTheyWereTimed) {
  spec::TimingRun run = broad_run();
  for (const std::int64_t size : {4LL << 20, 16LL << 20})
    run.records.push_back(sized(record("numpy@2.3.1", 1, steady(1e-3)), size));
  const auto document = parsed(all_plots(run).at(0));
  const auto x_of = [&](const char* head) {
    return document.select_node(fmt::format("//text[. = '{}']", head).c_str())
        .node()
        .attribute("x")
        .as_double();
  };
  EXPECT_LT(x_of("openmp, 1 thread"), x_of("torch@2.13.0, 1 thread"));
  EXPECT_LT(x_of("torch@2.13.0, 1 thread"), x_of("numpy@2.3.1, 1 thread"));
  EXPECT_EQ(count(document, "//text[. = 'numpy@2.3.1, 2 threads']"), 0U);
}

TEST(BandwidthPlots, BothAxesAreLogarithmic) {
  spec::TimingRun run = made::run({});
  // 16 MB in 16, 4 and 1 ms: 1, 4 and 16 GB/s; each table is four times the last.
  for (const int step : {0, 1, 2})
    run.records.push_back(
        sized(record("openmp", 1, steady(16e-3 / (1 << 2 * step))), 1LL << (20 + 2 * step)));
  const auto plots = bandwidth_plots(run.machine, figures_of(run));
  ASSERT_EQ(plots.size(), 1U);
  const std::string d =
      parsed(plots[0]).select_node("//path[starts-with(@class, 'series')]").node().attribute("d").value();
  double x[3], y[3];
  ASSERT_EQ(std::sscanf(d.c_str(), "M%lf %lfL%lf %lfL%lf %lf", x, y, x + 1, y + 1, x + 2, y + 2), 6) << d;
  EXPECT_GT(x[1], x[0]);
  EXPECT_LT(y[1], y[0]) << "more is higher";
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.2);
  EXPECT_NEAR(y[1] - y[0], y[2] - y[1], 0.2);
}

TEST(BandwidthPlots, ASingleSizeMakesNone) {
  const auto run = made::run({record("openmp", 1, steady(1e-3)), record("openmp", 2, steady(1e-3))});
  EXPECT_TRUE(bandwidth_plots(run.machine, figures_of(run)).empty());
}

TEST(FloorPlots, BarsAreAsLongAsTheShare) {
  const auto run = made::run({record("openmp", 1, steady(4e-3)), record("openmp", 2, steady(2e-3)),
                              record("torch@2.13.0", 2, steady(4e-3))});
  const auto plots = floor_plots(figures_of(run));
  ASSERT_EQ(plots.size(), 1U);
  const auto document = parsed(plots[0]);
  const auto bars = document.select_nodes("//rect[@y > 100]");
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_NEAR(2 * bars[0].node().attribute("width").as_double(),
              bars[1].node().attribute("width").as_double(), 0.2);
  EXPECT_EQ(count(document, "//path[starts-with(@class, 'hollow') and title]"), 1U) << "not at one thread";
  EXPECT_EQ(count(document, "//text[. = '25 %']"), 2U) << "the figure and the scale";
  EXPECT_EQ(
      count(document, "//path[starts-with(@class, 'hollow') and title = 'torch@2.13.0, 2 threads: 25 %']"),
      1U);
}

/// Where a text is, at six and a half pixels a letter: rather too wide.
struct Box {
  double left, right, top, bottom;
  std::string words;
};
std::vector<Box> boxes(const pugi::xml_document& document) {
  std::vector<Box> all;
  for (const auto& found : document.select_nodes("//text[not(@transform)]")) {
    const pugi::xml_node node = found.node();
    const std::string words = node.text().get();
    const std::string classes = node.attribute("class").value();
    const double letter = classes == "title" ? 9 : classes == "muted" ? 5.8 : 6.5;
    const double width = letter * static_cast<double>(width_of(words));
    const std::string anchor = node.attribute("text-anchor").value();
    const double x = node.attribute("x").as_double();
    const double left = anchor == "end" ? x - width : anchor == "middle" ? x - width / 2 : x;
    const double y = node.attribute("y").as_double();
    all.push_back({left, left + width, y - 8, y, words});
  }
  return all;
}

TEST(Plots, TextsDoNotLieOverEachOtherNorLeaveThePicture) {
  spec::TimingRun run = broad_run();
  for (const std::int64_t size : {3LL << 20, 5LL << 20, 6LL << 20})  // too near for a label each
    run.records.push_back(sized(record("openmp", 1, steady(1e-3)), size));
  for (const Plot& plot : all_plots(run)) {
    const auto document = parsed(plot);
    const auto all = boxes(document);
    const double width = document.child("svg").attribute("width").as_double();
    const double height = document.child("svg").attribute("height").as_double();
    for (const Box& a : all) {
      EXPECT_TRUE(a.left >= 0 && a.right <= width && a.bottom <= height - 2) << plot.file << ": " << a.words;
      for (const Box& b : all) {
        const bool apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        EXPECT_TRUE(&a == &b || apart) << plot.file << ": " << a.words << " / " << b.words;
      }
    }
  }
}

TEST(FileName, IsFitForAnyFileSystem) {
  EXPECT_EQ(file_name({"floor", "scatter_add", "so:./lib mine.so"}), "floor-scatter_add-so-.-lib-mine.so");
  EXPECT_EQ(file_name({"../../etc"}), "..-..-etc");
  EXPECT_EQ(file_name({"\xff"}), "-");
}

}  // namespace
}  // namespace scatterproof::reports
