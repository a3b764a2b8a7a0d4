// SPDX-License-Identifier: Apache-2.0
// Explains a mismatch to a person.
#pragma once

#include <string>

#include "compare.hpp"

namespace scatterproof::spec::judging {

/// `src[3,0] = 7 and src[4,0] = 9 both land here; any of them may win; ...`.
std::string describe_cell(const Cell& cell);

/// The first failing cell: what it is and should be, what lands there, and why; then how many cells differ.
/// Precondition: some cell fails.
std::string explain_mismatch(const Bag& bag, const Elements& actual, const Comparison& comparison,
                             const std::string& because);

}  // namespace scatterproof::spec::judging
