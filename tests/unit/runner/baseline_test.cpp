// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace scatterproof::runner {
namespace {

TEST(Versions, LieInRanges) {
  EXPECT_TRUE(version_in_range("2.13.0", ">=2.0,<3"));
  EXPECT_FALSE(version_in_range("1.13.1", ">=2.0,<3"));
  EXPECT_FALSE(version_in_range("3.0", ">=2.0,<3"));
  EXPECT_TRUE(version_in_range("2.10", ">2.9"));  // numbers, not text
  EXPECT_TRUE(version_in_range("2.13.0+cpu", "2.13"));
  EXPECT_TRUE(version_in_range("anything", ""));
  EXPECT_EQ(check_range(">=2.0,<3"), "");
  EXPECT_NE(check_range("=>2.0"), "");
  EXPECT_NE(check_range("new"), "");
}

class BaselineFile : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  Baseline load(const std::string& text, const std::string& today = "2026-01-31") {
    std::ofstream(path_) << text;
    Baseline baseline(today);
    const spec::Errors errors = baseline.add(path_);
    EXPECT_TRUE(errors.empty()) << spec::to_string(errors);
    return baseline;
  }
  std::string path_ = testing::TempDir() + "baseline-" + std::to_string(getpid()) + ".yaml";
};

spec::Record record(const std::string& id, spec::Verdict verdict) {
  spec::Record record;
  record.id = id;
  record.engine = "torch@2.13.0";
  record.version = "2.13.0";
  record.verdict = verdict;
  return record;
}

const char* one_entry =
    "baseline:\n"
    "  - case: torch.gather/rule/R2/*\n"
    "    engine: torch\n"
    "    versions: '>=2.0'\n"
    "    verdict: missing_error\n"
    "    reason: not checked\n"
    "    link: https://example.org/1\n"
    "    since: 2026-01-01\n";

const std::vector<spec::EngineSummary> ready = {{"torch@2.13.0", "2.13.0", "cpu", "ready"}};

const char* two_cases =
    "baseline:\n"
    "  - case:\n"
    "      - a/*\n"
    "      - b/*\n"
    "    operation: scatter_nd\n"
    "    engine: torch\n"
    "    verdict: mismatch\n"
    "    reason: r\n"
    "    since: 2026-01-01\n";

TEST_F(BaselineFile, AnEngineOnANamedDeviceHasEntriesOfItsOwn) {
  const auto disposition = [&](const std::string& glob, const std::string& engine) {
    Baseline baseline = load("baseline:\n  - {case: a/*, engine: \"" + glob +
                             "\", verdict: mismatch, reason: r, since: 2026-01-01}\n");
    spec::Record one = record("a/one", spec::Verdict::mismatch);
    one.engine = engine;
    baseline.reconcile(one);
    return one.disposition;
  };
  using enum spec::Disposition;
  EXPECT_EQ(disposition("torch*", "torch:compile@2.13.0"), known);
  EXPECT_EQ(disposition("openvino*", "openvino:threads=1@2026.4.1"), known);
  EXPECT_EQ(disposition("torch*", "torch:device=cuda@2.13.0"), unexpected);
  EXPECT_EQ(disposition("torch:device=*", "torch:device=cuda@2.13.0"), known);
  EXPECT_EQ(disposition("onnxruntime*", "onnxruntime:provider=CUDA@1.31.1"), unexpected);
}

TEST_F(BaselineFile, EntriesAboutGeneratedCallsExcuseAUsersOwn) {
  const auto disposition = [&](const std::string& kind, const std::string& id,
                               const std::vector<std::string>& broken, Whose whose) {
    Baseline baseline = load("baseline:\n  - {case: a/fuzz/" + kind +
                             ", engine: torch, verdict: mismatch, reason: r, since: 2026-01-01}\n");
    spec::Record one = record(id, spec::Verdict::mismatch);
    one.api = "a";
    one.broken = broken;
    baseline.reconcile(one, nullptr, whose);
    return one.disposition;
  };
  using enum spec::Disposition;
  EXPECT_EQ(disposition("valid", "a/mine", {}, Whose::users), known);
  EXPECT_EQ(disposition("valid", "a/mine", {}, Whose::ours), unexpected);
  EXPECT_EQ(disposition("valid", "a/mine", {"bounds"}, Whose::users), unexpected);
  EXPECT_EQ(disposition("valid", "a/mine/gradient", {}, Whose::users), unexpected);
  EXPECT_EQ(disposition("bounds", "a/mine", {"shape", "bounds"}, Whose::users), known);
  EXPECT_EQ(disposition("gradient", "a/mine/gradient", {}, Whose::users), known);
}

