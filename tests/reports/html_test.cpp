// SPDX-License-Identifier: Apache-2.0
// The HTML is well-formed whatever the strings, stays small, asks nobody for anything, and as a folder holds neither
// scripts nor styles. browser_test.py opens it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "hostile.hpp"

namespace scatterproof::reports {
namespace {

namespace fs = std::filesystem;

/// What a page is made of, read as strictly as the pages are written.
struct ParsedPage {
  std::map<std::string, std::size_t> elements;
  std::set<std::string> ids;
  std::vector<std::string> links;
  std::string text;
};

ParsedPage parse_page(const std::string& html) {
  static const std::set<std::string> empty = {"meta", "link", "input", "wbr"};
  static const std::regex attribute("\\s+([a-z-]+)(?:=\"([^\"<>]*)\")?");
  ParsedPage page;
  std::vector<std::string> open;
  for (std::size_t at = std::string("<!DOCTYPE html>").size(); at < html.size();) {
    if (html[at] != '<') {
      const std::size_t end = std::min(html.find('<', at), html.size());
      const std::string text = html.substr(at, end - at);
      EXPECT_EQ(text.find('>'), std::string::npos) << text.substr(0, 100);
      page.text += text;
      at = end;
      continue;
    }
    const std::size_t end = html.find('>', at);
    EXPECT_NE(end, std::string::npos);
    const std::string tag = html.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.starts_with('/')) {
      EXPECT_FALSE(open.empty());
      if (open.empty()) return page;
      EXPECT_EQ(open.back(), tag.substr(1)) << html.substr(at > 200 ? at - 200 : 0, 220);
      open.pop_back();
      continue;
    }
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    ++page.elements[name];
    const std::string rest = tag.substr(name.size());
    std::size_t read = 0;
    for (std::sregex_iterator one(rest.begin(), rest.end(), attribute), none; one != none; ++one) {
      read += static_cast<std::size_t>(one->length());
      if ((*one)[1] == "id") {
        EXPECT_TRUE(page.ids.insert((*one)[2]).second) << "twice: " << (*one)[2];
      }
      if ((*one)[1] == "href") page.links.push_back((*one)[2]);
      EXPECT_FALSE((*one)[1].str().starts_with("on")) << tag;
      EXPECT_NE((*one)[1], "style");
      EXPECT_NE((*one)[1], "src");
    }
    EXPECT_EQ(read, rest.size()) << tag.substr(0, 200);
    if (name == "script" || name == "style") {
      at = html.find("</" + name + ">", at);
      EXPECT_NE(at, std::string::npos);
    }
    if (!empty.contains(name)) open.push_back(name);
  }
  EXPECT_EQ(open.size(), 0U);
  return page;
}

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
  for (const std::string& hostile : hostile_strings()) {
    const ParsedPage page = parse_page(rendered_as("html", hostile_run(hostile)));
    EXPECT_EQ(page.elements.at("h1"), 1U);
    EXPECT_EQ(page.elements.at("script"), 1U);
    EXPECT_EQ(page.elements.at("style"), 1U);
    EXPECT_FALSE(page.elements.contains("img"));
    EXPECT_EQ(page.text.find("\xe2\x80\xae"), std::string::npos) << "nothing turns the direction of text";
    for (const std::string& link : page.links) {
      EXPECT_TRUE(link.starts_with('#')) << link;
      EXPECT_TRUE(page.ids.contains(link.substr(1))) << link;
    }
  }
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
TEST(Html, TheLargestGroupComesFirst) {
  spec::Run run = large_run(3, 0);
  run.records[2].count = 7;
  run.records[2].explanation = "the largest";
  const std::string html = rendered_as("html", run);
  const std::size_t first = html.find("<details class=\"failure\"");
  EXPECT_LT(html.find("the largest", first), html.find("</summary>", first));
  EXPECT_NE(html.find("<span class=\"count\">7 calls</span>", first), std::string::npos);
  const std::string tied = rendered_as("html", large_run(14, 0));  // number 7 is a crash, and so is number 0
  EXPECT_LT(tied.find("/case/7"), tied.find("/case/1<"));
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
