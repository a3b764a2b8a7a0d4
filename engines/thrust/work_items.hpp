// SPDX-License-Identifier: Apache-2.0
// Memory of the system, and how lookups and blocks of their rows are dealt out to work items (kernels.hpp).
#pragma once

#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lookups.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

namespace thrust = THRUST_NS_QUALIFIER;

/// Uninitialised memory of the system.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t count) : data_(static_cast<T*>(System::allocate(count * sizeof(T)))) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { System::release(data_); }
  T* data() const { return data_; }

 private:
  T* data_;
};

/// What a walk's pointers point to, and its result, in memory of the system.
struct Operands {
  const std::byte* index;
  const std::byte* table;
  const std::byte* stream;
  std::byte* result;
};

/// Lookups whose dimensions lie where work items can read them.
class Placed {
 public:
  template <class Make>  // make_lookups or make_index_lookups
  Placed(const Walk& walk, const std::byte* index, Make&& make)
      : lookups_(make(walk, index, here_)), there_(lookups_.need_dimensions() ? 1 : 0) {
    if (!lookups_.need_dimensions()) return;
    System::put(there_.data(), &here_, sizeof here_);
    lookups_.dimensions = there_.data();
  }
  const Lookups& operator*() const { return lookups_; }

 private:
  Dimensions here_;
  Lookups lookups_;
  Scratch<Dimensions> there_;
};

inline auto counting(std::int64_t from) { return thrust::counting_iterator<std::int64_t>(from); }

inline constexpr std::int64_t blocks(std::int64_t elements, std::int64_t block) {
  return (elements + block - 1) / block;
}

/// Work item -> which of `outer` things, and which block of its row. In 32 bits where that is enough.
struct Item {
  std::uint32_t outer;
  std::int64_t first;  ///< element of the row
  int lanes;           ///< elements from there on
};
template <int block>
struct Items {
  std::int64_t row_blocks;
  std::int64_t row;

  explicit Items(const Lookups& lookups) : row_blocks(blocks(lookups.row, block)), row(lookups.row) {}
  SCATTERPROOF_HD Item operator()(std::int64_t item) const {
    if (row_blocks == 1) return {static_cast<std::uint32_t>(item), 0, lanes_from(0)};
    const bool narrow = item <= 0xffff'ffff && row_blocks <= 0xffff'ffff;
    const auto outer = static_cast<std::uint32_t>(narrow ? static_cast<std::uint32_t>(item) /
                                                               static_cast<std::uint32_t>(row_blocks)
                                                         : item / row_blocks);
    const std::int64_t first = (item - outer * row_blocks) * block;
    return {outer, first, lanes_from(first)};
  }
  /// A constant where blocks are single elements, so that the loops over them vanish.
  SCATTERPROOF_HD int lanes_from(std::int64_t first) const {
    if constexpr (block == 1) return 1;
    return static_cast<int>(row - first < block ? row - first : block);
  }
};

/// Elements of Word's size from one row to another.
template <class Word>
SCATTERPROOF_HD void move_row(Word* to, std::int64_t to_stride, const Word* from, std::int64_t from_stride,
                              int lanes) {
  if (to_stride == 1 && from_stride == 1 && lanes > 1) {
    memcpy(to, from, static_cast<std::size_t>(lanes) * sizeof(Word));
  } else {
    for (int lane = 0; lane < lanes; ++lane) to[lane * to_stride] = from[lane * from_stride];
  }
}

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
