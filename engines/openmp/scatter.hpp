// SPDX-License-Identifier: Apache-2.0
// The loops of a scatter, by element type and combiner. Each method combines what lands in one cell in
// row-major order of the positions it is given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "blocks.hpp"
#include "clones.hpp"
#include "nest.hpp"
#include "scatterproof/engines/native/arithmetic.hpp"

namespace scatterproof::engines::openmp {

using spec::Combiner;

/// How one thread goes through its part of a nest.
enum class Method : std::uint8_t {
  direct,      ///< position by position: tables in cache, sorted indices
  ahead,       ///< cells are fetched a block of positions ahead: large tables
  merge_runs,  ///< combines equal neighbours in a register: a chain through memory costs a store and a
               ///< load per link
  merge_runs_any_order  ///< the same, not in the order of positions within a run
};

/// identity(), except for sums the zero that leaves every value as it is: -0 + +0 is +0.
template <Combiner combiner, class T>
T neutral() {
  if constexpr (combiner == Combiner::sum || combiner == Combiner::mean) {
    if constexpr (is_complex_value<T>) return {-0.0, -0.0};
    if constexpr (is_narrow_float<T>) return narrowed<T>(-0.0F);
    if constexpr (std::is_floating_point_v<T>) return T(-0.0);
  }
  return identity<combiner, T>();
}

/// A few rows that nearly all lookups name, each with a slot: number * factor, its highest bits.
struct HotRows {
  static constexpr int bits = 8, slots = 1 << bits;
  std::uint64_t factor = 0;
  std::int64_t numbers[slots];  ///< -1: no row has this slot

  int slot_of(std::int64_t number) const {
    return static_cast<int>(static_cast<std::uint64_t>(number) * factor >> (64 - bits));
  }
};

/// One combiner on one element type, as functions with both types erased.
struct ScatterKernels {
  /// Runs a method over a nest, but only combines what lands in `owned`: runs merged, or, where `owned` is
  /// not everything, fetching ahead.
  void (*run)(const Nest& nest, Method method, Owned owned);
  /// Combines each run of equal neighbours; writes its cell's offset and the result to the arrays, which have
  /// room for every position, and gives the number of runs. Precondition: rows of one element, any order.
  std::int64_t (*combine_runs)(const Nest& nest, std::int64_t* offsets, std::byte* results);
  /// Combines what lands in a hot row with its slot of `cells`, and appends the positions of the rest to
  /// `others`. Precondition: one line whose index is contiguous and needs no wrap; rows of one element.
  void (*run_hot)(const Nest& nest, const HotRows& rows, std::byte* cells, std::vector<std::int64_t>& others);
  /// Fills cells with the identity, which preserves even the sign of a zero.
  void (*fill_neutral)(std::byte* cells, std::int64_t count);
  /// cells[i] = cells[i] (+) others[i]
  void (*merge)(std::byte* cells, const std::byte* others, std::int64_t count);
};

template <Combiner combiner, class T>
SCATTERPROOF_CLONES void combine_vectors(T* __restrict cells, const T* __restrict values,
                                         std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) cells[k] = combine<combiner>(cells[k], values[k]);
}

/// cells[k] = cells[k] (+) values[k]. Not cloned for complex numbers: g++ 12 takes the fused multiply-add of
/// newer processors for their product, even where contraction is off, and rounds once instead of twice.
template <Combiner combiner, class T>
void combine_cells(T* __restrict cells, const T* __restrict values, std::int64_t count) {
  if constexpr (is_complex_value<T>)
    for (std::int64_t k = 0; k < count; ++k) cells[k] = combine<combiner>(cells[k], values[k]);
  else
    combine_vectors<combiner>(cells, values, count);
}

/// The loops that do not read the index.
template <Combiner combiner, class T>
struct Cells {
  const Nest& nest;
  T* const table = reinterpret_cast<T*>(nest.table);
  const T* const stream = reinterpret_cast<const T*>(nest.stream);
  const int a = nest.rank - 2, b = nest.rank - 1;  // the two dimensions looped over here

  void combine_row(T* cells, const T* values) const {
    constexpr std::int64_t worth_a_call = 128 / sizeof(T);
    if (nest.row_stride == 1 && nest.row >= worth_a_call)
      return combine_cells<combiner>(cells, values, nest.row);
    for (std::int64_t k = 0; k < nest.row; ++k)
      cells[k] = combine<combiner>(cells[k], values[k * nest.row_stride]);
  }

  template <bool rows>
  void apply(T* cell, const T* value) const {
    if constexpr (rows)
      combine_row(cell, value);
    else
      *cell = combine<combiner>(*cell, *value);
  }

  template <bool rows>
  void fetch(const T* cell) const {
    __builtin_prefetch(cell, 1);
    if constexpr (rows) {
      const auto* line = reinterpret_cast<const char*>(cell);
      const auto bytes = std::min<std::int64_t>(nest.row * static_cast<std::int64_t>(sizeof(T)), 512);
      for (std::int64_t at = 64; at < bytes; at += 64) __builtin_prefetch(line + at, 1);
    }
  }

