// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/judge/range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cell.hpp"
#include "region.hpp"

namespace scatterproof::spec {
namespace {

using namespace judging;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of the numbers in a range that grows with each one.
class Growing {
 public:
  void add(double value) {
    if (std::isnan(value)) {
      parts_.nan = true;
      return;
    }
    parts_.least = std::min(parts_.least, value);
    parts_.greatest = std::max(parts_.greatest, value);
  }
  PartRange range() const { return parts_; }

 private:
  PartRange parts_{infinity, -infinity, false};
};

Scalar made_of(DType dtype, double re, double im) {
  return convert(is_complex(dtype) ? Scalar::of_complex(re, im) : Scalar::of_real(re), dtype);
}

Range of_parts(DType dtype, const PartRange& re, const PartRange& im) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto least = [](const PartRange& part) { return part.least <= part.greatest ? part.least : nan; };
  const auto greatest = [](const PartRange& part) {
    return part.least <= part.greatest ? part.greatest : nan;
  };
  return {.least = made_of(dtype, least(re), least(im)),
          .greatest = made_of(dtype, greatest(re), greatest(im)),
          .nan = re.nan || im.nan};
}

/// Of integers and booleans, which no double may stand for.
Range of_integers(std::span<const Scalar> values) {
  const auto [least, greatest] = std::ranges::minmax(values, {}, &Scalar::integer);
  return {.least = least, .greatest = greatest};
}

Range of_listed(DType dtype, std::span<const Scalar> values) {
  if (values.front().is_integral()) return of_integers(values);
  Growing re, im;
  for (const Scalar& value : values) {
    re.add(value.real());
    im.add(value.imag());
  }
  return of_parts(dtype, re.range(), is_complex(dtype) ? im.range() : PartRange{0, 0, false});
}

Range of_anything(DType dtype) {
  Range range;
  if (is_float(dtype) || is_complex(dtype)) {
    range = of_parts(dtype, {-infinity, infinity, true}, {-infinity, infinity, true});
  } else {
    const auto [lowest, highest] = integer_range(dtype);
    range = {.least = convert(Scalar::of_int(lowest), dtype),
             .greatest = convert(Scalar::of_int(highest), dtype)};
  }
  range.free = true;
  return range;
}

Range range_in(const Cell& cell) {
  const DType dtype = cell.bag->dtype;
  const Allowed allowed = allowed_in(cell);
  if (allowed.free) return of_anything(dtype);
  if (!allowed.region) return of_listed(dtype, span_of(allowed.listed));
  const auto [re, im] = allowed.region->ranges(dtype);
  return of_parts(dtype, re, im);
}

}  // namespace

std::vector<Range> ranges_of(const Bag& bag) {
  std::vector<Range> ranges;
  for (std::int64_t i = 0; i + 1 < static_cast<std::int64_t>(bag.offsets.size()); ++i)
    ranges.push_back(range_in(cell_at(bag, i)));
  return ranges;
}

}  // namespace scatterproof::spec
