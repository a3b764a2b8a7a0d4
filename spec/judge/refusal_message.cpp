// SPDX-License-Identifier: Apache-2.0
#include "refusal_message.hpp"

#include <algorithm>
#include <cctype>

namespace scatterproof::spec::judging {
namespace {

std::string_view trimmed(std::string_view line) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!line.empty() && blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && blank(line.back())) line.remove_suffix(1);
  return line;
}

std::string_view after_digits(std::string_view text) {
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  return text;
}

/// `core.cpp:117` at the end of a line, with nothing after it.
bool ends_in_a_location(std::string_view line) {
  const std::size_t dot = line.rfind('.');
  const std::size_t colon = dot == std::string_view::npos ? dot : line.find(':', dot);
  return colon != std::string_view::npos && colon + 1 < line.size() &&
         line.find(' ', dot) == std::string_view::npos && after_digits(line.substr(colon + 1)).empty();
}

/// `frame #0: ...`, `File "x.py", line 3, in f`, `0   paddle::...`, `at core.cpp:117`.
bool is_frame(std::string_view line) {
  const std::string_view behind = after_digits(line);
  const bool numbered = behind.size() < line.size() && behind.starts_with("  ");
  return numbered || line.starts_with("frame #") || line.starts_with("File \"") || ends_in_a_location(line);
}

bool is_banner(std::string_view line) {
  return std::ranges::none_of(line, [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; });
}

/// Whether the line says something itself; a colon at the end means that the next line does.
bool tells(std::string_view line) { return !line.ends_with(':') && !is_banner(line) && !is_frame(line); }

}  // namespace

std::string telling_line(std::string_view message) {
  std::string_view first;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = trimmed(message.substr(0, end));
    message.remove_prefix(std::min(end + 1, message.size()));
    if (tells(line)) return std::string(line);
    if (first.empty()) first = line;
  }
  return std::string(first);
}

}  // namespace scatterproof::spec::judging