  template <bool rows>
  void run_block(const Block& block) const {
    const unsigned count = block.count;
    const auto distance = std::min<unsigned>(count, rows ? fetch_distance / 8 : fetch_distance);
    for (unsigned k = 0; k < distance; ++k) fetch<rows>(table + block.table[k]);
    for (unsigned k = 0; k < count - distance; ++k) {
      fetch<rows>(table + block.table[k + distance]);
      apply<rows>(table + block.table[k], stream + block.stream[k]);
    }
    for (unsigned k = count - distance; k < count; ++k)
      apply<rows>(table + block.table[k], stream + block.stream[k]);
  }

  void ahead(Owned owned) const {
    for_each_block(nest, owned, [](const Nest& all, const Block& block) {
      const Cells cells{all};
      return all.row > 1 ? cells.template run_block<true>(block) : cells.template run_block<false>(block);
    });
  }

  /// `sum` combined with many contiguous values, in any order: eight partial results are kept, because a
  /// single one would wait for an addition's latency at each value. Not inlined into the loops that call it:
  /// compiled once.
  [[gnu::noinline]] static T combine_long_run(T sum, const T* values, std::int64_t count) {
    T partial[lanes];
    for (T& one : partial) one = neutral<combiner, T>();
    std::int64_t n = 0;
    for (; n + lanes <= count; n += lanes)
      for (int k = 0; k < lanes; ++k) partial[k] = combine<combiner>(partial[k], values[n + k]);
    for (const T& one : partial) sum = combine<combiner>(sum, one);
    for (; n < count; ++n) sum = combine<combiner>(sum, values[n]);
    return sum;
  }
  static constexpr int lanes = 8;

  /// `sum` combined with values[0], values[ss], ...
  T combine_run(T sum, const T* values, std::int64_t count, bool any_order) const {
    const std::int64_t ss = nest.stream_stride[b];
    if constexpr (combiner == Combiner::assign) return values[(count - 1) * ss];
    if constexpr (combiner != Combiner::assign && has_identity<combiner, T>)
      if (any_order && ss == 1 && count >= 2 * lanes) return combine_long_run(sum, values, count);
    for (std::int64_t n = 0; n < count; ++n) sum = combine<combiner>(sum, values[n * ss]);
    return sum;
  }
};

/// The loops that read the index as they go.
template <Combiner combiner, class T, class I>
struct Loops : Cells<combiner, T> {
  using Cells<combiner, T>::nest, Cells<combiner, T>::table, Cells<combiner, T>::stream;
  using Cells<combiner, T>::a, Cells<combiner, T>::b;
  const I* const index = reinterpret_cast<const I*>(nest.index);

  std::int64_t offset_of(I number) const { return nest.offset_of(number); }

  /// Calls visit(index, table, stream) with pointers to the beginning of each line of the last dimension.
  template <class Visit>
  void for_each_line(Visit visit) const {
    for_each_tile(nest, [&](std::int64_t i, std::int64_t t, std::int64_t s) {
      for (std::int64_t n = 0; n < nest.shape[a]; ++n)
        visit(index + i + n * nest.index_stride[a], table + t + n * nest.table_stride[a],
              stream + s + n * nest.stream_stride[a]);
    });
  }

