// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scatterproof::reports {

std::string capped(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  const std::size_t missing = text.size() - end;
  text.resize(end);
  return text + fmt::format("... ({} more bytes)", missing);
}

bool append_within(std::string& text, std::size_t limit, std::string_view piece) {
  if (text.size() + piece.size() > limit) return false;
  text += piece;
  return true;
}

std::string with_entities(std::string_view text, std::string_view which) {
  constexpr std::pair<char, std::string_view> entities[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},
                                                            {'"', "&quot;"}, {'\'', "&#39;"}, {'`', "&#96;"}};
  std::string out;
  for (const char c : text) {
    const auto entity = std::ranges::find(entities, c, &std::pair<char, std::string_view>::first);
    if (which.find(c) != std::string_view::npos && entity != std::end(entities))
      out += entity->second;
    else
      out += c;
  }
  return out;
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
    // Lines that fit, and all indentation, stay as they are: the author of a text has laid out its tensors.
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
    case spec::Verdict::disputed:
      return "the case and its spec contradict each other; this says nothing about an engine";
    case spec::Verdict::infra:
      break;
  }
  return "the test machinery failed; this says nothing about the API";
}

Standing standing(const spec::Record& record) {
  if (record.disposition == spec::Disposition::known) return Standing::known;
  if (record.disposition == spec::Disposition::flaky) return Standing::flaky;
  if (fails(record.disposition)) return Standing::failed;
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

std::string_view word(Standing standing) {
  switch (standing) {
    case Standing::passed:
      return "passed";
    case Standing::weak:
      return "weak";
    case Standing::failed:
      return "failed";
    case Standing::known:
      return "known";
    case Standing::flaky:
      return "flaky";
    case Standing::open:
      return "open";
    case Standing::unsupported:
      break;
  }
  return "unsupported";
}

std::string story_of(const spec::Record& record) { return with_causes(record.explanation, record.causes); }

std::string cause(const spec::Record& record) {
  if (record.explanation.empty()) return std::string(meaning(record.verdict));
  return record.explanation.substr(0, record.explanation.find('\n'));
}

}  // namespace scatterproof::reports
