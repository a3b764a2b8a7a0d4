// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the combiners: every step rounded (or wrapped) to the dtype, the simplest reading of the
// documents.
#include "cells.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace scatterproof::engines::reference {
namespace {

using spec::Combiner;
using spec::DType;
using spec::Scalar;

Scalar combine_bools(bool a, bool b, Combiner combine) {
  const bool both_needed = combine == Combiner::prod || combine == Combiner::amin;
  return Scalar::of_bool(both_needed ? a && b : a || b);
}

/// In unsigned arithmetic, which wraps; the conversion to the dtype wraps the rest.
Scalar combine_integers(std::int64_t a, std::int64_t b, Combiner combine) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  if (combine == Combiner::amax) return Scalar::of_int(a < b ? b : a);
  if (combine == Combiner::amin) return Scalar::of_int(b < a ? b : a);
  return Scalar::of_int(static_cast<std::int64_t>(combine == Combiner::prod ? x * y : x + y));
}

Scalar combine_reals(double a, double b, Combiner combine) {
  if (combine == Combiner::prod) return Scalar::of_real(a * b);
  if (combine == Combiner::sum || combine == Combiner::mean) return Scalar::of_real(a + b);
  if (std::isnan(a) || std::isnan(b)) return Scalar::of_real(std::numeric_limits<double>::quiet_NaN());
  if (combine == Combiner::amax) return Scalar::of_real(a < b ? b : a);
  return Scalar::of_real(b < a ? b : a);
}

Scalar combine_complex(const Scalar& a, const Scalar& b, Combiner combine) {
  if (combine != Combiner::prod) return Scalar::of_complex(a.real() + b.real(), a.imag() + b.imag());
  return Scalar::of_complex(a.real() * b.real() - a.imag() * b.imag(),
                            a.real() * b.imag() + a.imag() * b.real());
}

/// A sum and a mean still to be divided both add. Precondition: the combiner is not assign.
Scalar combined(const Scalar& a, const Scalar& b, Combiner combine, DType dtype) {
  if (dtype == DType::boolean) return combine_bools(a.integer() != 0, b.integer() != 0, combine);
  if (spec::is_complex(dtype)) return spec::convert(combine_complex(a, b, combine), dtype);
  if (spec::is_float(dtype)) return spec::convert(combine_reals(a.real(), b.real(), combine), dtype);
  return spec::convert(combine_integers(a.integer(), b.integer(), combine), dtype);
}

Scalar divided(const Scalar& sum, std::int64_t count, DType dtype, spec::IntegerMean rounding) {
  const auto n = static_cast<double>(count);
  if (spec::is_complex(dtype))
    return spec::convert(Scalar::of_complex(sum.real() / n, sum.imag() / n), dtype);
  if (spec::is_float(dtype)) return spec::convert(Scalar::of_real(sum.real() / n), dtype);
  const std::int64_t quotient = sum.integer() / count;
  const bool rounded_up = sum.integer() < 0 && sum.integer() % count != 0;
  return Scalar::of_int(rounded_up && rounding != spec::IntegerMean::truncate ? quotient - 1 : quotient);
}

}  // namespace

Cells::Cells(spec::Tensor start, const KernelCall& call, ReceivedValues* noted)
    : cells_(std::move(start)),
      received_(static_cast<std::size_t>(cells_.numel()), 0),
      combine_(call.combine),
      include_start_(call.include_start),
      integer_mean_(call.integer_mean),
      noted_(noted) {
  if (noted_) noted_->assign(received_.size(), {});
}

void Cells::receive(std::int64_t position, const Scalar& value) {
  std::int64_t& received = received_[static_cast<std::size_t>(position)];
  const bool first = received++ == 0;
  if (noted_) (*noted_)[static_cast<std::size_t>(position)].push_back(value);
  const DType dtype = cells_.dtype();
  if (combine_ == Combiner::assign) return cells_.store_at_position(position, value);
  if (first && !include_start_) {
    // Sums begin at +0, so that a lone -0 becomes +0 as in a freshly zeroed row; the others begin at the
    // value.
    const bool adds = combine_ == Combiner::sum || combine_ == Combiner::mean;
    const Scalar zero = spec::convert(Scalar::of_int(0), dtype);
    return cells_.store_at_position(position, adds ? combined(zero, value, combine_, dtype) : value);
  }
  cells_.store_at_position(position, combined(cells_.at_position(position), value, combine_, dtype));
}

spec::Tensor Cells::finish() {
  if (combine_ == Combiner::mean)
    for (std::size_t c = 0; c < received_.size(); ++c)
      if (received_[c] > 0) {
        const auto position = static_cast<std::int64_t>(c);
        const std::int64_t count = received_[c] + (include_start_ ? 1 : 0);
        cells_.store_at_position(position,
                                 divided(cells_.at_position(position), count, cells_.dtype(), integer_mean_));
      }
  return std::move(cells_);
}

}  // namespace scatterproof::engines::reference
