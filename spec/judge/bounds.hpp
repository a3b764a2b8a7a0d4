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
/// For real floats, and for integers that every division leaves without a remainder. Documents do not define
/// other quotients of integers, and those of complex numbers: such cells are free. Cells that are divided by
/// zero are free too, and those where some order may leave the range.
Allowed quotient_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);

/// Nothing where a division leaves a remainder, divides by zero or may leave the dtype: then rounding, and
/// the order, would show.
std::optional<Scalar> quotient_of_integers(std::span<const Scalar> values, std::size_t contributions,
                                           DType dtype);

}  // namespace scatterproof::spec::judging
