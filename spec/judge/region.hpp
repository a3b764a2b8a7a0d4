// SPDX-License-Identifier: Apache-2.0
// The sets of values a bound allows: balls around exact numbers, with the infinities and NaN that are in
// reach.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cell.hpp"
#include "dyadic.hpp"

namespace scatterproof::spec::judging {

/// All x with |x * divisor - centre| <= radius: a mean is judged without dividing, a sum over a root too.
struct Ball {
  Dyadic centre;
  Dyadic radius;
  Dyadic divisor = Dyadic::of_integer(1);

  bool holds(double finite) const;
};

/// What one real part may be.
struct RealSet {
  bool nan = false, plus_infinity = false, minus_infinity = false;
  bool any_finite = false;  ///< with both overflow and underflow in one product, nothing is certain
  std::optional<Ball> ball;

  bool holds(double value) const;
  /// One value alone: a required NaN or infinity, or a ball that is a point.
  bool single() const;
  PartRange range(DType dtype) const;
  std::string describe(DType dtype) const;
};

/// A real number, or the two parts of a complex one, each in its set.
class PartsRegion final : public Region {
 public:
  explicit PartsRegion(std::vector<RealSet> parts) : parts_(std::move(parts)) {}
  bool holds(const Scalar& value) const override;
  std::pair<PartRange, PartRange> ranges(DType dtype) const override;
  std::string describe(DType dtype) const override;

 private:
  std::vector<RealSet> parts_;
};

/// A complex number with |value - centre|^2 <= square.
class DiscRegion final : public Region {
 public:
  DiscRegion(Dyadic re, Dyadic im, Dyadic square)
      : re_(std::move(re)), im_(std::move(im)), square_(std::move(square)) {}
  bool holds(const Scalar& value) const override;
  std::pair<PartRange, PartRange> ranges(DType dtype) const override;
  std::string describe(DType dtype) const override;

 private:
  Dyadic re_, im_, square_;
};

}  // namespace scatterproof::spec::judging
