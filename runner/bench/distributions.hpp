// SPDX-License-Identifier: Apache-2.0
// The values of an index: each distribution of docs/use/bench.md as a function of the position.
#pragma once

#include <cstdint>
#include <span>

#include "scatterproof/runner/bench/rows.hpp"

namespace scatterproof::runner::bench {

/// Fills the storage of an index (i32 or i64, no padding) from front to back. `bounds`: an
/// exclusive upper bound for every value; for an index of tuples, one for each number of a tuple.
/// Preconditions: no bound is 0, a permutation fits, and the fill is not `lattice`.
void fill_index(spec::Tensor& index, const Fill& fill, std::span<const std::int64_t> bounds,
                std::uint64_t seed);

}  // namespace scatterproof::runner::bench
