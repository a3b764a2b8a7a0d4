// SPDX-License-Identifier: Apache-2.0
// The loops of a scatter, by element type and combiner. Each method combines what lands in one cell in
// row-major order of the positions it is given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "clones.hpp"
#include "nest.hpp"
#include "scatterproof/engines/arithmetic.hpp"
#include "select.hpp"

namespace scatterproof::engines::openmp {

using spec::Combiner;

/// How one thread goes through its part of a nest.
enum class Method : std::uint8_t {
  direct,      ///< position by position: tables in cache, sorted indices
  ahead,       ///< cells are fetched a block of positions ahead: large tables
  merge_runs,  ///< equal neighbours are combined in a register: a chain through memory costs a store and a
               ///< load a link
  merge_runs_any_order  ///< the same, not in the order of positions within a run
};

/// Table offsets a thread may write to.
struct Owned {
  std::int64_t begin, end;
};

/// identity(), but for sums the zero that leaves every value as it is: -0 + +0 is +0.
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

/// One combiner on one element type, as functions that forget both.
struct ScatterKernels {
  /// Runs a method over a nest.
  void (*run)(const Nest& nest, Method method);
  /// Runs over all of the nest, but only combines what lands in `owned`: runs merged, else fetching ahead.
  void (*run_owned)(const Nest& nest, Owned owned, Method method);
  /// Combines each run of equal neighbours; writes its cell's offset and the result to the arrays, which have
  /// room for every position, and gives the number of runs. Precondition: rows of one element, any order.
  std::int64_t (*combine_runs)(const Nest& nest, std::int64_t* offsets, std::byte* results);
  /// Combines what lands in a hot row with its slot of `cells`, and appends the positions of the rest to
  /// `others`. Precondition: one line whose index is contiguous and needs no wrap; rows of one element.
  void (*run_hot)(const Nest& nest, const HotRows& rows, std::byte* cells, std::vector<std::int64_t>& others);
  /// Fills cells with what combines to the value itself, the sign of a zero included.
  void (*fill_neutral)(std::byte* cells, std::int64_t count);
  /// cells[i] = cells[i] (+) others[i]
  void (*merge)(std::byte* cells, const std::byte* others, std::int64_t count);
};

/// How many cells are on their way from memory at a time: enough to keep every miss register busy (found by
/// trial: 32 and 64 are slower, 256 is no faster).
inline constexpr std::int64_t fetch_distance = 128;

/// Positions to combine, as offsets into the table and the stream.
struct Block {
  static constexpr unsigned capacity = 2048;
  unsigned count = 0;
  std::int64_t table[capacity + select_slack];
  std::int64_t stream[capacity + select_slack];
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

template <Combiner combiner, class T, class I>
struct Loops {
  const Nest& nest;
  const I* index = reinterpret_cast<const I*>(nest.index);
  T* table = reinterpret_cast<T*>(nest.table);
  const T* stream = reinterpret_cast<const T*>(nest.stream);
  const int a = nest.rank - 2, b = nest.rank - 1;  // the two dimensions looped over here
  /// The common line: neighbours in memory, each the number of a row, nothing else to add.
  const bool plain = nest.index_stride[b] == 1 && nest.table_stride[b] == 0 && nest.wrap == 0;

