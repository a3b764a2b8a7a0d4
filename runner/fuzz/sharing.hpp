// SPDX-License-Identifier: Apache-2.0
// Arguments that lie in the same memory.
#pragma once

#include <cstddef>
#include <vector>

#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::runner::fuzz {

/// In a share of the calls, lets two tensors of one dtype that are only read share a storage: as the same
/// tensor if they have the same shape, otherwise the smaller as a view of the larger. Index values stay as
/// they are, so the rules stand as they did; `index` are the arguments that hold such values.
void draw_sharing(const spec::OpSpec& op, const std::vector<std::size_t>& index, GeneratedCall& made,
                  spec::Dice dice);

}  // namespace scatterproof::runner::fuzz
