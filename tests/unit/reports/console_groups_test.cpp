// SPDX-License-Identifier: Apache-2.0
// Failures that are one bug are shown once, the worst first.
#include <gtest/gtest.h>

#include "console_runs.hpp"

namespace scatterproof::reports {
namespace {

using spec::Verdict;

spec::Record refused(const std::string& id, const std::string& message) {
  spec::Record one = failed("a.b", "x");
  one.id = "a.b/" + id;
  one.verdict = Verdict::unexpected_error;
  one.diagnosis = {spec::DiagnosisKind::unexpected_refusal, "ValueError", {}};
  one.message = message;
  one.explanation = "refused: " + message;
  one.reproduce = "scatterproof run " + one.id;
  return one;
}

TEST(Console, OneBugInManyCasesIsShownOnce) {
  std::vector<spec::Record> records;
  for (int i = 0; i < 20; ++i)
    records.push_back(refused("case-" + std::to_string(i), "bad size " + std::to_string(-i)));
  const std::string text = console(run_of({"x"}, records));
  EXPECT_EQ(count(text, "FAILED"), 1U) << text;
  EXPECT_NE(text.find("FAILED a.b/case-0 on x: unexpected_error (20 calls)\n"), std::string::npos);
  EXPECT_NE(text.find("also in: a.b/case-1, a.b/case-2, a.b/case-3 and 16 more"), std::string::npos) << text;
  EXPECT_NE(text.find("20 unexpected failures"), std::string::npos);
  const std::string whole = console(run_of({"x"}, records), 1);
  EXPECT_EQ(count(whole, "FAILED"), 20U);
  EXPECT_EQ(count(whole, "reproduce: "), 20U);
}

/// A wrong result of a call with some elements.
spec::Record wrong(const std::string& api, const std::string& operation, std::uint64_t elements,
                   spec::DiagnosisKind diagnosis = spec::DiagnosisKind::cells_other) {
  spec::Record one = failed(api, "x");
  one.operation = operation;
  one.elements = elements;
  one.diagnosis = {.kind = diagnosis};
  one.explanation = "out[0] is 1, expected 2\nthe call: of " + std::to_string(elements);
  return one;
}

TEST(Console, OneBugInSeveralApisIsShownOnceByItsSmallestCall) {
  using Kind = spec::DiagnosisKind;
  const std::string text = console(
      run_of({"x"}, {wrong("a.b", "scatter_nd", 9, Kind::writes_lost),
                     wrong("c.d", "scatter_nd", 5, Kind::cells_kept_start), wrong("e.f", "scatter_nd", 7)}));
  EXPECT_EQ(count(text, "FAILED"), 1U) << text;
  EXPECT_NE(text.find("FAILED c.d/case on x: mismatch (3 calls of 3 APIs)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("the call: of 5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("also in: e.f, a.b (-v shows each)\n"), std::string::npos) << text;
}

const spec::Diagnosis lost{.kind = spec::DiagnosisKind::writes_lost};
const spec::Diagnosis zero{.kind = spec::DiagnosisKind::all_zero};

spec::Diagnosis along(std::int64_t dimension) {
  return {.kind = spec::DiagnosisKind::shifted_back, .subject = "", .numbers = {dimension}};
}

spec::Record caused(const std::string& api, const spec::LikelyCauses& causes) {
  static std::uint64_t elements = 0;
  spec::Record one = wrong(api, "o", ++elements);
  one.causes = causes;
  return one;
}

/// The lines about causes, as one.
std::string causes_of(const std::vector<spec::Record>& records) {
  std::string text = console(run_of({"x"}, records));
  const std::size_t at = text.find("    likely cause");
  if (at == std::string::npos) return "";
  text = text.substr(at + 4, text.find("  diagnosis:") - at - 5);
  for (std::size_t line = 0; (line = text.find("\n    ")) != std::string::npos;) text.replace(line, 5, " ");
  return text;
}

TEST(Console, TheCausesThatExplainAllCallsOfAGroupAreNamed) {
  const std::string says_lost = "no write has an effect: all cells keep their start value";
  EXPECT_EQ(causes_of({caused("a.b", {lost, zero}), caused("c.d", {along(3), lost})}),
            "likely cause of all 2 calls: " + says_lost);
  EXPECT_EQ(causes_of({caused("a.b", {lost, along(1)}), caused("c.d", {along(2), lost})}),
            "likely cause of all 2 calls: " + says_lost +
                " or: every value is shifted back by one along dimension 1 (off-by-one in the index?)");
  EXPECT_EQ(causes_of({caused("a.b", {lost, zero})}),
            "likely cause, as it explains every cell: " + says_lost + " or: every cell is zero");
}

TEST(Console, ACauseOfMoreThanAQuarterOfAGroupIsNamedAsSuch) {
  std::vector<spec::Record> records = {caused("a.a", {}), caused("a.b", {}), caused("a.c", {}),
                                       caused("a.d", {zero})};
  EXPECT_EQ(causes_of(records), "");
  records.push_back(caused("a.e", {lost, zero}));
  EXPECT_EQ(causes_of(records), "likely cause of 2 of these 5 calls: every cell is zero");
}

TEST(Console, WhatExplainsTheShownCallAloneIsNamedAsSuch) {
  const std::string says_zero = "likely cause of this call, if not of the others: every cell is zero";
  // The first is the smallest.
  EXPECT_EQ(causes_of({caused("a.a", {zero}), caused("a.b", {}), caused("a.c", {}), caused("a.d", {})}),
            says_zero);
  EXPECT_EQ(
      causes_of({caused("a.a", {zero, along(1)}), caused("a.b", {}), caused("a.c", {}), caused("a.d", {})}),
      says_zero + " or: every value is shifted back by one along dimension 1 (off-by-one in the index?)");
  EXPECT_EQ(causes_of({caused("a.a", {zero}), caused("a.b", {lost}), caused("a.c", {lost})}),
            "likely cause of 2 of these 3 calls: no write has an effect: all cells keep their start value");
  EXPECT_EQ(causes_of({caused("a.a", {lost, zero}), caused("a.b", {lost})}),
            "likely cause of all 2 calls: no write has an effect: all cells keep their start value");
  EXPECT_EQ(causes_of({caused("a.a", {}), caused("a.b", {}), caused("a.c", {}), caused("a.d", {zero})}), "");
}

TEST(Console, ACauseIsTheSameWhateverItsArgumentIsCalled) {
  const auto dense = [](const std::string& argument) {
    return spec::Diagnosis{.kind = spec::DiagnosisKind::strides_ignored, .subject = argument};
  };
  EXPECT_EQ(causes_of({caused("a.b", {dense("input"), dense("index")}), caused("c.d", {dense("arr")}),
                       caused("e.f", {lost})}),
            "likely cause of 2 of these 3 calls: input, index or arr is read as if it were contiguous");
}

TEST(Console, ACauseOfAnotherKindOfValueIsAnother) {
  const auto combined = [](const std::string& combiner) {
    return spec::Diagnosis{.kind = spec::DiagnosisKind::assigned_instead_of_combined, .subject = combiner};
  };
  EXPECT_EQ(causes_of({caused("a.b", {combined("sum")}), caused("c.d", {combined("sum")}),
                       caused("e.f", {combined("prod")})}),
            "likely cause of 2 of these 3 calls: values are assigned instead of combined by sum");
}

TEST(Console, OperationsAreListedApartUnlessAMessageTellsMore) {
  std::vector<spec::Record> records = {wrong("a.b", "scatter_nd", 9), wrong("c.d", "gather_nd", 5)};
  const std::string apart =
      "  also in other operations, the smallest call of each:\n    gather_nd: c.d/case\n";
  EXPECT_NE(console(run_of({"x"}, records)).find(apart), std::string::npos)
      << console(run_of({"x"}, records));
  EXPECT_EQ(count(console(run_of({"x"}, records)), "FAILED"), 1U);
  for (spec::Record& one : records) {
    one.verdict = Verdict::unexpected_error;
    one.message = "index[" + std::to_string(one.elements) + "] is out of range";
  }
  EXPECT_EQ(console(run_of({"x"}, records)).find("other operations"), std::string::npos);
  EXPECT_EQ(count(console(run_of({"x"}, records)), "FAILED"), 1U);
}

TEST(Console, OperationsThatFailAlikeAreListed) {
  std::vector<spec::Record> records;
  for (const char* operation : {"o1", "o2", "o3", "o4"})
    for (const std::uint64_t elements : {8, 4})
      records.push_back(
          wrong(std::string(operation) + ".api" + std::to_string(elements), operation, elements));
  const std::string text = console(run_of({"x"}, records));
  EXPECT_EQ(count(text, "FAILED"), 1U) << text;
  EXPECT_NE(text.find("  also in other operations, the smallest call of each:\n"
                      "    o2: o2.api4/case (2 calls of 2 APIs)\n"
                      "    o3: o3.api4/case (2 calls of 2 APIs)\n"
                      "    o4: o4.api4/case (2 calls of 2 APIs)\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(count(console(run_of({"x"}, records), 1), "FAILED"), 8U);
}

TEST(Console, TheWorstFailureComesFirst) {
  using Kind = spec::DiagnosisKind;
  const auto with = [](const std::string& api, Verdict verdict, Kind kind) {
    spec::Record one = wrong(api, "o", 1, kind);
    one.verdict = verdict;
    return one;
  };
  const std::string text = console(run_of(
      {"x"},
      {with("a", Verdict::timeout, Kind::timeout), with("b", Verdict::wrong_error, Kind::wrong_refusal),
       with("c", Verdict::unexpected_error, Kind::unexpected_refusal),
       with("d", Verdict::mismatch, Kind::cells_other), with("e", Verdict::mismatch, Kind::argument_written),
       with("f", Verdict::crash, Kind::crash_by_signal)}));
  std::size_t last = 0;
  for (const char* api : {"f", "e", "d", "c", "b", "a"}) {
    const std::size_t at = text.find("FAILED " + std::string(api) + "/case");
    ASSERT_NE(at, std::string::npos) << api;
    EXPECT_GT(at, last) << api;
    last = at;
  }
}

TEST(Console, OfManyApisOfOneEngineTheWorstHaveARow) {
  std::vector<spec::Record> records;
  for (int i = 0; i < 30; ++i) {
    records.push_back(record("api" + std::to_string(i), "x", Verdict::pass));
    if (i < 20) records.push_back(failed(records.back().api, "x"));
    if (i == 15) records.push_back(failed(records.back().api, "x"));
  }
  const std::string text = console(run_of({"x"}, records));
  EXPECT_NE(text.find("\napi15  1, 2 failed\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nand 14 more APIs (-v: each)\n10 other APIs: no failures\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("same verdicts on every engine"), std::string::npos) << "there is one engine";
}

TEST(Console, GeneratedCallsOfOneIdAreNotListed) {
  const std::string text =
      console(run_of({"x"}, {refused("fuzz/valid", "bad size 1"), refused("fuzz/valid", "bad size 2")}));
  EXPECT_NE(text.find("FAILED a.b/fuzz/valid on x: unexpected_error (2 calls)"), std::string::npos) << text;
  EXPECT_EQ(text.find("also in"), std::string::npos) << text;
}

TEST(Console, FailuresThatDifferAreNotOne) {
  const auto shown = [](std::vector<spec::Record> records) {
    return count(console(run_of({"x", "y"}, std::move(records))), "FAILED");
  };
  EXPECT_EQ(shown({refused("one", "bad size"), refused("two", "bad size")}), 1U);
  EXPECT_EQ(shown({refused("one", "bad size"), refused("two", "bad dtype")}), 2U);
  const auto accepted = [](const std::string& id) {
    spec::Record one = refused(id, "");
    one.verdict = Verdict::missing_error;
    one.diagnosis = {spec::DiagnosisKind::no_refusal, "", {}};
    return one;
  };
  EXPECT_EQ(shown({accepted("rule/a/breaks"), accepted("rule/b/breaks")}), 2U);
  EXPECT_EQ(shown({accepted("rule/a/breaks/one"), accepted("rule/a/breaks/two")}), 1U);
  EXPECT_EQ(shown({refused("rule/a/breaks", "no"), refused("rule/b/breaks", "no")}), 1U);
  EXPECT_EQ(shown({refused("rule/a/obeys", "no"), refused("rule/b/obeys", "no")}), 1U);
  EXPECT_EQ(shown({accepted("fuzz/a"), accepted("fuzz/b")}), 2U);
  spec::Record elsewhere = refused("two", "bad size");
  elsewhere.engine = "y";
  EXPECT_EQ(shown({refused("one", "bad size"), elsewhere}), 2U);
}

}  // namespace
}  // namespace scatterproof::reports
