// SPDX-License-Identifier: Apache-2.0
#include "markdown/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text.hpp"

namespace scatterproof::reports {
namespace {

/// The longest run of backticks: a fence must be longer.
std::size_t backticks_in(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t at = 0, run = 0; at < text.size(); ++at) {
    run = text[at] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string on_a_line(std::string_view text, std::size_t longest) {
  std::string line = capped(printable(text), longest);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\t', ' ');
  return line;
}

std::string code_span(std::string_view raw, std::size_t longest) {
  const std::string text = on_a_line(raw, longest);
  if (text.empty()) return "` `";
  const std::string fence(backticks_in(text) + 1, '`');
  return text.starts_with('`') || text.ends_with('`') ? fence + ' ' + text + ' ' + fence
                                                      : fence + text + fence;
}

std::string code_block(std::string_view language, const std::string& text) {
  const std::string fence(std::max<std::size_t>(3, backticks_in(text) + 1), '`');
  return fmt::format("{}{}\n{}\n{}\n\n", fence, language, text, fence);
}

}  // namespace scatterproof::reports
