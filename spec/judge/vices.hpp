// SPDX-License-Identifier: Apache-2.0
// Simple wrong meanings: a wrong result that one of them explains in every cell is named after it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cell.hpp"

namespace scatterproof::spec::judging {

/// A result that its bag does not allow.
struct Suspect {
  const Bag& bag;
  std::span<const Scalar> actual;
  std::span<const std::int64_t> failing;
};

/// The wrong meanings that explain the whole result, at most two, as `A, or when B`; empty when none does.
std::string wrong_meaning(const Suspect& suspect);

/// Whether a result of the given shape is the right one with its axes in reverse order.
bool is_transposed(const Bag& bag, const Shape& actual_shape, std::span<const Scalar> actual);

}  // namespace scatterproof::spec::judging
