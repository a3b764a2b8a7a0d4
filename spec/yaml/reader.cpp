// SPDX-License-Identifier: Apache-2.0
// Builds nodes from yaml-cpp's events. Limits are enforced event by event, so nothing large is ever built.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core_types.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"
#include "syntax_words.hpp"
#include "text_check.hpp"

namespace scatterproof::spec::yaml {
namespace {

constexpr std::size_t most_errors = 100;
constexpr std::string_view no_colon = "has no ':' after it";

/// Thrown through yaml-cpp to stop reading; the errors are already noted.
struct Stop {};

/// The position just after the closing quote of the quoted text at the front of `text`; npos when there is
/// none.
std::size_t end_of_quoted(std::string_view text) {
  const bool single = text.starts_with('\'');
  std::size_t at = text.find_first_of(single ? "'" : "\\\"", 1);
  while (at != std::string_view::npos && (single ? text.substr(at + 1).starts_with('\'') : text[at] == '\\'))
    at = text.find_first_of(single ? "'" : "\\\"", at + 2);
  return at == std::string_view::npos ? at : at + 1;
}

/// Whether the bracket at the front of `text` is closed. Skips quoted texts where a value may begin.
bool closes(std::string_view text) {
  std::size_t open = 0;
  bool value_may_begin = false;
  while (!text.empty()) {
    std::size_t length = 1;
    const char c = text.front();
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && --open == 0) return true;
    if (value_may_begin && (c == '"' || c == '\'')) length = std::min(end_of_quoted(text), text.size());
    value_may_begin = std::string_view("[{,: \t\r\n").find(c) != std::string_view::npos;
    text.remove_prefix(length);
  }
  return false;
}

bool is_quoted(std::string_view text) { return text.starts_with('"') || text.starts_with('\''); }

class Builder final : public YAML::EventHandler {
 public:
  Builder(Document& document, const TextLimits& limits) : document_(document), limits_(limits) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (!started_) return void(started_ = true);
    const std::string_view rest = text_at(mark);
    if (rest.starts_with("---") || text_before(mark).ends_with("..."))
      stop(mark, "a second document starts here", "a file holds one document");
    stop(mark, "unexpected text after the end of the document",
         "check the indentation, quotes and brackets above");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_decoration(mark, "?", anchor);
    Node node;
    const std::string_view rest = text_at(mark);
    for (const std::string_view written : {"~", "null", "Null", "NULL"})
      if (rest.starts_with(written)) node.text = written;
    node.at = node.text.empty() ? place_of_nothing(mark) : position(mark);
    if (expects_key()) stop(mark, "a key is missing before ':'");
    if (node.text.empty() && !open_.empty() && open_.back().flow &&
        open_.back().node.kind == Node::Kind::list)
      note(position(mark), "an item is missing before ','");
    count_scalar(mark);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    note(position(mark), "aliases (*name) are not used in these files", "write the value out");
    Node node;
    node.at = position(mark);
    if (expects_key()) throw Stop{};
    add(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_decoration(mark, tag, anchor);
    count_scalar(mark);
    if (value.size() > limits_.scalar_bytes)
      stop(mark,
           fmt::format("a value of {} bytes: more than the {} allowed", value.size(), limits_.scalar_bytes));
    // yaml-cpp 0.7 takes the end of the file for a closing quote.
    if (tag == "!" && is_quoted(text_at(mark)) && end_of_quoted(text_at(mark)) == std::string_view::npos)
      stop(mark, "a quote is opened and never closed", "add the closing quote");
    if (value.find('\0') != std::string::npos) note(position(mark), "the text contains a NUL character");
    if (expects_key()) return key(mark, tag, value);
    Node node;
    node.at = position(mark);
    node.text = value;
    node.kind = Node::Kind::string;
    if (tag == "?") {
      PlainValue plain = type_plain(value);
      node.kind = plain.kind;
      node.number = plain.number;
      if (!plain.wrong.empty()) note(node.at, std::move(plain.wrong), std::move(plain.hint));
    }
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, Node::Kind::list, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, Node::Kind::map, style);
  }
  void OnMapEnd() override { close(); }

  bool started() const { return started_; }
  Errors take_errors() { return std::move(errors_); }