TEST_F(BaselineFile, OneCaseOfAListBecomesStaleAlone) {
  Baseline baseline = load(two_cases);
  spec::Record a = record("a/one", spec::Verdict::mismatch), b = record("b/one", spec::Verdict::pass);
  a.operation = b.operation = "scatter_nd";
  baseline.reconcile(a);
  EXPECT_EQ(a.disposition, spec::Disposition::known);
  EXPECT_TRUE(baseline.stale(false, ready).empty()) << "the other case did not run";
  baseline.reconcile(b);
  const auto stale = baseline.stale(false, ready);
  ASSERT_EQ(stale.size(), 1U);
  EXPECT_EQ(stale[0].line, 4);
  EXPECT_EQ(stale[0].text, "b/* on torch did not fail in this way: remove this case");
  Baseline neither = load(two_cases);
  a.verdict = spec::Verdict::pass;
  for (spec::Record* one : {&a, &b}) neither.reconcile(*one);
  ASSERT_EQ(neither.stale(false, ready).size(), 1U);
  EXPECT_EQ(neither.stale(false, ready)[0].text,
            "a/* and 1 more of scatter_nd on torch did not fail in this way: remove the entry");
  EXPECT_EQ(neither.stale(false, ready)[0].line, 2);
}

TEST_F(BaselineFile, AnOperationNarrowsAnEntry) {
  Baseline baseline = load(two_cases);
  spec::Record other = record("a/one", spec::Verdict::mismatch);
  for (const char* operation : {"", "scatter_rows"}) {
    other.operation = operation;
    baseline.reconcile(other);
    EXPECT_EQ(other.disposition, spec::Disposition::unexpected) << operation;
  }
}

TEST_F(BaselineFile, CasesThatShareALineAreAnError) {
  std::ofstream(path_)
      << "baseline:\n  - {case: [a, b], engine: t, verdict: crash, reason: r, since: 2026-01-01}\n";
  const spec::Errors errors = Baseline().add(path_);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].what, "cases of one entry share a line");
}

TEST_F(BaselineFile, MakesAFailureKnown) {
  Baseline baseline = load(one_entry);
  spec::Record known = record("torch.gather/rule/R2/breaks", spec::Verdict::missing_error);
  baseline.reconcile(known);
  EXPECT_EQ(known.disposition, spec::Disposition::known);
  EXPECT_EQ(known.known_reason, "not checked (https://example.org/1)");
  EXPECT_EQ(known.known_file, path_);
  EXPECT_EQ(known.known_line, 2);
  EXPECT_TRUE(baseline.stale(true, ready).empty());
}

TEST_F(BaselineFile, MatchesAnyOfTheCausesOfAGuess) {
  const auto disposition = [&](const std::string& glob, spec::DiagnosisKind diagnosis,
                               const spec::LikelyCauses& causes) {
    Baseline baseline =
        load("baseline:\n  - {case: a/*, engine: torch, verdict: mismatch, diagnosis: " + glob +
             ", reason: r, since: 2026-01-01}\n");
    spec::Record one = record("a/one", spec::Verdict::mismatch);
    one.diagnosis.kind = diagnosis;
    one.causes = causes;
    baseline.reconcile(one);
    return one.disposition;
  };
  using enum spec::Disposition;
  const spec::LikelyCauses two = {{.kind = spec::DiagnosisKind::transposed},
                                  {.kind = spec::DiagnosisKind::shifted_back, .subject = "", .numbers = {1}}};
  EXPECT_EQ(disposition("wrong_meaning/transposed", spec::DiagnosisKind::transposed, two), known);
  EXPECT_EQ(disposition("wrong_meaning/shifted_back", spec::DiagnosisKind::transposed, two), known);
  EXPECT_EQ(disposition("wrong_meaning/shifted_forward", spec::DiagnosisKind::transposed, two), unexpected);
  EXPECT_EQ(disposition("cell/*", spec::DiagnosisKind::transposed, two), unexpected);
  // A race was shown by repeats: what explains one of its results does not excuse it.
  EXPECT_EQ(disposition("wrong_meaning/*", spec::DiagnosisKind::race, two), unexpected);
  EXPECT_EQ(disposition("race", spec::DiagnosisKind::race, two), known);
}

