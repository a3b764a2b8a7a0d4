// SPDX-License-Identifier: Apache-2.0
// Every report of one recorded stream, byte for byte. SCATTERPROOF_APPROVE=1 accepts what the reports now
// say: read the difference before committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {
namespace {

const std::string folder = SCATTERPROOF_SOURCE_DIR "/tests/unit/reports/";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

spec::Run recorded(const std::string& name = "recorded.jsonl") {
  auto run = spec::read_stream(folder + name);
  if (!run) {
    ADD_FAILURE() << spec::to_string(run.errors());
    return {};
  }
  return *run;
}

std::string rendered(const spec::Run& run, const std::string& kind, const Style& style) {
  std::ostringstream out;
  const auto reporter = make_reporter(kind, out, style);
  replay(run, *reporter);
  return out.str();
}

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = folder + "expected/" + name;
  if (const char* approve = std::getenv("SCATTERPROOF_APPROVE"); approve && std::string(approve) == "1")
    std::ofstream(path, std::ios::binary) << actual;
  EXPECT_EQ(actual, contents(path)) << "the report differs from " << path;
}

/// A flaky call, an expired entry's failure, and an entry that no longer happens.
spec::Run with_every_disposition() {
  spec::Run run = recorded();
  run.records.resize(2);
  spec::Record &flaky = run.records[0], &expired = run.records[1];
  flaky.verdict = expired.verdict = spec::Verdict::mismatch;
  flaky.explanation = expired.explanation = "out[0] is 1, must be 2";
  flaky.disposition = spec::Disposition::flaky;
  flaky.retried = {spec::Verdict::mismatch, spec::Verdict::pass};
  expired.disposition = spec::Disposition::expired;
  expired.known_reason = "other rows; ci.yaml:3 expired on 2024-04-30, owner kernels";
  run.trailer =
      spec::Trailer{"2024-05-01T12:00:01Z",
                    false,
                    2,
                    1,
                    {{"ci.yaml", 9, "torch.gather/doc/* on torch no longer happens: remove the entry", true}},
                    ""};
  return run;
}

TEST(Golden, TheRecordingHoldsEverything) {
  std::set<spec::Verdict> verdicts;
  std::set<spec::Disposition> dispositions;
  std::set<spec::ComparisonMode> modes;
  for (const spec::Record& record : recorded().records) {
    verdicts.insert(record.verdict);
    dispositions.insert(record.disposition);
    modes.insert(record.mode);
  }
  EXPECT_EQ(verdicts.size(), 12U);
  for (const spec::Record& record : with_every_disposition().records) dispositions.insert(record.disposition);
  EXPECT_EQ(dispositions.size(), 5U);
  EXPECT_EQ(modes.size(), 5U);
}

TEST(Golden, EveryKind) {
  unsetenv("GITHUB_STEP_SUMMARY");         // which the report github appends to
  unsetenv("GITHUB_WORKSPACE");            // which its paths are relative to
  for (const std::string& kind : kinds())  // html_test.cpp looks at those in HTML
    if (kind != "jsonl" && !kind.starts_with("html"))
      expect_golden(kind + ".txt", rendered(recorded(), kind, {}));
}
TEST(Golden, ConsoleInColour) {
  expect_golden("console-colour.txt", rendered(recorded(), "console", {true, 100, 0}));
}
TEST(Golden, ConsoleVerbose) {
  expect_golden("console-verbose.txt", rendered(recorded(), "console", {false, 100, 1}));
}
TEST(Golden, ConsoleWide) {
  expect_golden("console-wide.txt", rendered(recorded(), "console", {false, 120, 0}));
}
TEST(Golden, ConsoleNarrow) {
  expect_golden("console-narrow.txt", rendered(recorded(), "console", {false, 50, 0}));
}

TEST(Golden, JsonLinesAreTheStreamItself) {
  EXPECT_EQ(rendered(recorded(), "jsonl", {}), contents(folder + "recorded.jsonl"));
}

/// As it was written before records had a diagnosis.
TEST(Golden, AStreamOfVersion1IsReadAndKept) {
  const spec::Run old = recorded("recorded-version-1.jsonl");
  EXPECT_EQ(old.header.stream_version, 1);
  ASSERT_EQ(old.records.size(), 24U);
  for (const spec::Record& record : old.records)
    EXPECT_EQ(record.diagnosis.kind, spec::DiagnosisKind::none) << record.id;
  EXPECT_EQ(rendered(old, "jsonl", {}), contents(folder + "recorded-version-1.jsonl"));
  EXPECT_NE(rendered(old, "console", {}).find("same/on-both on reference, onnxruntime"), std::string::npos)
      << "by their words";
}

