// SPDX-License-Identifier: Apache-2.0
// A gather: reads never conflict, so any dimension can be divided among threads.
#include <algorithm>
#include <cstring>

#include "operations.hpp"
#include "parallel.hpp"
#include "scatterproof/engines/native/arithmetic.hpp"

namespace scatterproof::engines::openmp {
namespace {

enum class Reading : std::uint8_t { direct, ahead };

template <class T, class I>
struct GatherLoops {
  const Nest& nest;
  const I* index = reinterpret_cast<const I*>(nest.index);
  const T* table = reinterpret_cast<const T*>(nest.table);
  T* stream = reinterpret_cast<T*>(nest.stream);
  const int a = nest.rank - 2, b = nest.rank - 1;
  const bool plain =
      nest.index_stride[b] == 1 && nest.table_stride[b] == 0 && nest.wrap == 0 && nest.step == 1;

  std::int64_t offset_of(I number) const {
    const auto i = static_cast<std::int64_t>(number);
    return (i + ((i >> 63) & nest.wrap)) * nest.step;
  }

  static void copy_row(T* __restrict to, const T* __restrict from, std::int64_t count) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
  }

  template <class Visit>
  void for_each_line(Visit visit) const {
    for_each_tile(nest, [&](std::int64_t i, std::int64_t t, std::int64_t s) {
      for (std::int64_t n = 0; n < nest.shape[a]; ++n)
        visit(index + i + n * nest.index_stride[a], table + t + n * nest.table_stride[a],
              stream + s + n * nest.stream_stride[a]);
    });
  }

  static constexpr std::int64_t fetch_distance = 128;

  void elements() const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ts = nest.table_stride[b];
    for_each_line([&](const I* numbers, const T* cells, T* values) {
      if (plain)
        for (std::int64_t n = 0; n < count; ++n) values[n] = cells[numbers[n]];
      else
        for (std::int64_t n = 0; n < count; ++n) values[n] = cells[n * ts + offset_of(numbers[n * is])];
    });
  }

  /// Cells are fetched 128 lookups ahead; where lines are shorter than that, in the lines to come.
  void elements_ahead() const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ts = nest.table_stride[b];
    const std::int64_t lines = fetch_distance / count, within = lines > 0 ? 0 : fetch_distance;
    for_each_tile(nest, [&](std::int64_t i, std::int64_t t, std::int64_t s) {
      for (std::int64_t m = 0; m < nest.shape[a]; ++m) {
        const I* numbers = index + i + m * nest.index_stride[a];
        const T* cells = table + t + m * nest.table_stride[a];
        T* values = stream + s + m * nest.stream_stride[a];
        const I* later_numbers = numbers + lines * nest.index_stride[a] + within * is;
        const T* later_cells = cells + lines * nest.table_stride[a] + within * ts;
        const std::int64_t known = m + lines < nest.shape[a] ? count - within : 0;
        std::int64_t n = 0;
        for (; n < known; ++n) {
          __builtin_prefetch(later_cells + n * ts + offset_of(later_numbers[n * is]));
          values[n] = cells[n * ts + offset_of(numbers[n * is])];
        }
        for (; n < count; ++n) values[n] = cells[n * ts + offset_of(numbers[n * is])];
      }
    });
  }

  template <std::int64_t distance>
  void rows() const {
    const std::int64_t count = nest.shape[b], is = nest.index_stride[b], ts = nest.table_stride[b];
    const std::int64_t bytes = std::min<std::int64_t>(nest.row * static_cast<std::int64_t>(sizeof(T)), 1024);
    for_each_line([&](const I* numbers, const T* cells, T* values) {
      for (std::int64_t n = 0; n < count; ++n) {
        if (distance > 0 && n + distance < count) {
          const auto* later = reinterpret_cast<const char*>(cells + (n + distance) * ts +
                                                            offset_of(numbers[(n + distance) * is]));
          for (std::int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(later + at);
        }
        copy_row(values + n * nest.stream_stride[b], cells + n * ts + offset_of(numbers[n * is]), nest.row);
      }
    });
  }

  void run(Reading reading) const {
    if (nest.row > 1) return reading == Reading::ahead ? rows<16>() : rows<0>();
    return reading == Reading::ahead ? elements_ahead() : elements();
  }
};

Reading choose(const Lookups& lookups, const Nest& nest, const Limits& limits) {
  const bool near =
      lookups.sorted || lookups.reach * static_cast<std::int64_t>(nest.element) <= limits.cached_bytes;
  return near ? Reading::direct : Reading::ahead;
}

/// The outermost dimension with enough for every thread, or the longest one.
int shared_dimension(const Nest& nest, int threads) {
  int longest = 0;
  for (int d = 0; d < nest.rank; ++d) {
    if (nest.shape[d] >= 16 * threads) return d;
    if (nest.shape[d] > nest.shape[longest]) longest = d;
  }
  return longest;
}

void run(const Nest& nest, Reading reading) {
  visit_size(nest.element, [&](auto type) {
    using T = typename decltype(type)::type;
    if (nest.wide)
      GatherLoops<T, std::int64_t>{nest}.run(reading);
    else
      GatherLoops<T, std::int32_t>{nest}.run(reading);
  });
}

}  // namespace

void gather(const Walk& walk, const Lookups& lookups, std::byte* result, const Team& team) {
  const Nest nest = make_nest(walk, lookups, result);
  if (nest.lookups() == 0 || nest.row == 0) return;
  const Reading reading = choose(lookups, nest, team.limits);
  const int threads = nest.lookups() * nest.row < team.limits.least_parallel ? 1 : team.threads;
  if (threads == 1) return run(nest, reading);
  const int d = shared_dimension(nest, threads);
  parallel(threads, [&](int thread) {
    const Part part = part_of(nest.shape[d], thread, threads);
    if (part.begin < part.end) run(nest.narrowed(d, part.begin, part.end), reading);
  });
}

}  // namespace scatterproof::engines::openmp
