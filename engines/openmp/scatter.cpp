// SPDX-License-Identifier: Apache-2.0
// A scatter: what it combines, and the passes around it.
#include <algorithm>
#include <vector>

#include "operations.hpp"
#include "parallel.hpp"
#include "sharing.hpp"

namespace scatterproof::engines::openmp {
namespace {

/// Whether the order in which contributions are combined can change the bits.
bool order_matters(const Walk& walk) {
  const bool rounds = spec::is_float(walk.dtype) || spec::is_complex(walk.dtype);
  const bool arithmetic =
      walk.combine == Combiner::sum || walk.combine == Combiner::prod || walk.combine == Combiner::mean;
  return walk.combine == Combiner::assign || (rounds && arithmetic);
}

/// Whether partial results would be wrong: the last contribution must win, or there is nothing to start from.
bool needs_order(const Walk& walk) {
  return walk.combine == Combiner::assign || (walk.combine == Combiner::prod && spec::is_complex(walk.dtype));
}

/// Sets every cell that receives something to the identity, so that the first contribution stays as it is;
/// before a sum, to zero.
void clear_touched(const Scatter& scatter, Nest nest, const Walk& walk) {
  alignas(16) std::byte start[16] = {};
  if (walk.combine != Combiner::sum && walk.combine != Combiner::mean) scatter.kernels.fill_neutral(start, 1);
  nest.stream = start;
  std::fill_n(nest.stream_stride, nest.rank, 0);
  nest.row_stride = 0;
  run_shared(
      {scatter.lookups, assignment_kernels(walk.dtype), scatter.cells, scatter.threads, scatter.limits, true},
      nest);
}

/// How many contributions each cell, or each row of cells, receives.
struct Counts {
  std::int64_t per_row = 1;  ///< cells that share a count
  std::vector<std::int32_t> received;
};

Counts count_contributions(const Scatter& scatter, Nest nest) {
  Counts counts;
  static const std::int32_t one = 1;
  // Rows that are whole rows of the table have one count each.
  if (nest.row > 1 && is_line(nest) && nest.step == nest.row) {
    counts.per_row = nest.row;
    nest.step = 1;
    nest.row = 1;
  }
  counts.received.resize(static_cast<std::size_t>(scatter.cells / counts.per_row));
  nest.table = reinterpret_cast<std::byte*>(counts.received.data());
  nest.stream = reinterpret_cast<std::byte*>(const_cast<std::int32_t*>(&one));
  nest.element = sizeof one;
  nest.row_stride = 0;
  std::fill_n(nest.stream_stride, nest.rank, 0);
  const auto cells = static_cast<std::int64_t>(counts.received.size());
  run_shared({scatter.lookups, kernels_of<std::int32_t>(Combiner::sum), cells, scatter.threads,
              scatter.limits, false},
             nest);
  return counts;
}

template <class T>
void divide(T* cells, const Counts& counts, const Walk& walk, int threads) {
  const bool truncate = walk.integer_mean == spec::IntegerMean::truncate;
  parallel(threads, [&](int thread) {
    const Part part = part_of(static_cast<std::int64_t>(counts.received.size()), thread, threads);
    for (std::int64_t row = part.begin; row < part.end; ++row) {
      const std::int64_t received = counts.received[static_cast<std::size_t>(row)];
      if (received == 0) continue;
      const std::int64_t count = received + (walk.include_start ? 1 : 0);
      for (T* cell = cells + row * counts.per_row; cell < cells + (row + 1) * counts.per_row; ++cell)
        *cell = divided(*cell, count, truncate);
    }
  });
}

/// A product of complex numbers has no identity that preserves infinities: the first contribution is
/// assigned, in one plain loop.
template <class T>
void multiply_from_first(const Nest& nest, std::int64_t cells) {
  std::vector<bool> touched(static_cast<std::size_t>(cells), false);
  T* const table = reinterpret_cast<T*>(nest.table);
  const T* const stream = reinterpret_cast<const T*>(nest.stream);
  const int a = nest.rank - 2, b = nest.rank - 1;
  for_each_tile(nest, [&](std::int64_t i, std::int64_t t, std::int64_t s) {
    for (std::int64_t n = 0; n < nest.shape[a] * nest.shape[b]; ++n) {
      const std::int64_t m = n / nest.shape[b], k = n % nest.shape[b];
      const std::int64_t at = i + m * nest.index_stride[a] + k * nest.index_stride[b];
      std::int64_t number = nest.wide ? reinterpret_cast<const std::int64_t*>(nest.index)[at]
                                      : reinterpret_cast<const std::int32_t*>(nest.index)[at];
      if (number < 0) number += nest.wrap;
      const std::int64_t cell = t + m * nest.table_stride[a] + k * nest.table_stride[b] + number * nest.step;
      const std::int64_t value = s + m * nest.stream_stride[a] + k * nest.stream_stride[b];
      for (std::int64_t r = 0; r < nest.row; ++r) {
        const T factor = stream[value + r * nest.row_stride];
        auto first = touched[static_cast<std::size_t>(cell + r)];
        table[cell + r] = first ? combine<Combiner::prod>(table[cell + r], factor) : factor;
        first = true;
      }
    }
  });
}

}  // namespace

void scatter(const Walk& walk, const Lookups& lookups, std::byte* result, const Team& team) {
  const Nest nest = make_nest(walk, lookups, result);
  const auto& kernels = walk.combine == Combiner::assign
                            ? assignment_kernels(walk.dtype)
                            : visit_dtype(walk.dtype, [&](auto type) -> const ScatterKernels& {
                                return kernels_of<typename decltype(type)::type>(walk.combine);
                              });
  const Scatter scatter{lookups,           kernels,
                        walk.result_numel, team.threads,
                        team.limits,       needs_order(walk) || (team.deterministic && order_matters(walk))};
  if (!walk.include_start && walk.combine != Combiner::assign) {
    if (walk.combine == Combiner::prod && walk.dtype == spec::DType::c64)
      return multiply_from_first<Complex<float>>(nest, walk.result_numel);
    if (walk.combine == Combiner::prod && walk.dtype == spec::DType::c128)
      return multiply_from_first<Complex<double>>(nest, walk.result_numel);
    clear_touched(scatter, nest, walk);
  }
  run_shared(scatter, nest);
  if (walk.combine != Combiner::mean) return;
  const Counts counts = count_contributions(scatter, nest);
  visit_dtype(walk.dtype, [&](auto type) {
    using T = typename decltype(type)::type;
    divide(reinterpret_cast<T*>(result), counts, walk, scatter.threads);
  });
}

}  // namespace scatterproof::engines::openmp
