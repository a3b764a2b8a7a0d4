// SPDX-License-Identifier: Apache-2.0
// One step of each combiner as it should be, and the division of a mean.
#include <cmath>
#include <limits>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

std::int64_t of_integers(std::int64_t a, std::int64_t b, Combiner combine) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  switch (combine) {
    case Combiner::amax:
      return a < b ? b : a;
    case Combiner::amin:
      return b < a ? b : a;
    case Combiner::prod:
      return static_cast<std::int64_t>(x * y);
    default:
      return static_cast<std::int64_t>(x + y);
  }
}

double of_reals(double a, double b, Combiner combine) {
  if (combine == Combiner::prod) return a * b;
  if (combine == Combiner::sum || combine == Combiner::mean) return a + b;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  if (combine == Combiner::amax) return a < b ? b : a;
  return b < a ? b : a;
}

Scalar of_complex(const Scalar& a, const Scalar& b, Combiner combine) {
  if (combine != Combiner::prod) return Scalar::of_complex(a.real() + b.real(), a.imag() + b.imag());
  return Scalar::of_complex(a.real() * b.real() - a.imag() * b.imag(),
                            a.real() * b.imag() + a.imag() * b.real());
}

}  // namespace

Scalar plain_step(const Scalar& a, const Scalar& b, const Combining& terms) {
  if (terms.dtype == DType::boolean) {
    const bool both = terms.combine == Combiner::prod || terms.combine == Combiner::amin;
    const bool x = a.integer() != 0, y = b.integer() != 0;
    return Scalar::of_bool(both ? x && y : x || y);
  }
  if (spec::is_complex(terms.dtype)) return spec::convert(of_complex(a, b, terms.combine), terms.accumulator);
  if (spec::is_float(terms.dtype))
    return spec::convert(Scalar::of_real(of_reals(a.real(), b.real(), terms.combine)), terms.accumulator);
  if (spec::is_float(terms.accumulator)) {
    const double wide = of_reals(a.real(), b.real(), terms.combine);
    return spec::convert(Scalar::of_real(wide), terms.accumulator);
  }
  return spec::convert(Scalar::of_int(of_integers(a.integer(), b.integer(), terms.combine)),
                       terms.accumulator);
}

Scalar plain_divide(const Scalar& sum, std::int64_t count, const Combining& terms) {
  const auto n = static_cast<double>(count);
  if (spec::is_complex(terms.dtype)) return Scalar::of_complex(sum.real() / n, sum.imag() / n);
  if (!sum.is_integral()) return Scalar::of_real(sum.real() / n);
  if (count == 0) return sum;
  const std::int64_t quotient = sum.integer() / count;
  const bool above = sum.integer() < 0 && sum.integer() % count != 0;
  return Scalar::of_int(above && terms.integer_mean != spec::IntegerMean::truncate ? quotient - 1 : quotient);
}

}  // namespace scatterproof::engines::faulty
