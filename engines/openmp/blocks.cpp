// SPDX-License-Identifier: Apache-2.0
// From lookups to blocks of offsets.
#include "blocks.hpp"

#include <algorithm>

namespace scatterproof::engines::openmp {
namespace {

/// Where a line of the last dimension begins, as offsets into the table and the stream.
struct Line {
  std::int64_t table, stream;
};

/// Fills a block from numbers[n..]; returns the position after the last one looked at. With `filtered`,
/// numbers outside `owned` are skipped.
template <bool filtered, class I>
std::int64_t fill(const Nest& nest, Block& block, const I* numbers, std::int64_t n, Line line, Owned owned) {
  const int b = nest.rank - 1;
  const auto stop = std::min<std::int64_t>(nest.shape[b], n + Block::capacity - block.count);
  std::int64_t* const to_table = block.table + block.count;
  std::int64_t* const to_stream = block.stream + block.count;
  if (filtered && line.table == 0 && nest.plain()) {
    const auto row_from = [&](std::int64_t offset) { return (offset + nest.step - 1) / nest.step; };
    const unsigned taken = select(numbers + n, static_cast<unsigned>(stop - n), n, row_from(owned.begin),
                                  row_from(owned.end), to_table, to_stream);
    for (unsigned k = 0; nest.step != 1 && k < taken; ++k) to_table[k] *= nest.step;
    for (unsigned k = 0; (line.stream != 0 || nest.stream_stride[b] != 1) && k < taken; ++k)
      to_stream[k] = line.stream + to_stream[k] * nest.stream_stride[b];
    block.count += taken;
    return stop;
  }
  const auto width = static_cast<std::uint64_t>(owned.end) - static_cast<std::uint64_t>(owned.begin);
  unsigned taken = 0;
  for (; n < stop; ++n) {
    const std::int64_t offset =
        line.table + n * nest.table_stride[b] + nest.offset_of(numbers[n * nest.index_stride[b]]);
    to_table[taken] = offset;
    to_stream[taken] = line.stream + n * nest.stream_stride[b];
    taken += !filtered || static_cast<std::uint64_t>(offset - owned.begin) < width;
  }
  block.count += taken;
  return stop;
}

template <bool filtered, class I>
void visit_blocks(const Nest& nest, Owned owned, void (*run)(const Nest& nest, const Block& block)) {
  const int a = nest.rank - 2, b = nest.rank - 1;
  const I* const index = reinterpret_cast<const I*>(nest.index);
  Block block;
  for_each_tile(nest, [&](std::int64_t i, std::int64_t t, std::int64_t s) {
    for (std::int64_t m = 0; m < nest.shape[a]; ++m) {
      const Line line{t + m * nest.table_stride[a], s + m * nest.stream_stride[a]};
      for (std::int64_t n = 0; n < nest.shape[b];) {
        n = fill<filtered>(nest, block, index + i + m * nest.index_stride[a], n, line, owned);
        if (block.count <= Block::capacity / 2) continue;
        run(nest, block);
        block.count = 0;
      }
    }
  });
  run(nest, block);
}

}  // namespace

void for_each_block(const Nest& nest, Owned owned, void (*run)(const Nest& nest, const Block& block)) {
  const bool filtered = owned != everything;
  if (nest.wide)
    filtered ? visit_blocks<true, std::int64_t>(nest, owned, run)
             : visit_blocks<false, std::int64_t>(nest, owned, run);
  else
    filtered ? visit_blocks<true, std::int32_t>(nest, owned, run)
             : visit_blocks<false, std::int32_t>(nest, owned, run);
}

}  // namespace scatterproof::engines::openmp
