// SPDX-License-Identifier: Apache-2.0
// The settings a call runs with.
#pragma once

#include <cstdint>

namespace scatterproof::engines::openmp {

/// The sizes from which a method pays off, measured. Tests lower them, so that small calls reach every
/// method.
struct Limits {
  /// Below this many elements a team costs more than it saves: starting one takes microseconds.
  std::int64_t least_parallel = 32768;
  /// Tables up to this size stay in a core's own cache, and fetching ahead only adds work.
  std::int64_t cached_bytes = std::int64_t{1} << 20;
  /// Tables up to this size are worth a copy for each thread.
  std::int64_t private_bytes = std::int64_t{1} << 20;
};

struct Team {
  int threads;
  bool deterministic;
  Limits limits;
};

}  // namespace scatterproof::engines::openmp
