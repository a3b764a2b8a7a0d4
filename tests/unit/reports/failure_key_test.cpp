// SPDX-License-Identifier: Apache-2.0
// Which failures count as one bug.
#include "scatterproof/spec/record/failure_key.hpp"

#include <gtest/gtest.h>

namespace scatterproof::spec {
namespace {

TEST(MessageGlob, HasWildcardsForNumbers) {
  EXPECT_EQ(message_glob("index[0, 1] is 6510615555426900570, outside [-4, 4), but"),
            "index[*] is *, outside [*), but");
  EXPECT_EQ(message_glob("at 0x7ffe12ab: 1.5, -2.5 and x-y"), "at *: * and x-y");
  EXPECT_EQ(message_glob("got 3, expected more"), "got *, expected more");
  EXPECT_EQ(message_glob(""), "");
}

TEST(MessageGlob, IsOfTheFirstLineAndNotTooLong) {
  EXPECT_EQ(message_glob("first\nsecond"), "first*");
  const std::string glob = message_glob(std::string(1000, 'x'));
  EXPECT_LT(glob.size(), 200U);
  EXPECT_TRUE(glob.ends_with("x*"));
}

Record with(Verdict verdict, Diagnosis diagnosis, const std::string& message = "") {
  Record record;
  record.id = "a.b/case";
  record.api = "a.b";
  record.operation = "scatter_nd";
  record.engine = "torch:compile@2.13.0";
  record.verdict = verdict;
  record.diagnosis = std::move(diagnosis);
  record.message = message;
  return record;
}

TEST(FailureKey, HasNoGuessAndNoVersion) {
  using enum DiagnosisKind;
  const FailureKey plain = key_of(with(Verdict::mismatch, {.kind = cells_other}));
  EXPECT_EQ(plain.engine, "torch:compile");
  for (const DiagnosisKind guess : {writes_lost, one_value_counted_twice, cells_kept_start, cells_untouched})
    EXPECT_EQ(key_of(with(Verdict::mismatch, {.kind = guess, .subject = {}, .numbers = {1}})), plain);
  EXPECT_NE(key_of(with(Verdict::mismatch, {.kind = form_shape})), plain);
  EXPECT_EQ(key_of(with(Verdict::missing_error, {.kind = index_wrapped, .subject = "index"})),
            key_of(with(Verdict::missing_error, {.kind = no_refusal})));
}

TEST(FailureKey, OfARaceIsThatOfCallsWhoseRepeatsDiffer) {
  const FailureKey race = key_of(with(Verdict::mismatch, {.kind = DiagnosisKind::race}));
  EXPECT_EQ(race, key_of(with(Verdict::mismatch, {.kind = DiagnosisKind::differs_when_repeated})));
  EXPECT_NE(race, key_of(with(Verdict::mismatch, {.kind = DiagnosisKind::unrepeatable})));
}

TEST(FailureKey, NamesTheRuleOfCasesAndOfGeneratedCalls) {
  Record one = with(Verdict::missing_error, {.kind = DiagnosisKind::no_refusal});
  const auto rule_of = [&](const std::string& id) {
    one.id = id;
    return key_of(one).rule;
  };
  EXPECT_EQ(rule_of("a.b/rule/range/breaks/one"), "range");
  EXPECT_EQ(rule_of("a.b/fuzz/range"), "range");
  EXPECT_EQ(rule_of("a.b/fuzz/range/12"), "range");
  EXPECT_EQ(rule_of("a.b/fuzz/valid"), "");
  EXPECT_EQ(rule_of("a.b/rule/range/obeys"), "");
  EXPECT_EQ(rule_of("a.b/relation/wrap-axis"), "relation/wrap-axis");
}

TEST(FailureKey, HasNoRuleWhereTheDocumentDefinesAResult) {
  Record one = with(Verdict::mismatch, {.kind = DiagnosisKind::cells_other});
  const FailureKey plain = key_of(one);
  for (const char* id : {"a.b/rule/range/breaks/one", "a.b/fuzz/range/12"}) {
    one.id = id;
    EXPECT_EQ(key_of(one), plain) << id;
  }
  one.id = "a.b/relation/wrap-axis";
  EXPECT_NE(key_of(one), plain);
}

TEST(FailureKey, HasTheOperationIfThereIsNoMessage) {
  Record one = with(Verdict::unexpected_error, {.kind = DiagnosisKind::unexpected_refusal}, "no");
  EXPECT_EQ(key_of(one).operation, "");
  one.message.clear();
  EXPECT_EQ(key_of(one).operation, "scatter_nd");
  one.operation.clear();
  EXPECT_EQ(key_of(one).operation, "a.b");
}

}  // namespace
}  // namespace scatterproof::spec
