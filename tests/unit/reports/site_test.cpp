// SPDX-License-Identifier: Apache-2.0
// Pages of the site are well-formed whatever the strings, and link to pages only.
#include "scatterproof/reports/site.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hostile.hpp"
#include "parsed_page.hpp"

namespace scatterproof::reports {
namespace {

namespace fs = std::filesystem;

class SitePages : public testing::Test {
 protected:
  SitePages() : path_(fs::path(testing::TempDir()) / "scatterproof_site_pages") {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~SitePages() override { fs::remove_all(path_); }

  std::string written(const SitePage& page, const SiteFrame& frame) const {
    Folder target(path_);
    SiteWriter(target, frame).write(page);
    EXPECT_EQ(target.failed(), "");
    std::ifstream file(path_ / page.file, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string linked(const std::string& link) const {
    return written(
        {.file = "page.html", .title = "page", .blocks = {SiteParagraph{{{.text = "words", .link = link}}}}},
        {});
  }

  fs::path path_;
};

TEST_F(SitePages, AreWellFormedWhateverTheBytes) {
  for (const std::string& hostile : hostile_strings()) {
    const SiteLine line = {{.text = hostile, .link = hostile, .look = SiteSpan::Look::code},
                           {.text = hostile, .look = SiteSpan::Look::bad}};
    const std::string id = site_id(hostile);
    const SitePage page{
        .file = "page.html",
        .title = hostile,
        .trail = line,
        .lead = line,
        .blocks = {SiteHeading{2, id, hostile}, SiteParagraph{line}, SiteList{{line, line}, true},
                   SiteTable{hostile, {hostile, hostile}, {{id + "-row", {line, line}}}}, SiteCode{hostile},
                   SiteSearch{hostile}, SiteFold{id + "-fold", line, {SiteCode{hostile}}}}};
    std::string html = written(
        page,
        {.tool_version = hostile, .made = hostile, .from = hostile, .entry = "page.html", .pages = line});
    const std::string script = "<script src=\"scatterproof.js\"></script>";
    html.erase(html.find(script), script.size());  // no other page has one
    const ParsedPage parsed = parse_page(html);
    EXPECT_FALSE(parsed.elements.contains("script") || parsed.elements.contains("img"));
    for (const std::string& link : parsed.links) EXPECT_FALSE(link.starts_with("javascript:")) << link;
  }
}

TEST_F(SitePages, LinkToPagesOnly) {
  for (const std::string link : {"other.html", "other.html#place", "#place:1", "https://example.org/a:b"})
    EXPECT_NE(linked(link).find("<a href=\"" + link + "\">words</a>"), std::string::npos) << link;
  for (const std::string link :
       {"javascript:alert(1)", "data:text/html,x", "/etc/passwd", "//example.org", "JavaScript:alert(1)", ""})
    EXPECT_NE(linked(link).find("<p>words</p>"), std::string::npos) << link;
}

TEST_F(SitePages, SayOnceWhatSeveralRowsShare) {
  const SiteTable table{.label = "table",
                        .heads = {"calls", "does"},
                        .rows = {{.id = "a", .cells = {{{"first"}}, {{"same"}}}, .rows = 2},
                                 {.id = "b", .cells = {{{"second"}}}},
                                 {.id = "c", .cells = {{{"third"}}, {{"other"}}}}}};
  const std::string html = written({.file = "page.html", .title = "page", .blocks = {table}}, {});
  EXPECT_NE(html.find("<tr id=\"a\"><th scope=\"row\">first<td rowspan=\"2\">same\n"
                      "<tr id=\"b\"><th scope=\"row\">second\n"
                      "<tr id=\"c\"><th scope=\"row\">third<td>other\n"),
            std::string::npos)
      << html;
}

TEST_F(SitePages, SayFromWhatTheyAreMadeOnTheEntryPageAlone) {
  const SiteFrame frame{.tool_version = "1",
                        .made = "Made today.",
                        .from = "Results of engines: a, b.",
                        .entry = "index.html",
                        .pages = {}};
  const std::string entry = written({.file = "index.html", .title = "entry"}, frame);
  EXPECT_NE(entry.find("<footer id=\"made\">\n<p>Made today. Results of engines: a, b.</p>"),
            std::string::npos);
  const std::string other = written({.file = "page.html", .title = "page"}, frame);
  EXPECT_NE(other.find("<p><a href=\"index.html#made\">Made today.</a></p>"), std::string::npos);
}

TEST_F(SitePages, ShareOneStyleSheetAndOneScript) {
  const std::string html = linked("other.html");
  EXPECT_NE(html.find("<link rel=\"stylesheet\" href=\"scatterproof.css\">"), std::string::npos);
  EXPECT_NE(html.find("<script src=\"scatterproof.js\"></script>"), std::string::npos);
  EXPECT_EQ(html.find("<style>"), std::string::npos);
  for (const char* file : {"scatterproof.css", "scatterproof.js"})
    EXPECT_GT(fs::file_size(path_ / file), 1000U);
}

}  // namespace
}  // namespace scatterproof::reports
