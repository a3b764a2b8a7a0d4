// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/diagnosis.hpp"

#include <gtest/gtest.h>

#include <set>

namespace scatterproof::spec {
namespace {

TEST(Diagnosis, OfEveryKindComesBackFromItsText) {
  std::set<std::string> texts;
  for (const DiagnosisKind kind : all_diagnosis_kinds()) {
    for (const Diagnosis& one : {Diagnosis{kind, "", {}}, Diagnosis{kind, "index+src", {}},
                                 Diagnosis{kind, "", {-1}}, Diagnosis{kind, "sum_instead_of_amax", {3, 0}}}) {
      const auto back = parse_diagnosis(to_string(one));
      ASSERT_TRUE(back) << to_string(one);
      EXPECT_EQ(*back, one) << to_string(one);
    }
    EXPECT_TRUE(texts.insert(to_string(Diagnosis{.kind = kind})).second);
  }
  EXPECT_EQ(to_string(Diagnosis{}), "");
  EXPECT_EQ(parse_diagnosis(""), Diagnosis{});
}

/// Baselines and stored streams hold these texts: they do not change.
TEST(Diagnosis, HasAStableText) {
  EXPECT_EQ(to_string(Diagnosis{DiagnosisKind::shifted_forward, "", {0}}),
            "wrong_meaning/shifted_forward[0]");
  EXPECT_EQ(to_string(Diagnosis{DiagnosisKind::other_dimension, "", {1, 0}}),
            "wrong_meaning/other_dimension[1,0]");
  EXPECT_EQ(to_string(Diagnosis{DiagnosisKind::assigned_instead_of_combined, "sum", {}}),
            "wrong_meaning/values_assigned_instead_of_combined/sum");
  EXPECT_EQ(to_string(Diagnosis{DiagnosisKind::index_wrapped, "index", {3}}),
            "index_repair/wrapped_once/index[3]");
  EXPECT_EQ(to_string(Diagnosis{DiagnosisKind::argument_written, "index", {}}), "argument_written/index");
  EXPECT_EQ(to_string(Diagnosis{DiagnosisKind::cells_kept_start, "", {}}), "cell/start_kept");
  EXPECT_EQ(to_string(Diagnosis{DiagnosisKind::crash_by_signal, "SIGSEGV", {}}), "crash/signal/SIGSEGV");
}

TEST(Diagnosis, OtherTextsAreNone) {
  for (const char* text :
       {"nonsense", "wrong_meaning", "form/dtypes", "form/dtype/", "form/dtype[", "form/dtype[]",
        "form/dtype[1", "form/dtype[1,]", "form/dtype[x]", "form/dtype[1]x", "form/dtype/a b", "[1]", "/"})
    EXPECT_FALSE(parse_diagnosis(text)) << text;
}

TEST(Diagnosis, ASubjectFromAnywhereStaysOneWord) {
  EXPECT_EQ(as_subject("onnxruntime.Fail"), "onnxruntime.Fail");
  EXPECT_EQ(as_subject("a b[3]/\n\xc3\xa9"), "a_b_3_____");
  const Diagnosis one{DiagnosisKind::unexpected_refusal, as_subject("a[0]/b"), {}};
  EXPECT_EQ(parse_diagnosis(to_string(one)), one);
}

TEST(Diagnosis, OfAlikeCallsDiffersInNumbersAlone) {
  const Diagnosis one{DiagnosisKind::index_wrapped, "index", {3}},
      other{DiagnosisKind::index_wrapped, "index", {5}};
  EXPECT_NE(one, other);
  EXPECT_EQ(without_numbers(one), without_numbers(other));
  EXPECT_NE(without_numbers(one), (Diagnosis{DiagnosisKind::index_clamped, "index", {}}));
  EXPECT_NE(without_numbers(one), (Diagnosis{DiagnosisKind::index_wrapped, "indices", {}}));
}

TEST(Diagnosis, IsToldFromItself) {
  EXPECT_EQ(sentence({DiagnosisKind::shifted_forward, "", {0}}),
            "every value is shifted forward by one along dimension 0 (off-by-one in the index?)");
  EXPECT_EQ(sentence({DiagnosisKind::other_dimension, "", {1, 0}}),
            "the index is applied along dimension 1 instead of 0");
  EXPECT_EQ(sentence({DiagnosisKind::other_combiner, "sum_instead_of_amax", {}}),
            "values are combined by sum instead of amax");
  EXPECT_EQ(sentence({DiagnosisKind::index_clamped, "index", {2}}),
            "the engine seems to clamp the values of index to 0 .. 2");
  EXPECT_EQ(sentence({}), "");
  for (const DiagnosisKind kind : all_diagnosis_kinds())
    EXPECT_EQ(
        to_string(Diagnosis{.kind = kind}).starts_with("wrong_meaning/") && sentence({.kind = kind}).empty(),
        false);
}

}  // namespace
}  // namespace scatterproof::spec
