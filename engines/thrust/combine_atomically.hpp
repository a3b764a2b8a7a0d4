// SPDX-License-Identifier: Apache-2.0
// Contributions combined in any order, by atomic operations; fewer of them where many lookups name one row.
#pragma once

#include <thrust/copy.h>

#include <algorithm>
#include <vector>

#include "assign.hpp"
#include "combine.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

struct Claims {
  const std::uint32_t* claims = nullptr;  ///< null: not needed
  std::uint32_t* counts = nullptr;        ///< means only: contributions of a row
};

/// The lookup that holds a row's claim writes its own contribution where the start does not count.
template <class T>
struct StartRow {
  Scatter<T> scatter;
  const std::uint32_t* keys;
  Claims claims;
  SCATTERPROOF_HD void operator()(std::int64_t n) const {
    const Item item = scatter.items(n);
    const std::uint32_t key = keys[item.outer];
    if (!holds_claim(claims.claims, key, item.outer)) return;
    if (claims.counts && item.first == 0) claims.counts[key] = 1;  // the claimant's own, or the start
    if (scatter.include_start) return;
    T* const cells = scatter.cell(key, item.first);
    const T* from = scatter.update(item.outer, item.first);
    for (int lane = 0; lane < item.lanes; ++lane)
      cells[lane * scatter.lookups.row_table_stride] =
          scatter.first(from[lane * scatter.lookups.row_stream_stride]);
  }
};

/// `run` lookups in a row; neighbours with one key are combined before other threads see them.
template <class T>
struct CombineShared {
  Scatter<T> scatter;
  const std::uint32_t* keys;
  const std::uint32_t* sorted;  ///< null: lookups in the order of their numbers
  Claims claims;
  int run;

  SCATTERPROOF_HD std::uint32_t lookup_at(std::uint32_t i) const { return sorted ? sorted[i] : i; }
  /// Whether StartRow has written its contribution.
  SCATTERPROOF_HD bool done(std::uint32_t key, std::uint32_t lookup) const {
    return claims.claims && !scatter.include_start && holds_claim(claims.claims, key, lookup);
  }

  SCATTERPROOF_HD void operator()(std::int64_t n) const {
    const Item item = scatter.items(n);
    const std::uint32_t begin = item.outer * static_cast<std::uint32_t>(run);
    const std::uint32_t rest = scatter.lookups.count - begin;
    const std::uint32_t end = begin + (rest < static_cast<std::uint32_t>(run) ? rest : run);
    SCATTERPROOF_ROLLED
    for (std::uint32_t i = begin; i < end;) i = combine_neighbours(item, i, end);
  }

  /// From i on, as long as the key stays the same. Gives where it changed.
  SCATTERPROOF_HD std::uint32_t combine_neighbours(const Item& item, std::uint32_t i,
                                                   std::uint32_t end) const {
    const std::uint32_t key = keys[i];
    std::uint32_t combined = 0;
    T values[System::lanes];
    SCATTERPROOF_ROLLED
    for (; i < end && keys[i] == key; ++i) {
      const std::uint32_t lookup = lookup_at(i);
      if (done(key, lookup)) continue;
      const T* from = scatter.update(lookup, item.first);
      if (combined++ == 0) {
        for (int lane = 0; lane < item.lanes; ++lane)
          values[lane] = from[lane * scatter.lookups.row_stream_stride];
      } else {
        combine_lanes(scatter.combiner, values, from, scatter.lookups.row_stream_stride, item.lanes);
      }
    }
    if (combined == 0) return i;
    T* const cells = scatter.cell(key, item.first);
    with_combiner<T>(scatter.combiner, [&]<spec::Combiner c>(std::integral_constant<spec::Combiner, c>) {
      if constexpr (has_atomic<c, T>)
        for (int lane = 0; lane < item.lanes; ++lane)
          combine_into<c>(&cells[lane * scatter.lookups.row_table_stride], values[lane]);
    });
    if (claims.counts && item.first == 0) combine_into<spec::Combiner::sum>(&claims.counts[key], combined);
    return i;
  }
};

