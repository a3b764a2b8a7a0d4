// SPDX-License-Identifier: Apache-2.0
// The index of a call: checked as a whole before anything is written, and sampled on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "scatterproof/engines/native/walk.hpp"
#include "team.hpp"

namespace scatterproof::engines::openmp {

/// A checked index of one number a lookup: i = index[sum(p * stride)], plus `wrap` where below 0, names the
/// table's elements from i * step on.
struct Lookups {
  const std::byte* index = nullptr;
  bool wide = true;  ///< i64, else i32
  std::int64_t stride[max_walk_rank];
  std::int64_t step = 1;
  std::int64_t wrap = 0;

  bool flat = false;  ///< one run of `count` numbers, each next to the other
  std::int64_t count = 0;
  std::int64_t reach = 0;  ///< table elements between the lowest and the highest row that can be named
  bool sorted = false;     ///< flat, and no number is smaller than the one before it

  bool sampled = false;   ///< flat, and long enough for the following fields to be meaningful
  bool ascending = true;  ///< the sample is consistent with a sorted index
  double repeats = 0;     ///< the share of sampled neighbours that are equal
  int distinct = 0;       ///< different numbers in the sample
  static constexpr std::int64_t sample_size = 1024;
  std::int64_t sample[sample_size];  ///< in ascending order

  std::unique_ptr<std::int64_t[]>
      resolved;  ///< what `index` points to when the call's own index cannot be used
};

/// Checks every number of the walk's index and fills in `lookups`; false when one is out of range. An index
/// of tuples, or of another dtype than i32 and i64, is resolved into one of i64 with a step of 1; of an index
/// of rows that is written out as elements, one number a row is kept.
bool check_lookups(const Walk& walk, const Team& team, Lookups& lookups);

}  // namespace scatterproof::engines::openmp
