// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/opspec/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scatterproof::spec {

void Reader::fail(Position at, std::string what, std::string hint) {
  errors_.push_back(document_.error(at, std::move(what), std::move(hint)));
}

void Reader::fail(Errors errors) {
  for (Error& error : errors) {
    if (error.source_line.empty() && error.at.line > 0)
      error.source_line = document_.error(error.at, {}).source_line;
    errors_.push_back(std::move(error));
  }
}

void Reader::fail_unknown(Position at, std::string_view kind, const std::string& word,
                          const std::vector<std::string>& known) {
  fail(at, fmt::format("unknown {} '{}'", kind, word), did_you_mean(word, known));
}

std::string Reader::text(const yaml::Node& map, std::string_view key) {
  const yaml::Node* node = map.find(key);
  if (!node || node->kind == yaml::Node::Kind::null) return {};
  if (node->is_scalar()) return node->text;
  fail(node->at, fmt::format("'{}' must be a string", key));
  return {};
}

bool Reader::flag(const yaml::Node& map, std::string_view key) {
  const yaml::Node* node = map.find(key);
  if (!node) return false;
  if (node->kind == yaml::Node::Kind::boolean) return node->number.integer() != 0;
  fail(node->at, fmt::format("'{}' must be true or false", key));
  return false;
}

std::vector<std::string> Reader::texts(const yaml::Node& map, std::string_view key) {
  const yaml::Node* node = map.find(key);
  std::vector<std::string> words;
  if (!node) return words;
  if (node->is_scalar()) return {node->text};
  for (const yaml::Node& item : node->items) words.push_back(item.text);
  return words;
}

namespace {

/// The 1-based line's text, without its end.
std::string_view line_of(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  return std::string_view(text).substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

language::Text Reader::expression(const yaml::Node& scalar) const {
  language::Text text{document_.file, scalar.at, scalar.text};
  if (!document_.text || scalar.at.line < 1) return text;
  const std::string_view line = line_of(*document_.text, scalar.at.line);
  const auto column = static_cast<std::size_t>(scalar.at.column - 1);
  if (column >= line.size()) return text;
  if (line[column] == '"' || line[column] == '\'') {
    ++text.at.column;
  } else if (line[column] == '|' || line[column] == '>') {
    // A block scalar's text starts on the next line that has any, at that line's indentation.
    for (int next = scalar.at.line + 1; next <= scalar.at.line + 64; ++next) {
      const std::size_t indent = line_of(*document_.text, next).find_first_not_of(" \r");
      if (indent == std::string_view::npos) continue;
      text.at = {next, static_cast<int>(indent) + 1};
      break;
    }
  }
  return text;
}

namespace {

bool lies_in(const Position& at, const yaml::Node& node) {
  return node.at == at || std::ranges::find(node.key_positions, at) != node.key_positions.end() ||
         std::ranges::any_of(node.items, [&](const yaml::Node& item) { return lies_in(at, item); }) ||
         std::ranges::any_of(node.members, [&](const auto& member) { return lies_in(at, member.second); });
}

/// Removes the faulty items from the member, or the member from the root.
void take_out(yaml::Node& root, std::size_t member, const Position& fault) {
  const auto faulty = [&](const yaml::Node& item) { return lies_in(fault, item); };
  const auto offset = static_cast<std::ptrdiff_t>(member);
  if (std::erase_if(root.members[member].second.items, faulty) > 0) return;
  root.members.erase(root.members.begin() + offset);
  root.key_positions.erase(root.key_positions.begin() + offset);
}

}  // namespace

std::optional<yaml::Node> without(const yaml::Node& root, const Errors& faults,
                                  std::span<const std::string_view> parts) {
  yaml::Node rest = root;
  for (const Error& fault : faults) {
    const auto holds = [&](const auto& member) { return lies_in(fault.at, member.second); };
    const auto is_part = [&](const auto& member) {
      return std::ranges::find(parts, member.first) != parts.end();
    };
    // A value of a table may stand in several members, at one place: the fault is in all of them.
    bool found = false;
    for (const auto& member : root.members)
      if (holds(member)) {
        if (!is_part(member)) return std::nullopt;
        found = true;
      }
    if (!found) return std::nullopt;
    // Two faults may lie in one item: it is already gone for the second.
    for (std::size_t i = rest.members.size(); i-- > 0;)
      if (holds(rest.members[i])) take_out(rest, i, fault.at);
  }
  return rest;
}

void Unique::add(const std::string& name, Position at) {
  if (!name.empty() && !seen_.insert(name).second)
    reader_.fail(at, fmt::format("{} '{}' is already taken", kind_, name));
}

}  // namespace scatterproof::spec
