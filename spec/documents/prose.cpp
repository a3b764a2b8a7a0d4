// SPDX-License-Identifier: Apache-2.0
#include "prose.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "scatterproof/spec/core/text.hpp"

namespace scatterproof::spec {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

/// What a typographic character becomes; empty: it stays.
std::string_view in_ascii(std::uint32_t code) {
  static constexpr std::pair<std::uint32_t, std::string_view> characters[] = {
      {0x00A0, " "}, {0x2009, " "},  {0x200A, " "},  {0x202F, " "},  {0x2018, "'"},
      {0x2019, "'"}, {0x201C, "\""}, {0x201D, "\""}, {0x2010, "-"},  {0x2011, "-"},
      {0x2013, "-"}, {0x2014, "-"},  {0x2212, "-"},  {0x2026, "..."}};
  const auto* found = std::ranges::find(characters, code, &std::pair<std::uint32_t, std::string_view>::first);
  return found == std::end(characters) ? std::string_view{} : found->second;
}

/// Chinese, Japanese and Korean text: its words are not divided by blanks.
bool stands_alone(std::uint32_t code) { return code >= 0x2E80 && code < 0xFF00; }

constexpr std::array<std::uint32_t, 3> full_stops = {0x3002, 0xFF01, 0xFF1F};

/// Whether the word before a full stop is an abbreviation, so that the sentence goes on.
bool abbreviates(std::string_view so_far) {
  static constexpr std::string_view known[] = {"i.e", "e.g", "etc", "vs", "cf", "resp", "w.r.t", "Fig", "No"};
  const std::size_t blank = so_far.find_last_of(' ');
  std::string_view word = blank == so_far.npos ? so_far : so_far.substr(blank + 1);
  while (!word.empty() && (word.front() == '(' || word.front() == '"')) word.remove_prefix(1);
  return std::ranges::find(known, word) != std::end(known);
}

/// Takes the markup of reStructuredText and Markdown out of a folded text.
class Unmarked {
 public:
  explicit Unmarked(std::string text) : text_(std::move(text)) {}

  std::string take() {
    while (at_ < text_.size())
      if (!escape() && !role() && !quoted() && !emphasis() && !link()) made_ += text_[at_++];
    return folded(made_);
  }

 private:
  static constexpr std::size_t longest = 2000;  // bytes between two marks: a stray one costs no more

  char next(std::size_t ahead = 1) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : ' '; }
  std::size_t run(std::size_t at) const {
    const std::size_t end = text_.find_first_not_of(text_[at], at);
    return std::min(end, text_.size()) - at;
  }
  /// Where the mark stands again before which there is no blank; npos: nowhere near.
  std::size_t closing(std::string_view mark, std::size_t from) const {
    const std::string_view near = std::string_view(text_).substr(0, from + longest);
    std::size_t found = near.find(mark, from);
    while (found != near.npos && near[found - 1] == ' ') found = near.find(mark, found + 1);
    return found;
  }

  /// `\ ` joins the text around it; `\*` is a star.
  bool escape() {
    if (text_[at_] != '\\' || std::string_view(" *_\\|<>`").find(next()) == std::string_view::npos)
      return false;
    if (next() != ' ') made_ += next();
    at_ += 2;
    return true;
  }

  /// `:attr:` before a backquote.
  bool role() {
    if (text_[at_] != ':') return false;
    const std::size_t end = text_.find_first_not_of("abcdefghijklmnopqrstuvwxyz-:", at_ + 1);
    if (end == text_.npos || text_[end] != '`' || text_[end - 1] != ':' || end == at_ + 1) return false;
    at_ = end;
    return quoted() || (++at_, true);
  }

  /// `x`, ``x``, `~package.x`, `text <target>`_
  bool quoted() {
    if (text_[at_] != '`') return false;
    const std::size_t marks = run(at_);
    const std::size_t begin = at_ + marks;
    const std::size_t end = closing(text_.substr(at_, marks), begin);
    if (end == text_.npos) {
      at_ = begin;
      return true;
    }
    std::string_view inner = std::string_view(text_).substr(begin, end - begin);
    at_ = end + marks;
    const std::size_t target = inner.rfind(" <");
    if (marks == 1 && target != inner.npos && inner.back() == '>') {
      inner = inner.substr(0, target);
      while (at_ < text_.size() && text_[at_] == '_') ++at_;
    }
    if (marks == 1 && inner.starts_with('~')) inner.remove_prefix(1);
    made_ += inner;
    return true;
  }

