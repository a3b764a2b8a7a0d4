// SPDX-License-Identifier: Apache-2.0
// The comparison modes of the judge, one function each, which returns the values that a combined cell may
// hold. docs/understand/judging.md explains why.
#pragma once

#include <optional>
#include <vector>

#include "cell.hpp"

namespace scatterproof::spec::judging {

/// Assignment: any of the contributions, or the last, or (where collisions are forbidden) anything.
Allowed assigned(const Cell& cell);
/// sum and amax are or, prod and amin are and, and bits as they are called; no document defines a mean of
/// booleans, or a sum over a root.
Allowed combined_booleans(Combiner combine, std::span<const Scalar> values);
/// Modulo 2^w; a mean as the latitude says. No document defines a sum over a root.
Allowed combined_integers(const Bag& bag, std::span<const Scalar> values);
/// amax and amin of floats under the NaN policy; complex numbers have no order.
Allowed extreme_float(const Bag& bag, std::span<const Scalar> values);

/// For floats whose combination is exact in the dtype in every order; empty when theirs is not. A mean is
/// listed only where its division is exact too, a sum over a root if it has one
/// value.
std::optional<Allowed> on_lattice(const Bag& bag, std::span<const Scalar> values);
/// Whether every order of adding these parts is exact in the dtype (they may be any doubles).
bool sums_exactly(std::span<const double> parts, DType dtype);
/// The exponent below which bits may be lost in this dtype: of its smallest number, or, where hardware is
/// known to flush subnormal results to zero, of its smallest normal number.
int lowest_safe_exponent(DType dtype);
/// Exponent of the lowest bit set in a finite non-zero double.
int lowest_bit(double value);

/// Within a proven distance of the exact result. The last `contributions` values are the contributions; a
/// start may precede them.
Allowed within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);

}  // namespace scatterproof::spec::judging
