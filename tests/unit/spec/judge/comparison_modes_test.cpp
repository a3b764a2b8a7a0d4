// SPDX-License-Identifier: Apache-2.0
// Every comparison, for every dtype, with a passing and a failing twin.
#include <gtest/gtest.h>

#include <cmath>

#include "bags.hpp"

namespace scatterproof::spec::testing {
namespace {

class EveryDType : public ::testing::TestWithParam<DType> {
 protected:
  DType dtype() const { return GetParam(); }
  Scalar n(double value) const { return num(dtype(), value); }
  Values ns(const std::vector<double>& values) const { return nums(dtype(), values); }
  bool is_bool() const { return dtype() == DType::boolean; }
};
INSTANTIATE_TEST_SUITE_P(DTypes, EveryDType, ::testing::ValuesIn(all_dtypes), dtype_name);

class EveryNumber : public EveryDType {};
INSTANTIATE_TEST_SUITE_P(DTypes, EveryNumber, ::testing::ValuesIn(all_dtypes.begin() + 1, all_dtypes.end()),
                         dtype_name);
class EveryInteger : public EveryDType {};
INSTANTIATE_TEST_SUITE_P(DTypes, EveryInteger,
                         ::testing::Values(DType::u8, DType::i8, DType::i16, DType::i32, DType::i64),
                         dtype_name);
class EverySigned : public EveryDType {};
INSTANTIATE_TEST_SUITE_P(DTypes, EverySigned,
                         ::testing::Values(DType::i8, DType::i16, DType::i32, DType::i64), dtype_name);
class EveryReal : public EveryDType {};
INSTANTIATE_TEST_SUITE_P(DTypes, EveryReal,
                         ::testing::Values(DType::f16, DType::bf16, DType::f32, DType::f64), dtype_name);
class EveryComplex : public EveryDType {};
INSTANTIATE_TEST_SUITE_P(DTypes, EveryComplex, ::testing::Values(DType::c64, DType::c128), dtype_name);

TEST_P(EveryDType, UntouchedCellKeepsItsStart) {
  const Bag bag = bag_of({dtype(), Combiner::assign, {2}, ns({0, 1}), {{0, ns({1})}}});
  const Judgement kept = judged(bag, ns({1, 1}));
  EXPECT_EQ(kept.verdict, Verdict::pass);
  EXPECT_EQ(kept.mode, ComparisonMode::exact);
  EXPECT_EQ(judged(bag, ns({1, 0})).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, SingleAssignmentIsExact) {
  const Bag bag = one_cell(dtype(), Combiner::assign, n(0), ns({1}));
  EXPECT_EQ(judged(bag, n(1)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, n(1)).mode, ComparisonMode::exact);
  EXPECT_EQ(judged(bag, n(0)).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, CollidingAssignmentIsAnyMember) {
  const double other = is_bool() ? 1 : 9;
  const Bag bag = one_cell(dtype(), Combiner::assign, n(0), ns({1, other}));
  for (const double winner : {1.0, other}) {
    EXPECT_EQ(judged(bag, n(winner)).verdict, Verdict::pass);
    EXPECT_EQ(judged(bag, n(winner)).mode, ComparisonMode::member);
  }
  EXPECT_EQ(judged(bag, n(0)).verdict, Verdict::mismatch);
  if (!is_bool()) {
    EXPECT_EQ(judged(bag, n(10)).verdict, Verdict::mismatch);
  }
}

TEST_P(EveryDType, LastWinsWhereItIsPromised) {
  Bag bag = one_cell(dtype(), Combiner::assign, n(0), ns({0, 1}));
  bag.collisions = Collisions::last;
  EXPECT_EQ(judged(bag, n(1)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, n(1)).mode, ComparisonMode::exact);
  EXPECT_EQ(judged(bag, n(0)).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, ForbiddenCollisionLeavesThatCellFreeAndNoOther) {
  Bag bag = bag_of({dtype(), Combiner::assign, {2}, ns({0, 0}), {{0, ns({0, 1})}, {1, ns({1})}}});
  bag.collisions = Collisions::forbidden;
  EXPECT_EQ(judged(bag, ns({0, 1})).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, ns({1, 1})).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, ns({1, 0})).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, Sum) {
  const Bag bag = one_cell(dtype(), Combiner::sum, n(0), ns({1, 1, 1}));
  const Judgement right = judged(bag, n(3));  // for bool: true, which is or
  EXPECT_EQ(right.verdict, Verdict::pass);
  EXPECT_EQ(right.mode, is_bool() || is_integer(dtype()) ? ComparisonMode::exact : ComparisonMode::lattice);
  EXPECT_EQ(judged(bag, n(0)).verdict, Verdict::mismatch);
  if (!is_bool()) {
    EXPECT_EQ(judged(bag, n(2)).verdict, Verdict::mismatch);
  }
}

TEST_P(EveryDType, Product) {
  const Bag bag = one_cell(dtype(), Combiner::prod, n(1), is_bool() ? ns({1, 0}) : ns({2, 3}));
  const Judgement right = judged(bag, n(is_bool() ? 0 : 6));
  EXPECT_EQ(right.verdict, Verdict::pass);
  EXPECT_EQ(right.mode, is_bool() || is_integer(dtype()) ? ComparisonMode::exact : ComparisonMode::lattice);
  EXPECT_EQ(judged(bag, n(is_bool() ? 1 : 5)).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, Quotient) {
  const Bag bag = one_cell(dtype(), Combiner::quotient, n(1), ns({1, 1}));
  if (is_integer(dtype())) {
    const Bag whole = one_cell(dtype(), Combiner::quotient, n(12), ns({2, 3}));
    EXPECT_EQ(judged(whole, n(2)).verdict, Verdict::pass);
    EXPECT_EQ(judged(whole, n(2)).mode, ComparisonMode::exact);
    for (const double wrong : {6, 4, 12, 3})
      EXPECT_EQ(judged(whole, n(wrong)).verdict, Verdict::mismatch) << wrong;
    const Bag remainder = one_cell(dtype(), Combiner::quotient, n(7), ns({2}));
    for (const double any : {3, 4}) EXPECT_EQ(judged(remainder, n(any)).verdict, Verdict::weak) << any;
    return;
  }
  if (!is_float(dtype())) {
    EXPECT_EQ(judged(bag, n(1)).verdict, Verdict::weak) << "no document defines it";
    return;
  }
  const Bag halves = one_cell(dtype(), Combiner::quotient, n(-6), ns({2, -4}));
  EXPECT_EQ(judged(halves, n(0.75)).verdict, Verdict::pass);
  EXPECT_EQ(judged(halves, n(0.75)).mode, ComparisonMode::lattice);
  for (const double wrong : {-0.75, -3.0, 48.0, std::nextafter(0.75, 1) + 0.01})
    EXPECT_EQ(judged(halves, n(wrong)).verdict, Verdict::mismatch) << wrong;
}

TEST_P(EveryReal, QuotientThatRoundsIsWithinARoundingForEachStep) {
  const Bag bag = one_cell(dtype(), Combiner::quotient, n(105), ns({3, 7, 3}));
  const double unit = std::ldexp(1.0, 1 - float_format(dtype()).precision);
  const double right = 105.0 / 63;
  EXPECT_EQ(judged(bag, n(right)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, n(right)).mode, ComparisonMode::bound);
  EXPECT_EQ(judged(bag, n(right + 2 * unit)).verdict, Verdict::pass) << "six roundings";
  for (const double wrong : {right + 8 * unit, right - 8 * unit, 105.0 / 9, 105.0 / 21})
    EXPECT_EQ(judged(bag, n(wrong)).verdict, Verdict::mismatch) << wrong;
}

TEST_P(EveryDType, Mean) {
  const Bag bag = one_cell(dtype(), Combiner::mean, n(0), ns({2, 4, 6}));
  if (is_bool()) {
    EXPECT_EQ(judged(bag, n(1)).verdict, Verdict::weak) << "no document defines it";
    return;
  }
  EXPECT_EQ(judged(bag, n(3)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, n(4)).verdict, Verdict::mismatch) << "divided by the count without the start";
  EXPECT_EQ(judged(bag, n(12)).verdict, Verdict::mismatch) << "not divided";
}

TEST_P(EveryNumber, MeanOverACountThatIsNoPowerOfTwo) {
  const Bag bag = one_cell(dtype(), Combiner::mean, std::nullopt, ns({1, 2, 4}));
  const Judgement right = judged(bag, is_integer(dtype()) ? n(2) : n(7.0 / 3));
  EXPECT_EQ(right.verdict, Verdict::pass);
  EXPECT_EQ(right.mode, is_integer(dtype()) ? ComparisonMode::exact : ComparisonMode::lattice);
  EXPECT_EQ(judged(bag, n(3)).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, SumOverTheRootOfTheCount) {
  const Bag bag = one_cell(dtype(), Combiner::sum_over_root, n(0), ns({2, 4, 6}));  // 12 / sqrt(4)
  if (is_bool() || is_integer(dtype())) {
    EXPECT_EQ(judged(bag, n(1)).verdict, Verdict::weak) << "no document defines it";
    return;
  }
  EXPECT_EQ(judged(bag, n(6)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, n(6)).mode, ComparisonMode::lattice) << "no addition rounds";
  for (const double wrong : {3.0, 12.0, 12 / std::sqrt(3), 12 / std::sqrt(5)})
    EXPECT_EQ(judged(bag, n(wrong)).verdict, Verdict::mismatch) << wrong;
}

TEST_P(EveryReal, SumOverARootIsWithinARoundingForEachStep) {
  const Bag bag = one_cell(dtype(), Combiner::sum_over_root, std::nullopt, ns({1, 2, 4}));
  const double unit = std::ldexp(1.0, 3 - float_format(dtype()).precision);  // of numbers from 4 on
  const double right = 7 / std::sqrt(3);
  EXPECT_EQ(judged(bag, n(right)).verdict, Verdict::pass);
  for (const double wrong : {right + 4 * unit, right - 4 * unit})
    EXPECT_EQ(judged(bag, n(wrong)).verdict, Verdict::mismatch) << wrong;
  EXPECT_EQ(judged(one_cell(dtype(), Combiner::sum_over_root, std::nullopt, ns({3})), n(3)).mode,
            ComparisonMode::exact);
}

TEST_P(EveryDType, BitsOfIntegersAndTruthValues) {
  const auto verdict = [&](Combiner combine, const std::vector<double>& values, double result) {
    return judged(one_cell(dtype(), combine, n(values[0]), ns({values[1], values[2]})), n(result)).verdict;
  };
  if (is_bool()) {
    EXPECT_EQ(verdict(Combiner::bit_xor, {1, 0, 1}, 0), Verdict::pass);
    EXPECT_EQ(verdict(Combiner::bit_xor, {0, 1, 1}, 1), Verdict::mismatch);
    EXPECT_EQ(verdict(Combiner::bit_and, {1, 0, 1}, 0), Verdict::pass);
    EXPECT_EQ(verdict(Combiner::bit_and, {1, 0, 1}, 1), Verdict::mismatch);
    EXPECT_EQ(verdict(Combiner::bit_or, {0, 0, 1}, 1), Verdict::pass);
    EXPECT_EQ(verdict(Combiner::bit_or, {0, 0, 1}, 0), Verdict::mismatch);
    return;
  }
  if (!is_integer(dtype())) {
    EXPECT_EQ(verdict(Combiner::bit_or, {1, 2, 4}, 7), Verdict::weak) << "no document defines it";
    return;
  }
  EXPECT_EQ(verdict(Combiner::bit_and, {14, 7, 13}, 4), Verdict::pass);
  EXPECT_EQ(verdict(Combiner::bit_and, {14, 7, 13}, 6), Verdict::mismatch);
  EXPECT_EQ(verdict(Combiner::bit_or, {8, 1, 9}, 9), Verdict::pass);
  EXPECT_EQ(verdict(Combiner::bit_or, {8, 1, 9}, 18), Verdict::mismatch) << "added";
  EXPECT_EQ(verdict(Combiner::bit_xor, {12, 10, 6}, 0), Verdict::pass);
  EXPECT_EQ(verdict(Combiner::bit_xor, {12, 10, 6}, 14), Verdict::mismatch);
}

TEST_P(EverySigned, BitsOfNegativeNumbers) {
  EXPECT_EQ(judged(one_cell(dtype(), Combiner::bit_xor, n(-1), ns({5})), n(-6)).verdict, Verdict::pass);
  EXPECT_EQ(judged(one_cell(dtype(), Combiner::bit_and, n(-4), ns({7})), n(4)).verdict, Verdict::pass);
  EXPECT_EQ(judged(one_cell(dtype(), Combiner::bit_or, n(-4), ns({1})), n(-3)).verdict, Verdict::pass);
  EXPECT_EQ(judged(one_cell(dtype(), Combiner::bit_or, n(-4), ns({1})), n(-4)).verdict, Verdict::mismatch);
}

TEST_P(EveryInteger, QuotientIsAFloorWhereTheLatitudeSaysSo) {
  Bag bag = one_cell(dtype(), Combiner::quotient, n(47), ns({2, 3}));
  EXPECT_EQ(judged(bag, n(7)).verdict, Verdict::weak);
  EXPECT_EQ(judged(bag, n(8)).verdict, Verdict::weak);
  bag.integer_quotient = IntegerQuotient::floor;
  EXPECT_EQ(judged(bag, n(7)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, n(8)).verdict, Verdict::mismatch);
  bag = one_cell(dtype(), Combiner::quotient, n(47), ns({2, 0}));
  bag.integer_quotient = IntegerQuotient::floor;
  EXPECT_EQ(judged(bag, n(0)).verdict, Verdict::weak) << "divided by zero";
}

TEST_P(EverySigned, QuotientOfNegativeNumbersIsAFloor) {
  const auto verdict = [&](double start, const std::vector<double>& divisors, double result) {
    Bag bag = one_cell(dtype(), Combiner::quotient, n(start), ns(divisors));
    bag.integer_quotient = IntegerQuotient::floor;
    return judged(bag, n(result)).verdict;
  };
  EXPECT_EQ(verdict(-7, {2}, -4), Verdict::pass);
  EXPECT_EQ(verdict(-7, {2}, -3), Verdict::mismatch) << "truncated";
  EXPECT_EQ(verdict(7, {-2}, -4), Verdict::pass);
  EXPECT_EQ(verdict(-7, {-2}, 3), Verdict::pass);
  EXPECT_EQ(verdict(-7, {-2}, 4), Verdict::mismatch);
  EXPECT_EQ(verdict(-7, {2, 3}, -2), Verdict::pass);  // -4 / 3
  EXPECT_EQ(verdict(5, {2, -2}, -1), Verdict::weak) << "5 / 2 / -2 and 5 / -2 / 2 differ";
  EXPECT_EQ(verdict(5, {2, -2}, -2), Verdict::weak);
}

TEST_P(EveryDType, LargestAndSmallest) {
  for (const bool largest : {true, false}) {
    const Bag bag =
        one_cell(dtype(), largest ? Combiner::amax : Combiner::amin, n(largest ? 0 : 1), ns({1, 0, 1}));
    if (is_complex(dtype())) {
      EXPECT_EQ(judged(bag, n(7)).verdict, Verdict::weak) << "complex numbers have no order";
      continue;
    }
    EXPECT_EQ(judged(bag, n(largest ? 1 : 0)).verdict, Verdict::pass);
    EXPECT_EQ(judged(bag, n(largest ? 1 : 0)).mode, ComparisonMode::exact);
    EXPECT_EQ(judged(bag, n(largest ? 0 : 1)).verdict, Verdict::mismatch);
  }
}

TEST_P(EveryDType, StartThatDoesNotCountIsLeftOut) {
  Bag bag = one_cell(dtype(), Combiner::sum, n(1), is_bool() ? ns({0}) : ns({2}));
  bag.start_counts = false;
  EXPECT_EQ(judged(bag, n(is_bool() ? 0 : 2)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, n(is_bool() ? 1 : 3)).verdict, Verdict::mismatch);
  bag.start_counts = true;
  EXPECT_TRUE(accepted(judged(bag, n(is_bool() ? 1 : 3))));
  EXPECT_EQ(judged(bag, n(is_bool() ? 0 : 2)).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, UntouchedCellKeepsAStartThatDoesNotCount) {
  Bag bag = bag_of({dtype(), Combiner::sum, {2}, ns({1, 1}), {{0, ns({0})}}});
  bag.start_counts = false;
  EXPECT_EQ(judged(bag, ns({0, 1})).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, ns({0, 0})).verdict, Verdict::mismatch);
}

TEST_P(EveryDType, RankZero) {
  const Bag bag = one_cell(dtype(), Combiner::assign, n(0), ns({1}));
  ASSERT_TRUE(bag.shape.empty());
  EXPECT_EQ(judged(bag, n(1)).verdict, Verdict::pass);
  EXPECT_NE(judged(bag, n(0)).explanation.find("out is "), std::string::npos);
}

TEST_P(EveryDType, EmptyResultIsWeak) {
  const Bag bag = bag_of({dtype(), Combiner::assign, {0, 3}, Values{}, {}});
  EXPECT_EQ(judged(bag, Values{}).verdict, Verdict::weak);
  Expectation expectation;
  expectation.what = bag;
  EXPECT_EQ(judge(expectation, {Produced{{Tensor(dtype(), {3, 0})}, {}}}).verdict, Verdict::mismatch);
}

// The dtypes' own edges.

TEST_P(EveryInteger, IntegersWrap) {
  const IntegerRange range = integer_range(dtype());
  const Scalar highest = Scalar::of_int(range.highest), lowest = Scalar::of_int(range.lowest);
  const Bag sum = one_cell(dtype(), Combiner::sum, n(1), {highest});
  EXPECT_EQ(judged(sum, lowest).verdict, Verdict::pass);
  EXPECT_EQ(judged(sum, highest).verdict, Verdict::mismatch) << "saturated";
  const Bag product = one_cell(dtype(), Combiner::prod, n(1), {highest, n(2)});
  EXPECT_EQ(judged(product, convert(Scalar::of_int(-2), dtype())).verdict, Verdict::pass)
      << "2 (2^k - 1) = -2";
  EXPECT_EQ(judged(product, highest).verdict, Verdict::mismatch);
}

TEST_P(EverySigned, IntegerMeanRoundsAsTheLatitudeSays) {
  Bag bag = one_cell(dtype(), Combiner::mean, n(0), ns({-2, -3, -2}));  // -7 / 4
  const auto verdicts = [&](IntegerMean policy) {
    bag.integer_mean = policy;
    return std::pair(accepted(judged(bag, n(-2))), accepted(judged(bag, n(-1))));
  };
  EXPECT_EQ(verdicts(IntegerMean::floor), std::pair(true, false));
  EXPECT_EQ(verdicts(IntegerMean::truncate), std::pair(false, true));
  EXPECT_EQ(verdicts(IntegerMean::open), std::pair(true, true));
  EXPECT_EQ(judged(bag, n(-2)).mode, ComparisonMode::member);
  EXPECT_EQ(judged(bag, n(0)).verdict, Verdict::mismatch);
}

TEST_P(EveryInteger, IntegerMeanOfAWrappedOrAWideSum) {
  const Scalar highest = Scalar::of_int(integer_range(dtype()).highest);
  const Bag bag = one_cell(dtype(), Combiner::mean, std::nullopt, {highest, highest});
  EXPECT_TRUE(accepted(judged(bag, highest)));
  EXPECT_TRUE(accepted(judged(bag, n(dtype() == DType::u8 ? 127 : -1))));
  EXPECT_FALSE(accepted(judged(bag, n(5))));
}

TEST_P(EveryReal, SumOfTwoIsRoundedOnceToANeighbour) {
  const double u = std::ldexp(1.0, -float_format(dtype()).precision);
  const Bag bag = one_cell(dtype(), Combiner::sum, n(1), ns({u * 1.25}));  // between 1 and 1 + 2u
  EXPECT_EQ(judged(bag, n(1 + 2 * u)).mode, ComparisonMode::bound);
  EXPECT_TRUE(accepted(judged(bag, n(1 + 2 * u))));
  EXPECT_FALSE(accepted(judged(bag, n(1 + 4 * u))));
  EXPECT_FALSE(accepted(judged(bag, n(1 - 2 * u))));
}

TEST_P(EveryComplex, BoundHoldsForBothPartsOfAComplexSum) {
  const double u = std::ldexp(1.0, -float_format(dtype()).precision);
  const auto c = [&](double re, double im) { return convert(Scalar::of_complex(re, im), dtype()); };
  const Bag bag = one_cell(dtype(), Combiner::sum, c(1, 1), {c(u * 1.25, u * 1.25), c(0.1, 0.3)});
  EXPECT_TRUE(accepted(judged(bag, c(1.1, 1.3))));
  EXPECT_FALSE(accepted(judged(bag, c(1.1, 1.2))));
  EXPECT_FALSE(accepted(judged(bag, c(1.2, 1.3))));
}

TEST_P(EveryComplex, ComplexProductIsBoundedInNorm) {
  const auto c = [&](double re, double im) { return convert(Scalar::of_complex(re, im), dtype()); };
  const Bag bag = one_cell(dtype(), Combiner::prod, c(0.1, 0.7), {c(1.3, -0.9), c(0.7, 0.3)});
  // (0.1 + 0.7i)(1.3 - 0.9i) = 0.76 + 0.82i; times (0.7 + 0.3i) = 0.286 + 0.802i
  EXPECT_EQ(judged(bag, c(0.286, 0.802)).verdict, Verdict::pass);
  EXPECT_EQ(judged(bag, c(0.286, 0.802)).mode, ComparisonMode::bound);
  EXPECT_FALSE(accepted(judged(bag, c(0.802, 0.286))));
  const Bag exact = one_cell(dtype(), Combiner::prod, c(1, 2), {c(3, -1)});
  EXPECT_EQ(judged(exact, c(5, 5)).mode, ComparisonMode::lattice);
  EXPECT_FALSE(accepted(judged(exact, c(5, 5.001))));
}

TEST_P(EveryReal, ProductIsBoundedRelatively) {
  const double u = std::ldexp(1.0, -float_format(dtype()).precision);
  const Scalar x = n(1 + 2 * u * 3);
  const Bag bag = one_cell(dtype(), Combiner::prod, x, {x, x});
  EXPECT_EQ(judged(bag, n(1 + 2 * u * 9)).mode, ComparisonMode::bound);
  EXPECT_TRUE(accepted(judged(bag, n(1 + 2 * u * 9))));
  EXPECT_FALSE(accepted(judged(bag, n(1 + 2 * u * 12))));
  EXPECT_FALSE(accepted(judged(bag, n(1 + 2 * u * 6)))) << "one factor lost";
}

}  // namespace
}  // namespace scatterproof::spec::testing
