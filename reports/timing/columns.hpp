// SPDX-License-Identifier: Apache-2.0
// What a benchmark's tables say, wherever they are printed: columns, blocks of records, small tables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ratios.hpp"

namespace scatterproof::reports {

/// How a figure is to be taken; unsure: it is not significant.
enum class Tone { plain, good, bad, unsure };

struct Entry {
  std::string text;  ///< empty: nothing to say of this record
  Tone tone = Tone::plain;
};

struct Column {
  std::string head;  ///< in up to two lines
  std::function<Entry(const Figures&)> entry;
  int importance = 0;  ///< where there is no room for all, the lowest goes first; columns of 9 always stay
};

/// One row at one place of the result: records that are held against each other.
struct Block {
  std::string row;
  bool in_place = true;
  double bytes_algorithmic = 0;
  double bytes_floor = 0;
  std::vector<Figures>
      lines;  ///< native engines first; an engine's by number of threads, of several calls the best
};
struct Family {
  std::string name;
  std::vector<Block> blocks;
};
/// In the order in which they are first met.
std::vector<Family> families_of(const std::vector<Figures>& all);
/// The row's id without what the family's name says.
std::string short_row(const Family& family, const Block& block);

/// A head for a place that has but one line.
std::string on_one_line(std::string head);

/// What is known of an engine on a row, from times to ratios; only columns that say something of some line
/// of the family. The engine itself is not among them.
std::vector<Column> columns_for(const Family& family);

/// Small tables, the head first: the machine's rates by number of threads; skew by distribution.
using Line = std::vector<Entry>;
std::vector<Line> machine_lines(const spec::MachineRecord& machine);
std::vector<Skew> native_by_severity(std::vector<Skew> skews);
std::vector<Line> skew_lines(const std::vector<Skew>& skews);

/// Why there are no times: the verdict and the note, on one line.
std::string untimed(const spec::TimingRecord& record);

}  // namespace scatterproof::reports
