// SPDX-License-Identifier: Apache-2.0
// Wrong meanings by which values come from other places, or go to them.
#pragma once

#include <optional>

#include "compare.hpp"
#include "vices.hpp"

namespace scatterproof::spec::judging {

/// Empty: the vice does not explain the result.
using Suspicion = std::optional<Diagnosis>;

/// Whether a changed bag explains every cell, and the wrong ones not just because its bound is so wide that
/// it reaches zero: such a bound also allows what was lost on the way, for another reason.
bool explains(const Bag& changed, const Suspect& s);

Suspicion written_one_off(const Suspect& s);

/// For results without a start, a gather's: the neighbour's value came. The edge cells have no neighbour
/// here.
Suspicion read_one_off(const Suspect& s);

/// Cells that kept their start although something lands there: their writes may have gone to the end of an
/// axis.
Suspicion clamped(const Suspect& s);

/// A scatter along one axis keeps the source's other coordinates: had it gone along another, the index value
/// (the target's coordinate) would replace that one.
Suspicion wrong_axis(const Suspect& s);

/// A loop over blocks of a power of two, over all elements of the updates, their rows, or along their last
/// axis, that ends with the last whole block. `shorter`: there is none, so that all is tail; else there is
/// one.
Suspicion tail_left_out(const Suspect& s, bool shorter);

}  // namespace scatterproof::spec::judging