  std::int64_t offset_of(I number) const {
    const auto i = static_cast<std::int64_t>(number);
    return (i + ((i >> 63) & nest.wrap)) * nest.step;
  }

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
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      if (!rows && plain && nest.step == 1 && ss == 1)
        for (std::int64_t n = 0; n < count; ++n)
          cells[numbers[n]] = combine<combiner>(cells[numbers[n]], values[n]);
      else
        for (std::int64_t n = 0; n < count; ++n)
          apply<rows>(cells + n * ts + offset_of(numbers[n * is]), values + n * ss);
    });
  }

  /// Fills a block from numbers[n..]; gives the position after the last one looked at. With `filtered`, what
  /// lies outside `owned` is passed over.
  template <bool filtered>
  std::int64_t fill(Block& block, const I* numbers, std::int64_t n, std::int64_t line_table,
                    std::int64_t line_stream, Owned owned) const {
    const auto stop = std::min<std::int64_t>(nest.shape[b], n + Block::capacity - block.count);
    std::int64_t* const to_table = block.table + block.count;
    std::int64_t* const to_stream = block.stream + block.count;
    if (filtered && plain && line_table == 0) {
      const auto row_from = [&](std::int64_t offset) { return (offset + nest.step - 1) / nest.step; };
      const unsigned taken = select(numbers + n, static_cast<unsigned>(stop - n), n, row_from(owned.begin),
                                    row_from(owned.end), to_table, to_stream);
      for (unsigned k = 0; nest.step != 1 && k < taken; ++k) to_table[k] *= nest.step;
      for (unsigned k = 0; (line_stream != 0 || nest.stream_stride[b] != 1) && k < taken; ++k)
        to_stream[k] = line_stream + to_stream[k] * nest.stream_stride[b];
      block.count += taken;
      return stop;
    }
    const auto width = static_cast<std::uint64_t>(owned.end - owned.begin);
    unsigned taken = 0;
    for (; n < stop; ++n) {
      const std::int64_t offset =
          line_table + n * nest.table_stride[b] + offset_of(numbers[n * nest.index_stride[b]]);
      to_table[taken] = offset;
      to_stream[taken] = line_stream + n * nest.stream_stride[b];
      taken += !filtered || static_cast<std::uint64_t>(offset - owned.begin) < width;
    }
    block.count += taken;
    return stop;
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
  void run_block(Block& block) const {
    const unsigned count = block.count;
    const auto distance = std::min<unsigned>(count, rows ? fetch_distance / 8 : fetch_distance);
    for (unsigned k = 0; k < distance; ++k) fetch<rows>(table + block.table[k]);
    for (unsigned k = 0; k < count - distance; ++k) {
      fetch<rows>(table + block.table[k + distance]);
      apply<rows>(table + block.table[k], stream + block.stream[k]);
    }
    for (unsigned k = count - distance; k < count; ++k)
      apply<rows>(table + block.table[k], stream + block.stream[k]);
    block.count = 0;
  }

  template <bool rows, bool filtered>
  void ahead(Owned owned) const {
    Block block;
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      for (std::int64_t n = 0; n < nest.shape[b];) {
        n = fill<filtered>(block, numbers, n, cells - table, values - stream, owned);
        if (block.count > Block::capacity / 2) run_block<rows>(block);
      }
    });
    run_block<rows>(block);
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

  /// The position behind the run of `number` that goes on at `n`; long runs are compared eight at a time.
  std::int64_t end_of_run(const I* numbers, std::int64_t n, I number) const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b];
    while (is == 1 && n + 8 <= count) {
      I differing = 0;
      for (int k = 0; k < 8; ++k) differing |= static_cast<I>(numbers[n + k] ^ number);
      if (differing != 0) break;
      n += 8;
    }
    while (n < count && numbers[n * is] == number) ++n;
    return n;
  }

  /// `sum` combined with values[0], values[ss], ... In any order, eight partial results are kept: one alone
  /// takes an addition's latency for each value.
  template <bool any_order>
  T combine_run(T sum, const T* values, std::int64_t count) const {
    const std::int64_t ss = nest.stream_stride[b];
    if constexpr (combiner == Combiner::assign) return values[(count - 1) * ss];
    std::int64_t n = 0;
    if constexpr (any_order && combiner != Combiner::assign && has_identity<combiner, T>) {
      constexpr int lanes = 8;
      if (ss == 1 && count >= 2 * lanes) {
        T partial[lanes];
        for (T& one : partial) one = neutral<combiner, T>();
        for (; n + lanes <= count; n += lanes)
          for (int k = 0; k < lanes; ++k) partial[k] = combine<combiner>(partial[k], values[n + k]);
        for (const T& one : partial) sum = combine<combiner>(sum, one);
      }
    }
    for (; n < count; ++n) sum = combine<combiner>(sum, values[n * ss]);
    return sum;
  }

  /// With `filtered`, runs of cells outside `owned` are passed over.
  template <bool filtered, bool any_order>
  void merge_runs(Owned owned) const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ss = nest.stream_stride[b];
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      for (std::int64_t n = 0; n < count;) {
        const I number = numbers[n * is];
        T* const cell = cells + offset_of(number);
        const std::int64_t end = end_of_run(numbers, n + 1, number);
        // A cell is needed once a run: the processor does not see that far ahead by itself.
        __builtin_prefetch(cells + offset_of(numbers[std::min(n + 2 * fetch_distance, count - 1) * is]), 1);
        if (!filtered || (cell - table >= owned.begin && cell - table < owned.end))
          *cell = combine_run<any_order>(*cell, values + n * ss, end - n);
        n = end;
      }
    });
  }

  std::int64_t combine_runs(std::int64_t* offsets, T* results) const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ss = nest.stream_stride[b];
    std::int64_t runs = 0;
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      for (std::int64_t n = 0; n < count; ++runs) {
        const std::int64_t end = end_of_run(numbers, n + 1, numbers[n * is]);
        offsets[runs] = cells - table + offset_of(numbers[n * is]);
        results[runs] = combine_run<true>(values[n * ss], values + (n + 1) * ss, end - n - 1);
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

  void run(Method method) const {
    const bool rows = nest.row > 1;
    switch (method) {
      case Method::direct:
        return rows ? direct<true>() : direct<false>();
      case Method::ahead:
        if (!rows && plain && nest.shape[b] > 8 * fetch_distance) return ahead_in_line();
        return rows ? ahead<true, false>({}) : ahead<false, false>({});
      case Method::merge_runs:
        return merge_runs<false, false>({});
      case Method::merge_runs_any_order:
        return merge_runs<false, true>({});
    }
  }
  void run_owned(Owned owned, Method method) const {
    if (method == Method::merge_runs) return merge_runs<true, false>(owned);
    if (method == Method::merge_runs_any_order) return merge_runs<true, true>(owned);
    return nest.row > 1 ? ahead<true, true>(owned) : ahead<false, true>(owned);
  }
};

