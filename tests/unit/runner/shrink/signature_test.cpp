// SPDX-License-Identifier: Apache-2.0
// What makes two failures the same is data: no rewording of a message changes it.
#include <gtest/gtest.h>

#include <algorithm>

#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/runner/shrink/failure_signature.hpp"
#include "shipped.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Diagnosis;
using spec::DiagnosisKind;
using spec::Verdict;

spec::Judgement judgement(Diagnosis diagnosis, std::string words) {
  return {.verdict = Verdict::mismatch, .diagnosis = std::move(diagnosis), .explanation = std::move(words)};
}

const FailureSignature shifted{
    .verdict = Verdict::mismatch, .broken = {}, .diagnosis = {.kind = DiagnosisKind::shifted_back}};

TEST(Signature, IsOfTheDiagnosisWhateverTheWords) {
  EXPECT_TRUE(fails_alike(shifted, judgement({DiagnosisKind::shifted_back, "", {0}}, "every value ...")));
  EXPECT_TRUE(fails_alike(shifted, judgement({DiagnosisKind::shifted_back, "", {2}}, "reworded, 17 times")));
  EXPECT_FALSE(fails_alike(shifted, judgement({DiagnosisKind::shifted_forward, "", {0}}, "every value ...")));
  EXPECT_FALSE(fails_alike(shifted, judgement({DiagnosisKind::cells_other, "", {}}, "")));
  spec::Judgement refused = judgement({DiagnosisKind::shifted_back, "", {0}}, "");
  refused.verdict = Verdict::crash;
  EXPECT_FALSE(fails_alike(shifted, refused));
}

TEST(Signature, IsLostWhereAnotherCauseComesFirst) {
  spec::Judgement zero = judgement({DiagnosisKind::all_zero, "", {}}, "out[0] is 0");
  zero.causes = {zero.diagnosis, {DiagnosisKind::shifted_back, "", {3}}};
  EXPECT_FALSE(fails_alike(shifted, zero));
  std::ranges::reverse(zero.causes);
  zero.diagnosis = zero.causes.front();
  EXPECT_TRUE(fails_alike(shifted, zero));
}

TEST(Signature, KeepsWhatTheEngineSaidButForValues) {
  const auto saying = [](const std::string& message) {
    spec::Judgement refused = judgement({DiagnosisKind::unexpected_refusal, "IndexError", {}}, "");
    refused.message = message;
    return refused;
  };
  const auto alike = [&](const std::string& before, const std::string& after) {
    const spec::Call call{"torch.gather", {}};
    return fails_alike(
        {.verdict = Verdict::mismatch,
         .broken = {},
         .diagnosis = {.kind = DiagnosisKind::unexpected_refusal, .subject = "IndexError"},
         .said = signature_of(*shipped().specs.find("torch.gather"), call, {}, saying(before)).said},
        saying(after));
  };
  EXPECT_TRUE(alike("index 5 is out of range for size (3, 4)", "index -12 is out of range for size ()"));
  EXPECT_TRUE(alike("no kernel for 'Half' in mode \"a b\"\ntrace", "no kernel for 'Float' in mode \"c\""));
  EXPECT_TRUE(alike("f64[2] is not i32", "f32[7] is not i64"));
  EXPECT_TRUE(alike("it can't be, or won't", "it can't be, or won't"));
  EXPECT_FALSE(alike("index 5 is out of range", "index 5 is out of bounds"));
  EXPECT_FALSE(alike("tuple index out of range", "list index out of range"));
  EXPECT_FALSE(alike("list index out of range", ""));
  EXPECT_FALSE(alike("", "list index out of range"));
}

TEST(Signature, OfCellsThatNothingExplainsTakesAnyDiagnosis) {
  for (const DiagnosisKind kind :
       {DiagnosisKind::cells_other, DiagnosisKind::cells_kept_start, DiagnosisKind::cells_untouched})
    EXPECT_TRUE(fails_alike({.verdict = Verdict::mismatch, .broken = {}, .diagnosis = {.kind = kind}},
                            judgement({DiagnosisKind::all_zero, "", {}}, "")));
}

TEST(Signature, HasTheBrokenRulesAndNoNumbers) {
  const auto engine = engines::make_faulty("dropped-tail", shipped().specs);
  for (const spec::Case& one : shipped().cases) {
    if (one.rule.empty() || !one.breaks) continue;
    const FailureSignature signature =
        signature_of(*shipped().specs.find(one.call.api), one.call, (*engine)->info(),
                     judgement({DiagnosisKind::index_wrapped, "index", {3}}, ""));
    EXPECT_EQ(signature.broken, std::vector<std::string>{one.rule}) << one.id;
    EXPECT_EQ(to_string(signature.diagnosis), "index_repair/wrapped_once/index");
    return;
  }
  FAIL() << "no case breaks a rule";
}

}  // namespace
}  // namespace scatterproof::runner::shrink