TEST_F(BaselineFile, SpeaksOnlyOfItsVerdictCaseAndVersion) {
  Baseline baseline = load(one_entry);
  spec::Record other_verdict = record("torch.gather/rule/R2/breaks", spec::Verdict::mismatch);
  spec::Record other_case = record("torch.gather/rule/R3/breaks", spec::Verdict::missing_error);
  spec::Record older = record("torch.gather/rule/R2/breaks", spec::Verdict::missing_error);
  older.version = "1.13.1";
  for (spec::Record* one : {&other_verdict, &other_case, &older}) {
    baseline.reconcile(*one);
    EXPECT_EQ(one->disposition, spec::Disposition::unexpected);
  }
}

TEST_F(BaselineFile, TellsWhatNoLongerHappens) {
  Baseline baseline = load(one_entry);
  spec::Record fixed = record("torch.gather/rule/R2/breaks", spec::Verdict::pass);
  baseline.reconcile(fixed);
  EXPECT_EQ(fixed.disposition, spec::Disposition::as_expected);
  const auto stale = baseline.stale(false, ready);
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_EQ(stale[0].line, 2);
  EXPECT_NE(stale[0].text.find("did not fail in this way"), std::string::npos);
}

TEST_F(BaselineFile, TellsWhatNeverMatchedOnlyOfWholeRuns) {
  const Baseline baseline = load(one_entry);
  EXPECT_EQ(baseline.stale(true, ready).size(), 1u);
  EXPECT_TRUE(baseline.stale(false, ready).empty());
  EXPECT_TRUE(baseline.stale(true, {{"torch@1.13.1", "1.13.1", "cpu", "ready"}}).empty());
  EXPECT_TRUE(baseline.stale(true, {{"torch@2.13.0", "2.13.0", "cpu", "unavailable: gone"}}).empty());
}

TEST_F(BaselineFile, OfGradientsOnlyARunThatHasThemSaysAnything) {
  Baseline baseline = load(
      "baseline:\n"
      "  - {case: a/*/gradient, engine: torch, verdict: mismatch, reason: why, since: 2026-01-01}\n");
  spec::Record result = record("a/x", spec::Verdict::pass),
               gradient = record("b/x/gradient", spec::Verdict::pass);
  baseline.reconcile(result);
  EXPECT_TRUE(baseline.stale(true, ready).empty());
  baseline.reconcile(gradient);
  EXPECT_EQ(baseline.stale(true, ready).size(), 1u);
}

TEST_F(BaselineFile, WhatHappensSometimesIsNeverStale) {
  Baseline baseline = load(std::string(one_entry) + "    sometimes: true\n");
  EXPECT_TRUE(baseline.stale(true, ready).empty());
  spec::Record passed = record("torch.gather/rule/R2/breaks", spec::Verdict::pass);
  baseline.reconcile(passed);
  EXPECT_TRUE(baseline.stale(true, ready).empty());
}

TEST_F(BaselineFile, AnEntryExcusesUntilItsLastDay) {
  const std::string entry = std::string(one_entry) + "    expires: 2026-01-31\n    owner: kernels\n";
  const spec::Record failure = record("torch.gather/rule/R2/breaks", spec::Verdict::missing_error);
  const spec::Call call{"torch.gather", {}};
  Baseline last_day = load(entry, "2026-01-31");
  spec::Record one = failure;
  last_day.reconcile(one);
  EXPECT_EQ(one.disposition, spec::Disposition::known);
  EXPECT_EQ(last_day.place_of(failure, call), path_ + ":2");
  Baseline day_after = load(entry, "2026-02-01");
  one = failure;
  day_after.reconcile(one);
  EXPECT_EQ(one.disposition, spec::Disposition::expired);
  EXPECT_EQ(one.known_file, path_);
  EXPECT_EQ(one.known_line, 2);
  EXPECT_TRUE(fails(one.disposition));
  EXPECT_EQ(one.known_reason,
            "not checked (https://example.org/1); " + path_ + ":2 expired on 2026-01-31, owner kernels");
  EXPECT_EQ(day_after.place_of(failure, call), "");
  EXPECT_TRUE(day_after.stale(true, ready).empty()) << "it still happens";
}