  /// Notes a fault that yaml-cpp found, in our own words.
  void syntax_fault(const YAML::Exception& fault) {
    const SyntaxWords words = syntax_words(fault.msg);
    Position at = position(fault.mark);
    std::string hint = words.hint;
    if (words.names_opening && !open_.empty())
      hint = fmt::format("it starts at line {}, column {}", open_.back().node.at.line,
                         open_.back().node.at.column);
    // When a list is cut off after a word, yaml-cpp takes the word for a key.
    const bool at_end = text_at(fault.mark).find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (at_end && !errors_.empty() && errors_.back().what.ends_with(no_colon)) errors_.pop_back();
    note(at, words.what, std::move(hint));
  }

 private:
  struct Open {
    Node node;
    std::string key;  // of the member whose value comes next
    bool has_key = false;
    bool flow = false;  // written with brackets
  };

  static Position position(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

  std::string_view text_at(const YAML::Mark& mark) const {
    const std::string_view text = *document_.text;
    return text.substr(std::min(text.size(), static_cast<std::size_t>(std::max(mark.pos, 0))));
  }
  /// The text before the mark, without trailing blanks.
  std::string_view text_before(const YAML::Mark& mark) const {
    const std::string_view text = *document_.text;
    const std::string_view before = text.substr(0, text.size() - text_at(mark).size());
    return before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
  }

  /// yaml-cpp places a missing value at the next token; it belongs to its key or its dash.
  Position place_of_nothing(const YAML::Mark& mark) const {
    if (open_.empty()) return position(mark);
    const Open& parent = open_.back();
    if (parent.has_key) return parent.node.key_positions.back();
    const std::string_view before = text_before(mark);
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    const std::size_t first = before.find_first_not_of(" \t", start);
    if (first == std::string_view::npos) return position(mark);
    const std::string_view between(before.end(), text_at(mark).begin());
    const auto lines_back = static_cast<int>(std::count(between.begin(), between.end(), '\n'));
    return {mark.line + 1 - lines_back, static_cast<int>(first - start) + 1};
  }

  void note(Position at, std::string what, std::string hint = {}) {
    const auto same = [&](const Error& e) { return e.at == at && e.what == what; };
    if (std::any_of(errors_.begin(), errors_.end(), same)) return;
    if (errors_.size() == most_errors) {
      errors_.push_back(document_.error(at, "more errors follow; these are enough for now"));
      throw Stop{};
    }
    errors_.push_back(document_.error(at, std::move(what), std::move(hint)));
  }
  [[noreturn]] void stop(const YAML::Mark& mark, std::string what, std::string hint = {}) {
    note(position(mark), std::move(what), std::move(hint));
    throw Stop{};
  }

  /// Refuses anchors and tags. The written character decides where yaml-cpp's tag is ambiguous (it is the
  /// same for `! x` and "x").
  void refuse_decoration(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const std::string_view rest = text_at(mark);
    if (anchor != 0)
      note(position(mark), "anchors (&name) are not used in these files", "write the value out");
    if ((tag != "?" && tag != "!" && !tag.empty()) || (tag != "?" && rest.starts_with('!')))
      note(position(mark), "tags (!name) are not used in these files", "leave the tag out");
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == Node::Kind::map && !open_.back().has_key;
  }

  void count_scalar(const YAML::Mark& mark) {
    if (++scalars_ > limits_.scalars)
      stop(mark, fmt::format("more than {} values in one file", limits_.scalars), "split the file");
  }

  void key(const YAML::Mark& mark, const std::string& tag, const std::string& name) {
    Open& map = open_.back();
    if (name.size() > limits_.key_bytes)
      stop(mark, fmt::format("a key of {} bytes: more than the {} allowed", name.size(), limits_.key_bytes));
    if (!colon_follows(mark, name))
      note(position(mark), fmt::format("key '{}' {}", shown(name), no_colon),
           name.find(':') != std::string::npos ? "put a space after the ':'"
           : map.flow                          ? "put a text with a comma in quotes inside { }"
                                               : "write a key and its value as key: value");
    if (name == "<<" && tag == "?")
      note(position(mark), "merge keys (<<) are not used in these files", "write the members out");
    const auto& members = map.node.members;
    const auto same = [&](const auto& member) { return member.first == name; };
    const auto first = std::find_if(members.begin(), members.end(), same);
    if (first != members.end()) {
      const Position at = map.node.key_positions[static_cast<std::size_t>(first - members.begin())];
      note(position(mark), fmt::format("key '{}' is given twice", shown(name)),
           fmt::format("it was first given at line {}, column {}", at.line, at.column));
    }
    if (members.size() == limits_.keys_per_map)
      stop(mark, fmt::format("more than {} keys in one map", limits_.keys_per_map));
    map.key = name;
    map.has_key = true;
    map.node.key_positions.push_back(position(mark));
  }

  /// yaml-cpp takes any word in a map for a key, even one that is cut off. These files do not use `? key`.
  bool colon_follows(const YAML::Mark& mark, const std::string& name) const {
    std::string_view rest = text_at(mark);
    if (rest.starts_with('&') || rest.starts_with('!')) return true;  // has been reported
    const std::size_t end = is_quoted(rest) ? end_of_quoted(rest) : name.size();
    rest.remove_prefix(std::min(end, rest.size()));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    return rest.starts_with(':');
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Kind kind,
            YAML::EmitterStyle::value style) {
    refuse_decoration(mark, tag, anchor);
    // yaml-cpp takes a list or map that is cut off for a key, too.
    if (expects_key() && style == YAML::EmitterStyle::Flow && !closes(text_at(mark)))
      stop(mark, fmt::format("the {} opened here is never closed", name(kind)));
    if (expects_key())
      stop(mark, fmt::format("a {} cannot be a key", name(kind)), "a key is a word, followed by ': '");
    if (open_.size() == limits_.depth) stop(mark, too_deep(limits_));
    open_.emplace_back();
    open_.back().node.kind = kind;
    open_.back().node.at = position(mark);
    open_.back().flow = style == YAML::EmitterStyle::Flow;
  }

  void close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(Node node) {
    if (open_.empty()) return void(document_.root = std::move(node));
    Open& parent = open_.back();
    if (parent.node.kind == Node::Kind::list) return parent.node.items.push_back(std::move(node));
    parent.node.members.push_back({std::move(parent.key), std::move(node)});
    parent.has_key = false;
  }

  Document& document_;
  const TextLimits& limits_;
  std::vector<Open> open_;
  std::size_t scalars_ = 0;
  bool started_ = false;
  Errors errors_;
};

/// A directive can only stand before the document.
std::optional<TextError> leading_directive(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    if (one.starts_with('%'))
      return TextError{{line, 1}, "directives (%...) are not used in these files", "leave it out"};
    const std::size_t first = one.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && one[first] != '#') return std::nullopt;
    text.remove_prefix(std::min(text.size(), one.size() + 1));
  }
  return std::nullopt;
}

