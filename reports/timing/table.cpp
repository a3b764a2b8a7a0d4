// SPDX-License-Identifier: Apache-2.0
// The benchmark's table on a terminal. A block holds what is compared: one row, every engine, bytes once
// above them; so a line has room for times and ratios.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>

#include "columns.hpp"
#include "console/page.hpp"
#include "scatterproof/reports/timing.hpp"
#include "text.hpp"
#include "words.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t shown_skews = 8;
constexpr std::string_view indent = "    ";  // of engines, below their row

Colour colour_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return Colour::green;
    case Tone::bad:
      return Colour::red;
    case Tone::unsure:
      return Colour::yellow;
    case Tone::plain:
      break;
  }
  return Colour::plain;
}

/// Lines of cells: the first column to the left, numbers to the right, each column as wide as it must be.
class Grid {
 public:
  void add(Line line) {
    widths_.resize(std::max(widths_.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths_[i] = std::max(widths_[i], width_of(line[i].text));
    lines_.push_back(std::move(line));
  }
  void put(std::ostream& out, const Style& style, const Line& line) const {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string pad(widths_[i] - width_of(line[i].text), ' ');
      const std::string word = painted(style, colour_of(line[i].tone), line[i].text);
      text += i == 0 ? word + pad : std::string(gap, ' ') + pad + word;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  }
  void put_all(std::ostream& out, const Style& style) const {
    for (const Line& line : lines_) put(out, style, line);
  }
  std::size_t width() const {
    std::size_t sum = 0;
    for (const std::size_t width : widths_) sum += width + gap;
    return sum - std::min(sum, gap);
  }

 private:
  std::vector<std::size_t> widths_;
  std::vector<Line> lines_;
};

Line line_of(const Figures& one, const std::vector<TableColumn>& columns) {
  Line line = {{std::string(indent) + printable(one.record.engine)}};
  for (const TableColumn& column : columns) line.push_back(column.entry(one));
  return line;
}

/// The two lines of the columns' heads, below the benchmark's name.
std::vector<Line> heads_of(const std::string& benchmark, const std::vector<TableColumn>& columns) {
  std::vector<Line> heads = {{{printable(benchmark)}}, {{""}}};
  for (const TableColumn& column : columns) {
    const std::size_t newline = column.head.find('\n');
    const bool one = newline == std::string::npos;
    heads[0].push_back({one ? "" : column.head.substr(0, newline)});
    heads[1].push_back({one ? column.head : column.head.substr(newline + 1)});
  }
  return heads;
}

/// As wide as the benchmark's lines make it; nothing is printed of it but single lines.
Grid measured(const Benchmark& benchmark, const std::vector<TableColumn>& columns) {
  Grid grid;
  for (Line& head : heads_of(benchmark.name, columns)) grid.add(std::move(head));
  for (const RowRecords& block : benchmark.blocks)
    for (const Figures& line : block.lines)
      if (line.times) grid.add(line_of(line, columns));
  return grid;
}

/// Leaves out the least important columns until the rest fits.
void drop_what_does_not_fit(std::vector<TableColumn>& columns, const Benchmark& benchmark, std::size_t width,
                            std::set<std::string>& dropped) {
  while (measured(benchmark, columns).width() > width) {
    const auto least = std::min_element(
        columns.begin(), columns.end(),
        [](const TableColumn& a, const TableColumn& b) { return a.importance < b.importance; });
    if (least == columns.end() || least->importance == 9) break;
    dropped.insert(on_one_line(least->head));
    columns.erase(least);
  }
}

void print_lines(std::ostream& out, const Style& style, std::vector<Line> lines) {
  Grid grid;
  for (Line& line : lines) {
    line.front().text.insert(0, "  ");
    grid.add(std::move(line));
  }
  grid.put_all(out, style);
}

void print_machine(std::ostream& out, const Style& style, const spec::MachineRecord& machine) {
  out << painted(style, Colour::bold, printable(machine.cpu))
      << fmt::format(", {} cores, {} last-level cache, {}\n", machine.cores,
                     size_words(static_cast<double>(machine.cache_bytes)), printable(machine.when));
  print_lines(out, style, machine_lines(machine));
}

void print_block(std::ostream& out, const Style& style, const Benchmark& benchmark, const RowRecords& block,
                 const std::vector<TableColumn>& columns, const Grid& grid) {
  out << "  " << painted(style, Colour::bold, short_row(benchmark, block))
      << painted(style, Colour::dim,
                 fmt::format("  {}, bytes_algorithmic {}, bytes_floor {}",
                             block.in_place ? "in place" : "out of place",
                             bytes_words(block.bytes_algorithmic), bytes_words(block.bytes_floor)))
      << '\n';
  for (const Figures& one : block.lines) {
    if (one.times) {
      grid.put(out, style, line_of(one, columns));
      continue;
    }
    out << fmt::format("{}{}, {}: ", indent, printable(one.record.engine), threads_words(one.record.threads))
        << painted(style, one.record.verdict == "unsupported" ? Colour::dim : Colour::red,
                   untimed(one.record))
        << '\n';
  }
}

/// What the lines under the tables explain.
struct Explained {
  std::set<std::string> dropped;  ///< columns
  std::set<std::string> heads;    ///< of the columns that are shown
  bool has_two_sides = false;     ///< some figure is two, as in `24/17 %`
};

/// Takes note of what there is to explain about the lines of a benchmark.
void look_at(const Benchmark& benchmark, const std::vector<TableColumn>& columns, Explained& explained) {
  for (const RowRecords& block : benchmark.blocks)
    for (const Figures& one : block.lines) {
      if (!one.times) continue;
      for (const TableColumn& column : columns) explained.heads.insert(column.head);
      for (const TableColumn& column : columns)
        explained.has_two_sides |=
            column.head != "call" && column.entry(one).text.find('/') != std::string::npos;
    }
}

/// Of columns that are shown.
void print_legend(std::ostream& out, const Explained& explained) {
  std::vector<std::string> shares;
  for (const char* head : {"of\nfloor", "of\ncopy"})
    if (explained.heads.contains(head)) shares.push_back(on_one_line(head));
  const bool has_peers =
      std::ranges::any_of(explained.heads, [](const std::string& head) { return head.starts_with("vs\n"); });
  if (!shares.empty() || has_peers) out << '\n';
  if (!shares.empty())
    out << fmt::format("{}: the time that memory needs at least, over the time taken\n",
                       fmt::join(shares, ", "));
  if (has_peers) out << "vs: times faster than that engine; below 1, slower\n";
}

void print_benchmark(std::ostream& out, const Style& style, const Benchmark& benchmark,
                     Explained& explained) {
  std::vector<TableColumn> columns = columns_for(benchmark);
  drop_what_does_not_fit(columns, benchmark, static_cast<std::size_t>(std::max(style.width, 0)),
                         explained.dropped);
  look_at(benchmark, columns, explained);
  const Grid grid = measured(benchmark, columns);
  out << '\n';
  for (const Line& head : heads_of(benchmark.name, columns)) grid.put(out, style, head);
  for (const RowRecords& block : benchmark.blocks) print_block(out, style, benchmark, block, columns, grid);
}

/// The worst of the native engines': the summary has all.
void print_skew(std::ostream& out, const Style& style, std::vector<Skew> skews) {
  skews = native_by_severity(std::move(skews));
  if (skews.empty()) return;
  out << '\n'
      << painted(style, Colour::bold, "skew: the worst distribution against the best, all else equal");
  if (skews.size() > shown_skews) out << fmt::format("; {} of {}", shown_skews, skews.size());
  out << '\n';
  skews.resize(std::min(skews.size(), shown_skews), skews.front());
  print_lines(out, style, skew_lines(skews));
}

bool any_unsure(const std::vector<Figures>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const Figures& one) { return one.times && !spec::is_steady(*one.times); });
}

}  // namespace

void print_timing_table(std::ostream& out, const Style& style, const spec::TimingRun& run) {
  const std::vector<Figures> all = figures_of(run);
  print_machine(out, style, run.machine);
  Explained explained;
  for (const Benchmark& benchmark : benchmarks_in(all)) print_benchmark(out, style, benchmark, explained);
  print_skew(out, style, skews_of(run));
  if (any_unsure(all))
    out << fmt::format("\n{} not significant: an interquartile range above 10 % of the median\n",
                       unsure_mark);
  print_legend(out, explained);
  if (explained.has_two_sides)
    out << "a/b: a by the minimum of the times, b by their median; one figure where both agree\n";
  if (!explained.dropped.empty())
    out << fmt::format("\ntoo narrow to show: {}\n", fmt::join(explained.dropped, ", "));
  out.flush();
}

}  // namespace scatterproof::reports
