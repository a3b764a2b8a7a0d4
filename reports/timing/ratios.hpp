// SPDX-License-Identifier: Apache-2.0
// What follows from a benchmark's records: ratios, each like with like, and whether it is a fact.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::reports {

/// Of two times, or of a time and a rate. On a machine that others use too, whatever disturbs a repetition
/// only adds to its time, so the minimum is the estimate of what the code takes, and reports state the ratio
/// of the minima. How far it can be trusted is what median and interquartile range are for: a ratio of which
/// one side is not steady is no fact, and where minima and medians tell different things both are shown.
struct Ratio {
  double by_minimum = 0;
  double by_median = 0;
  bool significant = true;  ///< each side's spread is at most a tenth

  /// They disagree on which side is the faster.
  bool sides_differ() const { return (by_minimum > 1) != (by_median > 1); }
  /// Steady, and yet they are more than a tenth apart: one repetition was far from all others.
  bool has_lucky_minimum() const;
  bool is_fact() const { return significant && !has_lucky_minimum(); }
};
/// Precondition: both were timed.
Ratio ratio(const spec::Spread& over, const spec::Spread& under);

/// `torch` of `torch@2.13.0`, `openmp` of `openmp`.
std::string engine_family(const std::string& engine);
/// A framework in a worker, which native engines are held against; not `so:./a@b.so`.
bool is_peer(const std::string& engine);

/// torch first, then ONNX Runtime, then numpy: who is asked about most; then any other, by name.
std::vector<std::string> in_order(std::set<std::string> peers);
/// It gave an answer, or died, and the judge did not let it pass.
bool is_wrong(const spec::TimingRecord& record);

/// What one record says beyond itself. Absent: not timed, or nothing like it to hold it against.
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

/// In the records' order. A peer is compared with at an equal row, device, number of threads and place of
/// the result (in place or not), by the best of its calls there.
std::vector<Figures> figures_of(const spec::TimingRun& run);

/// How much slower the worst distribution of the index is than the best, all else being equal.
struct Skew {
  spec::TimingRecord worst;
  spec::TimingRecord best;
  Ratio factor;
  std::optional<Ratio> beyond_floors;  ///< the factor divided by that of the two floors
};
/// One for each engine, device, number of threads, operation, dtypes, place of the result and sizes that
/// have two distributions or more; in the order of the records.
std::vector<Skew> skews_of(const spec::TimingRun& run);

}  // namespace scatterproof::reports
