// SPDX-License-Identifier: Apache-2.0
// Checking, resolving and sampling an index.
#include "lookups.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <span>

#include "clones.hpp"
#include "parallel.hpp"

namespace scatterproof::engines::openmp {
namespace {

/// The dimensions in which the index moves: those that make up its lookups.
struct Moving {
  int rank = 0;
  std::int64_t shape[max_walk_rank];
  std::int64_t stride[max_walk_rank];  ///< of the index, in elements
  int walk_dimension[max_walk_rank];
  std::int64_t count = 1;
};

Moving moving_dimensions(const Walk& walk) {
  Moving moving;
  for (int d = 0; d < walk.rank; ++d) {
    if (walk.index_stride[d] == 0) continue;
    moving.shape[moving.rank] = walk.shape[d];
    moving.stride[moving.rank] = walk.index_stride[d];
    moving.walk_dimension[moving.rank] = d;
    ++moving.rank;
    moving.count *= walk.shape[d];
  }
  return moving;
}

/// Whether the lookups are one run of neighbours in memory.
bool is_flat(const Moving& moving) {
  std::int64_t expected = 1;
  for (int d = moving.rank - 1; d >= 0; --d) {
    if (moving.stride[d] != expected) return false;
    expected *= moving.shape[d];
  }
  return true;
}

/// Calls visit(offset, first) for each line of the last moving dimension whose place in the first one lies in
/// `part`: where it begins in the index, and the number of its first lookup.
template <class Visit>
void for_each_line(const Moving& moving, Part part, Visit visit) {
  const int outer = std::max(moving.rank - 1, 0);
  std::int64_t at[max_walk_rank] = {};
  std::int64_t length = moving.rank > 0 ? moving.shape[moving.rank - 1] : 1;
  std::int64_t first = 0;
  std::int64_t offset = 0;
  if (outer > 0) {
    if (part.begin == part.end) return;
    at[0] = part.begin;
    offset = part.begin * moving.stride[0];
    first = moving.count / moving.shape[0] * part.begin;
  }
  for (;;) {
    visit(offset, first);
    first += length;
    int d = outer - 1;
    for (; d >= 0; --d) {
      const std::int64_t end = d == 0 ? part.end : moving.shape[d];
      offset += moving.stride[d];
      if (++at[d] < end) break;
      if (d == 0) return;
      offset -= moving.stride[d] * moving.shape[d];
      at[d] = 0;
    }
    if (d < 0) return;
  }
}

/// Gathers the sign bits of everything that must not be negative: a value is in [-wrap, size) when neither
/// value + wrap nor size - 1 - value is negative, and in order when value - previous is not. Unsigned
/// arithmetic: it wraps, and a value far enough out to wrap one of the two shows in the other.
struct Signs {
  std::uint64_t out_of_range = 0;
  std::uint64_t out_of_order = 0;
};

/// One stretch of neighbours, each compared with the one before it when `order` is asked for. Memory is asked
/// 8 KiB ahead, line by line: the processor's own prefetching gave half the rate.
template <bool order, class I>
SCATTERPROOF_CLONES Signs scan_flat(const I* index, Part part, std::uint64_t wrap, std::uint64_t last) {
  constexpr std::int64_t block = 512 / sizeof(I), ahead = 8192 / sizeof(I), line = 64 / sizeof(I);
  const auto value = [&](std::int64_t i) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(index[i]));
  };
  std::uint64_t range = 0, descents = 0;
  std::int64_t i = part.begin;
  if (order && i < part.end) {  // the first has no predecessor here
    range |= (value(i) + wrap) | (last - value(i));
    ++i;
  }
  for (; i + block <= part.end; i += block) {
    for (std::int64_t k = 0; k < block; k += line) __builtin_prefetch(index + i + ahead + k);
    for (std::int64_t k = i; k < i + block; ++k) {
      range |= (value(k) + wrap) | (last - value(k));
      if constexpr (order) descents |= value(k) - value(k - 1);
    }
  }
  for (; i < part.end; ++i) {
    range |= (value(i) + wrap) | (last - value(i));
    if constexpr (order) descents |= value(i) - value(i - 1);
  }
  return {range, descents};
}

