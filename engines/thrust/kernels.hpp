// SPDX-License-Identifier: Apache-2.0
// The Thrust source of all four engines. A translation unit for one device system defines, before it includes
// this,
//   SCATTERPROOF_THRUST_SYSTEM   the namespace everything here lies in, so that no two systems share a
//   symbol,
// and in that namespace a struct System:
//   policy()                     the execution policy
//   for_each(items, body)        body(n) for each n in [0, items), in parallel
//   allocate(bytes), release(p)  memory that the system's algorithms can use, in whole 16-byte units
//   put(to, from, bytes)         copies memory of the host there
//   fetch(to, from, bytes)       copies such memory to the host, once everything before is done
//   lanes                        elements of a row that one work item combines: a vector's worth on a CPU; 1
//                                on a GPU, whose neighbouring threads make up the vector
//   moved_lanes                  the same where elements are only moved
//   run                          lookups in a row that one work item combines where it finds repetition
//   always_runs, sorts           whether that pays without repetition, too; whether sorting does, with it
//   sampled_from                 fewer lookups than this are not worth a look at how they repeat
//
// Methods.
//   gather:   check the index, then every work item moves its elements.
//   assign:   a claim for every row decides which lookup is the last to name it; that one writes.
//   combine:  (a) where the documents' order is asked for and shows in the bits: stable sort of the lookups
//   by
//             destination, one work item for each run of equal destinations, in order. (b) otherwise
//             atomically.
#pragma once

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "atomic.hpp"
#include "lookups.hpp"

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

namespace thrust = THRUST_NS_QUALIFIER;

/// Uninitialised memory of the system.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t count) : data_(static_cast<T*>(System::allocate(count * sizeof(T)))) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { System::release(data_); }
  T* data() const { return data_; }

 private:
  T* data_;
};

/// What a walk's pointers point to, and its result, in memory of the system.
struct Operands {
  const std::byte* index;
  const std::byte* table;
  const std::byte* stream;
  std::byte* result;
};

/// Lookups whose dimensions lie where work items can read them.
class Placed {
 public:
  template <class Make>  // make_lookups or make_index_lookups
  Placed(const Walk& walk, const std::byte* index, Make&& make)
      : lookups_(make(walk, index, here_)), there_(lookups_.need_dimensions() ? 1 : 0) {
    if (!lookups_.need_dimensions()) return;
    System::put(there_.data(), &here_, sizeof here_);
    lookups_.dimensions = there_.data();
  }
  const Lookups& operator*() const { return lookups_; }

 private:
  Dimensions here_;
  Lookups lookups_;
  Scratch<Dimensions> there_;
};

inline auto counting(std::int64_t from) { return thrust::counting_iterator<std::int64_t>(from); }

inline constexpr std::int64_t blocks(std::int64_t elements, std::int64_t block) {
  return (elements + block - 1) / block;
}

/// Work item -> which of `outer` things, and which block of its row. In 32 bits where that is enough.
struct Item {
  std::uint32_t outer;
  std::int64_t first;  ///< element of the row
  int lanes;           ///< elements from there on
};
template <int block>
struct Items {
  std::int64_t row_blocks;
  std::int64_t row;

  explicit Items(const Lookups& lookups) : row_blocks(blocks(lookups.row, block)), row(lookups.row) {}
  SCATTERPROOF_HD Item operator()(std::int64_t item) const {
    if (row_blocks == 1) return {static_cast<std::uint32_t>(item), 0, lanes_from(0)};
    const bool narrow = item <= 0xffff'ffff && row_blocks <= 0xffff'ffff;
    const auto outer = static_cast<std::uint32_t>(narrow ? static_cast<std::uint32_t>(item) /
                                                               static_cast<std::uint32_t>(row_blocks)
                                                         : item / row_blocks);
    const std::int64_t first = (item - outer * row_blocks) * block;
    return {outer, first, lanes_from(first)};
  }
  /// A constant where blocks are single elements, so that the loops over them vanish.
  SCATTERPROOF_HD int lanes_from(std::int64_t first) const {
    if constexpr (block == 1) return 1;
    return static_cast<int>(row - first < block ? row - first : block);
  }
};

