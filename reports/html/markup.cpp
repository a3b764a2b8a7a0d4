// SPDX-License-Identifier: Apache-2.0
#include "html/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "text.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t longest_anchor = 160;  // bytes, without the hash

/// FNV-1a: names of places stay the same from run to run.
std::uint64_t hash_of_name(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string html_text(std::string_view raw, std::size_t longest) {
  return with_entities(capped(printable(raw), longest), "&<>\"'");
}

std::string html_name(std::string_view raw) { return "<code>" + html_text(raw) + "</code>"; }

std::string html_anchor(std::string_view raw) {
  std::string out;
  for (const char c : raw) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '-' || c == '/';
    out += plain ? std::string(1, c) : fmt::format("~{:02x}", static_cast<unsigned char>(c));
    if (out.size() > longest_anchor) return fmt::format("{}~{:016x}", out, hash_of_name(raw));
  }
  return out;
}

std::string html_file(std::string_view raw) {
  std::string name = html_anchor(raw);
  std::ranges::replace(name, '/', '~');
  return name;
}

}  // namespace scatterproof::reports