bool negative(std::uint64_t bits) { return static_cast<std::int64_t>(bits) < 0; }

template <class I>
bool check_flat(const Walk& walk, const I* index, int threads, Lookups& lookups) {
  const bool may_be_sorted = lookups.ascending;
  std::atomic<bool> out_of_range{false}, out_of_order{false};
  const std::uint64_t wrap = walk.wrap_negative ? static_cast<std::uint64_t>(walk.size[0]) : 0;
  const std::uint64_t last = static_cast<std::uint64_t>(walk.size[0]) - 1;
  parallel(threads, [&](int thread) {
    Part part = part_of(lookups.count, thread, threads);
    if (part.begin > 0) --part.begin;  // the neighbours across a seam are compared too
    const auto signs =
        may_be_sorted ? scan_flat<true>(index, part, wrap, last) : scan_flat<false>(index, part, wrap, last);
    if (negative(signs.out_of_range)) out_of_range = true;
    if (negative(signs.out_of_order)) out_of_order = true;
  });
  // A number below 0 names the same row as one above, so the order of numbers is not the order of rows.
  lookups.sorted = may_be_sorted && !out_of_order && index[0] >= 0;
  return !out_of_range;
}

template <class I>
bool check_lines(const Walk& walk, const I* index, const Moving& moving, int threads) {
  std::atomic<bool> out_of_range{false};
  const std::uint64_t wrap = walk.wrap_negative ? static_cast<std::uint64_t>(walk.size[0]) : 0;
  const std::uint64_t last = static_cast<std::uint64_t>(walk.size[0]) - 1;
  const std::int64_t length = moving.shape[moving.rank - 1];
  const std::int64_t stride = moving.stride[moving.rank - 1];
  parallel(threads, [&](int thread) {
    std::uint64_t range = 0;
    for_each_line(moving, part_of(moving.shape[0], thread, threads), [&](std::int64_t offset, std::int64_t) {
      for (std::int64_t i = 0; i < length; ++i) {
        const auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(index[offset + i * stride]));
        range |= (value + wrap) | (last - value);
      }
    });
    if (negative(range)) out_of_range = true;
  });
  return !out_of_range;
}

/// Looks at short windows across a flat index: enough to tell runs, hot rows and everything else apart.
template <class I>
void sample(const I* index, Lookups& lookups) {
  constexpr std::int64_t windows = 64, width = Lookups::sample_size / windows;
  if (lookups.count < 4 * Lookups::sample_size) return;
  int equal = 0;
  std::int64_t previous = index[0];
  for (std::int64_t w = 0; w < windows; ++w) {
    const I* window = index + (lookups.count - width) / (windows - 1) * w;
    for (std::int64_t i = 0; i < width; ++i) {
      lookups.sample[w * width + i] = window[i];
      if (window[i] < previous) lookups.ascending = false;
      previous = window[i];
      if (i > 0 && window[i] == window[i - 1]) ++equal;
    }
  }
  std::int64_t* const end = lookups.sample + Lookups::sample_size;
  std::sort(lookups.sample, end);
  lookups.sampled = true;
  lookups.distinct = 1;
  for (const std::int64_t* one = lookups.sample + 1; one < end; ++one) lookups.distinct += *one != one[-1];
  lookups.repeats = static_cast<double>(equal) / static_cast<double>(windows * (width - 1));
}

/// Prefetches the numbers 8 KiB further on, too: see scan_flat.
template <class I>
SCATTERPROOF_CLONES bool is_uniform(const I* row, std::int64_t width) {
  constexpr std::int64_t ahead = 8192 / sizeof(I), line = 64 / sizeof(I);
  for (std::int64_t k = 0; k < width; k += line) __builtin_prefetch(row + ahead + k);
  I differing = 0;
  for (std::int64_t k = 0; k < width; ++k) differing |= static_cast<I>(row[k] ^ row[0]);
  return differing == 0;
}

