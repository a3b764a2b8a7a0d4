// SPDX-License-Identifier: Apache-2.0
// What a scatter derives from the index alone: compiled once, for all element types and combiners.
#pragma once

#include <cstdint>
#include <limits>

#include "nest.hpp"
#include "select.hpp"

namespace scatterproof::engines::openmp {

/// Table offsets a thread may write to.
struct Owned {
  std::int64_t begin, end;
  bool operator==(const Owned&) const = default;
};
inline constexpr Owned everything{std::numeric_limits<std::int64_t>::min(),
                                  std::numeric_limits<std::int64_t>::max()};

/// How many cells are on their way from memory at a time: enough to keep every miss register busy (measured:
/// 32 and 64 are slower, 256 is not faster).
inline constexpr std::int64_t fetch_distance = 128;

/// Positions to combine, as offsets into the table and the stream.
struct Block {
  static constexpr unsigned capacity = 2048;
  unsigned count = 0;
  std::int64_t table[capacity + select_slack];
  std::int64_t stream[capacity + select_slack];
};

/// Calls run(nest, block) with all positions whose cells lie in `owned`, in row-major order, block by block.
void for_each_block(const Nest& nest, Owned owned, void (*run)(const Nest& nest, const Block& block));

/// The position behind the run of `number` that goes on at `n`, in a line of `count` numbers `stride` apart;
/// long runs are compared eight at a time.
template <class I>
std::int64_t end_of_run(const I* numbers, std::int64_t n, std::int64_t count, std::int64_t stride, I number) {
  while (stride == 1 && n + 8 <= count) {
    I differing = 0;
    for (int k = 0; k < 8; ++k) differing |= static_cast<I>(numbers[n + k] ^ number);
    if (differing != 0) break;
    n += 8;
  }
  while (n < count && numbers[n * stride] == number) ++n;
  return n;
}

}  // namespace scatterproof::engines::openmp