/// Failures of a case on several engines are one when their diagnoses are, whatever the words.
TEST(Golden, FailuresFoldByTheirDiagnosis) {
  const auto failures = [](const spec::Run& run) {
    const std::string text = rendered(run, "console", {});
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("FAILED", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  spec::Run run = recorded();
  std::vector<spec::Record*> both;
  for (spec::Record& record : run.records)
    if (record.id == "onnx.ScatterND/same/on-both") both.push_back(&record);
  ASSERT_EQ(both.size(), 2U);
  const std::size_t before = failures(run);
  both[1]->explanation = "quite another sentence";
  both[1]->diagnosis.numbers = {5};
  EXPECT_EQ(failures(run), before);
  both[1]->diagnosis.kind = spec::DiagnosisKind::shifted_forward;
  EXPECT_EQ(failures(run), before + 1);
}

TEST(Golden, ACutOffRun) {
  spec::Run run = recorded();
  run.records.resize(2);
  run.trailer.reset();
  expect_golden("console-cut-off.txt", rendered(run, "console", {}));
  expect_golden("junit-cut-off.xml", rendered(run, "junit", {}));
  const std::string lines = rendered(run, "jsonl", {});
  EXPECT_EQ(lines.find("\"type\":\"end\""), std::string::npos);
}

TEST(Golden, AnInterruptedRun) {
  spec::Run run = recorded();
  run.records.resize(3);
  run.trailer =
      spec::Trailer{"2024-05-01T12:00:01Z", true, 3, 2, {}, "scatterproof run --seed 7 --resume run.jsonl"};
  expect_golden("console-interrupted.txt", rendered(run, "console", {}));
  expect_golden("junit-interrupted.xml", rendered(run, "junit", {}));
}

TEST(Golden, EveryDisposition) {
  spec::Run run = with_every_disposition();
  expect_golden("console-dispositions.txt", rendered(run, "console", {}));
  expect_golden("junit-dispositions.xml", rendered(run, "junit", {}));
}

/// Points and tests that fail in a report of another program's kind.
std::size_t failing(const std::string& kind, const spec::Run& run) {
  const std::string text = rendered(run, kind, {}), sign = kind == "tap" ? "not ok" : R"("status": "failed")";
  std::size_t count = 0;
  for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, at + 1))
    count += text.substr(at, text.find('\n', at) - at).find("# TODO") == std::string::npos;
  return count;
}

TEST(Golden, OtherProgramsFailWhereTheRunDoes) {
  spec::Run run = with_every_disposition();
  for (const std::string kind : {"tap", "ctrf"}) {
    SCOPED_TRACE(kind);
    run.header.fail_on_flaky = run.header.allow_fixed = false;
    EXPECT_EQ(failing(kind, run), 2U);  // the expired one, and the entry that is fixed
    run.header.fail_on_flaky = true;
    EXPECT_EQ(failing(kind, run), 3U);
    run.header.allow_fixed = true;
    EXPECT_EQ(failing(kind, run), 2U);
  }
}

TEST(Golden, WhatIsAllowedFailsNothing) {
  spec::Run run = with_every_disposition();
  run.header.planned = 1;
  run.records.pop_back();
  const auto summary = [&] {
    const std::string text = rendered(run, "console", {});
    return text.substr(text.find("Summary"));
  };
  const auto failures = [&] {
    const std::string text = rendered(run, "junit", {});
    return (text.find("type=\"fixed\"") != std::string::npos) +
           (text.find("<failure type=\"mismatch\"") != std::string::npos);
  };
  EXPECT_EQ(summary(),
            "Summary: 1 stale baseline entry, 1 flaky call, 1 call judged, of them 1 failed (1 flaky)\n");
  EXPECT_EQ(failures(), 1);
  run.header.allow_fixed = true;
  EXPECT_EQ(summary(),
            "Summary: 1 fixed baseline entry, 1 flaky call, as expected, 1 call judged, of them 1 failed (1 "
            "flaky)\n");
  EXPECT_EQ(failures(), 0);
  run.header.fail_on_flaky = true;
  EXPECT_EQ(summary(),
            "Summary: 1 fixed baseline entry, 1 flaky call, 1 call judged, of them 1 failed (1 flaky)\n");
  EXPECT_EQ(failures(), 1);
}

TEST(Golden, ARunWithoutCalls) {
  spec::Run run;
  run.trailer = spec::Trailer{"2024-05-01T12:00:01Z", false, 0, 5, {}, ""};
  expect_golden("console-empty.txt", rendered(run, "console", {}));
  expect_golden("junit-empty.xml", rendered(run, "junit", {}));
}

TEST(Registry, KnowsItsKinds) {
  std::ostringstream out;
  Folder target(testing::TempDir());
  for (const std::string& kind : kinds()) {
    EXPECT_EQ(make_reporter(kind, out, {}) == nullptr, is_folder(kind)) << kind;
    EXPECT_EQ(make_reporter(kind, target, {}) != nullptr, is_folder(kind)) << kind;
  }
  EXPECT_TRUE(is_folder("html-dir"));
  EXPECT_FALSE(is_folder("pdf"));
  EXPECT_EQ(make_reporter("pdf", out, {}), nullptr);
  EXPECT_EQ(make_reporter("pdf", target, {}), nullptr);
}

}  // namespace
}  // namespace scatterproof::reports
