// SPDX-License-Identifier: Apache-2.0
// Comparison mode bound for sums of floats, means, and sums over a root: every result that some order of
// combination can give lies in a ball around the exact one, or is an infinity or NaN that some order can
// reach. The proofs are in docs/understand/judging.md.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "arithmetic.hpp"
#include "bounds.hpp"
#include "comparison_modes.hpp"
#include "region.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::judging {
namespace {

/// One real part of the values that are summed.
struct Terms {
  std::size_t count = 0;
  bool nan = false, plus_infinity = false, minus_infinity = false;
  /// The finite values above zero, and the magnitudes of those below.
  struct Side {
    std::size_t count = 0;
    Dyadic sum;
  } positive, negative;
  int lowest = std::numeric_limits<int>::max();  ///< exponent of the lowest bit of any finite value
  bool exact = false;                            ///< no order of summation rounds

  Dyadic sum() const { return positive.sum - negative.sum; }
};

Terms terms_of(std::span<const Scalar> values, bool imaginary, DType dtype) {
  Terms terms;
  terms.count = values.size();
  boost::container::small_vector<double, 8> numbers;
  for (const Scalar& value : values) {
    WorkLimit::step();
    const double number = imaginary ? value.imag() : value.real();
    numbers.push_back(number);
    terms.nan |= std::isnan(number);
    terms.plus_infinity |= number > 0 && std::isinf(number);
    terms.minus_infinity |= number < 0 && std::isinf(number);
    if (!std::isfinite(number) || number == 0) continue;
    Terms::Side& side = number > 0 ? terms.positive : terms.negative;
    side.sum = side.sum + Dyadic(std::abs(number));
    ++side.count;
    terms.lowest = std::min(terms.lowest, lowest_bit(number));
  }
  terms.exact = sums_exactly({numbers.data(), numbers.size()}, dtype);
  return terms;
}

Dyadic times(std::size_t count, const Dyadic& value) {
  return Dyadic::of_integer(static_cast<std::int64_t>(count)) * value;
}

/// How far a sum may be off before its last rounding: n_add * u * A in any order (Rump; Jeannerod and Rump),
/// and each operand and each partial sum flushed to zero besides.
Dyadic summation_error(const Terms& terms, const Arithmetic& with) {
  if (terms.exact) return {};
  Dyadic error;
  if (terms.count > 2)  // two terms need one addition, which is the last rounding
    error = times(terms.count - 1, Dyadic(with.step)) * (terms.positive.sum + terms.negative.sum);
  if (terms.lowest < with.lowest_safe) error = error + times(2 * terms.count, with.tiny);
  return error;
}

/// The relative error of what follows the additions: the rounding of their result, and of a division the
/// rounding of the count, perhaps of its root, of the reciprocal and of the product; and what complex numbers
/// add.
Dyadic last_roundings(const Terms& terms, const Arithmetic& with, Combiner combine, bool complex) {
  std::size_t roundings = terms.exact ? 0 : 1;
  if (combine == Combiner::sum) return growth(with.last_step, roundings);
  const int count_bits = static_cast<int>(std::bit_width(terms.count));
  roundings += 2 + (complex ? 2 : 0) + (count_bits > with.precision ? 1 : 0);
  if (combine == Combiner::sum_over_root) roundings += complex ? 3 : 1;
  const Dyadic relative = growth(with.last_step, roundings);
  // The reciprocal of a huge count is itself below the smallest normal number.
  return count_bits > -with.smallest_exponent ? relative + times(terms.count, with.tiny) : relative;
}

/// No partial sum of any order lies further out on one side than this: rounding is monotone, so leaving out
/// the values of the other side can only move a partial sum outward.
Dyadic reach(const Terms::Side& side, const Arithmetic& with) {
  if (side.count == 0) return {};
  return side.sum + times(side.count - 1, Dyadic(with.step)) * side.sum;
}

/// The square root of a count, and the relative error of this double.
constexpr double root_error = 0x1p-53;
Dyadic root_of(std::size_t count) { return Dyadic(std::sqrt(static_cast<double>(count))); }

RealSet set_of(const Terms& terms, const Arithmetic& with, Combiner combine, bool complex) {
  RealSet set;
  if (terms.nan || (terms.plus_infinity && terms.minus_infinity)) {
    set.nan = true;
    return set;
  }
  const Dyadic centre = terms.sum(), error = summation_error(terms, with);
  const bool divides = combine != Combiner::sum, root = combine == Combiner::sum_over_root;
  Dyadic radius = error + last_roundings(terms, with, combine, complex) * (centre.abs() + error);
  const int halvings = static_cast<int>(std::bit_width(terms.count - 1));
  if (divides && terms.lowest != std::numeric_limits<int>::max() &&
      terms.lowest - halvings < with.smallest_exponent)
    radius = radius + times(3 * terms.count, with.tiny);
  if (root) radius = radius + Dyadic(root_error) * (centre.abs() + radius);
  const Dyadic divisor = root      ? root_of(terms.count)
                         : divides ? times(terms.count, Dyadic::of_integer(1))
                                   : Dyadic::of_integer(1);

  // A sum that is to be divided may be rounded to the result's dtype before.
  const Dyadic& limit = with.largest_result;
  const Dyadic up_to = reach(terms.positive, with), down_to = reach(terms.negative, with);
  const bool up =
      terms.plus_infinity || up_to > with.largest_partial || (up_to > limit && centre + radius > limit);
  const bool down =
      terms.minus_infinity || down_to > with.largest_partial || (down_to > limit && radius - centre > limit);
  set.plus_infinity = up && !terms.minus_infinity;
  set.minus_infinity = down && !terms.plus_infinity;
  set.nan = up && down;
  if (!terms.plus_infinity && !terms.minus_infinity) set.ball = Ball{centre, radius, divisor};
  return set;
}

/// The smallest contribution that is not zero, over the bound of the part in which it shows best.
double sensitivity_of(const std::vector<RealSet>& sets, std::span<const Scalar> values,
                      std::size_t contributions) {
  double smallest = std::numeric_limits<double>::infinity();
  Magnitude radii[2];
  for (std::size_t part = 0; part < sets.size(); ++part)
    if (sets[part].ball) radii[part] = sets[part].ball->radius.magnitude();
  for (std::size_t i = values.size() - contributions; i < values.size(); ++i) {
    WorkLimit::step();
    const double numbers[2] = {values[i].real(), values[i].imag()};
    double best = 0;
    bool zero = true;
    for (std::size_t part = 0; part < sets.size(); ++part) {
      if (numbers[part] == 0 || !std::isfinite(numbers[part]) || !sets[part].ball) continue;
      zero = false;
      best = std::max(best, ratio(Magnitude::of(numbers[part]), radii[part]));
    }
    if (!zero) smallest = std::min(smallest, best);
  }
  return smallest;
}

}  // namespace

