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

std::string diagnosis(const Expectation& expectation, const Outcome& outcome, bool native = false) {
  return to_string(judge(expectation, outcome, native).diagnosis);
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

TEST(Verdicts, FailuresOfTheEngineAreDiagnosed) {
  EXPECT_EQ(diagnosis(defined(), {Crashed{11, 0, "boom"}}), "crash/signal/SIGSEGV");
  EXPECT_EQ(diagnosis(defined(), {Crashed{0, 3, ""}}), "crash/exit_status[3]");
  Crashed of_none{6, 0, ""};
  of_none.of_no_call_alone = true;
  EXPECT_EQ(diagnosis(defined(), {of_none}), "crash/of_no_call_alone/SIGABRT");
  of_none.signal = 0;
  EXPECT_EQ(diagnosis(defined(), {of_none}), "crash/of_no_call_alone/exit");
  EXPECT_EQ(diagnosis(defined(), {TimedOut{2, ""}}), "timeout");
  EXPECT_EQ(diagnosis(defined(), {Garbled{"half a reply", ""}}), "garbled");
  EXPECT_EQ(diagnosis(defined(), {Unavailable{"not installed"}}), "unavailable");
  EXPECT_EQ(diagnosis(defined(), {Unsupported{"no c64"}}), "unsupported");
}

TEST(Verdicts, ADefinedResult) {
  EXPECT_EQ(verdict(defined(), right), Verdict::pass);
  EXPECT_EQ(judge(defined(), right).explanation, "");
  const Judgement refused = judge(defined(), index_error);
  EXPECT_EQ(refused.verdict, Verdict::unexpected_error);
  EXPECT_NE(refused.explanation.find("IndexError: index 7 is out of range, but"), std::string::npos)
      << refused.explanation;
  EXPECT_EQ(to_string(refused.diagnosis), "unexpected_refusal/IndexError");
  EXPECT_EQ(refused.message, "index 7 is out of range\ntrace") << "whole";
  EXPECT_EQ(judge(defined(), right).diagnosis, Diagnosis{});
  EXPECT_EQ(verdict(defined(true), index_error), Verdict::weak);
  EXPECT_EQ(diagnosis(defined(true), index_error), "allowed_refusal/IndexError");
  EXPECT_EQ(verdict(defined(true), right), Verdict::pass);
}

TEST(Verdicts, ARequiredRefusal) {
  EXPECT_EQ(verdict(refusal({"IndexError"}), index_error), Verdict::pass);
  EXPECT_EQ(judge(refusal({"IndexError"}), index_error).mode, ComparisonMode::none);
  EXPECT_EQ(verdict(refusal({"LookupError"}), index_error), Verdict::pass) << "a base class answers too";
  EXPECT_EQ(verdict(refusal({"ValueError", "IndexError"}), index_error), Verdict::pass);
  EXPECT_EQ(verdict(refusal({}), index_error), Verdict::pass);
  const Judgement wrong = judge(refusal({"ValueError", "TypeError"}), index_error);
  EXPECT_EQ(wrong.verdict, Verdict::wrong_error);
  EXPECT_EQ(to_string(wrong.diagnosis), "wrong_refusal/IndexError");
  EXPECT_NE(wrong.explanation.find("expected ValueError or TypeError"), std::string::npos);
  EXPECT_NE(wrong.explanation.find("R1: index out of range"), std::string::npos);
  EXPECT_EQ(verdict(refusal({"IndexError"}), right), Verdict::missing_error);
  EXPECT_EQ(diagnosis(refusal({"IndexError"}), right), "no_refusal/result");
  EXPECT_EQ(diagnosis(refusal({"IndexError"}), {Produced{{Tensor(DType::i64, {2, 0})}, {}}}),
            "no_refusal/empty_result");
}

/// Only the first class is shown: its bases are how a document may name it.
TEST(Verdicts, ARefusalIsShownByTheLineThatTellsWhy) {
  const Outcome outcome{
      Refused{{"RuntimeError"}, "Exception from src/core.cpp:117:\nAxis 3 is out of range\n"}};
  EXPECT_NE(judge(defined(), outcome).explanation.find("raised RuntimeError: Axis 3 is out of range, but"),
            std::string::npos)
      << judge(defined(), outcome).explanation;
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
      text.find(
          "refused with index: index[0] = 7, expected a refusal of kind shape (docs/understand/terms.md)"),
      std::string::npos)
      << text;
}

TEST(Verdicts, NothingIsPromised) {
  for (const bool undefined : {true, false})
    for (const Outcome& outcome : {right, index_error}) {
      const Judgement word = judge(free_call(undefined), outcome);
      EXPECT_EQ(word.verdict, Verdict::open);
      EXPECT_EQ(to_string(word.diagnosis), undefined ? "open/undefined" : "open/silent");
      EXPECT_NE(word.explanation.find("R3 is broken"), std::string::npos);
    }
}

