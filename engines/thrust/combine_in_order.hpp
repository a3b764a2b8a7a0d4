// SPDX-License-Identifier: Apache-2.0
// Contributions combined in the documents' order: lookups sorted by destination, one work item for each run
// of equal ones.
#pragma once

#include <thrust/copy.h>

#include "combine.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

struct BeginsRun {
  const std::uint32_t* keys;
  SCATTERPROOF_HD bool operator()(std::uint32_t i) const { return i == 0 || keys[i - 1] != keys[i]; }
};

/// One run of equal destinations, one block of its row: start, then the contributions one by one.
template <class T>
struct CombineRun {
  Scatter<T> scatter;
  const std::uint32_t* keys;    // sorted
  const std::uint32_t* sorted;  // the lookups, in that order
  const std::uint32_t* begins;  // of the runs
  std::uint32_t runs;

  SCATTERPROOF_HD void operator()(std::int64_t n) const {
    const Item item = scatter.items(n);
    const std::uint32_t begin = begins[item.outer];
    const std::uint32_t end = item.outer + 1 < runs ? begins[item.outer + 1] : scatter.lookups.count;
    T* const cells = scatter.cell(keys[begin], item.first);
    const std::int64_t stride = scatter.lookups.row_table_stride;
    T values[System::lanes];
    std::uint32_t i = begin;
    if (scatter.include_start) {
      for (int lane = 0; lane < item.lanes; ++lane) values[lane] = cells[lane * stride];
    } else {
      const T* from = scatter.update(sorted[i++], item.first);
      for (int lane = 0; lane < item.lanes; ++lane)
        values[lane] = scatter.first(from[lane * scatter.lookups.row_stream_stride]);
    }
    if (scatter.lookups.row == 1 && scatter.lookups.rank <= 1) i = combine_loaded_ahead(values[0], i, end);
    SCATTERPROOF_ROLLED
    for (; i < end; ++i)
      combine_lanes(scatter.combiner, values, scatter.update(sorted[i], item.first),
                    scatter.lookups.row_stream_stride, item.lanes);
    const std::int64_t count = std::int64_t{end} - begin + (scatter.include_start ? 1 : 0);
    for (int lane = 0; lane < item.lanes; ++lane) {
      if (scatter.mean) values[lane] = divided(values[lane], count, scatter.truncate);
      cells[lane * stride] = values[lane];
    }
  }

  /// A vector's elements, sixteen loads under way at a time. Gives where it stopped.
  SCATTERPROOF_HD std::uint32_t combine_loaded_ahead(T& value, std::uint32_t i, std::uint32_t end) const {
    constexpr std::uint32_t ahead = 16;
    const std::int64_t stride = scatter.lookups.stride.stream;
    with_combiner<T>(scatter.combiner, [&]<spec::Combiner c>(std::integral_constant<spec::Combiner, c>) {
      SCATTERPROOF_ROLLED
      for (; end - i >= ahead; i += ahead) {
        T loaded[ahead];
        for (std::uint32_t j = 0; j < ahead; ++j) loaded[j] = scatter.updates[sorted[i + j] * stride];
        for (std::uint32_t j = 0; j < ahead; ++j) value = combine<c>(value, loaded[j]);
      }
    });
    return i;
  }
};

template <class T>
void combine_in_order(const Scatter<T>& scatter, std::uint32_t* keys) {
  const std::uint32_t count = scatter.lookups.count;
  const Sorted sorted(keys, count);
  const Scratch<std::uint32_t> begins(count);
  const auto numbers = thrust::counting_iterator<std::uint32_t>(0);
  std::uint32_t* end =
      thrust::copy_if(System::policy(), numbers, numbers + count, begins.data(), BeginsRun{keys});
  const auto runs = static_cast<std::uint32_t>(end - begins.data());
  System::for_each(runs * scatter.items.row_blocks,
                   CombineRun<T>{scatter, keys, sorted.lookups.data(), begins.data(), runs});
}

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
