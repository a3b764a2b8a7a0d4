// SPDX-License-Identifier: Apache-2.0
// Quotients: the start, or one, divided by each contribution; comparison mode bound for real floats. An
// engine may divide by one after the other, divide by the product of some, or multiply by reciprocals.
// docs/understand/judging.md has the proof.
#include <algorithm>
#include <cmath>
#include <limits>

#include "arithmetic.hpp"
#include "bounds.hpp"
#include "comparison_modes.hpp"
#include "region.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec::judging {
namespace {

/// The exact product of divisors is cut to this many bits, which costs less than the slack in growth().
constexpr unsigned divisor_bits = 512;

/// Powers of two between which the magnitude of a number lies: 2^low <= |x| <= 2^high.
struct Span {
  int low = 0;
  int high = 0;
};

bool is_power_of_two(double value) { return lowest_bit(value) == std::ilogb(value); }

Span span_of_number(double value) {
  const int low = std::ilogb(value);
  return {low, is_power_of_two(value) ? low : low + 1};
}

struct Quotient {
  double dividend = 1;
  Dyadic divisor = Dyadic::of_integer(1);  ///< the exact product of those that are finite and not zero
  bool nan = false, zero = false;          ///< among the divisors, or a NaN anywhere
  std::size_t infinities = 0;              ///< among the divisors
  bool negative = false;
  bool powers = true;      ///< every divisor is a power of two
  bool subnormal = false;  ///< some operand is, which hardware may flush
  Span alone;              ///< of the last divisor
  int reach = 0;           ///< how far the divisors may move an exponent, in any order, up or down
};

Quotient quotient_of(std::span<const Scalar> values, std::size_t contributions, const Arithmetic& with) {
  Quotient all;
  const auto look_at = [&](double number) {
    all.nan |= std::isnan(number);
    all.negative ^= std::signbit(number);
    all.subnormal |= number != 0 && std::abs(number) < std::ldexp(1.0, with.smallest_exponent);
  };
  if (values.size() > contributions) look_at(all.dividend = values.front().real());
  for (const Scalar& value : values.last(contributions)) {
    WorkLimit::step();
    const double number = value.real();
    look_at(number);
    all.zero |= number == 0;
    all.infinities += std::isinf(number) ? 1 : 0;
    if (!std::isfinite(number) || number == 0) continue;
    all.divisor = (all.divisor * Dyadic(number)).truncated(divisor_bits);
    all.powers &= is_power_of_two(number);
    all.alone = span_of_number(number);
    all.reach += std::max(all.alone.high, -all.alone.low);
  }
  return all;
}

/// Whether some partial result may lie outside of the normal numbers. With one divisor there are few
/// possibilities: the quotient, and the reciprocal on the way to it.
bool may_leave_range(const Quotient& all, std::size_t divisors, const Arithmetic& with) {
  const int highest = static_cast<int>(with.largest_result.top());
  const bool measured = std::isfinite(all.dividend) && all.dividend != 0;
  const Span dividend = measured ? span_of_number(all.dividend) : Span{};
  if (divisors == 1)
    return std::max(dividend.high, 0) - all.alone.low > highest ||
           std::min(dividend.low, 0) - all.alone.high < with.smallest_exponent;
  return std::max(dividend.high, 0) + all.reach > highest ||
         std::min(dividend.low, 0) - all.reach < with.smallest_exponent;
}

RealSet point(double value) {
  RealSet set;
  set.ball = Ball{Dyadic(value), Dyadic()};
  return set;
}

/// Where some operand is NaN or infinite. Empty: anything.
std::optional<RealSet> set_of_specials(const Quotient& all, bool risky) {
  RealSet set;
  if (all.nan || (std::isinf(all.dividend) && all.infinities > 0)) {
    set.nan = true;
    return set;
  }
  if (risky) return std::nullopt;
  if (all.infinities > 0) return point(0);
  (all.negative ? set.minus_infinity : set.plus_infinity) = true;
  return set;
}

/// The smallest relative change that leaving out one divisor makes, over the relative bound.
double sensitivity_of(std::span<const Scalar> divisors, double relative) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Scalar& one : divisors)
    if (one.real() != 1) smallest = std::min(smallest, std::abs(one.real() - 1) / relative);
  return smallest;
}

}  // namespace

std::optional<Scalar> quotient_of_integers(const Bag& bag, std::span<const Scalar> values,
                                           std::size_t contributions) {
  std::int64_t quotient = values.size() > contributions ? values.front().integer() : 1;
  const bool lowest = quotient == integer_range(bag.dtype).lowest;  // whose opposite the dtype does not have
  const auto divisors = values.last(contributions);
  const bool floors = bag.integer_quotient == IntegerQuotient::floor &&
                      (contributions == 1 ||
                       std::ranges::all_of(divisors, [](const Scalar& one) { return one.integer() > 0; }));
  for (const Scalar& value : divisors) {
    const std::int64_t divisor = value.integer();
    if (divisor == 0 || (divisor == -1 && lowest)) return std::nullopt;
    const std::int64_t rest = quotient % divisor;
    if (rest != 0 && !floors) return std::nullopt;
    quotient = quotient / divisor - (rest != 0 && (rest < 0) != (divisor < 0) ? 1 : 0);
  }
  return Scalar::of_int(quotient);
}

Allowed quotient_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions) {
  constexpr ComparisonMode widest = ComparisonMode::bound;
  if (is_integer(bag.dtype))
    if (const auto exact = quotient_of_integers(bag, values, contributions)) return {.listed = {*exact}};
  if (!is_float(bag.dtype)) return {.mode = widest, .free = true};
  const Arithmetic& with = arithmetic(bag.dtype, bag.accumulate);
  const Quotient all = quotient_of(values, contributions, with);
  const bool risky = all.subnormal || may_leave_range(all, contributions, with);
  const bool special = all.nan || all.infinities > 0 || std::isinf(all.dividend);
  if (!all.nan && (all.zero || (risky && !special))) return {.mode = widest, .free = true};

  Allowed allowed;
  RealSet set;
  if (special) {
    const auto specials = set_of_specials(all, risky);
    if (!specials) return {.mode = widest, .free = true};
    set = *specials;
    allowed.mode = ComparisonMode::exact;
  } else {
    // A division, or a reciprocal and a product, for each divisor.
    const Dyadic relative = all.powers ? Dyadic() : growth(with.last_step, 2 * contributions);
    const Dyadic dividend(all.dividend);
    const bool down = all.divisor.sign() < 0;
    set.ball = Ball{down ? Dyadic() - dividend : dividend, relative * dividend.abs(), all.divisor.abs()};
    allowed.mode = set.single() ? ComparisonMode::lattice : widest;
    allowed.bound = ratio(set.ball->radius.magnitude(), set.ball->divisor.magnitude());
    if (allowed.mode == widest)
      allowed.sensitivity = sensitivity_of(values.last(contributions), relative.approximate());
  }
  allowed.region = std::make_shared<PartsRegion>(std::vector<RealSet>{std::move(set)});
  return allowed;
}

}  // namespace scatterproof::spec::judging
