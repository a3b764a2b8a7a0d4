// SPDX-License-Identifier: Apache-2.0
// What became faster or slower from one benchmark to another, beyond noise.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "scatterproof/reports/timing.hpp"
#include "scatterproof/runner/bench/significance.hpp"

namespace scatterproof::runner::bench {

/// A row that both runs have: what the test says, or that the result is wrong now.
struct TimingChange {
  reports::TimingPair times;
  SpeedVerdict verdict = {};
  bool wrong = false;  ///< the result is wrong now, and there is no verdict
};

struct TimingDifference {
  SpeedLimits limits;
  std::vector<TimingChange> rows;  ///< the wrong first, then slower, faster, undecided and same, each by row
  std::size_t only_before = 0;
  std::size_t only_after = 0;
  bool same_machine = true;  ///< false: the machine alone may explain a difference
  std::size_t wrong() const;
  std::size_t count(SpeedChange change) const;
  /// How many times each row must be repeated before any row, among this number of rows, can be decided; 0:
  /// they were repeated often enough.
  std::size_t repetitions_needed() const;
};

TimingDifference timing_difference(const spec::TimingRun& before, const spec::TimingRun& after,
                                   reports::PairBy by, const SpeedLimits& limits);

/// For programs (docs/use/bench.md).
nlohmann::json as_json(const TimingDifference& found);

}  // namespace scatterproof::runner::bench
