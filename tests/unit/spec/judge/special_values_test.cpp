// SPDX-License-Identifier: Apache-2.0
// NaN, infinities, zeros of both signs, subnormals and overflow, for every float dtype.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bags.hpp"

namespace scatterproof::spec::testing {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class EveryFloat : public ::testing::TestWithParam<DType> {
 protected:
  DType dtype() const { return GetParam(); }
  FloatFormat format() const { return float_format(dtype()); }
  double largest() const {
    return std::ldexp(2 - std::ldexp(1.0, 1 - format().precision), format().max_exponent);
  }
  double smallest_normal() const { return std::ldexp(1.0, format().min_exponent); }
  double subnormal() const { return std::ldexp(1.0, format().min_exponent - format().precision + 1); }
  double unit() const { return std::ldexp(1.0, -format().precision); }

  Scalar n(double value) const { return num(dtype(), value); }
  Bag cell(Combiner combine, std::optional<double> start, const std::vector<double>& values) const {
    return one_cell(dtype(), combine, start ? std::optional(n(*start)) : std::nullopt, nums(dtype(), values));
  }
  bool allows(const Bag& bag, double value) const { return accepted(judged(bag, n(value))); }
};
INSTANTIATE_TEST_SUITE_P(DTypes, EveryFloat,
                         ::testing::Values(DType::f16, DType::bf16, DType::f32, DType::f64), dtype_name);

// Signed zero and NaN where a value is only moved: bit for bit.

TEST_P(EveryFloat, AssignmentTellsZerosApart) {
  for (const double zero : {0.0, -0.0}) {
    const Bag bag = cell(Combiner::assign, 1, {zero});
    EXPECT_TRUE(allows(bag, zero));
    EXPECT_FALSE(allows(bag, -zero));
    const Bag untouched = bag_of({dtype(), Combiner::sum, {1}, Values{n(zero)}, {}});
    EXPECT_TRUE(accepted(judged(untouched, n(zero))));
    EXPECT_FALSE(accepted(judged(untouched, n(-zero))));
  }
}

TEST_P(EveryFloat, AssignmentMovesNanAndInfinity) {
  EXPECT_TRUE(allows(cell(Combiner::assign, 0, {nan}), nan));
  EXPECT_FALSE(allows(cell(Combiner::assign, 0, {nan}), 0));
  EXPECT_FALSE(allows(cell(Combiner::assign, 0, {1}), nan));
  EXPECT_TRUE(allows(cell(Combiner::assign, 0, {-inf}), -inf));
  EXPECT_FALSE(allows(cell(Combiner::assign, 0, {-inf}), inf));
}

TEST_P(EveryFloat, AssignmentMovesSubnormals) {
  EXPECT_TRUE(allows(cell(Combiner::assign, 1, {subnormal()}), subnormal()));
  EXPECT_FALSE(allows(cell(Combiner::assign, 1, {subnormal()}), 0));
}

TEST_P(EveryFloat, CombiningDoesNotTellZerosApart) {
  for (const Combiner combine :
       {Combiner::sum, Combiner::mean, Combiner::amax, Combiner::amin, Combiner::prod}) {
    const Bag bag = cell(combine, -0.0, {0.0, -0.0});
    EXPECT_TRUE(allows(bag, 0.0)) << name(combine);
    EXPECT_TRUE(allows(bag, -0.0)) << name(combine);
    EXPECT_FALSE(allows(bag, subnormal())) << name(combine);
  }
}

// NaN and infinities among what is combined.

TEST_P(EveryFloat, NanIsRequiredWhereItTakesPart) {
  for (const Combiner combine : {Combiner::sum, Combiner::prod, Combiner::mean}) {
    const Bag bag = cell(combine, 1, {nan, 2});
    EXPECT_EQ(judged(bag, n(nan)).verdict, Verdict::pass) << name(combine);
    EXPECT_EQ(judged(bag, n(nan)).mode, ComparisonMode::exact);
    EXPECT_FALSE(allows(bag, 3));
    EXPECT_FALSE(allows(bag, inf));
    EXPECT_FALSE(allows(cell(combine, 1, {2}), nan));
  }
}

TEST_P(EveryFloat, InfinitiesOfBothSignsMakeNan) {
  for (const Combiner combine : {Combiner::sum, Combiner::mean}) {
    const Bag both = cell(combine, 1, {inf, -inf});
    EXPECT_TRUE(allows(both, nan));
    for (const double wrong : {inf, -inf, 1.0}) EXPECT_FALSE(allows(both, wrong));
    const Bag up = cell(combine, 1, {inf, inf});
    EXPECT_TRUE(allows(up, inf));
    for (const double wrong : {-inf, nan, largest()}) EXPECT_FALSE(allows(up, wrong));
    EXPECT_TRUE(allows(cell(combine, -inf, {1}), -inf));
  }
}

TEST_P(EveryFloat, QuotientsOfWhatIsNotFinite) {
  EXPECT_TRUE(allows(cell(Combiner::quotient, -inf, {2}), -inf));
  for (const double wrong : {inf, nan, 1.0}) EXPECT_FALSE(allows(cell(Combiner::quotient, -inf, {2}), wrong));
  EXPECT_TRUE(allows(cell(Combiner::quotient, 2, {inf}), 0));
  for (const double wrong : {inf, nan, 2.0}) EXPECT_FALSE(allows(cell(Combiner::quotient, 2, {inf}), wrong));
  for (const Bag& bag : {cell(Combiner::quotient, inf, {-inf}), cell(Combiner::quotient, 1, {nan, 2})}) {
    EXPECT_TRUE(allows(bag, nan));
    for (const double wrong : {inf, 0.0, 1.0}) EXPECT_FALSE(allows(bag, wrong));
  }
}

TEST_P(EveryFloat, QuotientsThatNoDocumentDefinesAreFree) {
  for (const Bag& bag :
       {cell(Combiner::quotient, 1, {0}), cell(Combiner::quotient, largest(), {smallest_normal()}),
        cell(Combiner::quotient, smallest_normal(), {4})})
    for (const double any : {0.0, 1.0, inf, nan}) EXPECT_TRUE(allows(bag, any));
  EXPECT_FALSE(allows(cell(Combiner::quotient, 0, {4}), 1));
  EXPECT_FALSE(allows(cell(Combiner::quotient, smallest_normal() * 8, {4}), smallest_normal()));
}

TEST_P(EveryFloat, InfiniteProducts) {
  const Bag up = cell(Combiner::prod, -2, {-inf, 3});
  EXPECT_TRUE(allows(up, inf));
  for (const double wrong : {-inf, nan, 1.0}) EXPECT_FALSE(allows(up, wrong));
  const Bag down = cell(Combiner::prod, 2, {-inf});
  EXPECT_TRUE(allows(down, -inf));
  EXPECT_FALSE(allows(down, inf));
  const Bag undefined = cell(Combiner::prod, 0, {inf});
  EXPECT_TRUE(allows(undefined, nan));
  for (const double wrong : {0.0, inf}) EXPECT_FALSE(allows(undefined, wrong));
}

TEST_P(EveryFloat, AnInfiniteFactorMayMeetAnUnderflow) {
  const Bag bag = cell(Combiner::prod, inf, {smallest_normal(), smallest_normal()});
  EXPECT_TRUE(allows(bag, inf));
  EXPECT_TRUE(allows(bag, nan));
  EXPECT_FALSE(allows(bag, 0));
}

TEST_P(EveryFloat, NanPolicyOfMaximaAndMinima) {
  for (const Combiner combine : {Combiner::amax, Combiner::amin}) {
    Bag bag = cell(combine, 1, {nan, 1});
    Bag all_nan = cell(combine, nan, {nan});
    const auto verdicts = [&](NanPolicy policy) {
      bag.nan = all_nan.nan = policy;
      EXPECT_TRUE(allows(all_nan, nan));
      EXPECT_FALSE(allows(all_nan, 1));
      EXPECT_FALSE(allows(bag, 2));
      return std::pair(allows(bag, nan), allows(bag, 1));
    };
    EXPECT_EQ(verdicts(NanPolicy::propagate), std::pair(true, false));
    EXPECT_EQ(verdicts(NanPolicy::ignore), std::pair(false, true));
    EXPECT_EQ(verdicts(NanPolicy::open), std::pair(true, true));
  }
  // Where no order of a NaN is documented, a comparison with it leaves either side: it may hide what came
  // before.
  Bag bag = cell(Combiner::amax, 3, {nan, 1, 2});
  const auto allowed = [&](NanPolicy policy) {
    bag.nan = policy;
    return std::array{allows(bag, nan), allows(bag, 3), allows(bag, 2), allows(bag, 1), allows(bag, 4)};
  };
  EXPECT_EQ(allowed(NanPolicy::propagate), (std::array{true, false, false, false, false}));
  EXPECT_EQ(allowed(NanPolicy::ignore), (std::array{false, true, false, false, false}));
  EXPECT_EQ(allowed(NanPolicy::open), (std::array{true, true, true, true, false}));
}

TEST_P(EveryFloat, MaximaAndMinimaOfInfinities) {
  EXPECT_TRUE(allows(cell(Combiner::amax, -inf, {-1}), -1));
  EXPECT_TRUE(allows(cell(Combiner::amax, 0, {inf}), inf));
  EXPECT_TRUE(allows(cell(Combiner::amin, inf, {1}), 1));
  EXPECT_FALSE(allows(cell(Combiner::amin, 0, {-inf}), -largest()));
}

TEST_P(EveryFloat, MaximaAcrossZero) {
  EXPECT_TRUE(allows(cell(Combiner::amax, -3, {-1, -2}), -1));
  EXPECT_FALSE(allows(cell(Combiner::amax, -3, {-1, -2}), -3));
  EXPECT_FALSE(allows(cell(Combiner::amax, -3, {-1, -2}), 0)) << "as if the start were 0";
}

// Overflow.

TEST_P(EveryFloat, SumsThatMayOverflowOnTheWay) {
  const Bag bag = cell(Combiner::sum, 0, {largest(), largest(), -largest(), -largest()});
  for (const double possible : {0.0, inf, -inf, nan}) EXPECT_TRUE(allows(bag, possible)) << possible;
  const Bag up = cell(Combiner::sum, 0, {largest(), largest(), -largest()});
  EXPECT_TRUE(allows(up, inf));
  EXPECT_TRUE(allows(up, largest()));
  EXPECT_FALSE(allows(up, -inf));
  EXPECT_FALSE(allows(up, nan));
}

TEST_P(EveryFloat, AnInfiniteTermMayMeetAnOverflowOfTheOtherSign) {
  const Bag bag = cell(Combiner::sum, -inf, {largest(), largest()});
  EXPECT_TRUE(allows(bag, -inf));
  EXPECT_TRUE(allows(bag, nan));
  EXPECT_FALSE(allows(bag, inf));
}

TEST(HalfFloats, ASumThatOverflowsByRoundingUpOnTheWay) {
  for (const DType dtype : {DType::f16, DType::bf16}) {
    const FloatFormat format = float_format(dtype);
    const double ulp = std::ldexp(1.0, format.max_exponent - format.precision + 1);
    const auto count = static_cast<std::size_t>(std::ldexp(1.0, format.precision - 2));
    // Each addition of 17/32 of a unit rounds up to a whole one.
    Values values = nums(dtype, std::vector<double>(count, ulp * 17 / 32));
    values.push_back(num(dtype, std::ldexp(1.5, format.max_exponent)));
    const Bag bag = one_cell(dtype, Combiner::sum, std::nullopt, values);
    EXPECT_TRUE(accepted(judged(bag, num(dtype, inf))));
    EXPECT_TRUE(accepted(judged(
        bag, num(dtype, std::ldexp(1.5, format.max_exponent) + static_cast<double>(count) * ulp * 17 / 32))));
    EXPECT_FALSE(accepted(judged(bag, num(dtype, -inf))));
  }
}

TEST_P(EveryFloat, SumsThatMustOverflow) {
  const Bag bag = cell(Combiner::sum, 0, {largest(), largest(), largest()});
  EXPECT_TRUE(allows(bag, inf));
  for (const double wrong : {largest(), -inf, nan}) EXPECT_FALSE(allows(bag, wrong));
}

TEST_P(EveryFloat, SumsBelowOverflowMustBeFinite) {
  const Bag bag = cell(Combiner::sum, 0, {largest() / 2, largest() / 4});
  EXPECT_TRUE(allows(bag, largest() * 0.75));
  EXPECT_FALSE(allows(bag, inf));
}

TEST_P(EveryFloat, ProductsThatMayOverflowOrUnderflowOnTheWay) {
  const double tiny = smallest_normal();
  const Bag both = cell(Combiner::prod, std::nullopt, {largest(), largest(), tiny, tiny});
  for (const double possible : {0.0, inf, nan, 1.0}) EXPECT_TRUE(allows(both, possible)) << possible;
  EXPECT_FALSE(allows(both, -inf)) << "no factor is negative";
  const Bag over = cell(Combiner::prod, std::nullopt, {largest(), 2, 0.5});
  EXPECT_TRUE(allows(over, inf));
  EXPECT_TRUE(allows(over, largest()));
  for (const double wrong : {0.0, -inf, nan, 1.0}) EXPECT_FALSE(allows(over, wrong)) << wrong;
  const Bag under = cell(Combiner::prod, std::nullopt, {tiny, tiny, 1 / tiny});
  EXPECT_TRUE(allows(under, 0));
  EXPECT_TRUE(allows(under, tiny));
  for (const double wrong : {inf, nan, 4.0}) EXPECT_FALSE(allows(under, wrong)) << wrong;
}

TEST_P(EveryFloat, ZeroTimesWhatMayOverflow) {
  const Bag bag = cell(Combiner::prod, 0, {largest(), largest()});
  EXPECT_TRUE(allows(bag, 0));
  EXPECT_TRUE(allows(bag, nan));
  EXPECT_FALSE(allows(bag, inf));
  EXPECT_FALSE(allows(cell(Combiner::prod, 0, {2, 3}), nan));
}

// Subnormals.

TEST_P(EveryFloat, SubnormalSumsMayBeFlushedExceptInF16) {
  const Bag bag = cell(Combiner::sum, 0, {subnormal(), subnormal()});
  EXPECT_TRUE(allows(bag, 2 * subnormal()));
  EXPECT_EQ(allows(bag, 0), dtype() != DType::f16);
  EXPECT_FALSE(allows(bag, 16 * smallest_normal()));
}

// Cancellation: the bound is around the exact sum, however small that is compared with its terms.

TEST_P(EveryFloat, CancellationAcrossZero) {
  const double small = unit() / 4;
  const Bag bag = cell(Combiner::sum, 1, {small, -1});
  for (const double possible : {0.0, small, -unit()}) EXPECT_TRUE(allows(bag, possible)) << possible;
  for (const double wrong : {16 * unit(), -16 * unit()}) EXPECT_FALSE(allows(bag, wrong)) << wrong;
  EXPECT_EQ(judged(bag, n(0)).mode, ComparisonMode::bound);
}

TEST_P(EveryFloat, WiderAccumulatorNarrowsTheBound) {
  Bag bag = cell(Combiner::sum, 1, std::vector<double>(200, unit()));
  const double stuck = 1;  // each addition in the dtype itself rounds back to 1
  EXPECT_TRUE(allows(bag, stuck));
  bag.accumulate = Accumulate::wider;
  const bool narrow = dtype() == DType::f16 || dtype() == DType::bf16;
  EXPECT_EQ(allows(bag, stuck), !narrow);
  EXPECT_TRUE(allows(bag, 1 + 200 * unit()));
}

// Complex parts.

TEST(ComplexSpecials, EachPartOfASumForItself) {
  for (const DType dtype : {DType::c64, DType::c128}) {
    const Bag bag = one_cell(dtype, Combiner::sum, Scalar::of_complex(0, 0),
                             {Scalar::of_complex(inf, 1), Scalar::of_complex(-inf, 2)});
    EXPECT_TRUE(accepted(judged(bag, Scalar::of_complex(nan, 3))));
    EXPECT_FALSE(accepted(judged(bag, Scalar::of_complex(nan, 4))));
    EXPECT_FALSE(accepted(judged(bag, Scalar::of_complex(inf, 3))));
  }
}

TEST(ComplexSpecials, AssignmentTellsZerosApartInBothParts) {
  for (const DType dtype : {DType::c64, DType::c128}) {
    const Bag bag =
        one_cell(dtype, Combiner::assign, Scalar::of_complex(1, 1), {Scalar::of_complex(0.0, -0.0)});
    EXPECT_TRUE(accepted(judged(bag, Scalar::of_complex(0.0, -0.0))));
    EXPECT_FALSE(accepted(judged(bag, Scalar::of_complex(0.0, 0.0))));
    EXPECT_FALSE(accepted(judged(bag, Scalar::of_complex(-0.0, -0.0))));
  }
}

TEST(ComplexSpecials, DividingAnInfinityMayLeaveNanInTheOtherPart) {
  const Bag bag =
      one_cell(DType::c64, Combiner::mean, Scalar::of_complex(0, 0), {Scalar::of_complex(inf, 1)});
  EXPECT_TRUE(accepted(judged(bag, Scalar::of_complex(inf, 0.5))));
  EXPECT_TRUE(accepted(judged(bag, Scalar::of_complex(inf, nan))));
  EXPECT_FALSE(accepted(judged(bag, Scalar::of_complex(-inf, 0.5))));
  EXPECT_FALSE(accepted(judged(bag, Scalar::of_complex(inf, 1))));
}

TEST(ComplexSpecials, TheWorstRoundingsOfAProduct) {
  // The operands for which Brent, Percival and Zimmermann prove the error of one multiplication to be
  // largest.
  const float e = 0x1p-24F, a = 0.75F, b = 0.75F * (1 - 4 * e), c = 11184818 * e, d = 11184814 * e;
  const Bag bag = one_cell(DType::c64, Combiner::prod, Scalar::of_complex(a, b), {Scalar::of_complex(c, d)});
  const float re = static_cast<float>(a * c) - static_cast<float>(b * d);
  const float im = static_cast<float>(a * d) + static_cast<float>(b * c);
  EXPECT_TRUE(accepted(judged(bag, Scalar::of_complex(static_cast<double>(re), static_cast<double>(im)))));
  EXPECT_FALSE(
      accepted(judged(bag, Scalar::of_complex(static_cast<double>(re), static_cast<double>(im + 8 * e)))));
}

TEST(ComplexSpecials, InfiniteProductsAreNotJudged) {
  const Bag bag =
      one_cell(DType::c64, Combiner::prod, Scalar::of_complex(1, 0), {Scalar::of_complex(inf, 0)});
  EXPECT_EQ(judged(bag, Scalar::of_complex(nan, nan)).verdict, Verdict::weak);
}

}  // namespace
}  // namespace scatterproof::spec::testing
