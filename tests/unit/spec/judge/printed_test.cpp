// SPDX-License-Identifier: Apache-2.0
// The numbers a document prints, against a result and against the document's own meaning.
#include <gtest/gtest.h>

#include "bags.hpp"

namespace scatterproof::spec::testing {
namespace {

Judgement printed(const Bag& bag, const std::vector<double>& document, const std::vector<double>& engine) {
  return judge_printed(bag, Tensor(bag.dtype, bag.shape, nums(bag.dtype, document)),
                       Tensor(bag.dtype, bag.shape, nums(bag.dtype, engine)));
}

class Printed : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(DTypes, Printed, ::testing::ValuesIn(all_dtypes), dtype_name);

TEST_P(Printed, ExactCellsMustBeThePrintedOnes) {
  const Bag bag =
      bag_of({GetParam(), Combiner::assign, {2}, nums(GetParam(), {0, 1}), {{0, nums(GetParam(), {1})}}});
  EXPECT_EQ(printed(bag, {1, 1}, {1, 1}).verdict, Verdict::pass);
  EXPECT_EQ(printed(bag, {1, 1}, {1, 1}).mode, ComparisonMode::exact);
  const Judgement wrong_digit = printed(bag, {1, 0}, {1, 1});
  EXPECT_EQ(wrong_digit.verdict, Verdict::mismatch);
  EXPECT_NE(wrong_digit.explanation.find("out[1] is "), std::string::npos);
  EXPECT_EQ(to_string(wrong_digit.diagnosis), "printed/value");
  EXPECT_EQ(printed(bag, {1, 1}, {0, 1}).verdict, Verdict::mismatch);
}

class PrintedNumbers : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(DTypes, PrintedNumbers,
                         ::testing::ValuesIn(all_dtypes.begin() + 1, all_dtypes.end()), dtype_name);

TEST_P(PrintedNumbers, AnotherWinnerOfACollisionIsRightToo) {
  const Bag bag = one_cell(GetParam(), Combiner::assign, num(GetParam(), 0), nums(GetParam(), {3, 5}));
  EXPECT_EQ(printed(bag, {3}, {5}).verdict, Verdict::pass);
  EXPECT_EQ(printed(bag, {3}, {5}).mode, ComparisonMode::member);
  EXPECT_EQ(printed(bag, {3}, {4}).verdict, Verdict::mismatch);
  EXPECT_EQ(printed(bag, {4}, {5}).verdict, Verdict::mismatch)
      << "the document prints what it does not allow";
}

TEST(PrintedFloats, RoundedDigitsOfABoundedResult) {
  const Bag bag = one_cell(DType::f32, Combiner::mean, std::nullopt, nums(DType::f32, {0.1, 0.2, 0.7}));
  EXPECT_EQ(printed(bag, {0.3333}, {1.0 / 3}).verdict, Verdict::pass);
  EXPECT_EQ(printed(bag, {0.33333}, {1.0 / 3}).verdict, Verdict::pass);
  EXPECT_EQ(printed(bag, {0.3334}, {1.0 / 3}).verdict, Verdict::mismatch);
  EXPECT_EQ(printed(bag, {0.3333}, {0.3334}).verdict, Verdict::mismatch)
      << "the result itself is out of bounds";
}

TEST(PrintedFloats, ZerosOfASumAreAlike) {
  const Bag sum = one_cell(DType::f32, Combiner::sum, num(DType::f32, 1), nums(DType::f32, {-1}));
  EXPECT_EQ(printed(sum, {0.0}, {-0.0}).verdict, Verdict::pass);
  const Bag moved = one_cell(DType::f32, Combiner::assign, num(DType::f32, 1), nums(DType::f32, {0.0}));
  EXPECT_EQ(printed(moved, {0.0}, {-0.0}).verdict, Verdict::mismatch);
}

TEST(PrintedFloats, FormsMustAgree) {
  const Bag bag = one_cell(DType::f32, Combiner::assign, num(DType::f32, 0), nums(DType::f32, {1}));
  const Tensor right(DType::f32, {}, nums(DType::f32, {1})), shape(DType::f32, {1}, nums(DType::f32, {1})),
      dtype(DType::f64, {}, nums(DType::f64, {1}));
  EXPECT_EQ(judge_printed(bag, right, right).verdict, Verdict::pass);
  EXPECT_EQ(judge_printed(bag, right, shape).verdict, Verdict::mismatch);
  EXPECT_EQ(to_string(judge_printed(bag, right, shape).diagnosis), "printed/form");
  EXPECT_EQ(judge_printed(bag, dtype, right).verdict, Verdict::mismatch);
  EXPECT_EQ(judge_printed(bag, shape, shape).verdict, Verdict::mismatch);
}

}  // namespace
}  // namespace scatterproof::spec::testing