template <class T>
struct DivideRow {
  Scatter<T> scatter;
  const std::uint32_t* keys;
  Claims claims;
  SCATTERPROOF_HD void operator()(std::int64_t n) const {
    const Item item = scatter.items(n);
    const std::uint32_t key = keys[item.outer];
    if (!holds_claim(claims.claims, key, item.outer)) return;
    T* const cells = scatter.cell(key, item.first);
    for (int lane = 0; lane < item.lanes; ++lane) {
      T& cell = cells[lane * scatter.lookups.row_table_stride];
      cell = divided(cell, claims.counts[key], scatter.truncate);
    }
  }
};

/// How often lookups name the same row, by a sample.
struct Repetition {
  bool of_neighbours = false;  ///< every second lookup names the row of the one before
  bool at_all = false;         ///< four lookups of a sample share a row
};

/// Stretches of neighbours, evenly spread.
struct TakeSample {
  static constexpr std::uint32_t stretches = 16;
  static constexpr std::uint32_t stretch = 64;
  const std::uint32_t* keys;
  std::uint32_t count;
  std::uint32_t* sample;
  SCATTERPROOF_HD void operator()(std::int64_t i) const {
    const std::uint64_t from = static_cast<std::uint64_t>(i / stretch) * (count - stretch) / (stretches - 1);
    sample[i] = keys[from + static_cast<std::uint64_t>(i % stretch)];
  }
};

inline Repetition sample_repetition(const std::uint32_t* keys, std::uint32_t count) {
  constexpr std::uint32_t stretch = TakeSample::stretch;
  constexpr std::uint32_t size = TakeSample::stretches * stretch;
  if (count < System::sampled_from) return {};
  const Scratch<std::uint32_t> taken(size);
  System::for_each(size, TakeSample{keys, count, taken.data()});
  std::vector<std::uint32_t> sample(size);
  System::fetch(sample.data(), taken.data(), size * sizeof(std::uint32_t));
  std::size_t repeated = 0;
  for (std::uint32_t i = 1; i < size; ++i) repeated += i % stretch != 0 && sample[i] == sample[i - 1];
  std::sort(sample.begin(), sample.end());
  const auto distinct = std::unique(sample.begin(), sample.end()) - sample.begin();
  return {repeated * 2 >= size, static_cast<std::size_t>(distinct) * 4 <= size};
}

/// Each lookup by itself, unless many name the same row: then runs of lookups, sorted first if equal ones are
/// not adjacent.
template <class T>
void combine_by_repetition(const Scatter<T>& scatter, const std::uint32_t* keys, const Claims& claims) {
  constexpr int run = 64;
  const std::uint32_t count = scatter.lookups.count;
  const std::int64_t row_blocks = scatter.items.row_blocks;
  const Repetition repetition = sample_repetition(keys, count);
  if (repetition.at_all && !repetition.of_neighbours) {
    const Scratch<std::uint32_t> sorted_keys(count);
    thrust::copy_n(System::policy(), keys, count, sorted_keys.data());
    const Sorted sorted(sorted_keys.data(), count);
    System::for_each(blocks(count, run) * row_blocks,
                     CombineShared<T>{scatter, sorted_keys.data(), sorted.lookups.data(), claims, run});
  } else {
    const int length = repetition.of_neighbours ? run : 1;
    System::for_each(blocks(count, length) * row_blocks,
                     CombineShared<T>{scatter, keys, nullptr, claims, length});
  }
}

template <class T>
void combine_atomically(const Walk& walk, const Scatter<T>& scatter, std::uint32_t* keys) {
  const Lookups& lookups = scatter.lookups;
  const bool needs_claims = scatter.mean || !scatter.include_start;
  const auto rows = static_cast<std::size_t>(walk.result_numel);
  const Scratch<std::uint32_t> claim_memory(needs_claims ? rows : 0);
  const Scratch<std::uint32_t> count_memory(scatter.mean ? rows : 0);
  Claims claims;
  if (needs_claims) claims.claims = claim_memory.data();
  if (scatter.mean) claims.counts = count_memory.data();
  const std::int64_t all = lookups.count * scatter.items.row_blocks;
  if (needs_claims) {
    make_claims(lookups.count, keys, claim_memory.data());
    System::for_each(all, StartRow<T>{scatter, keys, claims});
  }
  combine_by_repetition(scatter, keys, claims);
  if (scatter.mean) System::for_each(all, DivideRow<T>{scatter, keys, claims});
}

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