TEST(Verdicts, ARefusedCallLeavesWhatIsPromised) {
  const Outcome half_done{Refused{{"IndexError"}, "index 7 is out of range", {"index", "self"}}};
  for (Expectation expectation : {refusal({"IndexError"}), free_call(true), free_call(false)}) {
    const Verdict without = verdict(expectation, half_done);
    EXPECT_NE(without, Verdict::mismatch) << "nothing is promised of self";
    expectation.unchanged = {"self", "other"};
    expectation.unchanged_because = "a refused call leaves self as it was";
    EXPECT_EQ(verdict(expectation, index_error), without) << "it was left alone";
    const Judgement judgement = judge(expectation, half_done);
    EXPECT_EQ(judgement.verdict, Verdict::mismatch);
    EXPECT_EQ(to_string(judgement.diagnosis), "changed_though_refused/self");
    EXPECT_EQ(judgement.explanation,
              "raised IndexError: index 7 is out of range, after the call had changed self\n"
              "because a refused call leaves self as it was");
    EXPECT_EQ(judgement.message, "index 7 is out of range");
  }
}

TEST(Verdicts, AWrongRefusalStaysOneWhateverItLeaves) {
  Expectation expectation = refusal({"ValueError"});
  expectation.unchanged = {"self"};
  const Judgement judgement = judge(expectation, {Refused{{"IndexError"}, "no", {"self"}}});
  EXPECT_EQ(judgement.verdict, Verdict::wrong_error);
  EXPECT_EQ(to_string(judgement.diagnosis), "wrong_refusal/IndexError");
  EXPECT_NE(judgement.explanation.find("after the call had changed self"), std::string::npos);
}

// The form of a result.

TEST(Verdicts, TheResultIsOneTensorOfTheRightDtypeAndShape) {
  const auto mismatch = [](Produced result) { return judge(defined(), {std::move(result)}); };
  EXPECT_EQ(mismatch({{}, {}}).verdict, Verdict::mismatch);
  EXPECT_EQ(to_string(mismatch({{}, {}}).diagnosis), "form/tensor_count");
  const Tensor good(DType::i64, {}, Values{Scalar::of_int(1)});
  EXPECT_EQ(mismatch({{good, good}, {}}).verdict, Verdict::mismatch);
  const Judgement dtype = mismatch({{Tensor(DType::i32, {}, Values{Scalar::of_int(1)})}, {}});
  EXPECT_EQ(dtype.verdict, Verdict::mismatch);
  EXPECT_EQ(to_string(dtype.diagnosis), "form/dtype");
  EXPECT_NE(dtype.explanation.find("dtype is i32, the document says i64"), std::string::npos);
  const Judgement shape = mismatch({{Tensor(DType::i64, {1}, Values{Scalar::of_int(1)})}, {}});
  EXPECT_EQ(shape.verdict, Verdict::mismatch);
  EXPECT_EQ(to_string(shape.diagnosis), "form/shape");
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
  EXPECT_EQ(to_string(wrote.diagnosis), "argument_written/index");
  EXPECT_NE(wrote.explanation.find("the call wrote its input index"), std::string::npos);
  EXPECT_EQ(diagnosis(expectation, outcome({"index", "src"})), "argument_written/index+src");
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
  EXPECT_EQ(diagnosis({bag, false, {}, ""}, right), "unsound_bag");
  bag.offsets = {0};
  EXPECT_EQ(verdict({bag, false, {}, ""}, right), Verdict::infra);
}

// Weak passes.

TEST(Weak, NoCellIsWritten) {
  const Bag bag = bag_of({DType::f32, Combiner::sum, {2}, nums(DType::f32, {1, 2}), {}});
  const Judgement judgement = judged(bag, nums(DType::f32, {1, 2}));
  EXPECT_EQ(judgement.verdict, Verdict::weak);
  EXPECT_EQ(to_string(judgement.diagnosis), "vacuous/nothing_written");
  EXPECT_EQ(judgement.explanation, sentence(judgement.diagnosis));
}

TEST(Weak, DoingNothingWouldPassToo) {
  for (const Combiner combine : {Combiner::assign, Combiner::sum, Combiner::amax}) {
    const double same = combine == Combiner::sum ? 0 : 1;
    const Bag dumb = one_cell(DType::f32, combine, num(DType::f32, 1), nums(DType::f32, {same}));
    EXPECT_EQ(judged(dumb, num(DType::f32, 1)).verdict, Verdict::weak) << name(combine);
    EXPECT_EQ(to_string(judged(dumb, num(DType::f32, 1)).diagnosis), "vacuous/start_would_pass");
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

TEST(Weak, ForbiddenCollisionsLeaveACellFree) {
  Bag bag = one_cell(DType::i8, Combiner::assign, num(DType::i8, 1), nums(DType::i8, {2, 3}));
  bag.collisions = Collisions::forbidden;
  EXPECT_EQ(to_string(judged(bag, num(DType::i8, 9)).diagnosis), "vacuous/all_cells_free");
}

TEST(Weak, AGatherOfZeros) {
  const Bag zeros = bag_of({DType::i8,
                            Combiner::assign,
                            {2},
                            std::nullopt,
                            {{0, nums(DType::i8, {0})}, {1, nums(DType::i8, {0})}}});
  EXPECT_EQ(judged(zeros, nums(DType::i8, {0, 0})).verdict, Verdict::weak);
  EXPECT_EQ(to_string(judged(zeros, nums(DType::i8, {0, 0})).diagnosis), "vacuous/zeros_would_pass");
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
  EXPECT_EQ(to_string(judgement.diagnosis), "vacuous/bound_too_wide");
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
  EXPECT_EQ(judgement.mode, ComparisonMode::bound);
  EXPECT_LT(*judgement.sensitivity, 1);
}

}  // namespace
}  // namespace scatterproof::spec::testing
