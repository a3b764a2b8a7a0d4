// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace scatterproof::spec {
namespace {

/// Code points that are invisible or change the text's direction: Unicode's General_Category Cf except the
/// soft hyphen and the marks of single scripts, and its line and paragraph separators.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 7> unseen = {{{0x061c, 0x061c},
                                                                            {0x180e, 0x180e},
                                                                            {0x200b, 0x200f},
                                                                            {0x2028, 0x202e},
                                                                            {0x2060, 0x206f},
                                                                            {0xfeff, 0xfeff},
                                                                            {0xe0000, 0xe007f}}};

bool needs_escape(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  const bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const bool non_character = (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
  return control || non_character || std::ranges::any_of(unseen, [code](const auto& range) {
           return range.first <= code && code <= range.second;
         });
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a CI system takes what begins here for a command: `##[error]` of GitHub and Azure, `##vso[` and
/// `##teamcity[` anywhere in a line; `::error::` of GitHub where nothing but blanks stands before it.
bool begins_command(std::string_view rest, char before) {
  if (rest.starts_with("##")) {
    const std::size_t word = std::ranges::find_if_not(rest.substr(2), is_letter) - rest.begin();
    return word < rest.size() && rest[word] == '[';
  }
  const bool after_blank = before == ' ' || before == '\t' || before == '\n';
  return after_blank && rest.starts_with("::") && rest.size() > 2 && is_letter(rest[2]);
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues_character(text[i])) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest[bytes] || code > 0x10ffff || surrogate) return {};
  return {code, bytes};
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char before = '\n'; !text.empty();) {
    const Decoded one = decode(text);
    if (one.bytes == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (!needs_escape(one.code) && !begins_command(text, before)) {
      out += text.substr(0, one.bytes);
    } else {
      out += one.code < 0x80 ? fmt::format("\\x{:02x}", one.code) : fmt::format("\\u{:04x}", one.code);
    }
    before = text[0];
    text.remove_prefix(std::max<std::size_t>(one.bytes, 1));
  }
  return out;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else
      out += c;
  }
  return out;
}

std::string hanging(std::string_view text, std::size_t indent) {
  std::string out;
  for (const char c : printable(text)) {
    out += c;
    if (c == '\n') out.append(indent, ' ');
  }
  return out;
}

std::string without_middle(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  std::size_t head = 2 * longest / 3, tail = text.size() - (longest - head);
  while (head > 0 && continues_character(text[head])) --head;
  while (tail < text.size() && continues_character(text[tail])) ++tail;
  return fmt::format("{}...{}", text.substr(0, head), text.substr(tail));
}

}  // namespace scatterproof::spec
