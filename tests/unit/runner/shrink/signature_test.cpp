// SPDX-License-Identifier: Apache-2.0
// What makes two failures the same is data: no rewording of a message changes it.
#include <gtest/gtest.h>

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

TEST(Signature, IsKeptWhereItsCauseIsOneOfSeveral) {
  const auto names = [](const Diagnosis& one) {
    spec::Judgement zero = judgement({DiagnosisKind::all_zero, "", {}}, "out[0] is 0");
    zero.causes = {zero.diagnosis, one};
    return zero;
  };
  EXPECT_TRUE(fails_alike(shifted, names({DiagnosisKind::shifted_back, "", {3}})));
  EXPECT_FALSE(fails_alike(shifted, names({DiagnosisKind::shifted_forward, "", {3}})));
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
