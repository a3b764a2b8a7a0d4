// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline_groups.hpp"

#include <gtest/gtest.h>

namespace scatterproof::runner {
namespace {

spec::Record seen(const std::string& id, spec::Verdict verdict, spec::Diagnosis diagnosis = {},
                  const std::string& version = "2.13.0") {
  spec::Record record;
  record.id = id;
  record.api = "torch.gather";
  record.engine = "torch@" + version;
  record.version = version;
  record.verdict = verdict;
  record.diagnosis = std::move(diagnosis);
  return record;
}

spec::Diagnosis shifted(std::int64_t by) { return {spec::DiagnosisKind::shifted_back, "", {by}}; }

/// `glob engine verdict diagnosis`, of each entry.
std::vector<std::string> entries_of(const std::vector<spec::Record>& records) {
  std::vector<std::string> lines;
  const auto failing = [](const spec::Record& one) { return is_failure(one.verdict); };
  for (const BaselineEntry& entry : entries_for(records, failing, "2026-01-31")) {
    EXPECT_EQ(entry.verdicts.size(), 1u);
    EXPECT_EQ(entry.reason, "?");
    EXPECT_EQ(entry.since, "2026-01-31");
    EXPECT_EQ(entry.versions, "");
    std::string line = entry.case_glob + ' ' + entry.engine_glob + ' ' + std::string(name(entry.verdicts[0]));
    for (const std::string& glob : entry.diagnosis_globs) line += ' ' + glob;
    lines.push_back(std::move(line));
  }
  return lines;
}

using enum spec::Verdict;
using Lines = std::vector<std::string>;

TEST(EntriesFor, OneCaseIsNamedByItsId) {
  EXPECT_EQ(entries_of({seen("torch.gather/rule/R/breaks/a", mismatch, shifted(1))}),
            (Lines{"torch.gather/rule/R/breaks/a torch mismatch wrong_meaning/shifted_back"}));
}

TEST(EntriesFor, AllCasesOfARuleAreOneGlob) {
  EXPECT_EQ(entries_of({seen("torch.gather/rule/R/breaks/a", missing_error),
                        seen("torch.gather/rule/R/breaks/b", missing_error),
                        seen("torch.gather/rule/R/obeys", missing_error)}),
            (Lines{"torch.gather/rule/R/* torch missing_error"}));
}

TEST(EntriesFor, AGlobTakesInNothingThatPassesOrFailsInAnotherWay) {
  EXPECT_EQ(entries_of({seen("torch.gather/rule/R/breaks/a", missing_error),
                        seen("torch.gather/rule/R/breaks/b", missing_error),
                        seen("torch.gather/rule/R/obeys", pass)}),
            (Lines{"torch.gather/rule/R/breaks/* torch missing_error"}));
  EXPECT_EQ(
      entries_of({seen("torch.gather/doc/a", mismatch, shifted(1)), seen("torch.gather/doc/b", mismatch)}),
      (Lines{"torch.gather/doc/a torch mismatch wrong_meaning/shifted_back",
             "torch.gather/doc/b torch mismatch"}));
}

TEST(EntriesFor, NoGlobIsWiderThanARuleOrATopic) {
  EXPECT_EQ(entries_of({seen("torch.gather/rule/R/breaks", crash), seen("torch.gather/rule/S/breaks", crash),
                        seen("torch.gather/mine", crash)}),
            (Lines{"torch.gather/mine torch crash", "torch.gather/rule/R/breaks torch crash",
                   "torch.gather/rule/S/breaks torch crash"}));
}

TEST(EntriesFor, EachEngineHasItsOwn) {
  std::vector<spec::Record> records = {seen("torch.gather/doc/a", crash), seen("torch.gather/doc/b", crash),
                                       seen("torch.gather/doc/b", crash), seen("torch.gather/doc/a", pass)};
  records[2].engine = records[3].engine = "reference";
  EXPECT_EQ(entries_of(records),
            (Lines{"torch.gather/doc/* torch crash", "torch.gather/doc/b reference crash"}));
}

TEST(EntriesFor, GeneratedCallsAreToldByRuleDiagnosisAndEngineNotBySeedNumberOrVersion) {
  std::vector<spec::Record> records = {seen("torch.gather/fuzz/valid", mismatch, shifted(1)),
                                       seen("torch.gather/fuzz/valid", mismatch, shifted(2), "1.13.1"),
                                       seen("torch.gather/fuzz/valid/12", mismatch, shifted(3)),
                                       seen("torch.gather/fuzz/R", missing_error)};
  records[0].seed = 1, records[1].seed = 2;
  records[0].number = 10, records[1].number = 20;
  EXPECT_EQ(entries_of(records),
            (Lines{"torch.gather/fuzz/R torch missing_error",
                   "torch.gather/fuzz/valid torch mismatch wrong_meaning/shifted_back"}));
}

}  // namespace
}  // namespace scatterproof::runner
