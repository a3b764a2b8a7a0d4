// SPDX-License-Identifier: Apache-2.0
#include "region.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scatterproof::spec::judging {

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

std::string DiscRegion::describe(DType) const {
  const Scalar centre = Scalar::of_complex(re_.approximate(), im_.approximate());
  return fmt::format("a value within {:.2g} of {}", std::sqrt(square_.approximate()), to_string(centre));
}

}  // namespace scatterproof::spec::judging