  template <bool rows>
  void direct() const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ts = nest.table_stride[b];
    const std::int64_t ss = nest.stream_stride[b];
    const bool plain = nest.plain();
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      if (!rows && plain && nest.step == 1 && ss == 1)
        for (std::int64_t n = 0; n < count; ++n)
          cells[numbers[n]] = combine<combiner>(cells[numbers[n]], values[n]);
      else
        for (std::int64_t n = 0; n < count; ++n)
          this->template apply<rows>(cells + n * ts + offset_of(numbers[n * is]), values + n * ss);
    });
  }

  /// A long line needs no block: its own index says what to fetch. Precondition: plain, rows of one element.
  void ahead_in_line() const {
    const std::int64_t count = nest.shape[b], step = nest.step, ss = nest.stream_stride[b];
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      std::int64_t n = 0;
      for (; n < count - fetch_distance; ++n) {
        __builtin_prefetch(cells + numbers[n + fetch_distance] * step, 1);
        T* const cell = cells + numbers[n] * step;
        *cell = combine<combiner>(*cell, values[n * ss]);
      }
      for (; n < count; ++n) {
        T* const cell = cells + numbers[n] * step;
        *cell = combine<combiner>(*cell, values[n * ss]);
      }
    });
  }

  /// Runs of cells outside `owned` are passed over.
  void merge_runs(Owned owned, bool any_order) const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ss = nest.stream_stride[b];
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      for (std::int64_t n = 0; n < count;) {
        const I number = numbers[n * is];
        T* const cell = cells + offset_of(number);
        const std::int64_t end = end_of_run(numbers, n + 1, count, is, number);
        // A cell is needed once a run: the processor does not see that far ahead by itself.
        __builtin_prefetch(cells + offset_of(numbers[std::min(n + 2 * fetch_distance, count - 1) * is]), 1);
        if (cell - table >= owned.begin && cell - table < owned.end)
          *cell = this->combine_run(*cell, values + n * ss, end - n, any_order);
        n = end;
      }
    });
  }

  std::int64_t combine_runs(std::int64_t* offsets, T* results) const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ss = nest.stream_stride[b];
    std::int64_t runs = 0;
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      for (std::int64_t n = 0; n < count; ++runs) {
        const std::int64_t end = end_of_run(numbers, n + 1, count, is, numbers[n * is]);
        offsets[runs] = cells - table + offset_of(numbers[n * is]);
        results[runs] = this->combine_run(values[n * ss], values + (n + 1) * ss, end - n - 1, true);
        n = end;
      }
    });
    return runs;
  }

  void run_hot(const HotRows& rows, T* cells, std::vector<std::int64_t>& others) const {
    const std::int64_t count = nest.shape[b], ss = nest.stream_stride[b];
    for (std::int64_t n = 0; n < count; ++n) {
      const int slot = rows.slot_of(index[n]);
      if (rows.numbers[slot] == index[n])
        cells[slot] = combine<combiner>(cells[slot], stream[n * ss]);
      else
        others.push_back(n);
    }
  }

  void run(Method method, Owned owned) const {
    if (method == Method::merge_runs || method == Method::merge_runs_any_order)
      return merge_runs(owned, method == Method::merge_runs_any_order);
    if (owned != everything) return this->ahead(owned);
    if (method == Method::direct) return nest.row > 1 ? direct<true>() : direct<false>();
    if (nest.row == 1 && nest.plain() && nest.shape[b] > 8 * fetch_distance) return ahead_in_line();
    this->ahead(owned);
  }
};

template <Combiner combiner, class T>
constexpr ScatterKernels scatter_kernels() {
  return {
      .run =
          [](const Nest& nest, Method method, Owned owned) {
            nest.wide ? Loops<combiner, T, std::int64_t>{{nest}}.run(method, owned)
                      : Loops<combiner, T, std::int32_t>{{nest}}.run(method, owned);
          },
      .combine_runs =
          [](const Nest& nest, std::int64_t* offsets, std::byte* results) {
            T* const to = reinterpret_cast<T*>(results);
            return nest.wide ? Loops<combiner, T, std::int64_t>{{nest}}.combine_runs(offsets, to)
                             : Loops<combiner, T, std::int32_t>{{nest}}.combine_runs(offsets, to);
          },
      .run_hot =
          [](const Nest& nest, const HotRows& rows, std::byte* cells, std::vector<std::int64_t>& others) {
            T* const to = reinterpret_cast<T*>(cells);
            nest.wide ? Loops<combiner, T, std::int64_t>{{nest}}.run_hot(rows, to, others)
                      : Loops<combiner, T, std::int32_t>{{nest}}.run_hot(rows, to, others);
          },
      .fill_neutral =
          [](std::byte* cells, std::int64_t count) {
            if constexpr (combiner != Combiner::assign)
              std::fill_n(reinterpret_cast<T*>(cells), count, neutral<combiner, T>());
          },
      .merge =
          [](std::byte* cells, const std::byte* others, std::int64_t count) {
            combine_cells<combiner>(reinterpret_cast<T*>(cells), reinterpret_cast<const T*>(others), count);
          },
  };
}

/// The kernels of a combiner on an element type that has it; compiled in scatter_*.cpp.
template <class T>
const ScatterKernels& kernels_of(Combiner combiner);

/// Combiners with the same effect share their kernels: a mean is a sum until the end; for truth values the
/// largest is the sum and the smallest the product.
#define SCATTERPROOF_SCATTER_KERNELS(T)                                                \
  template <>                                                                          \
  const ScatterKernels& kernels_of<T>(Combiner combiner) {                             \
    static constexpr ScatterKernels sum = scatter_kernels<Combiner::sum, T>();         \
    static constexpr ScatterKernels product = scatter_kernels<Combiner::prod, T>();    \
    if constexpr (combines<Combiner::amax, T> && !std::is_same_v<T, Truth>) {          \
      static constexpr ScatterKernels largest = scatter_kernels<Combiner::amax, T>();  \
      static constexpr ScatterKernels smallest = scatter_kernels<Combiner::amin, T>(); \
      if (combiner == Combiner::amax) return largest;                                  \
      if (combiner == Combiner::amin) return smallest;                                 \
    }                                                                                  \
    return combiner == Combiner::prod || combiner == Combiner::amin ? product : sum;   \
  }

}  // namespace scatterproof::engines::openmp
