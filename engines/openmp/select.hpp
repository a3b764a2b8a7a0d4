// SPDX-License-Identifier: Apache-2.0
// Picking out, in order, the lookups that fall into one thread's range.
#pragma once

#include <cstdint>

namespace scatterproof::engines::openmp {

/// At most this many entries more than `count` are overwritten behind the selected ones.
inline constexpr unsigned select_slack = 8;

/// Writes number and position of each of numbers[0..count) that lies in [begin, end), in order; positions
/// count up from `first`. Returns how many. No branch depends on the numbers: the selection is effectively
/// random, so a branch would be mispredicted half of the time.
unsigned select(const std::int64_t* numbers, unsigned count, std::int64_t first, std::int64_t begin,
                std::int64_t end, std::int64_t* selected, std::int64_t* positions);
unsigned select(const std::int32_t* numbers, unsigned count, std::int64_t first, std::int64_t begin,
                std::int64_t end, std::int64_t* selected, std::int64_t* positions);

}  // namespace scatterproof::engines::openmp
