// SPDX-License-Identifier: Apache-2.0
// Decides which thread does which part of a scatter, by which method.
#include "sharing.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "parallel.hpp"
#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::engines::openmp {
namespace {

constexpr std::int64_t line_bytes = 64;
// From this share of equal neighbours on, runs are long enough to be worth a mispredicted branch at their
// ends.
constexpr double long_runs = 0.75;
// Up to this many different numbers in the sample, few others are expected, and each gets a slot.
constexpr int most_hot_rows = HotRows::slots / 8;

std::int64_t table_bytes(const Scatter& scatter, const Nest& nest) {
  return scatter.cells * static_cast<std::int64_t>(nest.element);
}

Method serial_method(const Scatter& scatter, const Nest& nest) {
  if (nest.row == 1 && is_line(nest) && scatter.lookups.repeats > long_runs)
    return scatter.exact_order ? Method::merge_runs : Method::merge_runs_any_order;
  // Few different numbers in the sample: their cells are in cache, whatever the table's size.
  const bool hot = scatter.lookups.sampled && scatter.lookups.distinct < Lookups::sample_size / 4;
  const bool near =
      scatter.lookups.sorted || hot ||
      scatter.lookups.reach * static_cast<std::int64_t>(nest.element) <= scatter.limits.cached_bytes;
  return near ? Method::direct : Method::ahead;
}

void run_serial(const Scatter& scatter, const Nest& nest) {
  scatter.kernels.run(nest, serial_method(scatter, nest), everything);
}

/// The outermost dimension along which positions cannot meet in a cell, and that has something for each
/// thread; -1 when there is none.
int splittable(const Nest& nest, int threads) {
  for (int d = 0; d < nest.rank; ++d) {
    if (nest.table_stride[d] == 0 || nest.shape[d] < threads) continue;
    const auto bytes = nest.table_stride[d] * nest.shape[d] * static_cast<std::int64_t>(nest.element);
    if (bytes >= threads * 2 * line_bytes) return d;
  }
  return -1;
}

void run_split(const Scatter& scatter, const Nest& nest, int d) {
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(nest.shape[d], thread, scatter.threads);
    const Nest mine = nest.narrowed(d, part.begin, part.end);
    run_serial(scatter, mine);
  });
}

/// Each thread takes some columns of every row.
void run_columns(const Scatter& scatter, const Nest& nest) {
  const std::int64_t lines = nest.row * static_cast<std::int64_t>(nest.element) / line_bytes;
  const std::int64_t line = line_bytes / static_cast<std::int64_t>(nest.element);
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(lines, thread, scatter.threads);
    const bool last = thread == scatter.threads - 1;
    const Nest mine = nest.columns(part.begin * line, last ? nest.row : part.end * line);
    run_serial(scatter, mine);
  });
}

std::int64_t number_at(const Nest& nest, std::int64_t position) {
  const std::int64_t at = position * nest.index_stride[nest.rank - 1];
  return nest.wide ? reinterpret_cast<const std::int64_t*>(nest.index)[at]
                   : reinterpret_cast<const std::int32_t*>(nest.index)[at];
}

/// The first position at or after `position` that does not go on with the run before it.
std::int64_t run_boundary(const Nest& nest, std::int64_t position) {
  const std::int64_t end = nest.shape[nest.rank - 1];
  while (position > 0 && position < end && number_at(nest, position) == number_at(nest, position - 1))
    ++position;
  return position;
}

/// Sorted: between two runs of equal numbers the line can be cut, and no cell lies on both sides.
void run_sorted(const Scatter& scatter, const Nest& nest) {
  const int last = nest.rank - 1;
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(nest.shape[last], thread, scatter.threads);
    const Nest mine = nest.narrowed(last, run_boundary(nest, part.begin), run_boundary(nest, part.end));
    run_serial(scatter, mine);
  });
}

/// Sorted, in any order of combining: cut evenly, even if one run is all there is. The run that a thread's
/// part begins with may have begun in the part before, so it is combined apart, and added in the end.
void run_sorted_evenly(const Scatter& scatter, const Nest& nest) {
  const int last = nest.rank - 1;
  const auto row_bytes = nest.row * static_cast<std::int64_t>(nest.element);
  const auto apart =
      std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(row_bytes * scatter.threads));
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(nest.shape[last], thread, scatter.threads);
    const std::int64_t cut = std::min(run_boundary(nest, part.begin), part.end);
    Nest first_run = nest.narrowed(last, part.begin, cut);
    first_run.table = apart.get() + row_bytes * thread;
    first_run.step = 0;
    scatter.kernels.fill_neutral(first_run.table, nest.row);
    run_serial(scatter, first_run);
    const Nest rest = nest.narrowed(last, cut, part.end);
    run_serial(scatter, rest);
  });
  for (int thread = 1; thread < scatter.threads; ++thread) {
    const std::int64_t begin = part_of(nest.shape[last], thread, scatter.threads).begin;
    if (run_boundary(nest, begin) == begin) continue;
    std::int64_t number = number_at(nest, begin);
    if (number < 0) number += nest.wrap;
    scatter.kernels.merge(nest.table + number * nest.step * static_cast<std::int64_t>(nest.element),
                          apart.get() + row_bytes * thread, nest.row);
  }
}