  bool emphasis() {
    const bool opens = made_.empty() || made_.back() == ' ' || made_.back() == '(';
    if (text_[at_] != '*' || !opens) return false;
    const std::size_t marks = run(at_);
    const std::size_t begin = at_ + marks;
    if (marks > 2 || begin >= text_.size() || text_[begin] == ' ') return false;
    const std::size_t end = closing(text_.substr(at_, marks), begin);
    if (end == text_.npos || run(end) != marks) return false;
    const std::size_t after = end + marks;
    if (after < text_.size() && std::string_view(" .,;:)!?").find(text_[after]) == std::string_view::npos)
      return false;
    made_ += text_.substr(begin, end - begin);
    at_ = after;
    return true;
  }

  /// [text](https://...)
  bool link() {
    if (text_[at_] != '[') return false;
    const std::size_t middle = closing("](http", at_ + 1);
    if (middle == text_.npos || text_.find('[', at_ + 1) < middle) return false;
    const std::size_t end = closing(")", middle);
    if (end == text_.npos) return false;
    made_ += text_.substr(at_ + 1, middle - at_ - 1);
    at_ = end + 1;
    return true;
  }

  std::string text_;
  std::string made_;
  std::size_t at_ = 0;
};

}  // namespace

std::string folded(std::string_view text) {
  std::string made;
  bool blank = false;
  const auto add = [&](std::string_view piece) {
    if (piece.find_first_not_of(blanks) == piece.npos) {
      blank = true;
      return;
    }
    if (blank && !made.empty()) made += ' ';
    blank = false;
    made += piece;
  };
  while (!text.empty()) {
    const Decoded one = decode(text);
    const std::size_t bytes = std::max<std::size_t>(one.bytes, 1);
    const std::string_view ascii = one.bytes > 1 ? in_ascii(one.code) : std::string_view{};
    add(ascii.empty() ? text.substr(0, bytes) : ascii);
    text.remove_prefix(bytes);
  }
  return made;
}

std::string plain(std::string_view text) { return Unmarked(folded(text)).take(); }

std::vector<std::string> sentences(std::string_view text) {
  std::vector<std::string> found;
  std::size_t begin = 0;
  const auto cut = [&](std::size_t end) {
    if (std::string one = folded(text.substr(begin, end - begin)); !one.empty())
      found.push_back(std::move(one));
    begin = end;
  };
  for (std::size_t at = 0; at < text.size();) {
    const Decoded one = decode(text.substr(at));
    const std::size_t here = at;
    at += std::max<std::size_t>(one.bytes, 1);
    if (std::ranges::find(full_stops, one.code) != full_stops.end()) cut(at);
    if (std::string_view(".!?").find(text[here]) == std::string_view::npos) continue;
    std::size_t end = at;
    while (end < text.size() && std::string_view(")\"'").find(text[end]) != std::string_view::npos) ++end;
    const bool ends = end < text.size() && text[end] == ' ';
    if (ends && !abbreviates(text.substr(begin, here - begin))) cut(end);
  }
  cut(text.size());
  return found;
}

std::string first_words(std::string_view text) {
  constexpr int most = 3;
  std::string made;
  int words = 0;
  for (bool within = false; !text.empty();) {
    const Decoded one = decode(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(one.bytes, 1));
    text.remove_prefix(character.size());
    const bool alone = stands_alone(one.code);
    if (character == " ") {
      within = false;
      continue;
    }
    if (alone || !within) {
      if (++words > most) break;
      if (!made.empty() && !alone) made += ' ';
    }
    within = !alone;
    if (std::string_view("\"\\#").find(character) == std::string_view::npos) made += character;
  }
  return made.empty() ? "-" : made;
}

}  // namespace scatterproof::spec
