// SPDX-License-Identifier: Apache-2.0
#include "blocks.hpp"

#include <algorithm>
#include <cctype>

namespace scatterproof::spec {
namespace {

struct Line {
  std::size_t indent = 0;
  std::string_view text;  ///< without blanks at its ends
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t first = std::min(line.find_first_not_of(" \t\r"), line.size());
    const std::size_t last = line.find_last_not_of(" \t\r") + 1;
    lines.push_back({first, first < last ? line.substr(first, last - first) : std::string_view{}});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool consists_of(std::string_view line, std::string_view characters) {
  return !line.empty() && line.find_first_not_of(characters) == line.npos;
}

bool is_underline(std::string_view line) {
  return line.size() >= 3 && std::string_view("=-~^").find(line[0]) != line.npos &&
         consists_of(line, line.substr(0, 1));
}

/// `Args:`, `Example 1:`, `Keyword arguments::`.
bool is_colon_heading(std::string_view line) {
  static constexpr std::string_view first_words[] = {
      "Args",   "Arguments", "Attributes", "Example",   "Examples",   "Keyword",
      "Note",   "Notes",     "Outputs",    "Inputs",    "Parameters", "Raises",
      "Return", "Returns",   "Shapes",     "Supported", "Warning"};
  const std::string_view words = line.substr(0, line.find(':'));
  const std::string_view first = words.substr(0, words.find(' '));
  return std::ranges::find(first_words, first) != std::end(first_words) &&
         std::ranges::count(words, ' ') < 2 && consists_of(line.substr(words.size()), ":");
}

bool is_bold_heading(std::string_view line) {
  return line.size() > 4 && line.starts_with("**") && line.ends_with("**") &&
         line.substr(2, line.size() - 4).find('*') == line.npos;
}

/// How much of the line marks an item of a list: `- `, `* `, a dot, `1. `, `2) `; 0: it is none.
std::size_t marker(std::string_view line) {
  static constexpr std::string_view dot = "\u2022 ";
  if (line.starts_with(dot)) return dot.size();
  std::size_t end = 0;
  while (end < line.size() && is_digit(line[end])) ++end;
  const bool counted = end > 0 && end < line.size() && (line[end] == '.' || line[end] == ')');
  const bool bullet = end == 0 && !line.empty() && std::string_view("-*+").find(line[0]) != line.npos;
  if ((counted || bullet) && end + 1 < line.size() && line[end + 1] == ' ') return end + 2;
  return 0;
}

/// `:noindex:`, `:alt: a picture`, below a directive.
bool is_option(std::string_view line) {
  const std::size_t end = line.starts_with(':') ? line.find(':', 1) : line.npos;
  return end != line.npos && end > 1 && line.substr(0, end).find_first_of(" `") == line.npos;
}

/// Sections whose lines at the least indentation each begin an entry: `dim (int): ...`, `arr : ndarray`.
bool holds_entries(std::string_view section) {
  static constexpr std::string_view known[] = {"Args",       "Arguments", "Keyword args", "Keyword arguments",
                                               "Parameters", "Returns",   "Raises",       "Yields",
                                               "See Also",   "Attributes"};
  return std::ranges::find(known, section) != std::end(known);
}

class Cutter {
 public:
  explicit Cutter(std::string_view text) : lines_(lines_of(text)) {}

  std::vector<TextBlock> run() {
    while (at_ < lines_.size()) {
      const Line& line = lines_[at_];
      if (line.text.empty()) {
        close();
        ++at_;
      } else if (!fence() && !literal() && !doctest() && !row() && !heading() && !directive()) {
        prose();
      }
    }
    close();
    return std::move(found_);
  }

 private:
  const Line& line() const { return lines_[at_]; }
  std::string_view following() const {
    return at_ + 1 < lines_.size() ? lines_[at_ + 1].text : std::string_view{};
  }

  void add(TextBlock::Kind kind, std::size_t from, std::string text) {
    if (text.find_first_not_of(" \n") == text.npos) return;
    found_.push_back({kind, static_cast<int>(from) + 1, section_, std::move(text)});
  }

  /// Ends the paragraph. One that ends in `::` announces a printed block, `:` before deeper lines likewise.
  void close() {
    if (open_.empty()) return;
    announced_ = open_.back() == ':' && (open_.ends_with("::") || !holds_entries(section_));
    announced_by_ = indent_;
    if (open_.ends_with("::")) open_.pop_back();
    add(TextBlock::Kind::paragraph, began_, std::move(open_));
    open_.clear();
  }

  void enter(std::string_view section) {
    close();
    announced_ = false;
    section_ = section;
    entries_at_ = std::string::npos;
    ++at_;
  }

  /// `Args:`; with two colons, what is indented below is printed.
  void enter_announcing(std::string_view text, std::size_t indent) {
    enter(text.substr(0, text.find(':')));
    underlined_ = false;
    announced_ = text.ends_with("::");
    announced_by_ = indent;
  }