/// Each thread combines its positions into a table of its own; the tables are put together in the threads'
/// order.
void run_private(const Scatter& scatter, const Nest& nest, int d) {
  const std::int64_t bytes = table_bytes(scatter, nest);
  const auto element = static_cast<std::int64_t>(nest.element);
  const auto others =
      std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes * (scatter.threads - 1)));
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(nest.shape[d], thread, scatter.threads);
    Nest own = nest;
    if (thread > 0) {
      own.table = others.get() + bytes * (thread - 1);
      scatter.kernels.fill_neutral(own.table, scatter.cells);
    }
    const Nest mine = own.narrowed(d, part.begin, part.end);
    run_serial(scatter, mine);
  });
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(scatter.cells, thread, scatter.threads);
    for (int other = 0; other < scatter.threads - 1; ++other)
      scatter.kernels.merge(nest.table + part.begin * element,
                            others.get() + bytes * other + part.begin * element, part.end - part.begin);
  });
}

/// Each thread looks at all positions and combines those in its range of the table: nothing is shared, and
/// the order in every cell is that of the positions. Ranges are cut where the sample says they are even.
void run_owned(const Scatter& scatter, const Nest& nest) {
  const Lookups& lookups = scatter.lookups;
  std::vector<std::int64_t> cuts(static_cast<std::size_t>(scatter.threads) + 1, 0);
  cuts.back() = scatter.cells;
  for (int thread = 1; thread < scatter.threads; ++thread)
    cuts[static_cast<std::size_t>(thread)] =
        lookups.sampled && lookups.wrap == 0
            ? lookups.sample[Lookups::sample_size * thread / scatter.threads] * nest.step
            : part_of(scatter.cells, thread, scatter.threads).begin;
  parallel(scatter.threads, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    scatter.kernels.run(nest, serial_method(scatter, nest), {cuts[t], cuts[t + 1]});
  });
}

/// A nest over the same table: one line of lookups by offset.
Nest line_of(const Nest& nest, std::int64_t* offsets, std::byte* values, std::int64_t count) {
  Nest line;
  line.rank = 2;
  for (int d = 0; d < 2; ++d) {
    line.shape[d] = d == 0 ? 1 : count;
    line.index_stride[d] = line.stream_stride[d] = d;
    line.table_stride[d] = 0;
  }
  line.index = reinterpret_cast<const std::byte*>(offsets);
  line.table = nest.table;
  line.stream = values;
  line.element = nest.element;
  return line;
}

/// Each thread combines the runs of its positions, wherever they lead; what the runs come to is then combined
/// by the owners of the cells, in the order of positions. Apart, the first is a stream, and the second
/// fetches its cells ahead: that pays with one thread, too.
void run_runs(const Scatter& scatter, const Nest& nest) {
  struct Runs {
    std::unique_ptr<std::int64_t[]> offsets;
    std::unique_ptr<std::byte[]> results;
    Nest line;
  };
  const int last = nest.rank - 1;
  std::vector<Runs> all(static_cast<std::size_t>(scatter.threads));
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(nest.shape[last], thread, scatter.threads);
    const auto most = static_cast<std::size_t>(part.end - part.begin);
    Runs& own = all[static_cast<std::size_t>(thread)];
    own.offsets = std::make_unique_for_overwrite<std::int64_t[]>(most);
    own.results = std::make_unique_for_overwrite<std::byte[]>(most * nest.element);
    const Nest mine = nest.narrowed(last, part.begin, part.end);
    own.line = line_of(nest, own.offsets.get(), own.results.get(),
                       scatter.kernels.combine_runs(mine, own.offsets.get(), own.results.get()));
  });
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(scatter.cells, thread, scatter.threads);
    for (const Runs& runs : all) scatter.kernels.run(runs.line, Method::ahead, {part.begin, part.end});
  });
}

