// SPDX-License-Identifier: Apache-2.0
// A walk as the loops that run it: some dimensions of lookups, and a row of elements moved at each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookups.hpp"
#include "scatterproof/engines/native/walk.hpp"

namespace scatterproof::engines::openmp {

/// For each position p of the dimensions, row-major, with i = index[p * index_stride], below 0 plus `wrap`:
/// the `row` elements at table + p * table_stride + i * step meet those at stream + p * stream_stride, which
/// lie `row_stride` apart. Strides in elements, pointers in bytes. The last two dimensions are the ones that
/// kernels loop over themselves; there are always two.
struct Nest {
  int rank = 0;
  std::int64_t shape[max_walk_rank + 2];
  std::int64_t index_stride[max_walk_rank + 2];
  std::int64_t table_stride[max_walk_rank + 2];
  std::int64_t stream_stride[max_walk_rank + 2];
  std::int64_t row = 1;
  std::int64_t row_stride = 1;

  const std::byte* index = nullptr;
  bool wide = true;  ///< the index is i64, else i32
  std::int64_t step = 1;
  std::int64_t wrap = 0;
  std::byte* table = nullptr;   ///< written by scatters only
  std::byte* stream = nullptr;  ///< written by gathers only
  std::size_t element = 1;      ///< bytes

  std::int64_t lookups() const;
  /// The common line: numbers adjacent in memory, each the number of a row, with nothing to add.
  bool plain() const { return index_stride[rank - 1] == 1 && table_stride[rank - 1] == 0 && wrap == 0; }
  /// Where the row of this number begins in the table.
  std::int64_t offset_of(std::int64_t number) const { return (number + ((number >> 63) & wrap)) * step; }

  /// Only positions [begin, end) of dimension d.
  Nest narrowed(int d, std::int64_t begin, std::int64_t end) const;
  /// Only elements [begin, end) of each row.
  Nest columns(std::int64_t begin, std::int64_t end) const;
};

/// The loops for a walk over a checked index. `result` is the table of a scatter, the stream of a gather.
Nest make_nest(const Walk& walk, const Lookups& lookups, std::byte* result);

/// Calls visit(index, table, stream) with the offsets, in elements, of each position of the dimensions ahead
/// of the last two, in row-major order.
template <class Visit>
void for_each_tile(const Nest& nest, Visit visit) {
  const int outer = nest.rank - 2;
  std::int64_t at[max_walk_rank] = {};
  std::int64_t index = 0, table = 0, stream = 0;
  for (;;) {
    visit(index, table, stream);
    int d = outer - 1;
    for (; d >= 0; --d) {
      index += nest.index_stride[d];
      table += nest.table_stride[d];
      stream += nest.stream_stride[d];
      if (++at[d] < nest.shape[d]) break;
      index -= nest.index_stride[d] * nest.shape[d];
      table -= nest.table_stride[d] * nest.shape[d];
      stream -= nest.stream_stride[d] * nest.shape[d];
      at[d] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace scatterproof::engines::openmp
