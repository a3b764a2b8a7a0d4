// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::spec::solve {

/// Every order is equally likely.
template <class T>
void shuffle(std::vector<T>& items, Dice& dice) {
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(i)))]);
}

}  // namespace scatterproof::spec::solve
