// SPDX-License-Identifier: Apache-2.0
// Iterates over the positions of a walk: which cells it touches, in which order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "scatterproof/engines/native/walk.hpp"

namespace scatterproof::runner::bench {

/// Neighbouring cells that one lookup moves: the last dimension, when the index does not vary along it and
/// the table's cells lie side by side; else 1.
inline std::int64_t run_length(const engines::Walk& walk) {
  const int last = walk.rank - 1;
  const bool slice = walk.rank > 0 && walk.index_stride[last] == 0 && walk.table_stride[last] == 1;
  return slice ? walk.shape[last] : 1;
}

inline std::int64_t index_value(const engines::Walk& walk, std::int64_t position) {
  if (walk.index_dtype == spec::DType::i32) {
    std::int32_t value;
    std::memcpy(&value, walk.index + position * 4, sizeof value);
    return value;
  }
  std::int64_t value;
  std::memcpy(&value, walk.index + position * 8, sizeof value);
  return value;
}

/// Goes through the positions of `shape` in row-major order; `visit` gets three offsets that advance by the
/// walk's strides.
template <class Visit>
void for_each_offset(const engines::Walk& walk, const std::int64_t* shape, int rank, Visit visit) {
  std::int64_t at[engines::max_walk_rank] = {};
  std::int64_t index = 0, table = 0, stream = 0;
  while (true) {
    visit(index, table, stream);
    int d = rank - 1;
    for (; d >= 0; --d) {
      index += walk.index_stride[d], table += walk.table_stride[d], stream += walk.stream_stride[d];
      if (++at[d] < shape[d]) break;
      index -= shape[d] * walk.index_stride[d];
      table -= shape[d] * walk.table_stride[d];
      stream -= shape[d] * walk.stream_stride[d];
      at[d] = 0;
    }
    if (d < 0) return;
  }
}

/// The sizes of the walk with those along which the index does not vary set to 1; their product is the number
/// of lookups.
inline void lookup_shape(const engines::Walk& walk, std::int64_t* shape) {
  for (int d = 0; d < walk.rank; ++d) shape[d] = walk.index_stride[d] == 0 ? 1 : walk.shape[d];
}

/// Whether every value of the index points into the table.
inline bool in_range(const engines::Walk& walk) {
  if (walk.count == 0) return true;
  std::int64_t shape[engines::max_walk_rank];
  lookup_shape(walk, shape);
  bool all = true;
  for_each_offset(walk, shape, walk.rank, [&](std::int64_t index, std::int64_t, std::int64_t) {
    for (int j = 0; j < walk.depth; ++j) {
      const std::int64_t i = index_value(walk, index + j * walk.index_step);
      all &= i >= (walk.wrap_negative ? -walk.size[j] : 0) && i < walk.size[j];
    }
  });
  return all;
}

/// Calls visit(cell, stream) for every run of the walk in its order: the first cell of the table and the
/// first element of the stream. `first_slice`: only where every dimension along which the index does not vary
/// is 0. Precondition: the index is of i32 or i64, and its values are in range.
template <class Visit>
void for_each_run(const engines::Walk& walk, Visit visit, bool first_slice = false) {
  if (walk.count == 0) return;
  std::int64_t shape[engines::max_walk_rank];
  std::copy_n(walk.shape, walk.rank, shape);
  if (first_slice) lookup_shape(walk, shape);
  const int rank = run_length(walk) > 1 ? walk.rank - 1 : walk.rank;
  for_each_offset(walk, shape, rank, [&](std::int64_t index, std::int64_t cell, std::int64_t stream) {
    for (int j = 0; j < walk.depth; ++j) {
      const std::int64_t i = index_value(walk, index + j * walk.index_step);
      cell += (i < 0 ? i + walk.size[j] : i) * walk.step[j];
    }
    visit(cell, stream);
  });
}

}  // namespace scatterproof::runner::bench
