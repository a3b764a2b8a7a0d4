// SPDX-License-Identifier: Apache-2.0
// The parts of comparison mode bound. Values are as in comparison_modes.hpp: operands, the contributions
// last.
#pragma once

#include <optional>
#include <vector>

#include "cell.hpp"

namespace scatterproof::spec::judging {

Allowed sum_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);
Allowed product_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);
Allowed complex_product_within_bound(const Bag& bag, std::span<const Scalar> values,
                                     std::size_t contributions);
/// For real floats, and for integers that have a quotient_of_integers. Documents do not define other
/// quotients of integers, and those of complex numbers: such cells are free. Cells that are divided by
/// zero are free too, and those where some order may leave the range.
Allowed quotient_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);

/// Nothing where a division divides by zero or may leave the dtype, or leaves a remainder: then rounding, and
/// the order, would show. If quotients are floors, one divisor may leave any remainder, and so may several
/// that are positive, whose order does not matter.
std::optional<Scalar> quotient_of_integers(const Bag& bag, std::span<const Scalar> values,
                                           std::size_t contributions);

}  // namespace scatterproof::spec::judging