TEST_F(BaselineFile, AnExpiredEntryLeavesTheWordToAnother) {
  const std::string expired = std::string(one_entry) + "    expires: 2026-01-01\n";
  const std::string other = std::string(one_entry).substr(std::string("baseline:\n").size());
  for (const std::string& text : {expired + other, std::string(one_entry) + expired.substr(10)}) {
    Baseline baseline = load(text);
    spec::Record one = record("torch.gather/rule/R2/breaks", spec::Verdict::missing_error);
    baseline.reconcile(one);
    EXPECT_EQ(one.disposition, spec::Disposition::known);
  }
}

TEST_F(BaselineFile, AFailureThatPassesOnAFreshEngineIsFlaky) {
  Baseline baseline = load(one_entry);
  const auto disposition = [&](const std::string& id, std::vector<spec::Verdict> retried) {
    spec::Record one = record(id, spec::Verdict::missing_error);
    one.retried = std::move(retried);
    baseline.reconcile(one);
    EXPECT_EQ(one.verdict, spec::Verdict::missing_error) << "the verdict stays";
    return one.disposition;
  };
  using enum spec::Verdict;
  EXPECT_EQ(disposition("torch.gather/doc/a", {mismatch, pass}), spec::Disposition::flaky);
  EXPECT_EQ(disposition("torch.gather/doc/a", {mismatch, infra}), spec::Disposition::unexpected);
  EXPECT_EQ(disposition("torch.gather/rule/R2/breaks", {pass}), spec::Disposition::known);
}

TEST_F(BaselineFile, ARaceThatPassesOnAFreshEngineIsNotFlaky) {
  Baseline baseline = load(one_entry);
  for (const auto kind : {spec::DiagnosisKind::race, spec::DiagnosisKind::differs_when_repeated}) {
    spec::Record one = record("torch.scatter_add/doc/a", spec::Verdict::mismatch);
    one.diagnosis.kind = kind;
    one.retried = {spec::Verdict::pass};
    baseline.reconcile(one);
    EXPECT_EQ(one.disposition,
              kind == spec::DiagnosisKind::race ? spec::Disposition::unexpected : spec::Disposition::flaky);
  }
}

TEST_F(BaselineFile, TellsFixedFromMatchedNothing) {
  Baseline baseline = load(one_entry);
  EXPECT_FALSE(baseline.stale(true, ready).at(0).fixed);
  spec::Record passes = record("torch.gather/rule/R2/breaks", spec::Verdict::pass);
  baseline.reconcile(passes);
  EXPECT_TRUE(baseline.stale(true, ready).at(0).fixed);
}

TEST_F(BaselineFile, OfGlobsAShardSaysNothing) {
  const std::string entry =
      "  - {case: torch.gather/doc/a, engine: torch, verdict: mismatch, reason: r, since: 2026-01-01}\n";
  Baseline baseline = load(one_entry + entry);
  for (const char* id : {"torch.gather/rule/R2/breaks", "torch.gather/doc/a"}) {
    spec::Record passes = record(id, spec::Verdict::pass);
    baseline.reconcile(passes);
  }
  EXPECT_EQ(baseline.stale(false, ready).size(), 2u);
  ASSERT_EQ(baseline.stale(false, ready, true).size(), 1u);
  EXPECT_EQ(baseline.stale(false, ready, true)[0].line, 9);
}

TEST_F(BaselineFile, EntriesAboutRelationsAreNeverStale) {
  const Baseline baseline = load(
      "baseline:\n  - {case: torch.gather/relation/split, engine: torch, verdict: mismatch, reason: r, "
      "since: 2026-01-01}\n");
  EXPECT_TRUE(baseline.stale(true, ready).empty());
}

TEST_F(BaselineFile, TellsGeneratedCallsApart) {
  Baseline baseline = load(
      "baseline:\n"
      "  - case: torch.gather/fuzz/valid\n"
      "    engine: torch\n"
      "    verdict: mismatch\n"
      "    call: '*index=i32*(*index: expanded*)'\n"
      "    reason: other rows\n"
      "    since: 2026-01-01\n");
  const spec::Tensor zeros(spec::DType::i32, {2, 2});
  const auto call = [](const spec::Tensor& index) {
    return spec::Call{"torch.gather", {{"input", spec::Tensor(spec::DType::f32, {3, 2})}, {"index", index}}};
  };
  const spec::Call expanded = call(spec::with_layout(zeros, spec::Layout::expanded)), plain = call(zeros);
  spec::Record failure = record("torch.gather/fuzz/valid", spec::Verdict::mismatch);
  EXPECT_EQ(baseline.place_of(failure, expanded), path_ + ":2");
  EXPECT_EQ(baseline.place_of(failure, plain), "");
  for (const spec::Call* other : {&plain, static_cast<const spec::Call*>(nullptr)}) {
    baseline.reconcile(failure, other);
    EXPECT_EQ(failure.disposition, spec::Disposition::unexpected);
  }
  baseline.reconcile(failure, &expanded);
  EXPECT_EQ(failure.disposition, spec::Disposition::known);
}

