// SPDX-License-Identifier: Apache-2.0
// What the judge says of every kind of outcome under every kind of expectation, and when a pass is weak.
#include <gtest/gtest.h>

#include "bags.hpp"

namespace scatterproof::spec::testing {
namespace {

const Bag one = one_cell(DType::i64, Combiner::assign, Scalar::of_int(0), {Scalar::of_int(1)});
const Outcome right = produced(one, {Scalar::of_int(1)});
const Outcome index_error{
    Refused{{"IndexError", "LookupError", "Exception"}, "index 7 is out of range\ntrace"}};
const Outcome native_index{Refused{{"index"}, "index[0] = 7"}};

Expectation defined(bool may_refuse = false) { return {one, may_refuse, {}, "the formula"}; }
Expectation refusal(std::vector<std::string> classes, std::string native = "") {
  return {
      RefusalExpected{std::move(classes), std::move(native), "R1: index out of range"}, false, {"R1"}, ""};
}
Expectation free_call(bool undefined) { return {Free{undefined, "R3 is broken"}, false, {"R3"}, ""}; }

Verdict verdict(const Expectation& expectation, const Outcome& outcome, bool native = false) {
  return judge(expectation, outcome, native).verdict;
}

TEST(Verdicts, FailuresOfTheEngineAreTheSameWhateverWasExpected) {
  for (const Expectation& e : {defined(), refusal({"IndexError"}), free_call(true), free_call(false)}) {
    EXPECT_EQ(verdict(e, {Crashed{11, 0, "boom"}}), Verdict::crash);
    EXPECT_EQ(verdict(e, {TimedOut{2, ""}}), Verdict::timeout);
    EXPECT_EQ(verdict(e, {Garbled{"half a reply", ""}}), Verdict::infra);
    EXPECT_EQ(verdict(e, {Unavailable{"not installed"}}), Verdict::infra);
    EXPECT_EQ(verdict(e, {Unsupported{"no c64"}}), Verdict::unsupported);
  }
  EXPECT_NE(judge(defined(), {Crashed{11, 0, "boom"}}).explanation.find("boom"), std::string::npos);
}

TEST(Verdicts, ADefinedResult) {
  EXPECT_EQ(verdict(defined(), right), Verdict::pass);
  EXPECT_EQ(judge(defined(), right).explanation, "");
  const Judgement refused = judge(defined(), index_error);
  EXPECT_EQ(refused.verdict, Verdict::unexpected_error);
  EXPECT_NE(refused.explanation.find("IndexError: index 7 is out of range, but"), std::string::npos)
      << refused.explanation;
  EXPECT_EQ(verdict(defined(true), index_error), Verdict::weak);
  EXPECT_EQ(verdict(defined(true), right), Verdict::pass);
}

TEST(Verdicts, ARequiredRefusal) {
  EXPECT_EQ(verdict(refusal({"IndexError"}), index_error), Verdict::pass);
  EXPECT_EQ(judge(refusal({"IndexError"}), index_error).rung, Rung::none);
  EXPECT_EQ(verdict(refusal({"LookupError"}), index_error), Verdict::pass) << "a base class answers too";
  EXPECT_EQ(verdict(refusal({"ValueError", "IndexError"}), index_error), Verdict::pass);
  EXPECT_EQ(verdict(refusal({}), index_error), Verdict::pass);
  const Judgement wrong = judge(refusal({"ValueError", "TypeError"}), index_error);
  EXPECT_EQ(wrong.verdict, Verdict::wrong_error);
  EXPECT_NE(wrong.explanation.find("promised is ValueError or TypeError"), std::string::npos);
  EXPECT_NE(wrong.explanation.find("R1: index out of range"), std::string::npos);
  EXPECT_EQ(verdict(refusal({"IndexError"}), right), Verdict::missing_error);
}

TEST(Verdicts, ANativeEngineIsAskedForTheKind) {
  EXPECT_EQ(verdict(refusal({"IndexError"}, "index"), native_index, true), Verdict::pass);
  EXPECT_EQ(verdict(refusal({"IndexError"}, "shape"), native_index, true), Verdict::wrong_error);
  EXPECT_EQ(verdict(refusal({"IndexError"}, ""), native_index, true), Verdict::pass);
  EXPECT_EQ(verdict(refusal({"IndexError"}, "index"), native_index, false), Verdict::wrong_error);
}

/// A user's own worker may declare no framework and still speak exceptions.
TEST(Verdicts, AnExceptionOfAnEngineWithoutFrameworkIsJudgedByTheClasses) {
  EXPECT_EQ(verdict(refusal({}, "index"), index_error, true), Verdict::pass) << "the rule says any";
  EXPECT_EQ(verdict(refusal({"LookupError"}, "shape"), index_error, true), Verdict::pass);
  EXPECT_EQ(verdict(refusal({"ValueError"}, "index"), index_error, true), Verdict::wrong_error);
  EXPECT_EQ(verdict(refusal({}, "index"), {Refused{{}, "no"}}, true), Verdict::pass);
  EXPECT_EQ(verdict(refusal({}, "index"), {Refused{{"indexes", "index"}, "no"}}, true), Verdict::pass)
      << "only the first class tells how an engine speaks";
}

TEST(Verdicts, AWrongKindIsNotCalledAnException) {
  EXPECT_EQ(verdict(refusal({}, "shape"), native_index, true), Verdict::wrong_error);
  const std::string text = judge(refusal({"IndexError"}, "shape"), native_index, true).explanation;
  EXPECT_NE(
      text.find("refused with index: index[0] = 7, promised is a refusal of kind shape (docs/terms.md)"),
      std::string::npos)
      << text;
}

TEST(Verdicts, NothingIsPromised) {
  for (const bool undefined : {true, false})
    for (const Outcome& outcome : {right, index_error}) {
      const Judgement word = judge(free_call(undefined), outcome);
      EXPECT_EQ(word.verdict, Verdict::open);
      EXPECT_NE(word.explanation.find("R3 is broken"), std::string::npos);
    }
}

// The form of a result.

TEST(Verdicts, TheResultIsOneTensorOfTheRightDtypeAndShape) {
  const auto mismatch = [](Produced result) { return judge(defined(), {std::move(result)}); };
  EXPECT_EQ(mismatch({{}, {}}).verdict, Verdict::mismatch);
  const Tensor good(DType::i64, {}, Values{Scalar::of_int(1)});
  EXPECT_EQ(mismatch({{good, good}, {}}).verdict, Verdict::mismatch);
  const Judgement dtype = mismatch({{Tensor(DType::i32, {}, Values{Scalar::of_int(1)})}, {}});
  EXPECT_EQ(dtype.verdict, Verdict::mismatch);
  EXPECT_NE(dtype.explanation.find("dtype is i32, the document says i64"), std::string::npos);
  const Judgement shape = mismatch({{Tensor(DType::i64, {1}, Values{Scalar::of_int(1)})}, {}});
  EXPECT_EQ(shape.verdict, Verdict::mismatch);
  EXPECT_NE(shape.explanation.find("shape is [1], the document says []"), std::string::npos);
}

TEST(Verdicts, WritingAnInputIsAMismatchUnlessTheDocumentSaysSo) {
  Bag bag = one;
  bag.may_write = {"self"};
  const Expectation expectation{bag, false, {}, ""};
  const auto outcome = [&](std::vector<std::string> written) {
    return Outcome{Produced{std::get<Produced>(right.what).tensors, std::move(written)}};
  };
  EXPECT_EQ(verdict(expectation, outcome({"self"})), Verdict::pass);
  const Judgement wrote = judge(expectation, outcome({"self", "index"}));
  EXPECT_EQ(wrote.verdict, Verdict::mismatch);
  EXPECT_NE(wrote.explanation.find("wrote its input index"), std::string::npos);
}

TEST(Verdicts, ALayoutOfTheResultDoesNotMatter) {
  const Bag bag = bag_of(
      {DType::i16, Combiner::assign, {2, 2}, nums(DType::i16, {0, 0, 0, 0}), {{1, nums(DType::i16, {5})}}});
  const Tensor values(DType::i16, {2, 2}, nums(DType::i16, {0, 5, 0, 0}));
  for (const Layout layout : {Layout::transposed, Layout::sliced, Layout::reversed})
    EXPECT_EQ(verdict({bag, false, {}, ""}, {Produced{{with_layout(values, layout)}, {}}}), Verdict::pass);
}

TEST(Verdicts, AnUnsoundBagIsOurFault) {
  Bag bag = one;
  bag.start.reset();
  bag.list.clear();
  bag.offsets = {0, 0};
  EXPECT_EQ(verdict({bag, false, {}, ""}, right), Verdict::infra);
  bag.offsets = {0};
  EXPECT_EQ(verdict({bag, false, {}, ""}, right), Verdict::infra);
}

// Weak passes.

TEST(Weak, NoCellIsWritten) {
  const Bag bag = bag_of({DType::f32, Combiner::sum, {2}, nums(DType::f32, {1, 2}), {}});
  const Judgement judgement = judged(bag, nums(DType::f32, {1, 2}));
  EXPECT_EQ(judgement.verdict, Verdict::weak);
  EXPECT_NE(judgement.explanation.find("no cell is written"), std::string::npos);
}

TEST(Weak, DoingNothingWouldPassToo) {
  for (const Combiner combine : {Combiner::assign, Combiner::sum, Combiner::amax}) {
    const double same = combine == Combiner::sum ? 0 : 1;
    const Bag dumb = one_cell(DType::f32, combine, num(DType::f32, 1), nums(DType::f32, {same}));
    EXPECT_EQ(judged(dumb, num(DType::f32, 1)).verdict, Verdict::weak) << name(combine);
  }
  const Bag telling = bag_of({DType::i8,
                              Combiner::assign,
                              {2},
                              nums(DType::i8, {1, 1}),
                              {{0, nums(DType::i8, {1})}, {1, nums(DType::i8, {2})}}});
  EXPECT_EQ(judged(telling, nums(DType::i8, {1, 2})).verdict, Verdict::pass) << "one cell tells";
  const Bag member = one_cell(DType::i8, Combiner::assign, num(DType::i8, 1), nums(DType::i8, {1, 2}));
  EXPECT_EQ(judged(member, num(DType::i8, 2)).verdict, Verdict::weak);
}

TEST(Weak, AGatherOfZeros) {
  const Bag zeros = bag_of({DType::i8,
                            Combiner::assign,
                            {2},
                            std::nullopt,
                            {{0, nums(DType::i8, {0})}, {1, nums(DType::i8, {0})}}});
  EXPECT_EQ(judged(zeros, nums(DType::i8, {0, 0})).verdict, Verdict::weak);
  const Bag telling = bag_of({DType::i8,
                              Combiner::assign,
                              {2},
                              std::nullopt,
                              {{0, nums(DType::i8, {0})}, {1, nums(DType::i8, {3})}}});
  EXPECT_EQ(judged(telling, nums(DType::i8, {0, 3})).verdict, Verdict::pass);
}

TEST(Weak, ABoundWiderThanTheSmallestContribution) {
  const Bag blunt =
      one_cell(DType::f32, Combiner::sum, num(DType::f32, 0), nums(DType::f32, {1e9, 1e-3, 0.1}));
  const Judgement judgement = judged(blunt, num(DType::f32, 1e9));
  EXPECT_EQ(judgement.verdict, Verdict::weak);
  ASSERT_TRUE(judgement.sensitivity && judgement.bound);
  EXPECT_LT(*judgement.sensitivity, 1);
  EXPECT_NEAR(*judgement.sensitivity * *judgement.bound, 1e-3, 1e-6);
  const Bag sharp =
      one_cell(DType::f32, Combiner::sum, num(DType::f32, 0), nums(DType::f32, {0.7, 0.3, 0.1}));
  EXPECT_EQ(judged(sharp, num(DType::f32, 1.1)).verdict, Verdict::pass);
  EXPECT_GT(*judged(sharp, num(DType::f32, 1.1)).sensitivity, 1e5);
}

TEST(Weak, TheWorstSensitivityIsReportedThoughABetterCellTells) {
  const Bag bag = bag_of({DType::f32,
                          Combiner::sum,
                          {2},
                          nums(DType::f32, {0, 0}),
                          {{0, nums(DType::f32, {1e9, 1e-3, 0.1})}, {1, nums(DType::f32, {0.7, 0.3, 0.1})}}});
  const Judgement judgement = judged(bag, nums(DType::f32, {1e9, 1.1}));
  EXPECT_EQ(judgement.verdict, Verdict::pass);
  EXPECT_EQ(judgement.rung, Rung::bound);
  EXPECT_LT(*judgement.sensitivity, 1);
}

}  // namespace
}  // namespace scatterproof::spec::testing