template <Combiner combiner, class T>
constexpr ScatterKernels scatter_kernels() {
  return {
      [](const Nest& nest, Method method) {
        if (nest.wide)
          Loops<combiner, T, std::int64_t>{nest}.run(method);
        else
          Loops<combiner, T, std::int32_t>{nest}.run(method);
      },
      [](const Nest& nest, Owned owned, Method method) {
        if (nest.wide)
          Loops<combiner, T, std::int64_t>{nest}.run_owned(owned, method);
        else
          Loops<combiner, T, std::int32_t>{nest}.run_owned(owned, method);
      },
      [](const Nest& nest, std::int64_t* offsets, std::byte* results) {
        T* const to = reinterpret_cast<T*>(results);
        return nest.wide ? Loops<combiner, T, std::int64_t>{nest}.combine_runs(offsets, to)
                         : Loops<combiner, T, std::int32_t>{nest}.combine_runs(offsets, to);
      },
      [](const Nest& nest, const HotRows& rows, std::byte* cells, std::vector<std::int64_t>& others) {
        if (nest.wide)
          Loops<combiner, T, std::int64_t>{nest}.run_hot(rows, reinterpret_cast<T*>(cells), others);
        else
          Loops<combiner, T, std::int32_t>{nest}.run_hot(rows, reinterpret_cast<T*>(cells), others);
      },
      [](std::byte* cells, std::int64_t count) {
        if constexpr (combiner != Combiner::assign)
          std::fill_n(reinterpret_cast<T*>(cells), count, neutral<combiner, T>());
      },
      [](std::byte* cells, const std::byte* others, std::int64_t count) {
        combine_cells<combiner>(reinterpret_cast<T*>(cells), reinterpret_cast<const T*>(others), count);
      },
  };
}

/// The kernels of a combiner on an element type that has it; compiled in scatter_*.cpp.
template <class T>
const ScatterKernels& kernels_of(Combiner combiner);

#define SCATTERPROOF_SCATTER_KERNELS(T)                                        \
  template <>                                                                  \
  const ScatterKernels& kernels_of<T>(Combiner combiner) {                     \
    return visit_combiner(combiner, [](auto chosen) -> const ScatterKernels& { \
      constexpr Combiner c = combines<chosen(), T> ? chosen() : Combiner::sum; \
      static constexpr ScatterKernels kernels = scatter_kernels<c, T>();       \
      return kernels;                                                          \
    });                                                                        \
  }

}  // namespace scatterproof::engines::openmp
