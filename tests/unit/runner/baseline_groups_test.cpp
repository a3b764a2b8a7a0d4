// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

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
std::vector<std::string> entries_of(const std::vector<spec::Record>& records, Ran ran = Ran::everything) {
  std::vector<std::string> lines;
  const auto failing = [](const spec::Record& one) { return is_failure(one.verdict); };
  for (const BaselineEntry& entry : entries_for(records, failing, "2026-01-31", ran)) {
    EXPECT_EQ(entry.verdicts.size(), 1u);
    EXPECT_EQ(entry.reason, "?");
    EXPECT_EQ(entry.since, "2026-01-31");
    EXPECT_EQ(entry.versions, "");
    std::vector<std::string> globs;
    for (const CaseGlob& one : entry.cases) globs.push_back(one.glob);
    std::string line =
        fmt::format("{} {} {}", fmt::join(globs, " "), entry.engine_glob, name(entry.verdicts[0]));
    for (const std::string& glob : entry.diagnosis_globs) line += ' ' + glob;
    if (!entry.operation_glob.empty()) line += ", " + entry.operation_glob;
    if (!entry.message_glob.empty()) line += ": " + entry.message_glob;
    if (!entry.call_glob.empty()) line += " call " + entry.call_glob;
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
                        seen("torch.gather/rule/R/obeys", pass)}),
            (Lines{"torch.gather/rule/R/breaks/* torch missing_error"}));
  EXPECT_EQ(entries_of({seen("torch.gather/rule/R/obeys/a", mismatch),
                        seen("torch.gather/rule/R/obeys/b", mismatch)}),
            (Lines{"torch.gather/rule/R/* torch mismatch"}));
}

TEST(EntriesFor, AGlobTakesInNothingThatPassesOrFailsInAnotherWay) {
  EXPECT_EQ(
      entries_of({seen("torch.gather/doc/a", mismatch, shifted(1)), seen("torch.gather/doc/b", mismatch)}),
      (Lines{"torch.gather/doc/b torch mismatch",
             "torch.gather/doc/a torch mismatch wrong_meaning/shifted_back"}));
}

using Kind = spec::DiagnosisKind;

/// A generated call with several guesses: the first is its diagnosis.
spec::Record guessed(const std::vector<Kind>& causes, std::uint64_t count = 1) {
  spec::Record record = seen("torch.gather/fuzz/valid", mismatch, {.kind = causes.front()});
  for (const Kind kind : causes) record.causes.push_back({.kind = kind});
  record.count = count;
  return record;
}

TEST(EntriesFor, AnEntryNamesTheFewestCausesThatExplainItsGroup) {
  EXPECT_EQ(
      entries_of({guessed({Kind::transposed, Kind::first_wins}), guessed({Kind::all_zero, Kind::first_wins}),
                  guessed({Kind::first_wins}), guessed({Kind::narrowed, Kind::first_wins})}),
      (Lines{"torch.gather/fuzz/valid torch mismatch wrong_meaning/first_value_wins"}));
  // Of two guesses that which more calls have.
  EXPECT_EQ(entries_of({guessed({Kind::transposed, Kind::first_wins}), guessed({Kind::first_wins}),
                        guessed({Kind::all_zero, Kind::narrowed}), guessed({Kind::narrowed}, 9)}),
            (Lines{"torch.gather/fuzz/valid torch mismatch wrong_meaning/first_value_wins "
                   "wrong_meaning/narrowed"}));
}

TEST(EntriesFor, ACauseAboutAnArgumentIsOneWhateverItsName) {
  const auto ignored = [](const std::string& argument) {
    spec::Record record = guessed({Kind::strides_ignored});
    record.diagnosis.subject = record.causes.front().subject = argument;
    return record;
  };
  EXPECT_EQ(entries_of({ignored("index"), ignored("index")}),
            (Lines{"torch.gather/fuzz/valid torch mismatch wrong_meaning/strides_ignored/index"}));
  EXPECT_EQ(entries_of({ignored("index"), ignored("indices")}),
            (Lines{"torch.gather/fuzz/valid torch mismatch wrong_meaning/strides_ignored/*"}));
}

