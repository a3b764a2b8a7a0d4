// SPDX-License-Identifier: Apache-2.0
// The results of a benchmark run: one record for each row and engine, and one for the machine. Every ratio in
// a report is computed from these.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::spec {

/// The machine's best rates, measured in the same run, right before the rows.
struct MachineRecord {
  std::string when;  ///< ISO 8601, UTC
  std::string cpu;   ///< as the operating system names it
  int cores = 0;
  std::int64_t cache_bytes = 0;                 ///< last level, usable by one process
  std::map<int, double> copy_bytes_per_second;  ///< by threads; read and written bytes of a large copy
  std::map<int, double>
      random_lines_per_second;  ///< by threads; independent reads of 64-byte lines out of cache
  std::map<int, double> random_updates_per_second;  ///< by threads; the same, read and written back
  std::map<std::string, std::string> versions;      ///< scatterproof, compiler, every engine
};

/// One row (a call with its data) on one engine with a number of threads.
struct TimingRecord {
  std::string row;           ///< stable id: `B1/scatter_add/f32/i64/uniform/256MiB`
  std::string benchmark;     ///< `B1`
  std::string operation;     ///< gather scatter scatter_add scatter_amax scatter_mean
  std::string distribution;  ///< of the index: uniform sorted block permutation all_duplicate ...
  std::string dtype;
  std::string index_dtype;
  std::int64_t lookups = 0;      ///< N: numbers of the index that are looked up
  std::int64_t row_bytes = 0;    ///< contiguous bytes that one lookup moves
  std::int64_t table_bytes = 0;  ///< T

  std::string engine;          ///< `openmp`, `torch@2.13.0`
  std::string device = "cpu";  ///< where its kernel runs; times are only compared on the same device
  std::string call;            ///< the API that was called; the fastest of an engine's calls for this purpose
  int threads = 1;
  bool in_place = true;

  std::string verdict;          ///< the judge's word: only `pass` and `weak` have times
  std::string note;             ///< why it did not pass or was not timed
  std::int64_t executions = 1;  ///< of each repetition, back to back
  std::vector<double> seconds;  ///< one for each repetition, divided by its executions

  double bytes_algorithmic = 0;  ///< what the call says must be read and written
  double bytes_floor = 0;        ///< what must move between memory and caches at the least
  double floor_seconds = 0;      ///< at the machine's rates with this number of threads
};

/// A benchmark run, as its file holds it.
struct TimingRun {
  MachineRecord machine;
  std::vector<TimingRecord> records;
};

/// JSON lines, one object a line and no newline in it; fields in spec/data/schema/timing.schema.json.
std::string to_json_line(const MachineRecord& machine);
std::string to_json_line(const TimingRecord& record);
/// Reads a file of such lines: the machine first, once, then the records. Any other line is an error with its
/// number, and so is a cut-off last line: a benchmark that was stopped is not fit for comparison.
Result<TimingRun> read_timings(const std::string& path);
/// Whether the file's first line is that of a benchmark's records. False also for one that cannot be read.
bool is_timing_stream(const std::string& path);

/// Order statistics of `seconds`.
struct Spread {
  double minimum = 0;
  double median = 0;
  double interquartile = 0;
  double ninetieth = 0;  ///< percentile
};
/// Quartiles and percentiles are interpolated linearly between the two nearest sorted times. Precondition:
/// not empty.
Spread spread(std::vector<double> seconds);
/// A ratio is a fact only when both sides' interquartile range is at most a tenth of their median.
bool is_steady(const Spread& spread);

}  // namespace scatterproof::spec
