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

std::string html_to_copy(const std::string& text, std::size_t longest) {
  if (text.size() > longest) return fmt::format("<pre>{}</pre>\n", html_text(text, longest));
  return fmt::format("<div class=\"copy\"><pre>{}</pre></div>\n", html_text(text, longest));
}

std::string html_table(std::string_view label, std::string_view classes,
                       const std::vector<std::string>& heads, std::string_view rows) {
  std::string text = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table{}>\n<thead><tr>",
      html_text(label), classes.empty() ? "" : fmt::format(" class=\"{}\"", classes));
  for (const std::string& head : heads) text += fmt::format("<th scope=\"col\">{}</th>", html_text(head));
  return text + fmt::format("</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n", rows);
}

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
