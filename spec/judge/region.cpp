// SPDX-License-Identifier: Apache-2.0
#include "region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace scatterproof::spec::judging {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest_finite(DType dtype) {
  const FloatFormat format = float_format(dtype);
  return std::ldexp(2 - std::ldexp(1.0, 1 - format.precision), format.max_exponent);
}

/// A number rounded to the format of a dtype, or of its parts.
double rounded(double value, DType dtype) { return convert(Scalar::of_complex(value, 0), dtype).real(); }

/// The next number of that format below (-1) or above (1) a finite one.
double neighbour(double value, DType dtype, int direction) {
  double step = std::nextafter(value, direction * infinity) - value;
  while (rounded(value + step, dtype) == value) step *= 2;
  return rounded(value + step, dtype);
}

/// The doubles in their order: 0 is 0, 1 the least positive one, -1 the greatest negative one.
double at_place(std::int64_t place) {
  const double magnitude = std::bit_cast<double>(place < 0 ? -place : place);
  return place < 0 ? -magnitude : magnitude;
}

/// The greatest double from -largest to largest that is not above edge / divisor. NaN: there is none.
double greatest_up_to(const Dyadic& edge, const Dyadic& divisor, double largest) {
  const auto fits = [&](double value) { return Dyadic(value) * divisor <= edge; };
  const auto last = std::bit_cast<std::int64_t>(largest);
  if (!fits(-largest)) return std::numeric_limits<double>::quiet_NaN();
  std::int64_t least = -last, beyond = last + 1;
  while (beyond - 1 > least) {
    const std::int64_t middle = std::midpoint(least, beyond);
    (fits(at_place(middle)) ? least : beyond) = middle;
  }
  return at_place(least);
}

/// The outermost finite number of the format in the ball, below (-1) or above (1) its centre. NaN: there is
/// none.
double outermost(const Ball& ball, DType dtype, int direction) {
  const double largest = largest_finite(dtype);
  const Dyadic centre = direction < 0 ? Dyadic() - ball.centre : ball.centre;
  const double edge = direction * greatest_up_to(centre + ball.radius, ball.divisor, largest);
  if (std::isnan(edge)) return edge;
  double at = rounded(edge, dtype);
  if (direction < 0 ? at < edge : at > edge) at = neighbour(at, dtype, -direction);
  return ball.holds(at) ? at : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool Ball::holds(double finite) const { return (Dyadic(finite) * divisor - centre).abs() <= radius; }

bool RealSet::holds(double value) const {
  if (std::isnan(value)) return nan;
  if (std::isinf(value)) return value > 0 ? plus_infinity : minus_infinity;
  return any_finite || (ball && ball->holds(value));
}

bool RealSet::single() const {
  if (any_finite) return false;
  const int others = int{nan} + int{plus_infinity} + int{minus_infinity};
  return ball ? others == 0 && ball->radius.sign() == 0 : others == 1;
}

PartRange RealSet::range(DType dtype) const {
  const double largest = largest_finite(dtype);
  PartRange range{infinity, -infinity, nan};
  if (any_finite) {
    range.least = -largest, range.greatest = largest;
  } else if (ball) {
    const double least = outermost(*ball, dtype, -1), greatest = outermost(*ball, dtype, 1);
    if (!std::isnan(least) && !std::isnan(greatest)) range.least = least, range.greatest = greatest;
  }
  if (minus_infinity) range.least = -infinity, range.greatest = std::max(range.greatest, -infinity);
  if (plus_infinity) range.greatest = infinity, range.least = std::min(range.least, infinity);
  return range;
}

std::string RealSet::describe(DType dtype) const {
  std::string text;
  const auto add = [&](std::string more) { text += (text.empty() ? "" : " or ") + std::move(more); };
  if (any_finite) {
    add("any finite number");
  } else if (ball) {
    const double divisor = ball->divisor.approximate();
    const double radius = ball->radius.approximate() / divisor;
    const Scalar centre = convert(Scalar::of_real(ball->centre.approximate() / divisor), DType::f64);
    const std::string centre_text = to_string(centre, radius == 0 ? dtype : DType::f64);
    add(radius == 0 ? centre_text : fmt::format("a value within {:.2g} of {}", radius, centre_text));
  }
  if (plus_infinity) add("inf");
  if (minus_infinity) add("-inf");
  if (nan) add("nan");
  return text;
}

bool PartsRegion::holds(const Scalar& value) const {
  return parts_[0].holds(value.real()) && (parts_.size() == 1 || parts_[1].holds(value.imag()));
}

std::pair<PartRange, PartRange> PartsRegion::ranges(DType dtype) const {
  return {parts_[0].range(dtype), parts_.size() == 1 ? PartRange{0, 0} : parts_[1].range(dtype)};
}

std::string PartsRegion::describe(DType dtype) const {
  if (parts_.size() == 1) return parts_[0].describe(dtype);
  return fmt::format("real part: {}; imaginary part: {}", parts_[0].describe(dtype),
                     parts_[1].describe(dtype));
}

bool DiscRegion::holds(const Scalar& value) const {
  if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) return false;
  const Dyadic re = Dyadic(value.real()) - re_, im = Dyadic(value.imag()) - im_;
  return re * re + im * im <= square_;
}

/// A little wider than the disc: its radius is a root, rounded here.
std::pair<PartRange, PartRange> DiscRegion::ranges(DType dtype) const {
  const double radius = std::sqrt(square_.approximate()) * (1 + 0x1p-40);
  const auto around = [&](const Dyadic& centre) {
    const Ball ball{centre, Dyadic(radius)};
    return PartRange{outermost(ball, dtype, -1), outermost(ball, dtype, 1)};
  };
  return {around(re_), around(im_)};
}

std::string DiscRegion::describe(DType) const {
  const Scalar centre = Scalar::of_complex(re_.approximate(), im_.approximate());
  return fmt::format("a value within {:.2g} of {}", std::sqrt(square_.approximate()), to_string(centre));
}

}  // namespace scatterproof::spec::judging
