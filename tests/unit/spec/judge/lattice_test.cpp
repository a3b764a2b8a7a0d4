// SPDX-License-Identifier: Apache-2.0
// On lattice data one contribution dropped, doubled or put in the wrong cell is caught with certainty, in
// every dtype.
#include <gtest/gtest.h>

#include <algorithm>

#include "trials.hpp"

namespace scatterproof::spec::testing {
namespace {

constexpr std::int64_t cells = 4;

enum class Fault { dropped, doubled, misplaced };

class Lattice : public ::testing::TestWithParam<DType> {
 protected:
  bool floating() const { return is_float(GetParam()) || is_complex(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(DTypes, Lattice, ::testing::ValuesIn(all_dtypes), dtype_name);

// A sum of booleans is or, in which most faults change nothing; an integer mean rounds, so that a small loss
// need not show.
class NumberLattice : public Lattice {};
INSTANTIATE_TEST_SUITE_P(DTypes, NumberLattice, ::testing::ValuesIn(all_dtypes.begin() + 1, all_dtypes.end()),
                         dtype_name);
class FloatLattice : public Lattice {};
INSTANTIATE_TEST_SUITE_P(DTypes, FloatLattice,
                         ::testing::Values(DType::f16, DType::bf16, DType::f32, DType::f64, DType::c64,
                                           DType::c128),
                         dtype_name);

/// A small number that changes what it is combined with: not 0 in a sum, not of magnitude 1 in a product.
double draw_factor(Random& random, Combiner combine) {
  if (combine == Combiner::prod) return std::ldexp(1, coin(random) ? 1 : -1);
  return static_cast<double>(integer(random, 1, 7)) * (coin(random) ? 1 : -1);
}

Bag draw_lattice_bag(Random& random, DType dtype, Combiner combine, std::size_t size) {
  const double scale = combine == Combiner::prod || is_integer(dtype)
                           ? 1
                           : std::ldexp(1, static_cast<int>(integer(random, -3, 3)));
  BagPlan plan{dtype, combine, {cells}, Values{}, {}};
  for (std::int64_t cell = 0; cell < cells; ++cell)
    plan.start->push_back(
        num(dtype, combine == Combiner::prod ? 1 : scale * static_cast<double>(integer(random, -3, 3))));
  for (std::size_t i = 0; i < size; ++i)
    plan.writes[integer(random, 0, cells - 1)].push_back(num(dtype, scale * draw_factor(random, combine)));
  return bag_of(plan);
}

/// What the right sum or product of a cell is, with plain arithmetic that is exact on this data.
Values combined(const Bag& bag, const std::vector<std::vector<double>>& contributions) {
  Values result;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    double value = (*bag.start)[static_cast<std::size_t>(cell)].real();
    for (const double one : contributions[static_cast<std::size_t>(cell)])
      value = bag.combine == Combiner::prod ? value * one : value + one;
    result.push_back(convert(
        is_integer(bag.dtype) ? Scalar::of_int(static_cast<std::int64_t>(value)) : Scalar::of_real(value),
        bag.dtype));
  }
  return result;
}

std::vector<std::vector<double>> contributions_of(const Bag& bag) {
  std::vector<std::vector<double>> all(cells);
  for (std::size_t cell = 0; cell < cells; ++cell)
    for (auto k = static_cast<std::size_t>(bag.offsets[cell]);
         k < static_cast<std::size_t>(bag.offsets[cell + 1]); ++k)
      all[cell].push_back(bag.list[k].value.real());
  return all;
}

/// Commits the fault on a random contribution.
void spoil(Random& random, Fault fault, std::vector<std::vector<double>>& contributions) {
  std::vector<std::size_t> filled;
  for (std::size_t cell = 0; cell < cells; ++cell)
    if (!contributions[cell].empty()) filled.push_back(cell);
  const std::size_t from =
      filled[static_cast<std::size_t>(integer(random, 0, static_cast<std::int64_t>(filled.size()) - 1))];
  const double value = contributions[from].back();
  if (fault == Fault::doubled) {
    contributions[from].push_back(value);
    return;
  }
  contributions[from].pop_back();
  if (fault == Fault::misplaced)
    contributions[(from + static_cast<std::size_t>(integer(random, 1, cells - 1))) % cells].push_back(value);
}

TEST_P(NumberLattice, OneFaultIsAlwaysCaught) {
  check_trials(dtype_name({GetParam(), 0}), [&](Random& random, std::size_t size) {
    const Combiner combine = floating() && coin(random) ? Combiner::prod : Combiner::sum;
    const Bag bag = draw_lattice_bag(random, GetParam(), combine, std::min<std::size_t>(size, 8));
    auto contributions = contributions_of(bag);
    const Judgement right = judged(bag, combined(bag, contributions));
    RC_ASSERT(right.verdict == Verdict::pass || right.verdict == Verdict::weak);
    RC_ASSERT(right.mode <= ComparisonMode::lattice);
    spoil(random, static_cast<Fault>(integer(random, 0, 2)), contributions);
    RC_ASSERT(judged(bag, combined(bag, contributions)).verdict == Verdict::mismatch);
  });
}

TEST_P(Lattice, AMisplacedOrLostAssignmentIsAlwaysCaught) {
  check_trials(dtype_name({GetParam(), 0}), [&](Random& random, std::size_t) {
    const DType dtype = GetParam();
    const Scalar zero = num(dtype, 0), one = num(dtype, 1);
    const auto target = static_cast<std::size_t>(integer(random, 0, cells - 1));
    const auto other = (target + static_cast<std::size_t>(integer(random, 1, cells - 1))) % cells;
    const Bag bag = bag_of({dtype,
                            Combiner::assign,
                            {cells},
                            Values(cells, zero),
                            {{static_cast<std::int64_t>(target), {one}}}});
    Values right(cells, zero), misplaced(cells, zero);
    right[target] = misplaced[other] = one;
    RC_ASSERT(judged(bag, right).verdict == Verdict::pass);
    RC_ASSERT(judged(bag, misplaced).verdict == Verdict::mismatch);
    RC_ASSERT(judged(bag, Values(cells, zero)).verdict == Verdict::mismatch);
  });
}

TEST_P(FloatLattice, AValueLostFromAMeanIsAlwaysCaught) {
  check_trials(dtype_name({GetParam(), 0}), [&](Random& random, std::size_t size) {
    const DType dtype = GetParam();
    std::vector<double> values;
    for (std::size_t i = 0; i < std::min<std::size_t>(size, 8) + 1; ++i)
      values.push_back(draw_factor(random, Combiner::sum));
    double sum = 0;
    for (const double value : values) sum += value;
    const auto count = static_cast<double>(values.size());
    const Bag bag = one_cell(dtype, Combiner::mean, num(dtype, 0), nums(dtype, values));
    RC_ASSERT(accepted(judged(bag, num(dtype, sum / (count + 1)))));
    RC_ASSERT(judged(bag, num(dtype, (sum - values.back()) / (count + 1))).verdict == Verdict::mismatch);
  });
}

// Where the lattice ends.

TEST_P(FloatLattice, EndsWhereTheSignificandDoes) {
  const double most = std::ldexp(1, float_format(GetParam()).precision);  // 2^p units
  const auto mode = [&](std::vector<double> values) {
    const Bag bag = one_cell(GetParam(), Combiner::sum, num(GetParam(), 0), nums(GetParam(), values));
    return judged(bag, num(GetParam(), values[0] + values[1])).mode;
  };
  EXPECT_EQ(mode({most / 2, most / 2 - 1}), ComparisonMode::lattice);
  EXPECT_EQ(mode({most / 2 + 2, most / 2 + 1}), ComparisonMode::bound);
  EXPECT_EQ(mode({most, -most + 1}), ComparisonMode::bound)
      << "the sum of the magnitudes counts, not of the values";
}

TEST_P(FloatLattice, EndsWhereNumbersBecomeSubnormal) {
  const double smallest = std::ldexp(1, float_format(GetParam()).min_exponent);
  const auto mode = [&](double unit) {
    const Bag bag = one_cell(GetParam(), Combiner::sum, num(GetParam(), unit), nums(GetParam(), {unit}));
    return judged(bag, num(GetParam(), 2 * unit)).mode;
  };
  EXPECT_EQ(mode(smallest), ComparisonMode::lattice);
  EXPECT_EQ(mode(smallest / 2), GetParam() == DType::f16 ? ComparisonMode::lattice : ComparisonMode::bound);
}

TEST_P(FloatLattice, ProductsEndWhereAnyPartialProductWouldLeaveTheRange) {
  const double large = std::ldexp(1, float_format(GetParam()).max_exponent);
  const auto mode = [&](std::vector<double> values) {
    const Bag bag = one_cell(GetParam(), Combiner::prod, std::nullopt, nums(GetParam(), values));
    return judged(bag, num(GetParam(), 1)).mode;
  };
  EXPECT_EQ(mode({large, 0.5, 0.5}), ComparisonMode::lattice);
  EXPECT_NE(mode({large, 2, 0.5}), ComparisonMode::lattice) << "large times 2 overflows first";
}

}  // namespace
}  // namespace scatterproof::spec::testing
