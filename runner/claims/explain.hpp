// SPDX-License-Identifier: Apache-2.0
// Which input classes tell the calls that differ from those that agree.
#pragma once

#include <span>
#include <vector>

#include "scatterproof/runner/claims/check.hpp"

namespace scatterproof::runner::claims {

/// What B did, of a judgement that does not allow it.
Departure did_of(const spec::Judgement& judgement);

/// Whether a call is in all of these classes.
bool is_in(const compare::InputClassSet& classes, std::span<const std::size_t> all);

/// Whether a call that differs is one of those that a difference is about.
bool explains(const ClaimDifference& difference, const ClaimTrial& trial);

/// The one or two classes, among those that contain a minimal witness, that cover most of the calls that
/// differ as it does and fewest of those that agree. Empty: none does well.
std::vector<std::size_t> telling_classes(const ClaimTrial& witness, const compare::InputClassSet& classes,
                                         std::span<const ClaimTrial> trials);

/// Counts the calls that each difference is about, and leaves out differences without which others, at least
/// as sharp, still explain every call.
void settle(std::vector<ClaimDifference>& differences, std::span<const ClaimTrial> trials);

}  // namespace scatterproof::runner::claims
