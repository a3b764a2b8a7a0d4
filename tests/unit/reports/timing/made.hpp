// SPDX-License-Identifier: Apache-2.0
// Records made by hand, with times whose order statistics are seen at a glance.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/record/timing.hpp"

namespace scatterproof::made {

/// Minimum m, median 1.02 m, interquartile range 0.02 m: steady.
inline std::vector<double> steady(double m) { return {m, 1.01 * m, 1.02 * m, 1.03 * m, 1.04 * m}; }
/// Minimum m, median 1.2 m, interquartile range 0.2 m: a sixth of the median, not steady.
inline std::vector<double> unsteady(double m) { return {m, 1.1 * m, 1.2 * m, 1.3 * m, 1.4 * m}; }

inline spec::TimingRecord record(const std::string& engine, int threads, std::vector<double> seconds) {
  spec::TimingRecord r;
  r.row = "B1/gather/f32/i64/uniform/1MiB";
  r.benchmark = "B1";
  r.operation = "gather";
  r.distribution = "uniform";
  r.dtype = "f32";
  r.index_dtype = "i64";
  r.lookups = 1000000;
  r.row_bytes = 4;
  r.table_bytes = 1 << 20;
  r.engine = engine;
  r.call = "torch.gather";
  r.threads = threads;
  r.verdict = "pass";
  r.seconds = std::move(seconds);
  r.bytes_algorithmic = 16e6;
  r.bytes_floor = 20e6;
  r.floor_seconds = 1e-3;
  return r;
}

inline spec::TimingRecord with_distribution(spec::TimingRecord r, const std::string& distribution,
                                            double floor) {
  r.distribution = distribution;
  r.row = "B1/gather/f32/i64/" + distribution + "/1MiB";
  r.floor_seconds = floor;
  return r;
}

inline spec::MachineRecord machine() {
  spec::MachineRecord m;
  m.when = "2024-05-01T12:00:00Z";
  m.cpu = "Example CPU";
  m.cores = 2;
  m.cache_bytes = 32 << 20;
  m.copy_bytes_per_second = {{1, 20e9}, {2, 32e9}};
  m.random_lines_per_second = {{1, 5e8}, {2, 8e8}};
  m.random_updates_per_second = {{1, 3e8}, {2, 4e8}};
  m.versions = {{"scatterproof", "0.1.0"}, {"torch", "2.13.0"}};
  return m;
}

inline spec::TimingRun run(std::vector<spec::TimingRecord> records) {
  return {machine(), std::move(records)};
}

}  // namespace scatterproof::made
