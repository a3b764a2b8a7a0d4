// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace scatterproof::reports {
namespace {

struct Decoded {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8 here
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < smallest[bytes] || code > 0x10ffff || surrogate) return {};
  return {code, bytes};
}

bool needs_escape(std::uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  const bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool line_break = code == 0x2028 || code == 0x2029;
  return control || direction || line_break || (code & 0xfffe) == 0xfffe;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded one = decode(text);
    if (one.bytes == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (!needs_escape(one.code)) {
      out += text.substr(0, one.bytes);
    } else {
      out += one.code < 0x80 ? fmt::format("\\x{:02x}", one.code) : fmt::format("\\u{:04x}", one.code);
    }
    text.remove_prefix(std::max<std::size_t>(one.bytes, 1));
  }
  return out;
}

std::string capped(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  const std::size_t missing = text.size() - end;
  text.resize(end);
  return text + fmt::format("... ({} more bytes)", missing);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  constexpr std::string_view dots = "...";
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size(); ++end) {
    const bool begins_character = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (begins_character && columns++ + dots.size() >= width) break;
  }
  return std::string(text.substr(0, end)) + std::string(dots);
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t newline = std::min(text.find('\n', begin), text.size());
    const std::string_view paragraph = text.substr(begin, newline - begin);
    begin = newline + 1;
    // Lines that fit, and all indentation, stay as they are: tensors are laid out by whoever wrote them.
    std::string line;
    bool words = false;
    for (std::size_t at = 0; at < paragraph.size();) {
      const std::size_t word = std::min(paragraph.find_first_not_of(' ', at), paragraph.size());
      const std::size_t end = std::min(paragraph.find(' ', word), paragraph.size());
      if (words && width_of(line) + width_of(paragraph.substr(at, end - at)) > width) {
        lines.push_back(std::move(line));
        line.clear();
        at = word;
      }
      line += paragraph.substr(at, end - at);
      words = true;
      at = end;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string_view meaning(spec::Verdict verdict) {
  switch (verdict) {
    case spec::Verdict::pass:
      return "allowed by the document";
    case spec::Verdict::weak:
      return "vacuous pass: allowed, but the call proves little";
    case spec::Verdict::mismatch:
      return "result not allowed by the document";
    case spec::Verdict::wrong_error:
      return "refused as required, but not with the promised error";
    case spec::Verdict::missing_error:
      return "result where the document requires an error";
    case spec::Verdict::unexpected_error:
      return "error where the document defines a result";
    case spec::Verdict::crash:
      return "the engine's process died";
    case spec::Verdict::timeout:
      return "no answer in time";
    case spec::Verdict::unsupported:
      return "not offered by the engine";
    case spec::Verdict::open:
      return "not judged: the document leaves the result open";
    case spec::Verdict::infra:
      break;
  }
  return "the test machinery failed; this says nothing about the API";
}

Standing standing(const spec::Record& record) {
  if (record.disposition == spec::Disposition::known) return Standing::known;
  if (record.disposition == spec::Disposition::unexpected) return Standing::failed;
  switch (record.verdict) {
    case spec::Verdict::pass:
      return Standing::passed;
    case spec::Verdict::weak:
      return Standing::weak;
    case spec::Verdict::open:
      return Standing::open;
    case spec::Verdict::unsupported:
      return Standing::unsupported;
    default:
      return Standing::failed;
  }
}

std::string cause(const spec::Record& record) {
  if (record.explanation.empty()) return std::string(meaning(record.verdict));
  return record.explanation.substr(0, record.explanation.find('\n'));
}

}  // namespace scatterproof::reports
