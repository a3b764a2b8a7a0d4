// SPDX-License-Identifier: Apache-2.0
// The least a call can cost on a machine: bytes that must move between memory and cache, and lines that must
// be fetched from anywhere in memory. docs/use/bench.md, "The floor".
#pragma once

#include <cstdint>

#include "scatterproof/engines/native/walk.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::runner::bench {

inline constexpr std::int64_t line_bytes = 64;    ///< what memory and cache exchange on a CPU
inline constexpr std::int64_t page_bytes = 4096;  ///< within one, a processor fetches ahead by itself

/// What a call reads and writes, counted on its real index.
struct Traffic {
  bool scatter = false;
  bool combines = false;        ///< a cell's value is read before it is written
  bool from_zeros = false;      ///< out of place: the result begins with zeros, so no start is read
  double lookups = 0;           ///< N: tuples of the index that are looked up, each counted once
  double index_bytes = 0;       ///< N * i: of these tuples
  double run_bytes = 0;         ///< contiguous bytes one lookup moves
  double value_bytes = 0;       ///< of all values that go through: into the result, or out of the updates
  double table_bytes = 0;       ///< T: of the randomly addressed tensor
  double touched_bytes = 0;     ///< of different lines of it that are touched
  double missed_lines = 0;      ///< fetched from memory, with a cache that holds the lines in most demand
  double missed_at_random = 0;  ///< of these, those in another page than the line before
};

/// Counts one pass through the call. Consecutive touches of the same line count once. A cache of
/// `cache_bytes` (C) holds the C/L lines that are touched most often and keeps them from one execution to the
/// next: when all touched lines fit, nothing misses. The demand for a line is estimated on one random half of
/// the touches and applied to the other half, so that no line is kept for the very touches that it then
/// saves.
Traffic count_traffic(const engines::Walk& walk, std::int64_t cache_bytes);

struct Floor {
  double bytes_algorithmic = 0;
  double bytes = 0;    ///< 0: everything fits into the cache, so nothing has to move
  double seconds = 0;  ///< 0 likewise, or when the machine's rates with this many threads are unknown
};

/// The model of docs/use/bench.md, "The floor", with L = 64 and w = 1. The copy rate is that of the better
/// way to write, and includes what writing costs besides the bytes:
///   gather   N i + w V + miss L
///   scatter  N i + V + miss 2 L, and (1 + w) T more out of place, or w T if from zeros, where V is N s, or
///            N K s for rows
///   seconds = max(bytes / copy rate, random misses / random rate)
Floor floor_of(const Traffic& traffic, bool in_place, std::int64_t cache_bytes, double copy_rate,
               double random_rate);
/// The same at the rates of a machine.
Floor floor_of(const Traffic& traffic, bool in_place, const spec::MachineRecord& machine, int threads);

}  // namespace scatterproof::runner::bench
