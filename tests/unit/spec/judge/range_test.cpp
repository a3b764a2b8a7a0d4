// SPDX-License-Identifier: Apache-2.0
// The bounds that are shown to people are the outermost numbers that the judge accepts.
#include "scatterproof/spec/judge/range.hpp"

#include <cmath>
#include <limits>

#include "trials.hpp"

namespace scatterproof::spec::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Range range_of(const Bag& bag) { return ranges_of(bag).at(0); }

bool allows(const Bag& bag, double value) { return accepted(judged(bag, num(bag.dtype, value))); }

class Ranges : public ::testing::TestWithParam<DType> {
 protected:
  /// The next number of the dtype in this direction.
  static double after(double value, double towards) {
    return GetParam() == DType::f32 ? std::nextafter(static_cast<float>(value), static_cast<float>(towards))
                                    : std::nextafter(value, towards);
  }
};
INSTANTIATE_TEST_SUITE_P(DTypes, Ranges, ::testing::Values(DType::f32, DType::f64), dtype_name);

TEST_P(Ranges, EndWhereTheJudgeDoes) {
  constexpr Combiner combiners[] = {Combiner::sum,          Combiner::prod,   Combiner::mean,
                                    Combiner::amax,         Combiner::assign, Combiner::quotient,
                                    Combiner::sum_over_root};
  check_trials(dtype_name({GetParam(), 0}), [&](Random& random, std::size_t size) {
    Values values = draw_values(random, GetParam(), size + 1);
    const Scalar start = values.back();
    values.pop_back();
    const Bag bag = one_cell(GetParam(), combiners[integer(random, 0, 6)], start, values);
    const Range range = range_of(bag);
    RC_ASSERT(range.nan == allows(bag, std::numeric_limits<double>::quiet_NaN()));
    const double least = range.least.real(), greatest = range.greatest.real();
    if (std::isnan(least)) {
      RC_ASSERT(range.nan && std::isnan(greatest));
      return;
    }
    RC_ASSERT(allows(bag, least) && allows(bag, greatest));
    if (least > -infinity) RC_ASSERT(!allows(bag, after(least, -infinity)));
    if (greatest < infinity) RC_ASSERT(!allows(bag, after(greatest, infinity)));
  });
}

TEST(RangesOfIntegers, AreExactBeyondADouble) {
  const Scalar large = Scalar::of_int((std::int64_t{1} << 53) + 1);
  const Range range =
      range_of(one_cell(DType::i64, Combiner::assign, Scalar::of_int(0), {large, Scalar::of_int(3)}));
  EXPECT_EQ(range.least.integer(), 3);
  EXPECT_EQ(range.greatest.integer(), (std::int64_t{1} << 53) + 1);
  EXPECT_FALSE(range.nan || range.free);
}

TEST(RangesOfComplexNumbers, AreThoseOfTheirParts) {
  const Range range = range_of(one_cell(DType::c64, Combiner::assign, Scalar::of_complex(0, 0),
                                        {Scalar::of_complex(1, 5), Scalar::of_complex(2, 4)}));
  EXPECT_EQ(range.least.real(), 1);
  EXPECT_EQ(range.least.imag(), 4);
  EXPECT_EQ(range.greatest.real(), 2);
  EXPECT_EQ(range.greatest.imag(), 5);
}

TEST(RangesOfCellsThatNothingDescribes, AreThoseOfTheDType) {
  const Range whole =
      range_of(one_cell(DType::i8, Combiner::quotient, Scalar::of_int(1), {Scalar::of_int(2)}));
  EXPECT_TRUE(whole.free);
  EXPECT_EQ(whole.least.integer(), -128);
  EXPECT_EQ(whole.greatest.integer(), 127);
  const Range real =
      range_of(one_cell(DType::f32, Combiner::quotient, Scalar::of_real(1), {Scalar::of_real(0)}));
  EXPECT_TRUE(real.free && real.nan);
  EXPECT_EQ(real.least.real(), -infinity);
  EXPECT_EQ(real.greatest.real(), infinity);
}

}  // namespace
}  // namespace scatterproof::spec::testing