/// The rows that the sample names, when a factor is found that gives each a slot of its own.
std::optional<HotRows> slots_for(const Lookups& lookups) {
  constexpr std::uint64_t tries = 32;
  HotRows rows;
  for (std::uint64_t attempt = 0; attempt < tries; ++attempt) {
    rows.factor = spec::random(attempt, 0) | 1;
    std::fill_n(rows.numbers, HotRows::slots, -1);
    const bool fits = std::ranges::all_of(lookups.sample, [&](std::int64_t number) {
      std::int64_t& slot = rows.numbers[rows.slot_of(number)];
      if (slot == -1) slot = number;
      return slot == number;
    });
    if (fits) return rows;
  }
  return std::nullopt;
}

/// Each thread combines its positions into cells of its own for the hot rows; these and the few positions of
/// other rows come to the table in the end.
void run_hot(const Scatter& scatter, const Nest& nest, const HotRows& rows) {
  struct alignas(line_bytes) Own {
    std::byte cells[HotRows::slots * 16];
    std::vector<std::int64_t> others;
  };
  const int last = nest.rank - 1;
  std::vector<Own> all(static_cast<std::size_t>(scatter.threads));
  parallel(scatter.threads, [&](int thread) {
    const Part part = part_of(nest.shape[last], thread, scatter.threads);
    Own& own = all[static_cast<std::size_t>(thread)];
    scatter.kernels.fill_neutral(own.cells, HotRows::slots);
    scatter.kernels.run_hot(nest.narrowed(last, part.begin, part.end), rows, own.cells, own.others);
    for (std::int64_t& position : own.others) position += part.begin;
  });
  const auto element = static_cast<std::int64_t>(nest.element);
  for (const Own& own : all) {
    for (int slot = 0; slot < HotRows::slots; ++slot)
      if (rows.numbers[slot] >= 0)
        scatter.kernels.merge(nest.table + rows.numbers[slot] * nest.step * element,
                              own.cells + slot * element, 1);
    for (const std::int64_t position : own.others)
      scatter.kernels.merge(nest.table + number_at(nest, position) * nest.step * element,
                            nest.stream + position * nest.stream_stride[last] * element, 1);
  }
}

}  // namespace

bool is_line(const Nest& nest) {
  const int last = nest.rank - 1;
  return nest.lookups() == nest.shape[last] && nest.table_stride[last] == 0;
}

void run_shared(const Scatter& scatter, const Nest& nest) {
  if (nest.lookups() == 0 || nest.row == 0) return;
  const std::int64_t elements = nest.lookups() * nest.row;
  if (elements < scatter.limits.least_parallel) return run_serial(scatter, nest);
  const bool runs = nest.row == 1 && is_line(nest) && scatter.lookups.repeats > long_runs;
  if (runs && !scatter.lookups.sorted && !scatter.exact_order &&
      table_bytes(scatter, nest) > scatter.limits.cached_bytes)
    return run_runs(scatter, nest);
  if (scatter.threads == 1) return run_serial(scatter, nest);
  if (const int d = splittable(nest, scatter.threads); d >= 0) return run_split(scatter, nest, d);
  // Few long rows. Many rows are better owned whole: half of each row in turn is not a stream that memory
  // reads quickly.
  if (!scatter.lookups.sampled &&
      nest.row * static_cast<std::int64_t>(nest.element) >= scatter.threads * 2 * line_bytes)
    return run_columns(scatter, nest);
  if (is_line(nest) && scatter.lookups.sorted)
    return scatter.exact_order ? run_sorted(scatter, nest) : run_sorted_evenly(scatter, nest);
  const int last = nest.rank - 1;
  if (!scatter.exact_order && table_bytes(scatter, nest) <= scatter.limits.private_bytes &&
      elements > 8 * scatter.cells && nest.shape[last] >= scatter.threads)
    return run_private(scatter, nest, last);
  // Looking at all positions in every thread does not pay when cells are quick to reach, or when a few take
  // everything and their owner would do all the work.
  const int few = nest.row == 1 ? most_hot_rows : 4 * scatter.threads;
  const bool hot = scatter.lookups.sampled && scatter.lookups.distinct <= few;
  if (hot && !scatter.exact_order && nest.row == 1 && is_line(nest) && nest.index_stride[last] == 1 &&
      nest.wrap == 0)
    if (const auto rows = slots_for(scatter.lookups)) return run_hot(scatter, nest, *rows);
  if (hot || table_bytes(scatter, nest) <= scatter.limits.cached_bytes) return run_serial(scatter, nest);
  run_owned(scatter, nest);
}

}  // namespace scatterproof::engines::openmp