TEST_F(BaselineFile, DescribesCallsOfARecordThatAllMatch) {
  const Baseline baseline = load(
      "baseline:\n"
      "  - {case: torch.gather/fuzz/valid, engine: torch, verdict: mismatch, call: '*index=i32*', reason: r, "
      "since: 2026-01-01}\n");
  spec::Record failure = record("torch.gather/fuzz/valid", spec::Verdict::mismatch);
  failure.call_globs = {{"*=f64[*", 0}};
  EXPECT_FALSE(describes(baseline.entries()[0], failure));
  failure.call_globs.push_back({"* index=i32[*", 0});
  EXPECT_TRUE(describes(baseline.entries()[0], failure));
}

TEST(KindOfId, LeavesTheNumberOfAGeneratedCall) {
  EXPECT_EQ(kind_of_id("torch.gather/fuzz/valid/12"), "torch.gather/fuzz/valid");
  for (const char* other : {"torch.gather/fuzz/valid", "torch.gather/fuzz/12", "torch.gather/doc/12",
                            "torch.gather/fuzz/a/b2", "torch.gather/fuzz/valid/", "12"})
    EXPECT_EQ(kind_of_id(other), other);
}

TEST_F(BaselineFile, AnEntryForGeneratedCallsTakesInThoseOfACorpus) {
  Baseline baseline = load(
      "baseline:\n  - {case: torch.gather/fuzz/valid, engine: torch, verdict: mismatch, reason: r, since: "
      "2026-01-01}\n");
  spec::Record of_corpus = record("torch.gather/fuzz/valid/12", spec::Verdict::mismatch);
  baseline.reconcile(of_corpus);
  EXPECT_EQ(of_corpus.disposition, spec::Disposition::known);
  spec::Record of_rule = record("torch.gather/fuzz/range/12", spec::Verdict::mismatch);
  baseline.reconcile(of_rule);
  EXPECT_EQ(of_rule.disposition, spec::Disposition::unexpected);
}

TEST_F(BaselineFile, ReadsTheDiagnosisAndTheMessageNotTheWords) {
  Baseline baseline = load(
      "baseline:\n"
      "  - case: torch.gather/fuzz/valid\n"
      "    engine: torch\n"
      "    verdict: [mismatch, unexpected_error]\n"
      "    diagnosis: [wrong_meaning/shifted_*, unexpected_refusal/RuntimeError]\n"
      "    message: '*expected Long*'\n"
      "    reason: r\n"
      "    since: 2026-01-01\n");
  spec::Record one = record("torch.gather/fuzz/valid", spec::Verdict::mismatch);
  one.diagnosis = {spec::DiagnosisKind::shifted_back, "", {1}};
  one.message = "first\nexpected Long but found Int\n";
  const auto is_known = [&] {
    one.explanation += " and more words";
    baseline.reconcile(one);
    return one.disposition == spec::Disposition::known;
  };
  EXPECT_TRUE(is_known());
  one.diagnosis.kind = spec::DiagnosisKind::transposed;
  EXPECT_FALSE(is_known());
  one.diagnosis = {spec::DiagnosisKind::unexpected_refusal, "RuntimeError", {}};
  EXPECT_TRUE(is_known());
  one.message = "something else";
  EXPECT_FALSE(is_known());
}

TEST(Failures, AreAClosedSet) {
  using spec::Verdict;
  for (const Verdict fine : {Verdict::pass, Verdict::weak, Verdict::unsupported, Verdict::open})
    EXPECT_FALSE(is_failure(fine));
  for (const Verdict bad :
       {Verdict::mismatch, Verdict::wrong_error, Verdict::missing_error, Verdict::unexpected_error,
        Verdict::crash, Verdict::timeout, Verdict::infra, Verdict::disputed})
    EXPECT_TRUE(is_failure(bad));
}

}  // namespace
}  // namespace scatterproof::runner
