// SPDX-License-Identifier: Apache-2.0
// A walk as a device can hold it: the readings of its index (lookups), each of which moves a row of elements.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "native/arithmetic.hpp"
#include "scatterproof/engines/walk.hpp"

namespace scatterproof::engines {

/// Where a lookup's row begins, in elements, the index's part of the table's offset not yet added.
struct Offsets {
  std::int64_t index = 0;
  std::int64_t table = 0;
  std::int64_t stream = 0;
};

struct Lookups {
  std::uint32_t count = 1;
  int rank = 0;
  std::uint32_t shape[max_walk_rank];
  std::int64_t index_stride[max_walk_rank];
  std::int64_t table_stride[max_walk_rank];
  std::int64_t stream_stride[max_walk_rank];

  // The elements of one row; 1 where every position has an index of its own.
  std::int64_t row = 1;
  std::int64_t row_table_stride = 0;
  std::int64_t row_stream_stride = 0;

  const std::byte* index = nullptr;
  spec::DType index_dtype = spec::DType::i64;
  bool wrap_negative = false;
  int depth = 0;
  std::int64_t index_step = 0;
  std::int64_t size[max_depth];
  std::int64_t step[max_depth];

  /// Division in 32 bits: on a device it takes a fraction of the time, and a walk longer than that is
  /// refused.
  SCATTERPROOF_HD Offsets offsets(std::uint32_t lookup) const {
    if (rank == 1) return {lookup * index_stride[0], lookup * table_stride[0], lookup * stream_stride[0]};
    Offsets at;
    for (int d = rank - 1; d >= 0; --d) {
      const std::uint32_t rest = lookup / shape[d];
      const std::int64_t i = lookup - rest * shape[d];
      at.index += i * index_stride[d];
      at.table += i * table_stride[d];
      at.stream += i * stream_stride[d];
      lookup = rest;
    }
    return at;
  }

  SCATTERPROOF_HD std::int64_t load_index(std::int64_t at) const {
    switch (index_dtype) {
      case spec::DType::i64:
        return reinterpret_cast<const std::int64_t*>(index)[at];
      case spec::DType::i32:
        return reinterpret_cast<const std::int32_t*>(index)[at];
      case spec::DType::i16:
        return reinterpret_cast<const std::int16_t*>(index)[at];
      case spec::DType::i8:
        return reinterpret_cast<const std::int8_t*>(index)[at];
      default:
        return reinterpret_cast<const std::uint8_t*>(index)[at];
    }
  }

  /// Adds what the index says to the table's offset; false when it is out of range.
  SCATTERPROOF_HD bool follow_index(Offsets& at) const {
    bool in_range = true;
    for (int j = 0; j < depth; ++j) {
      std::int64_t i = load_index(at.index + j * index_step);
      if (wrap_negative && i < 0) i += size[j];
      in_range = in_range && i >= 0 && i < size[j];
      at.table += i * step[j];
    }
    return in_range;
  }
};

inline void add_dimension(Lookups& lookups, const Walk& walk, int d) {
  constexpr std::int64_t most = 0xffff'fffe;  // one more has no number of 32 bits
  if (walk.shape[d] > most / lookups.count)
    throw std::length_error("the index is read more than 4294967294 times");
  const int r = lookups.rank++;
  lookups.count *= static_cast<std::uint32_t>(walk.shape[d]);
  lookups.shape[r] = static_cast<std::uint32_t>(walk.shape[d]);
  lookups.index_stride[r] = walk.index_stride[d];
  lookups.table_stride[r] = walk.table_stride[d];
  lookups.stream_stride[r] = walk.stream_stride[d];
}

inline Lookups without_dimensions(const Walk& walk) {
  Lookups lookups;
  lookups.index = walk.index;
  lookups.index_dtype = walk.index_dtype;
  lookups.wrap_negative = walk.wrap_negative;
  lookups.depth = walk.depth;
  lookups.index_step = walk.index_step;
  for (int j = 0; j < walk.depth; ++j) {
    lookups.size[j] = walk.size[j];
    lookups.step[j] = walk.step[j];
  }
  return lookups;
}

/// The walk with its last dimension as the row where the index does not step along it. Not where a scatter
/// does not step either: there the elements of one row collide with each other. Otherwise two lookups name
/// the same row or rows without a common cell. Precondition: walk.count > 0.
inline Lookups make_lookups(const Walk& walk) {
  Lookups lookups = without_dimensions(walk);
  int outer = walk.rank;
  const int last = walk.rank - 1;
  if (last >= 0 && walk.index_stride[last] == 0 && (!walk.scatter || walk.table_stride[last] != 0)) {
    outer = last;
    lookups.row = walk.shape[last];
    lookups.row_table_stride = walk.table_stride[last];
    lookups.row_stream_stride = walk.stream_stride[last];
  }
  for (int d = 0; d < outer; ++d) add_dimension(lookups, walk, d);
  return lookups;
}

/// Each element of the index read once: what is needed to check it.
inline Lookups make_index_lookups(const Walk& walk) {
  Lookups lookups = without_dimensions(walk);
  for (int d = 0; d < walk.rank; ++d)
    if (walk.index_stride[d] != 0) add_dimension(lookups, walk, d);
  return lookups;
}

}  // namespace scatterproof::engines
