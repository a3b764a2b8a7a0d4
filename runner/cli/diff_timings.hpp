// SPDX-License-Identifier: Apache-2.0
// `diff` of two benchmarks.
#pragma once

#include <string>

#include "scatterproof/runner/bench/significance.hpp"

namespace scatterproof::runner::cli {

/// Two streams of times, or two engines, named with their versions, of one stream.
struct TimingDiffFlags {
  std::string before;
  std::string after;
  std::string timings;  ///< the stream that has both engines; empty: `before` and `after` are streams
  std::string json;     ///< a file for the whole of it; may be empty
  bench::SpeedLimits limits = {};
  int verbosity = 0;  ///< 1: also rows that are the same
};

/// Prints what became faster or slower. The exit code.
int diff_timings(const TimingDiffFlags& flags);

}  // namespace scatterproof::runner::cli