/// Judges by a few lines whether the index may hold rows written out as elements: the same number all along
/// the last dimension, where the table steps by one element.
template <class I>
bool seems_of_rows(const Walk& walk, const I* index, const Moving& moving) {
  constexpr std::int64_t least_width = 8, probes = 8;
  const int last = moving.rank - 1;
  if (last < 1 || moving.stride[last] != 1 || moving.shape[last] < least_width || moving.count == 0 ||
      moving.walk_dimension[last] != walk.rank - 1 || walk.table_stride[walk.rank - 1] != 1)
    return false;
  for (std::int64_t probe = 0; probe < probes; ++probe)
    if (!is_uniform(index + moving.shape[0] * probe / probes * moving.stride[0], moving.shape[last]))
      return false;
  return true;
}

/// Lets the lookups go by `resolved`, which holds a number for each place of the first `rank` moving
/// dimensions, row-major.
void use_resolved(const Walk& walk, const Moving& moving, int rank, Lookups& lookups) {
  lookups.index = reinterpret_cast<const std::byte*>(lookups.resolved.get());
  lookups.wide = true;
  lookups.flat = true;
  lookups.count = 1;
  std::fill_n(lookups.stride, walk.rank, 0);
  for (int d = rank - 1; d >= 0; --d) {
    lookups.stride[moving.walk_dimension[d]] = lookups.count;
    lookups.count *= moving.shape[d];
  }
  const std::int64_t* numbers = lookups.resolved.get();
  sample(numbers, lookups);
  // As in check_flat: below 0, the order of numbers is not that of rows.
  lookups.sorted = lookups.ascending && std::is_sorted(numbers, numbers + lookups.count) &&
                   (lookups.count == 0 || numbers[0] >= 0);
}

/// Keeps one number per row instead of one per element, if all rows are uniform: the remaining work reads a
/// fraction of the index, and moves rows. Returns whether all numbers are in range; nothing when some row is
/// not uniform.
template <class I>
std::optional<bool> check_rows(const Walk& walk, const I* index, const Moving& moving, int threads,
                               Lookups& lookups) {
  const int last = moving.rank - 1;
  const std::int64_t width = moving.shape[last], rows = moving.count / width;
  const std::uint64_t wrap = walk.wrap_negative ? static_cast<std::uint64_t>(walk.size[0]) : 0;
  const std::uint64_t highest = static_cast<std::uint64_t>(walk.size[0]) - 1;
  auto numbers = std::make_unique_for_overwrite<std::int64_t[]>(static_cast<std::size_t>(rows));
  std::atomic<bool> mixed{false}, out_of_range{false};
  parallel(threads, [&](int thread) {
    std::uint64_t range = 0;
    for_each_line(moving, part_of(moving.shape[0], thread, threads),
                  [&](std::int64_t at, std::int64_t first) {
                    if (mixed.load(std::memory_order_relaxed)) return;
                    const auto value = static_cast<std::uint64_t>(static_cast<std::int64_t>(index[at]));
                    range |= (value + wrap) | (highest - value);
                    numbers[static_cast<std::size_t>(first / width)] = static_cast<std::int64_t>(value);
                    if (!is_uniform(index + at, width)) mixed = true;
                  });
    if (negative(range)) out_of_range = true;
  });
  if (mixed) return std::nullopt;
  lookups.resolved = std::move(numbers);
  use_resolved(walk, moving, last, lookups);
  return !out_of_range;
}