TEST(EntriesFor, WhereNoCauseExplainsManyGeneratedCallsNoneIsNamed) {
  const auto other = [](const std::string& id) { return seen(id, mismatch, {.kind = Kind::cells_other}); };
  EXPECT_EQ(entries_of({guessed({Kind::transposed}), guessed({Kind::first_wins}, 2),
                        other("torch.gather/fuzz/valid")}),
            (Lines{"torch.gather/fuzz/valid torch mismatch cell/wrong_value wrong_meaning/first_value_wins "
                   "wrong_meaning/transposed"}));
  EXPECT_EQ(entries_of(
                {guessed({Kind::transposed}), guessed({Kind::first_wins}), other("torch.gather/fuzz/valid")}),
            (Lines{"torch.gather/fuzz/valid torch mismatch cell/* wrong_meaning/*"}));
  // What a case shows is the same each time.
  spec::Record transposed = guessed({Kind::transposed});
  transposed.id = "torch.gather/doc/a";
  EXPECT_EQ(entries_of({transposed, other("torch.gather/doc/b")}),
            (Lines{"torch.gather/doc/* torch mismatch cell/wrong_value wrong_meaning/transposed"}));
}

/// A failure of an API of some operation.
spec::Record of(const std::string& api, const std::string& operation, const std::string& name,
                spec::Verdict verdict, spec::DiagnosisKind diagnosis, const std::string& message = "") {
  spec::Record record = seen(api + name, verdict, {.kind = diagnosis});
  record.api = api;
  record.operation = operation;
  record.message = message;
  return record;
}

/// Generated calls that nothing explains, of 200 that passed.
spec::Record unexplained(const std::string& api, std::uint64_t count, std::vector<spec::CallGlob> globs) {
  spec::Record record = seen(api + "/fuzz/valid", mismatch, {.kind = Kind::cells_other});
  record.api = api;
  record.operation = "gather";
  record.count = count;
  record.call_globs = std::move(globs);
  record.passed = 200;
  return record;
}

TEST(EntriesFor, WhatTellsGeneratedCallsFromThoseThatPassedIsTheirCall) {
  const std::vector<spec::CallGlob> common = {{"* dim=0,*", 90}, {"*(input=f64[*", 3}, {"*=f64[*", 3}};
  EXPECT_EQ(entries_of({unexplained("torch.gather", 15, common)}),
            (Lines{"torch.gather/fuzz/valid torch mismatch cell/* wrong_meaning/*, gather call *=f64[*"}));
  // What half of the calls have, or what so few calls have in common, may be chance.
  const Lines wide = {"torch.gather/fuzz/valid torch mismatch cell/* wrong_meaning/*, gather"};
  EXPECT_EQ(entries_of({unexplained("torch.gather", 15, {{"* dim=0,*", 90}})}), wide);
  EXPECT_EQ(entries_of({unexplained("torch.gather", 2, common)}), wide);
  EXPECT_EQ(entries_of({unexplained("torch.gather", 15, {})}), wide);
}

TEST(EntriesFor, AGlobIsThatOfAllFailuresOfAnIdAndOfAsManyIdsAsItTells) {
  const std::vector<spec::CallGlob> common = {{"*(input=f64[*", 3}, {"*=f64[*", 3}};
  // Few calls of each API, which are enough together; one guess among them; and one API that has nothing.
  std::vector<spec::Record> records = {
      unexplained("torch.gather", 2, common), unexplained("a.take", 3, common),
      unexplained("b.take", 3, {{"*(x=f64[*", 3}, {"*=f64[*", 3}}),
      unexplained("c.take", 9, {{"*=f64[*", 150}}), unexplained("torch.gather", 1, common)};
  records.back().diagnosis = {.kind = Kind::transposed};
  const Lines expected = {
      "a.take/fuzz/valid b.take/fuzz/valid torch.gather/fuzz/valid torch mismatch cell/* wrong_meaning/*, "
      "gather call *=f64[*",
      "c.take/fuzz/valid torch mismatch cell/* wrong_meaning/*, gather"};
  EXPECT_EQ(entries_of(records), expected);
  records.back().call_globs.clear();  // the entry of the others would excuse what this one does
  EXPECT_EQ(entries_of(records).back(),
            "c.take/fuzz/valid torch.gather/fuzz/valid torch mismatch cell/* wrong_meaning/*, gather");
}

TEST(EntriesFor, OneCallThatNothingExplainsIsEnoughToAskForWhatTheyHaveInCommon) {
  const std::vector<spec::CallGlob> common = {{"*=f64[*", 3}};
  std::vector<spec::Record> records = {unexplained("torch.gather", 14, common),
                                       unexplained("torch.gather", 1, common)};
  records.front().diagnosis = {.kind = Kind::transposed};
  EXPECT_EQ(entries_of(records),
            (Lines{"torch.gather/fuzz/valid torch mismatch cell/* wrong_meaning/*, gather call *=f64[*"}));
}

