// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace scatterproof::reports {
namespace {

constexpr std::string_view gap = "  ";

/// A cell's words with their colours: `12 · 1 weak · 2 failed`.
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
  if (!tally) return {painted(style, Colour::dim, "-"), 1};
  Cell cell;
  for (const Part& part : parts_of(*tally)) {
    if (cell.width > 0) {
      cell.text += painted(style, Colour::dim, " · ");
      cell.width += 3;
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

void print_block(std::ostream& out, const Style& style, const Column& names,
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

std::string painted(const Style& style, Colour colour, std::string_view text) {
  if (!style.colour || colour == Colour::plain || text.empty()) return std::string(text);
  constexpr std::string_view codes[] = {"0", "1", "2", "31", "32", "33"};
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(colour)], text);
}

void Matrix::count(const spec::Record& record) {
  if (std::find(engines_.begin(), engines_.end(), record.engine) == engines_.end())
    engines_.push_back(record.engine);
  rows_[record.api][record.engine][standing(record)] += record.count;
}

void Matrix::print(std::ostream& out, const Style& style) const {
  Column names;
  for (const auto& [api, row] : rows_) {
    const std::string name = printable(api);
    names.cells.push_back({name, width_of(name)});
    names.width = std::max(names.width, names.cells.back().width);
  }
  std::vector<Column> columns;
  for (const std::string& engine : engines_) {
    Column column{printable(engine), {}, 0};
    column.width = width_of(column.head);
    for (const auto& [api, row] : rows_) {
      const auto tally = row.find(engine);
      column.cells.push_back(cell_of(tally == row.end() ? nullptr : &tally->second, style));
      column.width = std::max(column.width, column.cells.back().width);
    }
    columns.push_back(std::move(column));
  }
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t end = first;
    std::size_t width = names.width;
    do {  // one at least, however narrow the terminal
      width += gap.size() + columns[end++].width;
    } while (end < columns.size() &&
             width + gap.size() + columns[end].width <= static_cast<std::size_t>(std::max(style.width, 0)));
    if (first > 0) out << '\n';
    print_block(out, style, names, std::span(columns).subspan(first, end - first));
    first = end;
  }
}

}  // namespace scatterproof::reports
