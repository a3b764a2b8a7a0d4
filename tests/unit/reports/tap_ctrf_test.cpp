// SPDX-License-Identifier: Apache-2.0
// TAP and CTRF hold what their readers ask for, whatever the strings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "hostile.hpp"

namespace scatterproof::reports {
namespace {

using nlohmann::json;

/// A document of TAP as a harness reads it.
struct TapDocument {
  std::size_t points = 0;
  std::size_t failed = 0;  ///< without those that are to do
  std::size_t skipped = 0;
  std::size_t todo = 0;
  bool planned = false;
  bool bailed_out = false;
  std::vector<json> fields;
};

TapDocument read_tap(const std::string& text) {
  TapDocument document;
  std::istringstream stream(text);
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line, "TAP version 14");
  const std::regex point("(not )?ok (\\d+) - ((?:[^\\\\#]|\\\\.)*)(?:# (SKIP|TODO)(?: .*)?)?");
  std::smatch part;
  for (json* block = nullptr; std::getline(stream, line);) {
    if (line == "  ---") {
      block = &document.fields.emplace_back();
    } else if (line == "  ...") {
      block = nullptr;
    } else if (block) {
      const std::size_t colon = line.find(": ");
      EXPECT_TRUE(line.starts_with("  ") && colon != std::string::npos) << line.substr(0, 80);
      (*block)[line.substr(2, colon - 2)] = json::parse(line.substr(colon + 2));
    } else if (std::regex_match(line, part, point)) {
      EXPECT_EQ(std::stoul(part[2]), ++document.points);
      document.skipped += part[4] == "SKIP";
      document.todo += part[4] == "TODO";
      document.failed += part[1].matched && !part[4].matched;
    } else if (line.starts_with("Bail out!")) {
      document.bailed_out = true;
    } else if (line.starts_with("1..")) {
      EXPECT_EQ(std::stoul(line.substr(3)), document.points);
      document.planned = true;
    } else {
      EXPECT_TRUE(line.starts_with("# ")) << line.substr(0, 80);
    }
  }
  return document;
}

TEST(Tap, IsReadWhateverTheBytes) {
  for (const std::string& hostile : hostile_strings()) {
    const TapDocument document = read_tap(rendered_as("tap", hostile_run(hostile)));
    EXPECT_EQ(document.points, 10U);  // 8 records, a stale entry and a gate
    EXPECT_EQ(document.failed, 4U);
    EXPECT_EQ(document.skipped, 2U);
    EXPECT_EQ(document.todo, 2U);
    EXPECT_TRUE(document.bailed_out);
    EXPECT_FALSE(document.planned);
    ASSERT_EQ(document.fields.size(), 5U);  // weak, and four failures
    EXPECT_EQ(document.fields[0]["verdict"], "weak");
    EXPECT_EQ(document.fields[1]["line"], 3);
  }
}

TEST(Tap, OnlyAWholeRunHasAPlan) {
  spec::Run run = large_run(1, 2);
  EXPECT_TRUE(read_tap(rendered_as("tap", run)).planned);
  EXPECT_FALSE(read_tap(rendered_as("tap", run)).bailed_out);
  run.trailer.reset();
  EXPECT_FALSE(read_tap(rendered_as("tap", run)).planned);
  EXPECT_TRUE(read_tap(rendered_as("tap", run)).bailed_out);
  EXPECT_NE(rendered_as("tap", large_run(0, 0)).find("1..0 # SKIP"), std::string::npos);
}

/// What schema/ctrf.schema.json of ctrf.io asks for, and the fields it knows.
void expect_ctrf(const json& report) {
  EXPECT_EQ(report["reportFormat"], "CTRF");
  EXPECT_TRUE(std::regex_match(report["specVersion"].get<std::string>(), std::regex("\\d+\\.\\d+\\.\\d+")));
  const json& results = report["results"];
  EXPECT_GT(results["tool"]["name"].get<std::string>().size(), 0U);
  const json& summary = results["summary"];
  std::size_t sum = 0;
  for (const char* status : {"passed", "failed", "skipped", "pending", "other"}) {
    std::size_t n = 0;
    for (const json& test : results["tests"]) n += test["status"] == status;
    EXPECT_EQ(summary[status], n) << status;
    sum += n;
  }
  EXPECT_EQ(summary["tests"], sum);
  EXPECT_EQ(results["tests"].size(), sum);
  for (const char* time : {"start", "stop"}) EXPECT_TRUE(summary[time].is_number_integer());
  const std::set<std::string> known = {"name",  "status",   "duration", "suite", "rawStatus", "message",
                                       "trace", "filePath", "line",     "extra", "snippet"};
  for (const json& test : results["tests"]) {
    EXPECT_GT(test["name"].get<std::string>().size(), 0U);
    EXPECT_TRUE(test["duration"].is_number_integer());
    if (test.contains("suite")) {
      EXPECT_GT(test["suite"].size(), 0U);
    }
    for (const auto& field : test.items()) EXPECT_TRUE(known.contains(field.key())) << field.key();
  }
}

TEST(Ctrf, IsReadWhateverTheBytes) {
  for (const std::string& hostile : hostile_strings()) {
    const json report = json::parse(rendered_as("ctrf", hostile_run(hostile)));
    expect_ctrf(report);
    const json& summary = report["results"]["summary"];
    EXPECT_EQ(summary["passed"], 2);
    EXPECT_EQ(summary["failed"], 5);  // two records, a stale entry, a gate, the interruption
    EXPECT_EQ(summary["other"], 2);   // known
    EXPECT_EQ(summary["skipped"], 2);
  }
}

constexpr const char* left_out = "skipped after 3 time-outs: 12 calls of torch.gather on torch";

TEST(Tap, CallsThatWereSkippedAreAPoint) {
  spec::Run run = large_run(1, 0);
  const std::size_t points = read_tap(rendered_as("tap", run)).points;
  run.trailer->skipped = {{"torch", "torch.gather", 12}};
  const std::string text = rendered_as("tap", run);
  const TapDocument document = read_tap(text);
  EXPECT_EQ(document.points, points + 1);
  EXPECT_EQ(document.skipped, 1U);
  EXPECT_NE(text.find(fmt::format("- torch.gather/skipped on torch # SKIP {}\n", left_out)),
            std::string::npos);
}

TEST(Ctrf, CallsThatWereSkippedAreATest) {
  spec::Run run = large_run(1, 0);
  run.trailer->skipped = {{"torch", "torch.gather", 12}};
  const json report = json::parse(rendered_as("ctrf", run));
  expect_ctrf(report);
  EXPECT_EQ(report["results"]["summary"]["skipped"], 1);
  const json& test = report["results"]["tests"].back();
  EXPECT_EQ(test["name"], "torch.gather/skipped");
  EXPECT_EQ(test["status"], "skipped");
  EXPECT_EQ(test["message"], left_out);
}

TEST(Ctrf, TimesAreMilliseconds) {
  spec::Run run = large_run(0, 1);
  run.records[0].call_seconds = 1.25;
  const json report = json::parse(rendered_as("ctrf", run));
  EXPECT_EQ(report["results"]["tests"][0]["duration"], 1250);
  EXPECT_EQ(report["results"]["summary"]["start"], 1714564800000);  // date -u -d 2024-05-01T12:00:00Z +%s
  EXPECT_EQ(report["results"]["summary"]["stop"], 1714564809000);
}

TEST(Ctrf, ACutOffRunFails) {
  spec::Run run = large_run(0, 2);
  run.trailer.reset();
  const json report = json::parse(rendered_as("ctrf", run));
  expect_ctrf(report);
  EXPECT_EQ(report["results"]["summary"]["failed"], 1);
}

}  // namespace
}  // namespace scatterproof::reports
