// SPDX-License-Identifier: Apache-2.0
// The loops of a scatter, by element type and combiner. Each method combines what lands in one cell in
// row-major order of the positions it is given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "../native/arithmetic.hpp"
#include "nest.hpp"

namespace scatterproof::engines::openmp {

using spec::Combiner;

/// How one thread goes through its part of a nest.
enum class Method : std::uint8_t {
  direct,       ///< position by position: tables in cache, sorted indices
  ahead,        ///< cells are fetched a block of positions ahead: large tables
  merge_runs,   ///< equal neighbours are combined in a register: a chain through memory costs a store and a
                ///< load a link
  uniform_rows  ///< an index that is the same all along the last dimension is used once
};

/// Table offsets a thread may write to.
struct Owned {
  std::int64_t begin, end;
};

/// One combiner on one element type, as functions that forget both.
struct ScatterKernels {
  /// Runs a method over a nest.
  void (*run)(const Nest& nest, Method method);
  /// Runs over all of the nest, but only combines what lands in `owned`, fetching ahead.
  void (*run_owned)(const Nest& nest, Owned owned);
  /// Fills cells with what combines to the value itself.
  void (*fill_identity)(std::byte* cells, std::int64_t count);
  /// cells[i] = cells[i] (+) others[i]
  void (*merge)(std::byte* cells, const std::byte* others, std::int64_t count);
};

template <Combiner combiner, class T, class I>
struct Loops {
  const Nest& nest;
  const I* index = reinterpret_cast<const I*>(nest.index);
  T* table = reinterpret_cast<T*>(nest.table);
  const T* stream = reinterpret_cast<const T*>(nest.stream);
  const int a = nest.rank - 2, b = nest.rank - 1;  // the two dimensions looped over here

  std::int64_t offset_of(I number) const {
    const auto i = static_cast<std::int64_t>(number);
    return (i + ((i >> 63) & nest.wrap)) * nest.step;
  }

  static void combine_row(T* __restrict cells, const T* __restrict values, std::int64_t count,
                          std::int64_t stride) {
    if (stride == 1)
      for (std::int64_t k = 0; k < count; ++k) cells[k] = combine<combiner>(cells[k], values[k]);
    else
      for (std::int64_t k = 0; k < count; ++k) cells[k] = combine<combiner>(cells[k], values[k * stride]);
  }

