// SPDX-License-Identifier: Apache-2.0
// Markdown fits into a comment, says what it leaves out, and lets no string format it; the annotations of
// GitHub stay within its caps.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "hostile.hpp"

namespace scatterproof::reports {
namespace {

std::vector<std::string> lines_of_text(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t number_before(const std::string& text, const std::string& words) {
  std::smatch found;
  return std::regex_search(text, found, std::regex("(\\d+) " + words)) ? std::stoul(found[1]) : 0;
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

TEST(Markdown, IsAComment) {
  for (const std::size_t failures : {0, 1, 50, 3000}) {
    const std::string text = rendered_as("markdown", large_run(failures, 10));
    EXPECT_LT(text.size(), 65536U);
    const std::size_t shown = occurrences(text, "<details><summary><b>");
    if (failures == 3000) {
      EXPECT_GT(text.size(), 50000U) << "the room is used";
    }
    EXPECT_EQ(shown + number_before(text, "more of 3000 groups"), failures);
    EXPECT_EQ(occurrences(text, "Cut here"), failures == 3000 ? 1U : 0U);
    EXPECT_NE(text.find(std::to_string(failures + 10) + " calls judged"), std::string::npos);
  }
}

TEST(Markdown, TheWorstComesFirst) {
  const std::string text = rendered_as("markdown", large_run(20, 0));
  EXPECT_LT(text.rfind("<b>crash</b>"), text.find("<b>mismatch</b>"));
}

/// Outside of code no string of an engine stands: what formats, mentions or is HTML does nothing.
TEST(Markdown, StringsFormatNothing) {
  for (const std::string& hostile : hostile_strings()) {
    const std::string text = rendered_as("markdown", hostile_run(hostile));
    EXPECT_LT(text.size(), 65536U);
    std::string fence;
    std::string outside;
    for (const std::string& line : lines_of_text(text)) {
      const std::string ticks = line.substr(0, line.find_first_not_of('`'));
      if (fence.empty() && ticks.size() >= 3 && line.find('`', ticks.size()) == std::string::npos) {
        fence = ticks;
        continue;
      }
      if (!fence.empty()) {
        if (line == fence) fence.clear();
        continue;
      }
      // Code spans: a run of backticks ends where the same number follows.
      for (std::size_t at = 0; at < line.size();) {
        if (line[at] != '`') {
          outside += line[at++];
          continue;
        }
        const std::size_t end = std::min(line.find_first_not_of('`', at), line.size());
        const std::string run = line.substr(at, end - at);
        std::size_t close = end;
        while ((close = line.find(run, close)) != std::string::npos) {
          const std::size_t after = std::min(line.find_first_not_of('`', close), line.size());
          if (after - close == run.size()) break;
          close = after;
        }
        ASSERT_NE(close, std::string::npos) << "a span that does not end: " << line.substr(0, 200);
        at = close + run.size();
      }
      outside += '\n';
    }
    EXPECT_EQ(occurrences(outside, "<details>"), occurrences(outside, "</details>"));
    EXPECT_EQ(fence, "") << "a block that does not end";
    const std::string tags =
        std::regex_replace(outside, std::regex("<code>[^<]*</code>|</?details>|</?summary>|</?b>"), "");
    EXPECT_EQ(tags.find('<'), std::string::npos) << tags.substr(tags.find('<'), 200);
    EXPECT_EQ(tags.find("@everyone"), std::string::npos);
    EXPECT_EQ(tags.find("]("), std::string::npos);
  }
}

class GitHub : public testing::Test {
 protected:
  GitHub() {
    unsetenv("GITHUB_STEP_SUMMARY");
    unsetenv("GITHUB_WORKSPACE");
  }
  ~GitHub() override {
    unsetenv("GITHUB_STEP_SUMMARY");
    unsetenv("GITHUB_WORKSPACE");
  }
  static std::size_t commands(const std::string& text, const std::string& type) {
    std::size_t n = 0;
    for (const std::string& line : lines_of_text(text)) n += line.starts_with("::" + type + " ");
    return n;
  }
};

TEST_F(GitHub, AnnotatesTheLineOfTheCase) {
  spec::Run run = large_run(1, 0);
  run.records[0].file = "cases/a,b:c.yaml";
  run.records[0].line = 12;
  EXPECT_TRUE(rendered_as("github", run).starts_with("::error file=cases/a%2Cb%3Ac.yaml,line=12,title="));
  run.records[0].file = "";
  EXPECT_TRUE(rendered_as("github", run).starts_with("::error title="));
}

/// GitHub shows lines of the repository only, and shipped cases are the user's nowhere.
TEST_F(GitHub, AnnotatesNoOtherFiles) {
  spec::Run run = large_run(1, 0);
  setenv("GITHUB_WORKSPACE", "/home/me/repository", 1);
  const auto head_for = [&](const std::string& file) {
    run.records[0].file = file;
    run.records[0].line = 12;
    const std::string text = rendered_as("github", run, {.data = "/home/me/repository/venv/share"});
    return text.substr(0, text.find("title="));
  };
  EXPECT_EQ(head_for("/home/me/repository/cases/a.yaml"), "::error file=cases/a.yaml,line=12,");
  EXPECT_EQ(head_for("/home/me/repository/venv/share/cases/a.yaml"), "::error ");
  EXPECT_EQ(head_for("/usr/share/scatterproof/cases/a.yaml"), "::error ");
  EXPECT_EQ(head_for("/home/me/repository/../other/a.yaml"), "::error ");
  unsetenv("GITHUB_WORKSPACE");
  EXPECT_EQ(head_for("mine/a.yaml"), "::error file=mine/a.yaml,line=12,");
}

TEST_F(GitHub, StaysWithinTheCaps) {
  for (const std::size_t failures : {0, 1, 10, 11, 300}) {
    const std::string text = rendered_as("github", large_run(failures, 3));
    EXPECT_EQ(commands(text, "error"), std::min<std::size_t>(failures, 10));
    EXPECT_EQ(number_before(text, "failures? in \\d+ more groups"), failures > 10 ? failures - 9 : 0);
  }
  spec::Run run = large_run(300, 0);
  run.trailer.reset();
  EXPECT_EQ(commands(rendered_as("github", run), "error"), 10U);
  EXPECT_NE(rendered_as("github", run).find("cut off"), std::string::npos);
  run.trailer = spec::Trailer{
      "2024-05-01T12:00:09Z", false, 300, 1, std::vector(30, spec::StaleEntry{"b.yaml", 2, "x"}), ""};
  EXPECT_EQ(commands(rendered_as("github", run), "warning"), 10U);
  EXPECT_NE(rendered_as("github", run).find("::warning file=b.yaml,line=2,title=stale"), std::string::npos);
}

/// Its entry is to be repaired, or given another day.
TEST_F(GitHub, AnExpiredEntryIsAnnotatedWhereItStands) {
  spec::Run run = large_run(1, 0);
  spec::Record& record = run.records.front();
  record.verdict = spec::Verdict::mismatch;
  record.file = "mine.yaml", record.line = 3;
  record.known_file = "ci.yaml", record.known_line = 12;
  record.disposition = spec::Disposition::unexpected;
  EXPECT_NE(rendered_as("github", run).find("::error file=mine.yaml,line=3,"), std::string::npos);
  record.disposition = spec::Disposition::expired;
  EXPECT_NE(rendered_as("github", run).find("::error file=ci.yaml,line=12,"), std::string::npos);
}

TEST(Trailers, SayInEachReportForPeopleWhatWasLeftOut) {
  spec::Run run = large_run(1, 0);
  run.trailer->skipped = {{"torch", "torch.gather", 12}};
  run.trailer->unreached = {"a.a", "b.b", "c.c", "d.d", "e.e"};
  for (const std::string kind : {"console", "markdown", "html"}) {
    const std::string text = rendered_as(kind, run, {.width = 200});
    EXPECT_NE(text.find("skipped after 3 time-outs: 12 calls of torch.gather on torch"), std::string::npos)
        << kind;
    const char* const named =
        kind == "html" ? "no call: a.a, b.b, c.c, d.d, e.e" : "no call: a.a, b.b, c.c and 2 more";
    EXPECT_NE(text.find(named), std::string::npos) << kind << text;
  }
}

/// A message of an engine is not a command of the runner.
TEST_F(GitHub, StringsAreNoCommands) {
  for (const std::string& hostile : hostile_strings())
    for (const std::string& line : lines_of_text(rendered_as("github", hostile_run(hostile))))
      EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::warning ")) << line.substr(0, 100);
}

TEST_F(GitHub, AppendsToTheSummaryOfTheStep) {
  const std::string path = testing::TempDir() + "scatterproof_step_summary.md";
  std::ofstream(path) << "before\n";
  setenv("GITHUB_STEP_SUMMARY", path.c_str(), 1);
  rendered_as("github", large_run(6000, 0));
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(text.starts_with("before\n## "));
  EXPECT_GT(text.size(), 500000U);
  EXPECT_LT(text.size(), 1048576U);
  std::filesystem::remove(path);
  setenv("GITHUB_STEP_SUMMARY", "/nowhere/summary.md", 1);
  EXPECT_NE(rendered_as("github", large_run(0, 1)).find("::warning title=scatterproof::cannot write"),
            std::string::npos);
}

}  // namespace
}  // namespace scatterproof::reports
