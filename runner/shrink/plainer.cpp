// SPDX-License-Identifier: Apache-2.0
#include "plainer.hpp"

#include <array>
#include <cmath>

#include "measure.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::DType;
using spec::Scalar;

Scalar zero(const Scalar&) { return Scalar::of_int(0); }
Scalar one(const Scalar&) { return Scalar::of_int(1); }

Scalar positive(const Scalar& v) {
  if (!v.is_integral()) return Scalar::of_real(std::abs(v.real()));
  return v.integer() < 0
             ? Scalar::of_int(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v.integer())))
             : v;
}

Scalar halved(const Scalar& v) {
  return v.is_integral() ? Scalar::of_int(v.integer() / 2) : Scalar::of_real(std::trunc(v.real() / 2));
}

Scalar whole(const Scalar& v) { return v.is_integral() ? v : Scalar::of_real(std::trunc(v.real())); }

Scalar one_nearer_to_zero(const Scalar& v) {
  if (v.is_integral()) return Scalar::of_int(v.integer() - (v.integer() > 0 ? 1 : v.integer() < 0 ? -1 : 0));
  return Scalar::of_real(v.real() - std::copysign(1.0, v.real()));
}

/// The leading bits of a number, the rest zero: half of them, or all but the last.
double leading_bits(double v, bool half) {
  int exponent = 0;
  double significand = std::frexp(v, &exponent);
  int bits = 1;
  while (std::ldexp(significand, bits) != std::trunc(std::ldexp(significand, bits))) ++bits;
  const int kept = half ? (bits + 1) / 2 : bits - 1;
  significand = std::ldexp(std::trunc(std::ldexp(significand, kept)), -kept);
  return std::ldexp(significand, exponent);
}

Scalar rounder(const Scalar& v, bool half) {
  const double real = v.real();
  if (!std::isfinite(real) || real == 0) return v;
  const double rounded = leading_bits(real, half);
  const bool fits = rounded >= -0x1p63 && rounded < 0x1p63;
  if (v.is_integral()) return fits ? Scalar::of_int(static_cast<std::int64_t>(rounded)) : v;
  return Scalar::of_real(rounded);
}
Scalar half_the_bits(const Scalar& v) { return rounder(v, true); }
Scalar one_bit_less(const Scalar& v) { return rounder(v, false); }

/// The same significand nearer to 1: for the very large and the very small.
Scalar nearer_to_one(const Scalar& v) {
  if (v.is_integral() || !std::isfinite(v.real()) || v.real() == 0) return v;
  int exponent = 0;
  const double significand = std::frexp(v.real(), &exponent);
  return Scalar::of_real(std::ldexp(significand, exponent / 2));
}

using OfReal = Scalar (*)(const Scalar&);

/// The way applied to a real number, or to the parts of a complex one that are asked for.
template <OfReal way, bool real, bool imag>
Scalar apply(const Scalar& value, DType dtype) {
  Scalar made = value;
  if (!spec::is_complex(dtype)) {
    if (!real) return value;
    made = convert(way(value), dtype);
  } else {
    const double re = real ? way(Scalar::of_real(value.real())).real() : value.real();
    const double im = imag ? way(Scalar::of_real(value.imag())).real() : value.imag();
    made = convert(Scalar::of_complex(re, im), dtype);
  }
  return cost(made) < cost(value) ? made : value;
}

template <OfReal way>
constexpr std::array<Plainer, 3> on_either_part = {apply<way, true, true>, apply<way, true, false>,
                                                   apply<way, false, true>};

constexpr std::array ways = {
    on_either_part<zero>,          on_either_part<one>,          on_either_part<positive>,
    on_either_part<halved>,        on_either_part<whole>,        on_either_part<one_nearer_to_zero>,
    on_either_part<half_the_bits>, on_either_part<one_bit_less>, on_either_part<nearer_to_one>};

constexpr auto all_ways = [] {
  std::array<Plainer, 3 * ways.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = ways[i / 3][i % 3];
  return all;
}();

}  // namespace

std::span<const Plainer> ways_to_plainer() { return all_ways; }

DType dtype_of(const Scalar& value) {
  switch (value.kind()) {
    case Scalar::Kind::boolean:
      return DType::boolean;
    case Scalar::Kind::integer:
      return DType::i64;
    case Scalar::Kind::real:
      return DType::f64;
    case Scalar::Kind::complex:
      break;
  }
  return DType::c128;
}

}  // namespace scatterproof::runner::shrink
