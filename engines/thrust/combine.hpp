// SPDX-License-Identifier: Apache-2.0
// What both ways of combining contributions share.
#pragma once

#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <type_traits>

#include "work_items.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

/// Lookups in the order of their keys, those of one key in the order of their numbers.
struct Sorted {
  Scratch<std::uint32_t> lookups;

  Sorted(std::uint32_t* keys, std::uint32_t count) : lookups(count) {
    thrust::sequence(System::policy(), lookups.data(), lookups.data() + count);
    if (!thrust::is_sorted(System::policy(), keys, keys + count))
      thrust::stable_sort_by_key(System::policy(), keys, keys + count, lookups.data());
  }
};

/// A mean is a sum until the end. Of truth values the largest is the sum, the smallest the product.
inline spec::Combiner worked_combiner(const Walk& walk) {
  using spec::Combiner;
  if (walk.combine == Combiner::mean) return Combiner::sum;
  if (walk.dtype != spec::DType::boolean) return walk.combine;
  return walk.combine == Combiner::amax || walk.combine == Combiner::sum ? Combiner::sum : Combiner::prod;
}

/// Calls visit(std::integral_constant<Combiner, c>{}) with the combiner, of those that are left to work with.
/// A choice made within the work items: an instance for each combiner takes nvcc four times as long.
template <class T, class Visit>
SCATTERPROOF_HD void with_combiner(spec::Combiner combiner, Visit&& visit) {
  using spec::Combiner;
  if (combiner == Combiner::sum) return visit(std::integral_constant<Combiner, Combiner::sum>{});
  if (combiner == Combiner::prod) return visit(std::integral_constant<Combiner, Combiner::prod>{});
  if constexpr (combines<Combiner::amax, T> && !std::is_same_v<T, Truth>) {
    if (combiner == Combiner::amax) return visit(std::integral_constant<Combiner, Combiner::amax>{});
    return visit(std::integral_constant<Combiner, Combiner::amin>{});
  }
}

/// What the functors below know about a scatter with elements of type T.
template <class T>
struct Scatter {
  Lookups lookups;
  Items<System::lanes> items;
  const T* updates;
  T* out;
  spec::Combiner combiner;  ///< worked_combiner()
  bool include_start;
  bool mean;
  bool truncate;

  Scatter(const Walk& walk, const Lookups& lookups_, const Operands& operands)
      : lookups(lookups_),
        items(lookups_),
        updates(reinterpret_cast<const T*>(operands.stream)),
        out(reinterpret_cast<T*>(operands.result)),
        combiner(worked_combiner(walk)),
        include_start(walk.include_start),
        mean(walk.combine == spec::Combiner::mean),
        truncate(walk.integer_mean == spec::IntegerMean::truncate) {}

  SCATTERPROOF_HD T* cell(std::uint32_t key, std::int64_t element) const {
    return out + key + element * lookups.row_table_stride;
  }
  SCATTERPROOF_HD const T* update(std::uint32_t lookup, std::int64_t element) const {
    return updates + lookups.offsets(lookup).stream + element * lookups.row_stream_stride;
  }
  /// The cell after its first contribution when the start does not count: sums begin at +0.
  SCATTERPROOF_HD T first(T value) const {
    constexpr auto sum = spec::Combiner::sum;
    return combiner == sum ? combine<sum>(identity<sum, T>(), value) : value;
  }
};

/// values[l] = combine(values[l], from[l * stride]); all lanes and a stride of 1 make vector instructions.
template <class T>
SCATTERPROOF_HD void combine_lanes(spec::Combiner combiner, T* values, const T* from, std::int64_t stride,
                                   int lanes) {
  with_combiner<T>(combiner, [&]<spec::Combiner c>(std::integral_constant<spec::Combiner, c>) {
    if (lanes == System::lanes && stride == 1) {
      for (int lane = 0; lane < System::lanes; ++lane) values[lane] = combine<c>(values[lane], from[lane]);
    } else {
      for (int lane = 0; lane < lanes; ++lane) values[lane] = combine<c>(values[lane], from[lane * stride]);
    }
  });
}

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
