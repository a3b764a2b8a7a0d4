// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/yaml/quoted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace scatterproof::spec::yaml {

std::string quoted(const std::string& text) {
  static constexpr std::array<std::string_view, 12> reserved = {
      "true", "false", "null", "nan", "inf", "yes", "no", "on", "off", "y", "n", "none"};
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool word = !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) &&
                    std::ranges::all_of(text, plain) && std::ranges::find(reserved, lower) == reserved.end();
  if (word) return text;
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      made += '\\', made += c;
    else if (c == '\n')
      made += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      made += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      made += c;
  }
  return made + '"';
}

}  // namespace scatterproof::spec::yaml
