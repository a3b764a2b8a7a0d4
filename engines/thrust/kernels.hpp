// SPDX-License-Identifier: Apache-2.0
// The Thrust source of all four engines. A translation unit for one device system defines first
//   SCATTERPROOF_THRUST_SYSTEM   the namespace of everything here: no two systems share a symbol
// and in that namespace a struct System with
//   policy()                     the execution policy
//   for_each(items, body)        body(n) for each n in [0, items), in parallel
//   allocate(bytes), release(p)  memory that the system's algorithms can use
//   put(to, from, bytes)         copies memory of the host there
//   fetch(to, from, bytes)       copies such memory to the host, once everything before is done
//   lanes                        elements of a row that one work item combines: a vector's worth on a CPU; 1
//                                on a GPU, whose neighbouring threads make up the vector
//   moved_lanes                  the same where elements are only moved
//   sampled_from                 fewer lookups than this are not worth a look at how they repeat
#pragma once

#include "assign.hpp"
#include "combine_atomically.hpp"
#include "combine_in_order.hpp"
#include "gather.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

/// Whether the order of contributions shows in the bits: of integers and truth values it never does.
template <class T>
inline constexpr bool order_shows = !(std::is_integral_v<T> || std::is_same_v<T, Truth>);

inline bool scatter(const Walk& walk, const Operands& operands, bool deterministic) {
  const Placed placed(walk, operands.index, make_lookups);
  const Lookups& lookups = *placed;
  const Scratch<std::uint32_t> keys(lookups.count);
  if (!write_keys(lookups, keys.data())) return false;
  if (walk.combine == spec::Combiner::assign) {
    assign(walk, lookups, keys.data(), operands);
    return true;
  }
  visit_dtype(walk.dtype, [&]<class T>(std::type_identity<T>) {
    const Scatter<T> all(walk, lookups, operands);
    const bool atomic = has_atomic<spec::Combiner::prod, T> || all.combiner != spec::Combiner::prod;
    if constexpr (order_shows<T>)
      if (deterministic || !atomic) return combine_in_order(all, keys.data());
    combine_atomically(walk, all, keys.data());
  });
  return true;
}

/// A WalkFunction's work, on the operands instead of what the walk points to.
inline bool execute(const Walk& walk, const Operands& operands, bool deterministic) {
  return walk.scatter ? scatter(walk, operands, deterministic) : gather(walk, operands);
}

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