Allowed sum_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions) {
  const Arithmetic& with = arithmetic(bag.dtype, bag.accumulate);
  const bool complex = is_complex(bag.dtype);
  std::vector<RealSet> sets;
  bool exact = true, single = true;
  double bound = 0;
  for (int part = 0; part < (complex ? 2 : 1); ++part) {
    const Terms terms = terms_of(values, part == 1, bag.dtype);
    sets.push_back(set_of(terms, with, bag.combine, complex));
    exact &= terms.exact;
    single &= sets.back().single();
    if (const auto& ball = sets.back().ball)
      bound = std::max(bound, ball->radius.approximate() / ball->divisor.approximate());
  }
  // Complex division mixes the parts: an infinity in one may leave NaN in the other.
  if (bag.combine != Combiner::sum && complex && !(sets[0].ball && sets[1].ball))
    sets[0].nan = sets[1].nan = true;

  Allowed allowed;
  allowed.mode = single ? ComparisonMode::exact : exact ? ComparisonMode::lattice : ComparisonMode::bound;
  allowed.bound = bound;
  if (allowed.mode == ComparisonMode::bound)
    allowed.sensitivity = sensitivity_of(sets, values, contributions);
  allowed.region = std::make_shared<PartsRegion>(std::move(sets));
  return allowed;
}

Allowed within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions) {
  if (bag.combine == Combiner::quotient) return quotient_within_bound(bag, values, contributions);
  if (bag.combine != Combiner::prod) return sum_within_bound(bag, values, contributions);
  return is_complex(bag.dtype) ? complex_product_within_bound(bag, values, contributions)
                               : product_within_bound(bag, values, contributions);
}

}  // namespace scatterproof::spec::judging
