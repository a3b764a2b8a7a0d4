// SPDX-License-Identifier: Apache-2.0
// A mismatch in sentences for a person.
#pragma once

#include <span>
#include <string>

#include "compare.hpp"

namespace scatterproof::spec::judging {

/// `src[3,0] = 7 and src[4,0] = 9 both land on out[3,0], ...; any one of them may win`.
std::string describe_cell(const Cell& cell);

/// The first failing cell, what lands there, what is allowed and why, what came, how many differ, and, when
/// the whole result fits one simple wrong meaning, which. Precondition: some cell fails.
std::string explain_mismatch(const Bag& bag, std::span<const Scalar> actual, const Comparison& comparison,
                             const std::string& because);

}  // namespace scatterproof::spec::judging