/// A case has an id, and is in an entry of its own.
TEST(EntriesFor, AFailureThatACallDoesNotDescribeStaysInAnother) {
  const std::vector<spec::Record> records = {
      unexplained("torch.gather", 15, {{"*=f64[*", 3}}),
      of("torch.gather", "gather", "/doc/a", mismatch, Kind::cells_other)};
  const auto failing = [](const spec::Record& one) { return is_failure(one.verdict); };
  const std::vector<BaselineEntry> entries = entries_for(records, failing, "2026-01-31", Ran::everything);
  ASSERT_EQ(entries.size(), 2u);
  for (const spec::Record& record : records)
    EXPECT_EQ(std::ranges::count_if(entries, [&](const auto& entry) { return describes(entry, record); }), 1)
        << record.id;
  EXPECT_EQ(entries[1].diagnosis_globs, Lines{"cell/wrong_value"});
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
  EXPECT_EQ(entries_of(records), (Lines{"torch.gather/fuzz/valid torch mismatch wrong_meaning/shifted_back",
                                        "torch.gather/fuzz/R torch missing_error"}));
}

/// One bug with two guesses, another operation, another message, and calls that pass.
std::vector<spec::Record> several_apis() {
  return {of("torch.put", "scatter", "/layout/a", mismatch, Kind::cells_other),
          of("torch.put", "scatter", "/layout/b", mismatch, Kind::writes_lost),
          of("numpy.put", "scatter", "/layout/a", mismatch, Kind::cells_other),
          of("numpy.put", "scatter", "/layout/b", pass, Kind::none),
          of("torch.take", "gather", "/layout/a", mismatch, Kind::cells_other),
          of("torch.put", "scatter", "/big/a", unexpected_error, Kind::unexpected_refusal, "at [1, 2] of 3"),
          of("torch.take", "gather", "/big/a", unexpected_error, Kind::unexpected_refusal, "at [7] of 8"),
          of("torch.take", "gather", "/big/b", unexpected_error, Kind::unexpected_refusal, "no memory")};
}

TEST(EntriesFor, OneBugOfSeveralApisIsOneEntryTheWorstFirst) {
  EXPECT_EQ(entries_of(several_apis()),
            (Lines{"*/layout/a torch.put/layout/b torch mismatch cell/wrong_value "
                   "wrong_meaning/every_write_lost, scatter",
                   "torch.take/layout/a torch mismatch cell/wrong_value, gather",
                   "*/big/a torch unexpected_error unexpected_refusal: at [*] of *",
                   "torch.take/big/b torch unexpected_error unexpected_refusal: no memory"}));
}

TEST(EntriesFor, OfASelectionNoGlobIsForSeveralApis) {
  EXPECT_EQ(entries_of(several_apis(), Ran::a_selection),
            (Lines{"numpy.put/layout/a torch.put/layout/* torch mismatch cell/wrong_value "
                   "wrong_meaning/every_write_lost, scatter",
                   "torch.take/layout/a torch mismatch cell/wrong_value, gather",
                   "torch.put/big/a torch.take/big/a torch unexpected_error unexpected_refusal: at [*] of *",
                   "torch.take/big/b torch unexpected_error unexpected_refusal: no memory"}));
}

/// Exactly one entry describes each failure, and none describes a call that passed.
TEST(EntriesFor, AnEntryDescribesItsGroupAlone) {
  const std::vector<spec::Record> records = several_apis();
  const auto failing = [](const spec::Record& one) { return is_failure(one.verdict); };
  const std::vector<BaselineEntry> entries = entries_for(records, failing, "2026-01-31", Ran::everything);
  for (const spec::Record& record : records)
    EXPECT_EQ(std::ranges::count_if(entries, [&](const auto& entry) { return describes(entry, record); }),
              failing(record) ? 1 : 0)
        << record.id;
  // What fails later, and is not of a group.
  const std::vector<spec::Record> later = {
      of("numpy.put", "scatter", "/layout/b", mismatch, Kind::cells_other),     // it passed
      of("jax.put", "scatter", "/layout/c", mismatch, Kind::cells_other),       // no such case had failed
      of("jax.put", "scatter", "/layout/a", mismatch, Kind::transposed),        // in another way
      of("jax.put", "scatter_rows", "/layout/a", mismatch, Kind::cells_other),  // of another operation
      of("torch.add", "scatter", "/big/a", unexpected_error, Kind::unexpected_refusal, "beyond [1] of 3"),
      of("torch.add", "scatter", "/big/a", crash, Kind::crash_by_signal)};
  for (const spec::Record& record : later)
    EXPECT_TRUE(std::ranges::none_of(entries, [&](const auto& entry) { return describes(entry, record); }))
        << record.id;
  EXPECT_TRUE(describes(entries[0], of("jax.put", "scatter", "/layout/a", mismatch, Kind::writes_lost)));
}

}  // namespace
}  // namespace scatterproof::runner
