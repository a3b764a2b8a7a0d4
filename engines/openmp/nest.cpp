// SPDX-License-Identifier: Apache-2.0
// From a walk to its loops.
#include "nest.hpp"

namespace scatterproof::engines::openmp {

std::int64_t Nest::lookups() const {
  std::int64_t count = 1;
  for (int d = 0; d < rank; ++d) count *= shape[d];
  return count;
}

Nest Nest::narrowed(int d, std::int64_t begin, std::int64_t end) const {
  Nest part = *this;
  const auto bytes = static_cast<std::int64_t>(element);
  part.shape[d] = end - begin;
  part.index += begin * index_stride[d] * (wide ? 8 : 4);
  part.table += begin * table_stride[d] * bytes;
  part.stream += begin * stream_stride[d] * bytes;
  return part;
}

Nest Nest::columns(std::int64_t begin, std::int64_t end) const {
  Nest part = *this;
  const auto bytes = static_cast<std::int64_t>(element);
  part.row = end - begin;
  part.table += begin * bytes;
  part.stream += begin * row_stride * bytes;
  return part;
}

Nest make_nest(const Walk& walk, const Lookups& lookups, std::byte* result) {
  Nest nest;
  int rank = walk.rank;
  // A last dimension in which the index stands still and the table steps by one: rows.
  if (rank > 0 && lookups.stride[rank - 1] == 0 && walk.table_stride[rank - 1] == 1) {
    --rank;
    nest.row = walk.shape[rank];
    nest.row_stride = walk.stream_stride[rank];
  }
  const int missing = rank < 2 ? 2 - rank : 0;
  for (int d = 0; d < missing; ++d) {
    nest.shape[d] = 1;
    nest.index_stride[d] = nest.table_stride[d] = nest.stream_stride[d] = 0;
  }
  for (int d = 0; d < rank; ++d) {
    nest.shape[missing + d] = walk.shape[d];
    nest.index_stride[missing + d] = lookups.stride[d];
    nest.table_stride[missing + d] = walk.table_stride[d];
    nest.stream_stride[missing + d] = walk.stream_stride[d];
  }
  nest.rank = missing + rank;
  nest.index = lookups.index;
  nest.wide = lookups.wide;
  nest.step = lookups.step;
  nest.wrap = lookups.wrap;
  nest.element = spec::size_of(walk.dtype);
  // What is only read is never written through these: gathers write the stream, scatters the table.
  nest.table = walk.scatter ? result : const_cast<std::byte*>(walk.table);
  nest.stream = walk.scatter ? const_cast<std::byte*>(walk.stream) : result;
  return nest;
}

}  // namespace scatterproof::engines::openmp