template <class I>
bool check_plain(const Walk& walk, const Moving& moving, int threads, Lookups& lookups) {
  const I* index = reinterpret_cast<const I*>(walk.index);
  lookups.index = walk.index;
  lookups.wide = sizeof(I) == 8;
  lookups.step = walk.step[0];
  lookups.wrap = walk.wrap_negative ? walk.size[0] : 0;
  lookups.reach = walk.size[0] * walk.step[0];
  if (seems_of_rows(walk, index, moving))
    if (const auto in_range = check_rows(walk, index, moving, threads, lookups)) return *in_range;
  std::copy_n(walk.index_stride, walk.rank, lookups.stride);
  lookups.flat = is_flat(moving);
  if (!lookups.flat) return check_lines(walk, index, moving, threads);
  sample(index, lookups);
  return check_flat(walk, index, threads, lookups);
}

std::int64_t load(const std::byte* at, spec::DType dtype) {
  const auto as = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::int64_t>(value);
  };
  switch (dtype) {
    case spec::DType::i64:
      return as(std::int64_t{});
    case spec::DType::i32:
      return as(std::int32_t{});
    case spec::DType::i16:
      return as(std::int16_t{});
    case spec::DType::i8:
      return as(std::int8_t{});
    default:  // u8; plans accept integer indices only
      return as(std::uint8_t{});
  }
}

/// The table offset that the tuple at element `at` of the index names; false when one of its numbers is out
/// of range. An address is formed for the numbers alone: a tuple of none has no storage to point into.
bool resolve_tuple(const Walk& walk, std::int64_t at, std::int64_t& offset) {
  const auto bytes = static_cast<std::int64_t>(spec::size_of(walk.index_dtype));
  offset = 0;
  for (int j = 0; j < walk.depth; ++j) {
    std::int64_t i = load(walk.index + (at + j * walk.index_step) * bytes, walk.index_dtype);
    if (i < 0 && walk.wrap_negative) i += walk.size[j];
    if (i < 0 || i >= walk.size[j]) return false;
    offset += i * walk.step[j];
  }
  return true;
}

bool resolve(const Walk& walk, const Moving& moving, int threads, Lookups& lookups) {
  lookups.resolved = std::make_unique_for_overwrite<std::int64_t[]>(static_cast<std::size_t>(moving.count));
  std::atomic<bool> out_of_range{false};
  const int last = moving.rank - 1;
  const std::int64_t length = last >= 0 ? moving.shape[last] : 1;
  const std::int64_t stride = last >= 0 ? moving.stride[last] : 0;
  const bool one_line = moving.rank <= 1;  // shared out within, else by lines
  parallel(threads, [&](int thread) {
    const Part part = part_of(one_line ? length : moving.shape[0], thread, threads);
    const Part within = one_line ? part : Part{0, length};
    bool good = true;
    for_each_line(moving, part, [&](std::int64_t offset, std::int64_t first) {
      for (std::int64_t i = within.begin; i < within.end; ++i)
        good &=
            resolve_tuple(walk, offset + i * stride, lookups.resolved[static_cast<std::size_t>(first + i)]);
    });
    if (!good) out_of_range = true;
  });
  if (out_of_range) return false;
  lookups.step = 1;
  lookups.wrap = 0;
  for (int j = 0; j < walk.depth; ++j) lookups.reach = std::max(lookups.reach, walk.size[j] * walk.step[j]);
  use_resolved(walk, moving, moving.rank, lookups);
  return true;
}

}  // namespace

bool check_lookups(const Walk& walk, const Team& team, Lookups& lookups) {
  const Moving moving = moving_dimensions(walk);
  lookups.count = moving.count;
  const int threads = moving.count < team.limits.least_parallel ? 1 : team.threads;
  if (walk.depth == 1) {
    if (walk.index_dtype == spec::DType::i64)
      return check_plain<std::int64_t>(walk, moving, threads, lookups);
    if (walk.index_dtype == spec::DType::i32)
      return check_plain<std::int32_t>(walk, moving, threads, lookups);
  }
  return resolve(walk, moving, threads, lookups);
}

}  // namespace scatterproof::engines::openmp