  bool fence() {
    if (!line().text.starts_with("```")) return false;
    close();
    const std::size_t from = ++at_;
    std::string text;
    for (; at_ < lines_.size() && !lines_[at_].text.starts_with("```"); ++at_) append(text, lines_[at_].text);
    ++at_;
    add(TextBlock::Kind::printed, from, std::move(text));
    return true;
  }

  /// Lines that are indented deeper than the paragraph that announced them.
  bool literal() {
    constexpr std::size_t deeper = 2;
    const bool announces = !open_.empty() && open_.back() == ':' && !holds_entries(section_);
    if (announces && line().indent >= indent_ + deeper) close();
    if (!open_.empty() || !announced_) return false;
    announced_ = false;
    if (line().indent < announced_by_ + deeper || marker(line().text) || line().text.starts_with(">>>"))
      return false;
    const std::size_t from = at_;
    std::string text;
    for (; at_ < lines_.size() && (lines_[at_].text.empty() || lines_[at_].indent > announced_by_); ++at_)
      append(text, lines_[at_].text);
    add(TextBlock::Kind::printed, from, std::move(text));
    return true;
  }

  bool doctest() {
    if (!line().text.starts_with(">>>")) return false;
    close();
    const std::size_t from = at_;
    std::string text;
    for (; at_ < lines_.size() && !lines_[at_].text.empty(); ++at_) append(text, lines_[at_].text);
    add(TextBlock::Kind::printed, from, std::move(text));
    return true;
  }

  bool row() {
    if (!line().text.starts_with('|')) return false;
    close();
    if (!consists_of(line().text, "|-: ")) add(TextBlock::Kind::row, at_, std::string(line().text));
    ++at_;
    return true;
  }

  bool heading() {
    const std::string_view text = line().text;
    if (is_underline(following()) && open_.empty()) {
      enter(text);
      underlined_ = true;
      ++at_;
      return true;
    }
    if (is_colon_heading(text)) return enter_announcing(text, line().indent), true;
    if (!open_.empty()) return false;
    if (is_bold_heading(text)) return enter(text.substr(2, text.size() - 4)), true;
    if (text.starts_with('#')) {
      const std::size_t words = text.find_first_not_of('#');
      if (words == text.npos || text[words] != ' ') return false;
      return enter(text.substr(words + 1)), true;
    }
    return false;
  }

  /// `.. note::` is a heading; what follows it is text, unless it is a version. The options below it are not
  /// text, nor is the language of a code block (its lines are printed), nor the path of an image.
  bool directive() {
    const std::string_view text = line().text;
    const std::size_t mark = text.find("::");
    if (!text.starts_with(".. ") || mark == text.npos) return false;
    const std::string_view name = text.substr(3, mark - 3);
    const std::string_view rest = text.substr(std::min(text.find_first_not_of(' ', mark + 2), text.size()));
    const std::size_t indent = line().indent, from = at_;
    enter(std::string(name) + (rest.empty() ? "" : " " + std::string(rest)));
    while (at_ < lines_.size() && is_option(line().text)) ++at_;
    if (rest.empty() || consists_of(rest, "0123456789.")) return true;
    section_ = name;
    announced_ = name == "code-block" || name == "code";
    announced_by_ = indent;
    if (!announced_ && name != "image" && name != "figure")
      add(TextBlock::Kind::paragraph, from, std::string(rest));
    return true;
  }

  void prose() {
    const bool entries = holds_entries(section_);
    if (entries && entries_at_ == std::string::npos) entries_at_ = line().indent;
    const std::size_t mark = marker(line().text);
    if (mark || (entries && line().indent <= entries_at_)) close();
    // numpydoc describes a parameter below its line, other styles behind a colon on it.
    if (entries && underlined_ && section_ != "See Also" && line().indent > entries_at_ && at_line_of_entry_)
      close();
    if (open_.empty()) {
      began_ = at_;
      indent_ = line().indent;
      at_line_of_entry_ = entries && line().indent <= entries_at_;
    }
    append(open_, line().text.substr(mark));
    ++at_;
  }

  static void append(std::string& text, std::string_view line) {
    if (!text.empty()) text += '\n';
    text += line;
  }

  std::vector<Line> lines_;
  std::vector<TextBlock> found_;
  std::string section_;
  std::string open_;  // the paragraph so far
  std::size_t at_ = 0;
  std::size_t began_ = 0;
  std::size_t indent_ = 0;
  std::size_t entries_at_ = std::string::npos;
  std::size_t announced_by_ = 0;
  bool announced_ = false;
  bool underlined_ = false;
  bool at_line_of_entry_ = false;
};

}  // namespace

std::vector<TextBlock> blocks(std::string_view text) { return Cutter(text).run(); }

}  // namespace scatterproof::spec
