// SPDX-License-Identifier: Apache-2.0
// A walk as a device can hold it: the readings of its index (lookups); each moves a row of elements.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "scatterproof/engines/native/arithmetic.hpp"
#include "scatterproof/engines/native/walk.hpp"

/// In front of a loop whose turns are few, or wait for memory: nvcc would unroll it, in many places, and take
/// minutes longer.
#ifdef __CUDACC__
#define SCATTERPROOF_ROLLED _Pragma("unroll 1")
#else
#define SCATTERPROOF_ROLLED
#endif

namespace scatterproof::engines {

/// Where a lookup's row begins, in elements, the index's part of the table's offset not yet added.
struct Offsets {
  std::int64_t index = 0;
  std::int64_t table = 0;
  std::int64_t stream = 0;
};

/// What lookups of more than one dimension, or of tuples, are made of. Apart from Lookups, which a device's
/// threads hold each a copy of: they could not index it without a copy in their stack.
struct Dimensions {
  std::uint32_t shape[max_walk_rank];
  std::int64_t index_stride[max_walk_rank];
  std::int64_t table_stride[max_walk_rank];
  std::int64_t stream_stride[max_walk_rank];
  std::int64_t size[max_depth];
  std::int64_t step[max_depth];
};

struct Lookups {
  std::uint32_t count = 1;
  int rank = 0;
  Offsets stride;  ///< of the last dimension

  // The elements of one row; 1 where every position has an index of its own.
  std::int64_t row = 1;
  std::int64_t row_table_stride = 0;
  std::int64_t row_stream_stride = 0;

  const std::byte* index = nullptr;
  spec::DType index_dtype = spec::DType::i64;
  bool wrap_negative = false;
  int depth = 0;
  std::int64_t index_step = 0;
  std::int64_t size = 0;  ///< of the tuples' first number
  std::int64_t step = 0;

  const Dimensions* dimensions = nullptr;  ///< read only where need_dimensions()

  bool need_dimensions() const { return rank > 1 || depth > 1; }

  /// Division in 32 bits: on a device it takes a fraction of the time, and a walk longer than that is
  /// refused.
  SCATTERPROOF_HD Offsets offsets(std::uint32_t lookup) const {
    if (rank <= 1) return {lookup * stride.index, lookup * stride.table, lookup * stride.stream};
    Offsets at;
    SCATTERPROOF_ROLLED
    for (int d = rank - 1; d >= 0; --d) {
      const std::uint32_t rest = lookup / dimensions->shape[d];
      const std::int64_t i = lookup - rest * dimensions->shape[d];
      at.index += i * dimensions->index_stride[d];
      at.table += i * dimensions->table_stride[d];
      at.stream += i * dimensions->stream_stride[d];
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

  /// One number of a tuple; false when it is out of range.
  SCATTERPROOF_HD bool follow(std::int64_t at, std::int64_t size_j, std::int64_t step_j,
                              std::int64_t& table) const {
    std::int64_t i = load_index(at);
    if (wrap_negative && i < 0) i += size_j;
    const bool in_range = i >= 0 && i < size_j;
    if (in_range) table += i * step_j;  // others may have no product in 64 bits
    return in_range;
  }
  /// Adds what the index says to the table's offset; false when it is out of range.
  SCATTERPROOF_HD bool follow_index(Offsets& at) const {
    if (depth == 1) return follow(at.index, size, step, at.table);
    bool in_range = true;
    SCATTERPROOF_ROLLED
    for (int j = 0; j < depth; ++j)
      in_range =
          follow(at.index + j * index_step, dimensions->size[j], dimensions->step[j], at.table) && in_range;
    return in_range;
  }
};

inline void add_dimension(Lookups& lookups, Dimensions& dimensions, const Walk& walk, int d) {
  constexpr std::int64_t most = 0xffff'fffe;  // one more has no number of 32 bits
  if (walk.shape[d] > most / lookups.count)
    throw std::length_error("the index is read more than 4294967294 times");
  const int r = lookups.rank++;
  lookups.count *= static_cast<std::uint32_t>(walk.shape[d]);
  lookups.stride = {walk.index_stride[d], walk.table_stride[d], walk.stream_stride[d]};
  dimensions.shape[r] = static_cast<std::uint32_t>(walk.shape[d]);
  dimensions.index_stride[r] = walk.index_stride[d];
  dimensions.table_stride[r] = walk.table_stride[d];
  dimensions.stream_stride[r] = walk.stream_stride[d];
}

inline Lookups without_dimensions(const Walk& walk, const std::byte* index, Dimensions& dimensions) {
  Lookups lookups;
  lookups.index = index;
  lookups.index_dtype = walk.index_dtype;
  lookups.wrap_negative = walk.wrap_negative;
  lookups.depth = walk.depth;
  lookups.index_step = walk.index_step;
  for (int j = 0; j < walk.depth; ++j) {
    dimensions.size[j] = walk.size[j];
    dimensions.step[j] = walk.step[j];
  }
  if (walk.depth > 0) {
    lookups.size = walk.size[0];
    lookups.step = walk.step[0];
  }
  lookups.dimensions = &dimensions;
  return lookups;
}

/// The walk with its last dimension as the row where the index does not step along it. Not where a scatter
/// does not step either: there the elements of one row collide with each other. Otherwise two lookups name
/// the same row or rows without a common cell. `dimensions` is filled in. Precondition: walk.count > 0.
inline Lookups make_lookups(const Walk& walk, const std::byte* index, Dimensions& dimensions) {
  Lookups lookups = without_dimensions(walk, index, dimensions);
  int outer = walk.rank;
  const int last = walk.rank - 1;
  if (last >= 0 && walk.index_stride[last] == 0 && (!walk.scatter || walk.table_stride[last] != 0)) {
    outer = last;
    lookups.row = walk.shape[last];
    lookups.row_table_stride = walk.table_stride[last];
    lookups.row_stream_stride = walk.stream_stride[last];
  }
  for (int d = 0; d < outer; ++d) add_dimension(lookups, dimensions, walk, d);
  return lookups;
}

/// Each element of the index read once: what is needed to check it.
inline Lookups make_index_lookups(const Walk& walk, const std::byte* index, Dimensions& dimensions) {
  Lookups lookups = without_dimensions(walk, index, dimensions);
  for (int d = 0; d < walk.rank; ++d)
    if (walk.index_stride[d] != 0) add_dimension(lookups, dimensions, walk, d);
  return lookups;
}

}  // namespace scatterproof::engines
