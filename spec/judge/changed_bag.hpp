// SPDX-License-Identifier: Apache-2.0
// Bags changed the way a wrong implementation would change them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cell.hpp"

namespace scatterproof::spec::judging {

/// The bag with the contributions of each cell replaced by what `edit` makes of them.
Bag with_contributions(const Bag& bag,
                       const std::function<std::vector<Contribution>(const Cell& cell)>& edit);

/// The bag with every contribution moved to the cell that `target` names; dropped where it names none.
Bag with_targets(
    const Bag& bag,
    const std::function<std::optional<std::int64_t>(std::int64_t cell, const Contribution& one)>& target);

/// The bag with every value (starts too) replaced.
Bag with_values(const Bag& bag, DType dtype, const std::function<Scalar(const Scalar& value)>& edit);

/// Whether a changed bag allows this result in every cell, and not because it leaves cells free.
bool explains(const Bag& changed, const Elements& actual);

/// Row-major coordinates of a cell, and back.
std::int64_t index_of(const Coords& at, const Shape& shape);

}  // namespace scatterproof::spec::judging
