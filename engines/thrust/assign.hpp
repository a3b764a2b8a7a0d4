// SPDX-License-Identifier: Apache-2.0
// A scatter's destinations, and the assignment: of the lookups that name a row, the last claims and writes
// it.
#pragma once

#include <thrust/functional.h>
#include <thrust/transform_reduce.h>

#include "atomic.hpp"
#include "work_items.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

/// A lookup's key is the place of its row's first element in the table.
struct WriteKey {
  Lookups lookups;
  std::uint32_t* keys;
  SCATTERPROOF_HD bool operator()(std::int64_t lookup) const {
    Offsets at = lookups.offsets(static_cast<std::uint32_t>(lookup));
    const bool in_range = lookups.follow_index(at);
    keys[lookup] = static_cast<std::uint32_t>(at.table);
    return in_range;
  }
};

inline bool write_keys(const Lookups& lookups, std::uint32_t* keys) {
  return thrust::transform_reduce(System::policy(), counting(0), counting(lookups.count),
                                  WriteKey{lookups, keys}, true, thrust::logical_and<bool>());
}

struct ClearClaim {
  const std::uint32_t* keys;
  std::uint32_t* claims;
  SCATTERPROOF_HD void operator()(std::int64_t lookup) const { store_relaxed(&claims[keys[lookup]], 0); }
};
struct Claim {
  const std::uint32_t* keys;
  std::uint32_t* claims;
  SCATTERPROOF_HD void operator()(std::int64_t lookup) const {
    raise_to(&claims[keys[lookup]], static_cast<std::uint32_t>(lookup) + 1);
  }
};
SCATTERPROOF_HD inline bool holds_claim(const std::uint32_t* claims, std::uint32_t key,
                                        std::uint32_t lookup) {
  return claims[key] == lookup + 1;
}

/// Of the lookups with one key, the last gets the claim. Other claims are never touched.
inline void make_claims(std::uint32_t count, const std::uint32_t* keys, std::uint32_t* claims) {
  System::for_each(count, ClearClaim{keys, claims});
  System::for_each(count, Claim{keys, claims});
}

template <class Word>
struct AssignRow {
  Lookups lookups;
  Items<System::moved_lanes> items;
  const std::uint32_t* keys;
  const std::uint32_t* claims;
  const Word* updates;
  Word* out;
  SCATTERPROOF_HD void operator()(std::int64_t n) const {
    const Item item = items(n);
    const std::uint32_t key = keys[item.outer];
    if (!holds_claim(claims, key, item.outer)) return;
    move_row(out + key + item.first * lookups.row_table_stride, lookups.row_table_stride,
             updates + lookups.offsets(item.outer).stream + item.first * lookups.row_stream_stride,
             lookups.row_stream_stride, item.lanes);
  }
};

inline void assign(const Walk& walk, const Lookups& lookups, const std::uint32_t* keys,
                   const Operands& operands) {
  const Scratch<std::uint32_t> claims(static_cast<std::size_t>(walk.result_numel));
  make_claims(lookups.count, keys, claims.data());
  visit_size(spec::size_of(walk.dtype), [&]<class Word>(std::type_identity<Word>) {
    const Items<System::moved_lanes> items(lookups);
    System::for_each(
        lookups.count * items.row_blocks,
        AssignRow<Word>{lookups, items, keys, claims.data(), reinterpret_cast<const Word*>(operands.stream),
                        reinterpret_cast<Word*>(operands.result)});
  });
}

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
