// SPDX-License-Identifier: Apache-2.0
// Gathers: the index is checked, then every work item moves its elements.
#pragma once

#include <thrust/functional.h>
#include <thrust/transform_reduce.h>

#include "work_items.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

struct InRange {
  Lookups lookups;
  SCATTERPROOF_HD bool operator()(std::int64_t lookup) const {
    Offsets at = lookups.offsets(static_cast<std::uint32_t>(lookup));
    return lookups.follow_index(at);
  }
};

inline bool index_in_range(const Walk& walk, const std::byte* index) {
  const Placed placed(walk, index, make_index_lookups);
  const Lookups& lookups = *placed;
  return thrust::transform_reduce(System::policy(), counting(0), counting(lookups.count), InRange{lookups},
                                  true, thrust::logical_and<bool>());
}

template <class Word>
struct GatherRow {
  Lookups lookups;
  Items<System::moved_lanes> items;
  const Word* table;
  Word* out;
  SCATTERPROOF_HD void operator()(std::int64_t n) const {
    const Item item = items(n);
    Offsets at = lookups.offsets(item.outer);
    lookups.follow_index(at);
    move_row(out + at.stream + item.first * lookups.row_stream_stride, lookups.row_stream_stride,
             table + at.table + item.first * lookups.row_table_stride, lookups.row_table_stride, item.lanes);
  }
};

inline bool gather(const Walk& walk, const Operands& operands) {
  if (!index_in_range(walk, operands.index)) return false;
  const Placed placed(walk, operands.index, make_lookups);
  const Lookups& lookups = *placed;
  visit_size(spec::size_of(walk.dtype), [&]<class Word>(std::type_identity<Word>) {
    const Items<System::moved_lanes> items(lookups);
    System::for_each(lookups.count * items.row_blocks,
                     GatherRow<Word>{lookups, items, reinterpret_cast<const Word*>(operands.table),
                                     reinterpret_cast<Word*>(operands.result)});
  });
  return true;
}

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
