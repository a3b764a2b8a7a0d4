// SPDX-License-Identifier: Apache-2.0
// What a pull request's comment shows: the verdict first, then the machine, each engine's best and worst,
// plots, and the table, as far as there is room.
#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "columns.hpp"
#include "highlights.hpp"
#include "text.hpp"
#include "words.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t most_bytes = 60000;  // a comment on GitHub holds 65,536, and its sender adds a word
constexpr std::size_t longest_cell = 160;
constexpr std::size_t most_wrong = 40;
constexpr std::size_t most_skews = 12;
constexpr std::size_t most_plots = 60;

/// Text from anywhere as it is, on one line, in a table's cell too.
std::string literal(const std::string& raw) {
  std::string out = "`";
  for (const char c : capped(printable(raw), longest_cell)) {
    if (c == '|')
      out += "\\|";
    else
      out += c == '`' ? '\'' : c == '\n' || c == '\t' ? ' ' : c;
  }
  return out == "`" ? "" : out + "`";
}

/// Words that are ours except for a name in them.
std::string in_a_cell(const std::string& words) {
  std::string out;
  for (const char c : words) out += c == '|' ? "\\|" : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

/// Text for where nothing can be quoted: what Markdown might read as a mark becomes a space.
std::string without_marks(std::string text) {
  for (char& c : text)
    if (std::string_view("[]()<>!`*_\\#|\n\t").find(c) != std::string_view::npos) c = ' ';
  return printable(text);
}

std::string row_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

/// The line below a table's head: the first `left` columns to the left, numbers to the right.
std::string rule(std::size_t left, std::size_t columns) {
  std::string line = "|";
  for (std::size_t i = 0; i < columns; ++i) line += i < left ? "---|" : "--:|";
  return line + "\n";
}

std::string table_of(const std::vector<Line>& lines, std::size_t left) {
  std::string text;
  for (const Line& line : lines) {
    std::vector<std::string> cells;
    for (const TableEntry& entry : line) cells.push_back(in_a_cell(entry.text));
    text += row_of(cells);
    if (&line == &lines.front()) text += rule(left, cells.size());
  }
  return text;
}

std::string verdict(const std::vector<Figures>& all, const std::vector<Highlights>& engines) {
  const auto wrong =
      std::count_if(all.begin(), all.end(), [](const Figures& f) { return is_wrong(f.record); });
  const auto timed =
      std::count_if(all.begin(), all.end(), [](const Figures& f) { return f.times.has_value(); });
  const auto weak =
      std::count_if(all.begin(), all.end(), [](const Figures& f) { return f.record.verdict == "weak"; });
  std::string text = wrong > 0
                         ? fmt::format("**Wrong, and so not timed: {} of {} results.**\n", wrong, all.size())
                     : timed > 0 ? fmt::format("**All {} timed results were judged right first.**\n", timed)
                                 : std::string("**Nothing was timed.**\n");
  if (weak > 0) text += fmt::format("{} of the calls prove little: their verdict is weak.\n", weak);
  for (const Highlights& engine : engines)
    text += fmt::format("- {}: {}\n", literal(engine.engine), in_a_sentence(engine));
  return text + "\n";
}

std::string machine(const spec::MachineRecord& record) {
  std::string text =
      fmt::format("## Machine\n\n{}, {} cores, {} last-level cache; {}\n\n", literal(record.cpu),
                  record.cores, size_words(static_cast<double>(record.cache_bytes)), literal(record.when));
  text += table_of(machine_lines(record), 0) + "\n";
  std::vector<std::string> versions;
  for (const auto& [name, version] : record.versions) versions.push_back(literal(name + " " + version));
  return text + fmt::format("{}\n\n", fmt::join(versions, ", "));
}

std::string where(const Extreme& extreme, const std::string& words) {
  if (extreme.row.empty()) return words;
  return fmt::format("{} {}, {}", words, literal(extreme.row), threads_words(extreme.threads));
}

std::string best_and_worst(const std::vector<Highlights>& engines) {
  std::string text =
      "## Best and worst\n\nOf the figures that are facts: significant, and the minimum not far from the "
      "median.\n\n";
  text += row_of({"engine", "measure", "best", "median", "worst", "facts"}) + rule(3, 6);
  for (const Highlights& engine : engines)
    for (const RatioSummary& measure : engine.measures) {
      const std::string counted = fmt::format("{} of {}", measure.facts, measure.all);
      if (measure.facts == 0) {
        text += row_of({literal(engine.engine), measure.name, "", "", "", counted});
        continue;
      }
      text += row_of({literal(engine.engine), measure.name,
                      where(measure.best, measure.words(measure.best.value)), measure.words(measure.median),
                      where(measure.worst, measure.words(measure.worst.value)), counted});
    }
  return text + "\n";
}

std::string wrong_results(const std::vector<Figures>& all) {
  std::string text;
  std::size_t found = 0;
  for (const Figures& one : all) {
    if (!is_wrong(one.record) || ++found > most_wrong) continue;
    text += row_of({literal(one.record.row), literal(one.record.engine), std::to_string(one.record.threads),
                    literal(untimed(one.record))});
  }
  if (found == 0) return "";
  if (found > most_wrong) text += fmt::format("\n{} more.\n", found - most_wrong);
  return "## Wrong results\n\n" + row_of({"row", "engine", "threads", "verdict"}) + rule(4, 4) + text + "\n";
}

std::string skew(const spec::TimingRun& run) {
  const std::vector<Skew> skews = native_by_severity(skews_of(run));
  if (skews.empty()) return "";
  std::vector<Line> lines = skew_lines(skews);
  lines.resize(std::min(lines.size(), most_skews + 1));
  std::string text = "## Skew\n\nThe worst distribution of the index against the best, all else equal.\n\n";
  text += table_of(lines, 1) + "\n";
  if (skews.size() > most_skews) text += fmt::format("{} more, less severe.\n\n", skews.size() - most_skews);
  return text;
}

std::string pictures(const std::vector<Plot>& plots) {
  if (plots.empty()) return "";
  std::string text = "## Plots\n\n";
  for (std::size_t i = 0; i < std::min(plots.size(), most_plots); ++i)
    text += fmt::format("![{}]({})\n", without_marks(plots[i].title), plots[i].file);
  if (plots.size() > most_plots)
    text += fmt::format("\n{} more next to this file.\n", plots.size() - most_plots);
  return text + "\n";
}

/// The rows' table, as much of it as there is room for.
class RowTables {
 public:
  RowTables(const std::vector<Figures>& all, std::size_t room) : room_(room) {
    // Peers' times are in the ratios; a run of nothing but peers shows their lines.
    only_native_ =
        std::any_of(all.begin(), all.end(), [](const Figures& f) { return !is_peer(f.record.engine); });
    for (const Benchmark& benchmark : benchmarks_in(all)) add(benchmark);
  }
  std::string text() const {
    std::string text = "## Rows\n\n" + text_;
    text += fmt::format("{} not significant: an interquartile range above 10 % of the median.", unsure_mark);
    if (left_out_ > 0) text += fmt::format(" {} more lines are left out for lack of room.", left_out_);
    return text + "\n";
  }

 private:
  void add(const Benchmark& benchmark) {
    const std::vector<TableColumn> columns = columns_for(benchmark);
    std::vector<std::string> head = {"row", "engine"};
    for (const TableColumn& column : columns) head.push_back(on_one_line(column.head));
    head.insert(head.end(), {"bytes_algorithmic", "bytes_floor"});
    std::string text = fmt::format("<details><summary>{}</summary>\n\n", without_marks(benchmark.name));
    text += row_of(head) + rule(2, head.size());
    const std::string end = "\n</details>\n\n";
    std::size_t lines = 0;
    for (const RowRecords& block : benchmark.blocks)
      for (const Figures& one : block.lines) {
        if (!one.times || (only_native_ && is_peer(one.record.engine))) continue;
        const std::string line = line_of(benchmark, block, one, columns);
        // Once one has no room the rest has none: what is left out is the end.
        const bool fits = left_out_ == 0 && text_.size() + text.size() + line.size() + end.size() < room_;
        text += fits ? line : "";
        left_out_ += fits ? 0 : 1;
        lines += fits ? 1 : 0;
      }
    if (lines > 0) text_ += text + end;
  }

  static std::string line_of(const Benchmark& benchmark, const RowRecords& block, const Figures& one,
                             const std::vector<TableColumn>& columns) {
    std::vector<std::string> cells = {
        literal(short_row(benchmark, block) + (block.in_place ? "" : ", out of place")),
        literal(one.record.engine)};
    for (const TableColumn& column : columns) {
      const TableEntry entry = column.entry(one);
      cells.push_back(column.head == "call" ? literal(entry.text) : entry.text);
    }
    cells.push_back(bytes_words(block.bytes_algorithmic));
    cells.push_back(bytes_words(block.bytes_floor));
    return row_of(cells);
  }

  std::size_t room_;
  bool only_native_ = false;
  std::size_t left_out_ = 0;
  std::string text_;
};

}  // namespace

std::string summary(const spec::TimingRun& run, const std::vector<Figures>& all,
                    const std::vector<Plot>& plots) {
  const std::vector<Highlights> engines = highlights_of(run, all);
  std::string text = "# Benchmark\n\n" + verdict(all, engines) + machine(run.machine);
  if (!engines.empty()) text += best_and_worst(engines);
  text += wrong_results(all) + pictures(plots) + skew(run);
  constexpr std::size_t last_words = 200;
  return text + RowTables(all, most_bytes - std::min(most_bytes, text.size() + last_words)).text();
}

}  // namespace scatterproof::reports
