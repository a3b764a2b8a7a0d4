// SPDX-License-Identifier: Apache-2.0
// What a benchmark's tables say, wherever they are printed: columns, blocks of records, small tables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ratios.hpp"

namespace scatterproof::reports {

/// How to read a figure; unsure: it is not significant.
enum class Tone { plain, good, bad, unsure };

struct TableEntry {
  std::string text;  ///< empty: nothing to say of this record
  Tone tone = Tone::plain;
};

struct TableColumn {
  std::string head;  ///< in up to two lines
  std::function<TableEntry(const Figures&)> entry;
  int importance = 0;  ///< without room for all columns, the least important goes first; 9 always stays
};

/// One row with its result in place or out of place: the records that are compared with each other.
struct RowRecords {
  std::string row;
  bool in_place = true;
  double bytes_algorithmic = 0;
  double bytes_floor = 0;
  /// Native engines first; an engine's by number of threads, of several calls the best.
  std::vector<Figures> lines = {};
};
struct Benchmark {
  std::string name;
  std::vector<RowRecords> blocks = {};
};
/// In the order of their first records.
std::vector<Benchmark> benchmarks_in(const std::vector<Figures>& all);
/// The row's id without the benchmark's name.
std::string short_row(const Benchmark& benchmark, const RowRecords& block);

/// A two-line head on one line.
std::string on_one_line(std::string head);

/// What is known of an engine on a row, from times to ratios. Columns that are empty on every line of the
/// benchmark are left out; the engine's name is not one of the columns.
std::vector<TableColumn> columns_for(const Benchmark& benchmark);

/// Small tables, the head first: the machine's rates by number of threads; skew by distribution.
using Line = std::vector<TableEntry>;
std::vector<Line> machine_lines(const spec::MachineRecord& machine);
std::vector<Skew> native_by_severity(std::vector<Skew> skews);
std::vector<Line> skew_lines(const std::vector<Skew>& skews);

/// Why there are no times: the verdict and the note, on one line.
std::string untimed(const spec::TimingRecord& record);

}  // namespace scatterproof::reports