void parse(Document& document, Builder& builder) {
  std::istringstream stream(*document.text);
  try {
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const Stop&) {
  } catch (const YAML::Exception& fault) {
    try {
      builder.syntax_fault(fault);
    } catch (const Stop&) {
    }
  }
}

}  // namespace

std::string_view name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return "boolean";
    case Node::Kind::integer:
      return "integer";
    case Node::Kind::real:
      return "number";
    case Node::Kind::string:
      return "string";
    case Node::Kind::list:
      return "list";
    case Node::Kind::map:
      return "map";
  }
  return "";
}

const Node* Node::find(std::string_view key) const {
  for (const auto& [member, value] : members)
    if (member == key) return &value;
  return nullptr;
}

Error Document::error(Position at, std::string what, std::string hint) const {
  // A message line stays readable whatever the file holds.
  constexpr std::size_t longest_line = 4096;
  const std::string_view line = text ? line_of(*text, at.line) : std::string_view{};
  return {.file = file,
          .at = at,
          .what = std::move(what),
          .hint = std::move(hint),
          .source_line = std::string(line.substr(0, longest_line))};
}

Result<Document> read_text(std::string file_name, std::string text, const TextLimits& limits) {
  Document document;
  document.file = std::move(file_name);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  const bool too_large = text.size() > limits.file_bytes;
  document.text = std::make_shared<const std::string>(std::move(text));
  if (too_large)
    return document.error({},
                          fmt::format("the text has {} bytes: more than the {} allowed",
                                      document.text->size(), limits.file_bytes),
                          "split it");
  std::optional<TextError> complaint = check_text(*document.text, limits);
  if (!complaint) complaint = leading_directive(*document.text);
  if (complaint) return document.error(complaint->at, complaint->what, complaint->hint);

  Builder builder(document, limits);
  parse(document, builder);
  Errors errors = builder.take_errors();
  const bool nothing = document.root.kind == Node::Kind::null && document.root.text.empty();
  if (errors.empty() && nothing) errors.push_back(document.error({1, 1}, "the file contains no value"));
  if (!errors.empty()) return errors;
  return document;
}

}  // namespace scatterproof::spec::yaml
