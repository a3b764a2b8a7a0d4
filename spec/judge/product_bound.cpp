// SPDX-License-Identifier: Apache-2.0
// Comparison mode bound for products of floats. Overflow and underflow depend on the order, so in addition to
// the ball around the exact product there may be infinities, zero and NaN. The proofs are in
// docs/understand/judging.md.
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

/// Exact products are cut to this many bits; the slack in growth() covers the loss.
constexpr unsigned kept_bits = 512;
/// No float, nor any ball that reaches one, has an exponent near this.
constexpr std::int64_t beyond_all_floats = 5000;

/// The finite factors that are not zero, and what else there is.
struct Factors {
  std::size_t count = 0;
  bool nan = false, infinity = false, zero = false, negative = false;
  Dyadic product = Dyadic::of_integer(1);
  Dyadic highest = Dyadic::of_integer(1);  ///< of the magnitudes of all partial products, in any order
  Dyadic lowest = Dyadic::of_integer(1);
};

Factors factors_of(std::span<const Scalar> values) {
  Factors factors;
  factors.count = values.size();
  for (const Scalar& value : values) {
    WorkLimit::step();
    const double number = value.real(), magnitude = std::abs(number);
    factors.nan |= std::isnan(number);
    factors.infinity |= std::isinf(number);
    factors.zero |= number == 0;
    factors.negative ^= std::signbit(number);
    if (!std::isfinite(number) || number == 0) continue;
    factors.product = (factors.product * Dyadic(number)).truncated(kept_bits);
    Dyadic& end = magnitude > 1 ? factors.highest : factors.lowest;
    end = (end * Dyadic(magnitude)).truncated(kept_bits);
  }
  return factors;
}

/// The ball around a product whose partial products stay below infinity.
Ball ball_of(const Factors& factors, const Dyadic& relative, const Dyadic& underflow) {
  if (factors.product.top() < -beyond_all_floats)
    return {Dyadic(), Dyadic::power_of_two(-beyond_all_floats) + underflow};
  return {factors.product, relative * factors.product.abs() + underflow};
}

/// One rounding per multiplication, and one more where the accumulator is promised to be wider than the
/// result.
Dyadic relative_error(const Arithmetic& with, std::size_t factors) {
  const Dyadic error = growth(with.step, factors - 1);
  if (with.step == with.last_step) return error;
  return error + Dyadic(with.last_step) * (Dyadic::of_integer(1) + error);
}

RealSet set_of(const Factors& factors, const Arithmetic& with) {
  RealSet set;
  const Dyadic relative = relative_error(with, factors.count);
  const Dyadic spread = Dyadic::of_integer(1) + relative;
  const bool over =
      factors.highest * spread > with.largest_partial || factors.product.abs() * spread > with.largest_result;
  const bool under = factors.lowest < with.smallest_normal * spread * spread;
  if (factors.nan || factors.infinity) {
    set.nan = factors.nan || factors.zero || under;  // inf * 0, or inf times what has become 0
    set.plus_infinity = !factors.nan && !factors.zero && !factors.negative;
    set.minus_infinity = !factors.nan && !factors.zero && factors.negative;
    return set;
  }
  if (factors.zero) {
    set.ball = Ball{Dyadic(), Dyadic()};
    set.nan = over;
    return set;
  }
  set.plus_infinity = over && !factors.negative;
  set.minus_infinity = over && factors.negative;
  set.nan = over && under;
  const bool certain = factors.product.top() <= beyond_all_floats && relative < Dyadic(0.5);
  if (over && (under || !certain)) {
    set.any_finite = true;
    return set;
  }
  Dyadic underflow;
  if (under)
    underflow =
        Dyadic::of_integer(static_cast<std::int64_t>(factors.count)) * with.tiny * factors.highest * spread;
  set.ball = ball_of(factors, relative, underflow);
  return set;
}

/// The smallest relative change that leaving out one contribution makes, over the relative bound.
double sensitivity_of(std::span<const Scalar> values, std::size_t contributions, double product_over_bound) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = values.size() - contributions; i < values.size(); ++i) {
    const double magnitude = std::hypot(values[i].real(), values[i].imag());
    const double change = std::hypot(values[i].real() - 1, values[i].imag());
    if (std::isfinite(magnitude) && magnitude > 0 && change > 0)
      smallest = std::min(smallest, change / magnitude * product_over_bound);
  }
  return smallest;
}

Allowed free_cell() { return {.mode = ComparisonMode::bound, .free = true}; }

}  // namespace

Allowed product_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions) {
  const Factors factors = factors_of(values);
  RealSet set = set_of(factors, arithmetic(bag.dtype, bag.accumulate));
  Allowed allowed;
  allowed.mode = set.single()
                     ? (factors.nan || factors.infinity ? ComparisonMode::exact : ComparisonMode::lattice)
                     : ComparisonMode::bound;
  const bool ball = set.ball.has_value();
  allowed.bound = ball             ? set.ball->radius.approximate()
                  : set.any_finite ? std::numeric_limits<double>::infinity()
                                   : 0;
  if (allowed.mode == ComparisonMode::bound)
    allowed.sensitivity = sensitivity_of(
        values, contributions, ball ? ratio(factors.product.magnitude(), set.ball->radius.magnitude()) : 0);
  allowed.region = std::make_shared<PartsRegion>(std::vector<RealSet>{std::move(set)});
  return allowed;
}

Allowed complex_product_within_bound(const Bag& bag, std::span<const Scalar> values,
                                     std::size_t contributions) {
  const Arithmetic& with = arithmetic(bag.dtype, bag.accumulate);
  Dyadic re = Dyadic::of_integer(1), im, highest = Dyadic::of_integer(1);
  for (const Scalar& value : values) {
    WorkLimit::step();
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) return free_cell();
    const Dyadic x(value.real()), y(value.imag());
    const Dyadic next = (re * x - im * y).truncated(kept_bits);
    im = (re * y + im * x).truncated(kept_bits);
    re = next;
    const Dyadic reach = x.abs() + y.abs();
    if (reach > Dyadic::of_integer(1)) highest = (highest * reach).truncated(kept_bits);
  }
  // A complex multiplication errs by at most sqrt(5) u in norm (Brent, Percival and Zimmermann).
  constexpr double norm_factor = 2.25;
  const Dyadic relative = growth(norm_factor * with.last_step, values.size() - 1);
  const Dyadic spread = Dyadic::of_integer(1) + relative;
  if (Dyadic::of_integer(2) * highest * spread > with.largest_partial) return free_cell();
  // Each of the four partial products of a multiplication may underflow, and what that costs may be
  // magnified.
  const auto products = Dyadic::of_integer(static_cast<std::int64_t>(4 * values.size()));
  const Dyadic underflow = products * with.tiny * highest * spread;
  const Dyadic square = re * re + im * im;
  // (a + b)^2 <= (1 + t) a^2 + (1 + 1/t) b^2 avoids a square root.
  const Dyadic radius =
      Dyadic(1 + 0x1p-10) * relative * relative * square + Dyadic(1 + 0x1p10) * underflow * underflow;
  Allowed allowed{.mode = ComparisonMode::bound};
  allowed.bound = std::sqrt(radius.approximate());
  allowed.sensitivity =
      sensitivity_of(values, contributions, std::sqrt(ratio(square.magnitude(), radius.magnitude())));
  allowed.region = std::make_shared<DiscRegion>(re, im, radius);
  return allowed;
}

}  // namespace scatterproof::spec::judging