  template <bool rows>
  void apply(T* cell, const T* value) const {
    if constexpr (rows)
      combine_row(cell, value, nest.row, nest.row_stride);
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
    const std::int64_t count = nest.shape[b];
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      for (std::int64_t n = 0; n < count; ++n)
        apply<rows>(cells + n * nest.table_stride[b] + offset_of(numbers[n * nest.index_stride[b]]),
                    values + n * nest.stream_stride[b]);
    });
  }

  /// Cells and values of as many positions as fetches take to arrive. One block is fetched while the one
  /// before is combined, cell by cell in turn, so that there is always as much under way as the memory takes.
  template <bool rows>
  struct Block {
    static constexpr int capacity = 128;
    using Value = std::conditional_t<rows, const T*, T>;
    int count = 0;
    T* cells[capacity];
    Value values[capacity];
  };

  template <bool rows>
  void fetch(const T* cell) const {
    __builtin_prefetch(cell, 1);
    if constexpr (rows) {
      const auto* line = reinterpret_cast<const char*>(cell);
      const std::int64_t bytes = std::min<std::int64_t>(nest.row * static_cast<std::int64_t>(sizeof(T)), 512);
      for (std::int64_t at = 64; at < bytes; at += 64) __builtin_prefetch(line + at, 1);
    }
  }

  template <bool rows>
  void exchange(Block<rows>& fetched, const Block<rows>& next) const {
    for (int k = 0; k < std::max(fetched.count, next.count); ++k) {
      if (k < next.count) fetch<rows>(next.cells[k]);
      if (k >= fetched.count) continue;
      if constexpr (rows)
        apply<true>(fetched.cells[k], fetched.values[k]);
      else
        *fetched.cells[k] = combine<combiner>(*fetched.cells[k], fetched.values[k]);
    }
  }

  /// With `filtered`, what lies outside `owned` is passed over, without a branch: whether a position is taken
  /// is as good as random.
  template <bool rows, bool filtered>
  void ahead(Owned owned) const {
    Block<rows> blocks[2];
    int filling = 0;
    const auto width = static_cast<std::uint64_t>(owned.end - owned.begin);
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      const std::int64_t base = cells - table - owned.begin;
      for (std::int64_t n = 0; n < nest.shape[b];) {
        Block<rows>& block = blocks[filling];
        const std::int64_t stop = std::min(nest.shape[b], n + Block<rows>::capacity - block.count);
        int count = block.count;
        for (; n < stop; ++n) {
          const std::int64_t offset = n * nest.table_stride[b] + offset_of(numbers[n * nest.index_stride[b]]);
          block.cells[count] = cells + offset;
          if constexpr (rows)
            block.values[count] = values + n * nest.stream_stride[b];
          else
            block.values[count] = values[n * nest.stream_stride[b]];
          count += !filtered || static_cast<std::uint64_t>(base + offset) < width;
        }
        block.count = count;
        if (count < Block<rows>::capacity) continue;
        exchange(blocks[1 - filling], block);
        filling = 1 - filling;
        blocks[filling].count = 0;
      }
    });
    exchange(blocks[1 - filling], blocks[filling]);
    blocks[1 - filling].count = 0;
    exchange(blocks[filling], blocks[1 - filling]);
  }

  void merge_runs() const {
    for_each_line([&](const I* numbers, T* cells, const T* values) {
      const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ss = nest.stream_stride[b];
      for (std::int64_t n = 0; n < count;) {
        const I number = numbers[n * is];
        T& cell = cells[offset_of(number)];
        T sum = cell;
        do {
          sum = combine<combiner>(sum, values[n * ss]);
          ++n;
        } while (n < count && numbers[n * is] == number);
        cell = sum;
      }
    });
  }

  /// Precondition: along the last dimension, the index and the table step by one element.
  void uniform_rows() const {
    const std::int64_t count = nest.shape[b], ss = nest.stream_stride[b];
    for_each_tile(nest, [&](std::int64_t i, std::int64_t t, std::int64_t s) {
      for (std::int64_t n = 0; n < nest.shape[a]; ++n) {
        const I* numbers = index + i + n * nest.index_stride[a];
        T* cells = table + t + n * nest.table_stride[a];
        const T* values = stream + s + n * nest.stream_stride[a];
        constexpr std::int64_t distance = 8;
        if (n + distance < nest.shape[a]) {
          const T* later =
              cells + distance * nest.table_stride[a] + offset_of(numbers[distance * nest.index_stride[a]]);
          for (std::int64_t k = 0; k < count; k += std::int64_t{64} / sizeof(T))
            __builtin_prefetch(later + k, 1);
        }
        I differing = 0;
        for (std::int64_t k = 1; k < count; ++k) differing |= static_cast<I>(numbers[k] ^ numbers[0]);
        if (differing == 0)
          combine_row(cells + offset_of(numbers[0]), values, count, ss);
        else
          for (std::int64_t k = 0; k < count; ++k) {
            T* cell = cells + k + offset_of(numbers[k]);
            *cell = combine<combiner>(*cell, values[k * ss]);
          }
      }
    });
  }

  void run(Method method) const {
    const bool rows = nest.row > 1;
    switch (method) {
      case Method::direct:
        return rows ? direct<true>() : direct<false>();
      case Method::ahead:
        return rows ? ahead<true, false>({}) : ahead<false, false>({});
      case Method::merge_runs:
        return merge_runs();
      case Method::uniform_rows:
        return uniform_rows();
    }
  }
  void run_owned(Owned owned) const {
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
      [](const Nest& nest, Owned owned) {
        if (nest.wide)
          Loops<combiner, T, std::int64_t>{nest}.run_owned(owned);
        else
          Loops<combiner, T, std::int32_t>{nest}.run_owned(owned);
      },
      [](std::byte* cells, std::int64_t count) {
        if constexpr (combiner != Combiner::assign)
          std::fill_n(reinterpret_cast<T*>(cells), count, identity<combiner, T>());
      },
      [](std::byte* cells, const std::byte* others, std::int64_t count) {
        Loops<combiner, T, std::int64_t>::combine_row(reinterpret_cast<T*>(cells),
                                                      reinterpret_cast<const T*>(others), count, 1);
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
