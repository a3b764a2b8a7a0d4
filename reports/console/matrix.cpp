// SPDX-License-Identifier: Apache-2.0
#include "matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace scatterproof::reports {
namespace {

constexpr std::string_view gap = "  ";

/// Half a screen. A longer matrix folds rows that are the same on every engine, and columns of nothing but
/// passes. If that is not enough, only the worst rows stay.
constexpr std::size_t most_lines = 20;
constexpr std::size_t worst_rows = 6;

/// A cell's words with their colours: `12, 1 weak, 2 failed`.
struct Part {
  std::string text;
  Colour colour;
};

std::vector<Part> parts_of(const Tally& tally) {
  const auto count = [&](Standing standing) {
    const auto found = tally.find(standing);
    return found == tally.end() ? std::size_t{0} : found->second;
  };
  const std::size_t passed = count(Standing::passed);
  const std::size_t failed = count(Standing::failed);
  std::vector<Part> parts;
  if (passed > 0) parts.push_back({fmt::format("{}", passed), failed > 0 ? Colour::plain : Colour::green});
  const auto add = [&](Standing standing, const char* word, Colour colour) {
    if (count(standing) > 0) parts.push_back({fmt::format("{} {}", count(standing), word), colour});
  };
  add(Standing::weak, "weak", Colour::yellow);
  add(Standing::failed, "failed", Colour::red);
  add(Standing::flaky, "flaky", Colour::yellow);
  add(Standing::known, "known", Colour::yellow);
  if (!parts.empty()) return parts;  // what was not judged is counted below the table
  add(Standing::open, "open", Colour::dim);
  add(Standing::unsupported, "unsupported", Colour::dim);
  return parts;
}

struct Cell {
  std::string text;  ///< painted
  std::size_t width = 0;
};

Cell cell_of(const Tally* tally, const Style& style) {
  Cell cell;
  if (!tally) return cell;
  for (const Part& part : parts_of(*tally)) {
    if (cell.width > 0) {
      cell.text += ", ";
      cell.width += 2;
    }
    cell.text += painted(style, part.colour, part.text);
    cell.width += width_of(part.text);
  }
  return cell;
}

struct Column {
  std::string head;
  std::vector<Cell> cells;  ///< one a row
  std::size_t width = 0;
};

std::string pad(std::size_t width, std::size_t used) {
  return std::string(width > used ? width - used : 0, ' ');
}

void print_columns(std::ostream& out, const Style& style, const Column& names,
                   std::span<const Column> columns) {
  const auto line = [&](const std::string& name, std::size_t name_width, auto cell_at) {
    std::string text = name + pad(names.width, name_width);
    for (const Column& column : columns) {
      const Cell cell = cell_at(column);
      text += std::string(gap) + cell.text + pad(column.width, cell.width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  };
  line("", 0, [&](const Column& column) {
    return Cell{painted(style, Colour::bold, column.head), width_of(column.head)};
  });
  for (std::size_t row = 0; row < names.cells.size(); ++row)
    line(names.cells[row].text, names.cells[row].width,
         [&](const Column& column) { return column.cells[row]; });
}

}  // namespace

void Matrix::order(const std::vector<spec::EngineSummary>& engines) {
  for (const spec::EngineSummary& engine : engines) engines_.push_back(engine.name);
}

void Matrix::count(const spec::Record& record) {
  if (std::ranges::find(engines_, record.engine) == engines_.end()) engines_.push_back(record.engine);
  cells_[record.api][record.engine][standing(record)] += record.count;
}

void Matrix::print(const Page& page) const {
  std::vector<std::string> judged;
  std::ranges::copy_if(engines_, std::back_inserter(judged), [&](const std::string& engine) {
    return std::ranges::any_of(cells_, [&](const auto& row) { return row.second.contains(engine); });
  });
  FoldedColumns columns = page.verbose() ? FoldedColumns{judged, {}} : fold_columns(cells_, judged);
  std::vector<Block> blocks = blocks_of(cells_, columns.engines);
  if (!page.verbose() && lines_of(blocks) > most_lines) {
    fold_passes(cells_, columns);
    blocks = blocks_of(cells_, columns.engines);
    if (const std::vector<std::string> alike = fold_rows(cells_, blocks); !alike.empty())
      columns.notes.push_back(
          judged.size() == 1
              ? fmt::format("{}: no failures", blocks.empty()
                                                   ? counted(alike.size(), "API", "APIs")
                                                   : counted(alike.size(), "other API", "other APIs"))
              : fmt::format("no failures, same verdicts on every engine: {}", fmt::join(alike, ", ")));
    if (lines_of(blocks) > most_lines)
      if (const std::size_t more = keep_worst_rows(cells_, worst_rows, blocks); more > 0)
        columns.notes.insert(columns.notes.begin(),
                             fmt::format("and {} (-v: each)", counted(more, "more API", "more APIs")));
  }
  for (const Block& block : blocks) {
    if (&block != &blocks.front()) page.out << '\n';
    print_block(page, block);
  }
  for (const std::string& note : columns.notes) page.put_note(one_line(note));
}

void Matrix::print_block(const Page& page, const Block& block) const {
  Column names;
  for (const std::string& api : block.apis) {
    const std::string name = one_line(api);
    names.cells.push_back({name, width_of(name)});
    names.width = std::max(names.width, names.cells.back().width);
  }
  std::vector<Column> columns;
  for (const std::string& engine : block.engines) {
    Column column{one_line(engine), {}, 0};
    column.width = width_of(column.head);
    for (const std::string& api : block.apis) {
      const auto& row = cells_.at(api);
      const auto tally = row.find(engine);
      column.cells.push_back(cell_of(tally == row.end() ? nullptr : &tally->second, page.style));
      column.width = std::max(column.width, column.cells.back().width);
    }
    columns.push_back(std::move(column));
  }
  const auto width = static_cast<std::size_t>(std::max(page.style.width, 0));
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t end = first;
    std::size_t used = names.width;
    do {  // one at least, however narrow the terminal
      used += gap.size() + columns[end++].width;
    } while (end < columns.size() && used + gap.size() + columns[end].width <= width);
    if (first > 0) page.out << '\n';
    print_columns(page.out, page.style, names, std::span(columns).subspan(first, end - first));
    first = end;
  }
}

}  // namespace scatterproof::reports
