// SPDX-License-Identifier: Apache-2.0
#include "text_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "scatterproof/spec/core/text.hpp"

namespace scatterproof::spec::yaml {
namespace {

/// What is wrong with a well-formed character; empty when it is allowed.
std::string refusal(std::uint32_t code) {
  if (code == 0) return "the file contains a NUL byte: it is not a text file";
  const bool control = (code < 0x20 && code != '\t' && code != '\n' && code != '\r') || code == 0x7F ||
                       (code >= 0x80 && code < 0xA0);
  if (control) return fmt::format("control character U+{:04X} is not allowed", code);
  if (code == 0xFEFF) return "a byte order mark (U+FEFF) may stand at the start of the file only";
  if (code == 0x2028 || code == 0x2029 || code == 0xFFFE || code == 0xFFFF)
    return fmt::format("character U+{:04X} is not allowed", code);
  return {};
}

class TextCheck {
 public:
  TextCheck(std::string_view text, const TextLimits& limits) : text_(text), limits_(limits) {}

  std::optional<TextError> run() {
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
      return TextError{{1, 1}, "the file is UTF-16", "save it as UTF-8"};
    while (at_ < text_.size()) {
      if (at_ == line_start_)
        if (auto complaint = line_begins()) return complaint;
      if (auto complaint = character()) return complaint;
    }
    return std::nullopt;
  }

 private:
  TextError here(std::string what, std::string hint = {}) const {
    return {{line_, static_cast<int>(at_ - line_start_) + 1}, std::move(what), std::move(hint)};
  }

  std::optional<TextError> line_begins() const {
    const std::size_t content = text_.find_first_not_of(" \t", line_start_);
    if (content == std::string_view::npos || text_[content] == '\n' || text_[content] == '\r')
      return std::nullopt;
    const std::size_t tab = text_.substr(0, content).find('\t', line_start_);
    if (tab != std::string_view::npos)
      return TextError{{line_, static_cast<int>(tab - line_start_) + 1},
                       "a tab is used as indentation",
                       "indent with spaces"};
    return std::nullopt;
  }

  std::optional<TextError> character() {
    const auto [code, length] = decode(text_.substr(at_));
    if (length == 0)
      return here(
          fmt::format("the file is not UTF-8 here (byte 0x{:02x})", static_cast<unsigned char>(text_[at_])),
          "save it as UTF-8");
    if (std::string what = refusal(code); !what.empty()) return here(std::move(what));
    if (code == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n'))
      return here("a carriage return without a line feed", "end lines with LF (or CR LF)");
    if (auto complaint = structure(text_[at_])) return complaint;
    at_ += length;
    if (code == '\n') line_start_ = at_, ++line_;
    return std::nullopt;
  }

  std::optional<TextError> structure(char c) {
    const bool opens = c == '[' || c == '{';
    if (!opens && c != ' ' && c != '\n' && c != '\r') openers_ = 0;
    if (opens && ++openers_ > limits_.depth) return here(too_deep(limits_));
    if ((opens || c == ',' || c == ':' || c == '?') && ++marks_ > most_marks())
      return here(fmt::format("more than {} of the characters [ {{ , : ?: more values than a file may have",
                              most_marks()),
                  "split the file");
    return std::nullopt;
  }

  /// A file within the scalar limit has at most about two of these per scalar; the rest allows for prose.
  std::size_t most_marks() const { return 4 * limits_.scalars; }

  std::string_view text_;
  const TextLimits& limits_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
  std::size_t marks_ = 0;
  std::size_t openers_ = 0;  // in a row
};

}  // namespace

std::string too_deep(const TextLimits& limits) {
  return fmt::format("lists and maps are nested deeper than {} levels", limits.depth);
}

std::optional<TextError> check_text(std::string_view text, const TextLimits& limits) {
  return TextCheck(text, limits).run();
}

std::string_view line_of(std::string_view text, int line) {
  for (int skipped = 1; skipped < line; ++skipped) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  if (line < 1) return {};
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string shown(std::string_view text, std::size_t longest) {
  std::string result;
  while (!text.empty() && result.size() < longest) {
    const std::size_t length = std::max<std::size_t>(decode(text).bytes, 1);
    const char c = text.front();
    result += c == '\n' ? "\\n" : c == '\t' ? "\\t" : printable(text.substr(0, length));
    text.remove_prefix(length);
  }
  return text.empty() ? result : result + "...";
}

}  // namespace scatterproof::spec::yaml