/// Elements of Word's size from one row to another.
template <class Word>
SCATTERPROOF_HD void move_row(Word* to, std::int64_t to_stride, const Word* from, std::int64_t from_stride,
                              int lanes) {
  if (to_stride == 1 && from_stride == 1 && lanes > 1) {
    memcpy(to, from, static_cast<std::size_t>(lanes) * sizeof(Word));
  } else {
    for (int lane = 0; lane < lanes; ++lane) to[lane * to_stride] = from[lane * from_stride];
  }
}

// ---- gather

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

// ---- scatter: destinations and claims

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

/// Of the lookups with one key the last gets the claim. Only claims that somebody makes are ever touched.
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

// ---- scatter: contributions combined in the documents' order

/// Lookups in the order of their keys, those of one key in the order of their numbers.
struct Sorted {
  Scratch<std::uint32_t> lookups;

  Sorted(std::uint32_t* keys, std::uint32_t count) : lookups(count) {
    thrust::sequence(System::policy(), lookups.data(), lookups.data() + count);
    if (!thrust::is_sorted(System::policy(), keys, keys + count))
      thrust::stable_sort_by_key(System::policy(), keys, keys + count, lookups.data());
  }
};

struct BeginsRun {
  const std::uint32_t* keys;
  SCATTERPROOF_HD bool operator()(std::uint32_t i) const { return i == 0 || keys[i - 1] != keys[i]; }
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

/// What the functors below know of a scatter with elements of type T.
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
  /// What the first contribution makes of a cell whose start does not count: sums begin at +0.
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

// ---- scatter: contributions combined atomically

struct Claims {
  const std::uint32_t* claims = nullptr;  ///< null: nobody needs one
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

/// `run` lookups in a row, those of one key among neighbours combined before anybody else sees them.
template <class T>
struct CombineShared {
  Scatter<T> scatter;
  const std::uint32_t* keys;
  const std::uint32_t* sorted;  ///< null: lookups in the order of their numbers
  Claims claims;
  int run;

  SCATTERPROOF_HD std::uint32_t lookup_at(std::uint32_t i) const { return sorted ? sorted[i] : i; }
  /// Has its contribution been written by StartRow?
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

/// How often lookups name what others name, by a sample.
struct Repetition {
  bool of_neighbours = false;  ///< every second lookup names the row of the one before
  bool at_all = false;         ///< four lookups of a sample share a row
};

inline Repetition sample_repetition(const std::uint32_t* keys, std::uint32_t count) {
  if (count < System::sampled_from) return {};
  constexpr std::uint32_t stretches = 16;
  constexpr std::uint32_t stretch = 64;
  std::vector<std::uint32_t> sample(stretches * stretch);
  std::size_t repeated = 0;
  for (std::uint32_t s = 0; s < stretches; ++s) {
    const auto from = static_cast<std::uint32_t>(std::uint64_t{s} * (count - stretch) / (stretches - 1));
    std::uint32_t* to = sample.data() + s * stretch;
    System::fetch(to, keys + from, stretch * sizeof(std::uint32_t));
    for (std::uint32_t i = 1; i < stretch; ++i) repeated += to[i] == to[i - 1];
  }
  std::sort(sample.begin(), sample.end());
  const auto distinct = std::unique(sample.begin(), sample.end()) - sample.begin();
  return {repeated * 2 >= sample.size(), static_cast<std::size_t>(distinct) * 4 <= sample.size()};
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
  const Repetition repetition = sample_repetition(keys, lookups.count);
  const bool runs = System::always_runs || repetition.of_neighbours;
  if (System::sorts && repetition.at_all && !repetition.of_neighbours) {
    const Scratch<std::uint32_t> sorted_keys(lookups.count);
    thrust::copy_n(System::policy(), keys, lookups.count, sorted_keys.data());
    const Sorted sorted(sorted_keys.data(), lookups.count);
    System::for_each(
        blocks(lookups.count, System::run) * scatter.items.row_blocks,
        CombineShared<T>{scatter, sorted_keys.data(), sorted.lookups.data(), claims, System::run});
  } else {
    const int run = runs ? System::run : 1;
    System::for_each(blocks(lookups.count, run) * scatter.items.row_blocks,
                     CombineShared<T>{scatter, keys, nullptr, claims, run});
  }
  if (scatter.mean) System::for_each(all, DivideRow<T>{scatter, keys, claims});
}

// ---- scatter

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
