// SPDX-License-Identifier: Apache-2.0
// What a generated call is like, in words to be counted.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace scatterproof::runner::fuzz {

/// Aspect and value: `rank(self)` is `3`, `index mode` is `permutation`, `dtype(src)` is `f16`. In a fixed
/// order.
using Traits = std::vector<std::pair<std::string, std::string>>;

}  // namespace scatterproof::runner::fuzz
