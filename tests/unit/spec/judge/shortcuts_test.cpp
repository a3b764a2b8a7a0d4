// SPDX-License-Identifier: Apache-2.0
// What the judge does in a shorter way for speed, against the long way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compare.hpp"
#include "comparison_modes.hpp"
#include "trials.hpp"

namespace scatterproof::spec::testing {
namespace {

using namespace judging;

Scalar draw(Random& random, DType dtype) {
  constexpr double reals[] = {0, -0.0, 1, -1, 2, NAN, INFINITY};
  return convert(Scalar::of_real(reals[integer(random, 0, is_float(dtype) ? 6 : 4)]), dtype);
}

Bag draw_assignments(Random& random, DType dtype, std::size_t cells) {
  Bag bag;
  bag.dtype = dtype;
  bag.shape = {static_cast<std::int64_t>(cells)};
  bag.collisions = static_cast<Collisions>(integer(random, 0, 2));
  if (coin(random)) bag.start.emplace();
  bag.offsets = {0};
  for (std::size_t c = 0; c < cells; ++c) {
    if (bag.start) bag.start->push_back(draw(random, dtype));
    for (auto n = integer(random, bag.start ? 0 : 1, 2); n > 0; --n)
      bag.list.push_back({draw(random, dtype), {}, 0});
    bag.offsets.push_back(std::ssize(bag.list));
  }
  return bag;
}

TEST(Shortcuts, AnAssignmentWithoutAChoiceIsJudgedAsAllowed) {
  check_trials("compare agrees with allowed_in", [](Random& random, std::size_t size) {
    const DType dtype = all_dtypes[static_cast<std::size_t>(integer(random, 0, 11))];
    const Bag bag = draw_assignments(random, dtype, size);
    std::vector<Scalar> actual;
    std::vector<std::int64_t> failing;
    std::size_t written = 0, dumb = 0;
    ComparisonMode mode = ComparisonMode::exact;
    for (std::size_t c = 0; c < size; ++c) {
      const Cell cell = cell_at(bag, static_cast<std::int64_t>(c));
      const Allowed allowed = allowed_in(cell);
      actual.push_back(coin(random)     ? draw(random, dtype)
                       : cell.touched() ? cell.contributions.back().value
                                        : cell.start());
      if (!allowed.holds(actual.back())) failing.push_back(cell.index);
      if (!cell.touched()) continue;
      ++written;
      mode = std::max(mode, allowed.mode);
      const Scalar nothing_done = bag.start ? cell.start() : convert(Scalar::of_int(0), dtype);
      dumb += allowed.free || allowed.holds(nothing_done) ? 1 : 0;
    }
    const Tensor result(dtype, bag.shape, actual);
    const Comparison comparison = compare(bag, Elements(result));
    RC_ASSERT(comparison.failing == failing);
    RC_ASSERT(comparison.mode == mode);
    RC_ASSERT((comparison.weak == DiagnosisKind::none) == (written > dumb));
  });
}

TEST(Shortcuts, ManyDistinctValuesAreFoundAsFewAre) {
  std::vector<Contribution> contributions;
  std::vector<Scalar> expected;
  const double special[] = {0.0, -0.0, std::nan(""), INFINITY, -INFINITY, 1.5};
  for (int i = 0; i < 3000; ++i) {
    const Scalar value = Scalar::of_real(i % 7 == 0 ? special[i % 6] : i * 11 % 401);
    contributions.push_back({value, {}, 0});
    if (std::ranges::none_of(expected, [&](const Scalar& one) { return identical(one, value); }))
      expected.push_back(value);
  }
  const FewScalars found = distinct_values(contributions);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(identical(found[i], expected[i])) << i;
}

TEST(Shortcuts, TheLowestBitIsThatOfTheSignificand) {
  check_trials("lowest_bit agrees with frexp", [](Random& random, std::size_t size) {
    const double units = uniform(random, 1, 0x1p53);
    const double value =
        std::ldexp(std::floor(units), static_cast<int>(integer(random, -1126, 970) / static_cast<int>(size)));
    RC_PRE(value != 0 && std::isfinite(value));
    int exponent = 0;
    double significand = std::frexp(value, &exponent);  // in [1/2, 1)
    while (significand != std::floor(significand)) significand *= 2, --exponent;
    while (std::fmod(significand, 2) == 0) significand /= 2, ++exponent;
    RC_ASSERT(lowest_bit(value) == exponent);
    RC_ASSERT(lowest_bit(-value) == exponent);
  });
}

}  // namespace
}  // namespace scatterproof::spec::testing
