// SPDX-License-Identifier: Apache-2.0
// Simple wrong meanings: a wrong result that one of them explains in every cell is named after it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cell.hpp"
#include "scatterproof/spec/core/diagnosis.hpp"

namespace scatterproof::spec::judging {

/// A result that its bag does not allow.
struct Suspect {
  const Bag& bag;
  const Elements& actual;
  std::span<const std::int64_t> failing;
};

/// The wrong meanings that explain the whole result, the plainest first, at most two; where nothing was
/// written, also that the call is too short for a loop over blocks.
std::vector<Diagnosis> wrong_meanings(const Suspect& suspect);

/// Whether contributions that land in the result by these strides, and not by its own, explain all of it.
bool is_written_by(const Suspect& suspect, const Shape& strides);

/// What can be said about wrong cells that no simple meaning explains.
Diagnosis about_cells(const Suspect& suspect);

/// Whether a result of the given shape is the right one with its axes in reverse order.
bool is_transposed(const Bag& bag, const Shape& actual_shape, const Elements& actual);

}  // namespace scatterproof::spec::judging
