// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace scatterproof::reports {

std::string painted(const Style& style, Colour colour, std::string_view text) {
  if (!style.colour || colour == Colour::plain || text.empty()) return std::string(text);
  constexpr std::string_view codes[] = {"0", "1", "2", "31", "32", "33"};
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(colour)], text);
}

std::size_t Page::columns_from(std::size_t indent) const {
  const auto width = static_cast<std::size_t>(std::max(style.width, 0));
  return std::max<std::size_t>(width, indent + 20) - indent;
}

void Page::put_hanging(std::string_view text, std::size_t indent, Colour colour) const {
  std::string before;
  for (const std::string& line : wrapped(text, columns_from(indent))) {
    out << before << painted(style, colour, line) << '\n';
    before = std::string(indent, ' ');
  }
}

void Page::put_note(std::string_view text) const {
  std::string before;
  for (const std::string& line : wrapped(text, columns_from(2))) {
    out << before << painted(style, Colour::dim, line) << '\n';
    before = "  ";
  }
}

}  // namespace scatterproof::reports
