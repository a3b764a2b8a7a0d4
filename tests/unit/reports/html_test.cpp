// SPDX-License-Identifier: Apache-2.0
// The HTML is well-formed whatever the strings, stays small, is self-contained, and as a folder holds neither
// scripts nor styles. browser_test.py opens it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "hostile.hpp"
#include "parsed_page.hpp"

namespace scatterproof::reports {
namespace {

namespace fs = std::filesystem;

class HtmlFolderTest : public testing::Test {
 protected:
  HtmlFolderTest() : path_(fs::path(testing::TempDir()) / "scatterproof_html_dir") {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~HtmlFolderTest() override { fs::remove_all(path_); }
  void write(const spec::Run& run) {
    Folder target(path_);
    replay(run, *make_reporter("html-dir", target, {}));
    EXPECT_EQ(target.failed(), "");
  }
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(path_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return all;
  }
  fs::path path_;
};

TEST(Html, IsWellFormedWhateverTheBytes) {
  for (const std::string& hostile : hostile_strings())
    expect_sound(rendered_as("html", hostile_run(hostile)));
}

TEST(Html, AsksNobody) {
  const std::string html = rendered_as("html", large_run(3, 3));
  EXPECT_EQ(html.find("http:"), std::string::npos);
  EXPECT_EQ(html.find("https:"), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  EXPECT_EQ(html.find("url("), std::string::npos);
  EXPECT_NE(html.find("default-src &#39;none&#39;"), std::string::npos);
}

/// Of generated calls, one record stands for many.
TEST(Html, TheWorstGroupComesFirstThenTheLargest) {
  spec::Run run = large_run(4, 0);
  for (std::size_t i = 1; i < 4; ++i) run.records[i].verdict = spec::Verdict::mismatch;
  run.records[2].count = 7;
  run.records[2].explanation = "the largest";
  const std::string html = rendered_as("html", run);  // number 0 is a crash
  const std::size_t first = html.find("<details class=\"failure\"");
  const std::size_t second = html.find("<details class=\"failure\"", first + 1);
  EXPECT_LT(html.find("/case/0", first), second);
  EXPECT_LT(html.find("the largest", second), html.find("</summary>", second));
  EXPECT_NE(html.find("<span class=\"count\">7 calls</span>", second), std::string::npos);
}

TEST(Html, ANameThatAWorkerGivesItselfIsExplained) {
  spec::Run run = large_run(1, 0);
  run.records[0].engine = run.header.engines[0].name = "cmd:./mine --fast";
  run.header.engines[0].declared = "mine";
  const std::string html = rendered_as("html", run);
  EXPECT_NE(html.find("<dt><code>mine</code></dt><dd>is <code>cmd:./mine --fast</code></dd>"),
            std::string::npos);
}

TEST(Html, StaysSmall) {
  const std::string passes = rendered_as("html", large_run(10, 99990));
  EXPECT_LT(passes.size(), 100000U);
  EXPECT_EQ(passes.find("class=\"cut\""), std::string::npos);
  const std::string failures = rendered_as("html", large_run(20000, 80000));
  EXPECT_GT(failures.size(), 3000000U) << "the room is used";
  EXPECT_LT(failures.size(), 5000000U);
  // What is shown and what is counted are all there are.
  std::size_t cases = 0;
  for (std::size_t at = 0; (at = failures.find("<details class=\"case\"", at)) != std::string::npos; ++at)
    ++cases;
  std::size_t counted_only = 0;
  const std::regex cut("page small: (\\d+) more failing cases? (?:is|are) only counted");
  for (std::sregex_iterator one(failures.begin(), failures.end(), cut), none; one != none; ++one)
    counted_only += std::stoul((*one)[1]);
  EXPECT_EQ(cases + counted_only, 20000U);
  EXPECT_GT(cases, 1000U);
  parse_page(failures);
}

/// One API with many failures leaves room for the others.
TEST(Html, EveryApiHasItsShare) {
  spec::Run run = large_run(20000, 0);
  for (std::size_t i = 0; i < run.records.size(); ++i)
    if (i != 19999) run.records[i].api = "api.greedy";
  const std::string html = rendered_as("html", run);
  EXPECT_NE(html.find("id=\"case/api.number39/case/19999\""), std::string::npos);
}

TEST_F(HtmlFolderTest, HasNeitherScriptsNorStyles) {
  for (const std::string& hostile : hostile_strings()) {
    write(hostile_run(hostile));
    const auto all = files();
    ASSERT_EQ(all.size(), 4U);  // the index, an API, the style, the list
    std::map<std::string, ParsedPage> pages;
    for (const auto& [name, html] : all)
      if (name.ends_with(".html")) pages[name] = parse_page(html);
    for (const auto& [name, page] : pages) {
      EXPECT_FALSE(page.elements.contains("script"));
      EXPECT_FALSE(page.elements.contains("style"));
      for (const std::string& link : page.links) {
        const std::string file = link.substr(0, link.find('#'));
        const std::string place = link.find('#') == std::string::npos ? "" : link.substr(link.find('#') + 1);
        EXPECT_TRUE(file.empty() || all.contains(file)) << link;
        if (!place.empty()) {
          EXPECT_TRUE(pages[file.empty() ? name : file].ids.contains(place)) << link;
        }
      }
    }
  }
}

TEST_F(HtmlFolderTest, TakesThePlaceOfAnEarlierReportAndOfNothingElse) {
  write(large_run(0, 40));
  EXPECT_EQ(files().size(), 43U);
  write(large_run(0, 1));
  EXPECT_EQ(files().size(), 4U);
  EXPECT_FALSE(Folder::holds_other_files(path_));
  std::ofstream(path_ / "mine.txt") << "mine";
  EXPECT_TRUE(Folder::holds_other_files(path_));
  write(large_run(0, 1));
  EXPECT_EQ(files().at("mine.txt"), "mine");
}

TEST_F(HtmlFolderTest, AListThatNamesOthersFilesRemovesNothing) {
  const fs::path other = fs::path(testing::TempDir()) / "scatterproof_other_file";
  std::ofstream(other) << "mine";
  std::ofstream(path_ / Folder::list_of_files) << "../scatterproof_other_file\n"
                                               << other.string() << "\n..\n";
  Folder target(path_);
  EXPECT_TRUE(fs::exists(other));
  fs::remove(other);
}

TEST_F(HtmlFolderTest, SaysWhatCouldNotBeWritten) {
  Folder target(path_);
  fs::remove_all(path_);
  target.write("index.html", "x");
  EXPECT_NE(target.failed(), "");
}

}  // namespace
}  // namespace scatterproof::reports
