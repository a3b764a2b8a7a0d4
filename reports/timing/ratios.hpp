// SPDX-License-Identifier: Apache-2.0
// Ratios computed from a benchmark's records, each comparing like with like, and whether they are facts.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scatterproof/reports/timing.hpp"
#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::reports {

/// The ratio of two times, or of a time and a rate. On a shared machine, a disturbance can only add to the
/// time of a repetition. The minimum is therefore the best estimate of what the code takes, and reports show
/// the ratio of the minima. Median and interquartile range tell how far to trust it: a ratio is not a fact
/// when one side is not steady, and where minima and medians disagree both are shown.
struct Ratio {
  double by_minimum = 0;
  double by_median = 0;
  bool significant = true;  ///< each side's spread is at most a tenth

  /// Minimum and median disagree on which side is faster.
  bool sides_differ() const { return (by_minimum > 1) != (by_median > 1); }
  /// Both sides are steady, yet minimum and median differ by more than a tenth: one repetition was an
  /// outlier.
  bool has_lucky_minimum() const;
  bool is_fact() const { return significant && !has_lucky_minimum(); }
};
/// Precondition: both were timed.
Ratio ratio(const spec::Spread& over, const spec::Spread& under);

/// Whether it is a framework in a worker, which native engines are compared with; `so:./a@b.so` is not.
bool is_peer(const std::string& engine);

/// torch first, then ONNX Runtime, then numpy (most readers ask about these); then the others by name.
std::vector<std::string> in_order(std::set<std::string> peers);
/// Whether the engine answered or died, and the judge did not let it pass.
bool is_wrong(const spec::TimingRecord& record);

/// What one record shows when compared with others. Absent: not timed, or nothing to compare with.
struct Figures {
  spec::TimingRecord record;
  std::optional<spec::Spread> times;
  std::optional<double> bytes_per_second;  ///< algorithmic
  std::optional<double> seconds_per_lookup;
  std::optional<Ratio> share_of_floor;   ///< 1: as fast as memory allows
  std::optional<Ratio> share_of_copy;    ///< of the rate of a large copy with as many threads
  std::optional<Ratio> scaling;          ///< one thread's time over this; with several threads
  std::optional<Ratio> deterministic;    ///< this over the fast mode's; for a deterministic engine
  std::map<std::string, Ratio> against;  ///< by peer: its time over this; above 1 this is faster
};

/// In the records' order. An engine is compared with the best of a peer's calls for the same row, device,
/// number of threads and place of the result (in place or not).
std::vector<Figures> figures_of(const spec::TimingRun& run);

/// How much slower the worst distribution of the index is than the best, all else being equal.
struct Skew {
  spec::TimingRecord worst;
  spec::TimingRecord best;
  Ratio factor;
  std::optional<Ratio> beyond_floors = {};  ///< the factor divided by that of the two floors
};
/// One for each engine, device, number of threads, operation, dtypes, place of the result and sizes that
/// have two distributions or more; in the order of the records.
std::vector<Skew> skews_of(const spec::TimingRun& run);

}  // namespace scatterproof::reports
