// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "scatterproof/spec/core/text.hpp"

namespace scatterproof::spec {
namespace {

constexpr std::size_t widest_excerpt = 100;  // of a source line shown under an error
constexpr std::size_t longest_word = 200;    // in a message; it may quote any value the user wrote
constexpr std::size_t longest_message = 1000;

/// A message without what its values must not bring into it: raw bytes, and kilobytes.
std::string readable(std::string_view message) {
  const std::string text = hanging(message, 2);
  std::string shorter;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size() - 1) + 1;
    shorter += without_middle(std::string_view(text).substr(at, end - at), longest_word);
    at = end;
  }
  return without_middle(shorter, longest_message);
}

/// A source line fit for a terminal, with the caret's place unchanged: tabs, control bytes and bytes that are
/// not UTF-8 become spaces.
std::string same_columns(std::string line) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t bytes = decode(std::string_view(line).substr(at)).bytes;
    const auto lead = static_cast<unsigned char>(line[at]);
    if (bytes == 0 || lead < 0x20 || lead == 0x7f) line[at] = ' ';
    at += std::max<std::size_t>(bytes, 1);
  }
  return line;
}

/// The part of a long line around the column, and the caret below it.
std::string excerpt(const Error& error) {
  const auto column = static_cast<std::size_t>(std::max(error.at.column, 1)) - 1;
  std::string line = error.source_line;
  std::size_t caret = std::min(column, line.size());
  if (line.size() > widest_excerpt) {
    const std::size_t from = caret > widest_excerpt / 2 ? caret - widest_excerpt / 2 : 0;
    line = line.substr(from, widest_excerpt);
    caret -= from;
  }
  return fmt::format("  {}\n  {}^\n", same_columns(line), std::string(caret, ' '));
}

}  // namespace

std::string to_string(const Error& error) {
  std::string place = one_line(error.file);
  if (error.at.line > 0) place += fmt::format(":{}:{}", error.at.line, error.at.column);
  std::string text = fmt::format("{}{}error: {}\n", place, place.empty() ? "" : ": ", readable(error.what));
  if (!error.source_line.empty()) text += excerpt(error);
  if (!error.hint.empty()) text += fmt::format("  hint: {}\n", readable(error.hint));
  return text;
}

std::string to_string(const Errors& errors) {
  std::string text;
  for (const Error& error : errors) text += to_string(error);
  return text;
}

namespace {

/// Edits between two words: insertions, deletions, replacements and swaps of neighbours (optimal string
/// alignment, Boytsov 2011). A swap needs the row before the last, so three rows are kept.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last.back();
}

}  // namespace

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest_word = 64;  // longer ones are not typos
  if (word.empty() || word.size() > longest_word) return std::nullopt;
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_word) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) best_distance = distance, best = candidate;
  }
  return best;
}

std::string did_you_mean(const std::string& name) { return fmt::format("did you mean '{}'?", name); }

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const auto near = nearest(word, candidates);
  return near ? did_you_mean(*near) : otherwise;
}

}  // namespace scatterproof::spec
