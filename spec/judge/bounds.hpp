// SPDX-License-Identifier: Apache-2.0
// The parts of comparison mode bound. Values are as in comparison_modes.hpp: operands, the contributions
// last.
#pragma once

#include <vector>

#include "cell.hpp"

namespace scatterproof::spec::judging {

Allowed sum_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);
Allowed product_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);
Allowed complex_product_within_bound(const Bag& bag, std::span<const Scalar> values,
                                     std::size_t contributions);
/// For real floats. Documents do not define the quotient of integers or complex numbers: such cells are free.
/// Cells that are divided by zero are free too, and those where some order may leave the range.
Allowed quotient_within_bound(const Bag& bag, std::span<const Scalar> values, std::size_t contributions);

}  // namespace scatterproof::spec::judging
