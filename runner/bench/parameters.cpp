// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace scatterproof::runner::bench {
namespace {

using spec::Reader;
using spec::yaml::Node;

bool is_letter(char c) { return std::islower(static_cast<unsigned char>(c)) || c == '_'; }

/// `$name` or `$name.member` at the start of a text: its length, 0 when there is none.
std::size_t reference_length(std::string_view text) {
  if (text.size() < 2 || text[0] != '$' || !is_letter(text[1])) return 0;
  std::size_t end = 1;
  while (end < text.size() && is_letter(text[end])) ++end;
  if (end + 1 < text.size() && text[end] == '.' && is_letter(text[end + 1]))
    for (++end; end < text.size() && is_letter(text[end]);) ++end;
  return end;
}

/// What `$name.member` stands for; null when nothing of this name is bound. Reports a missing member.
const Node* find(Reader& reader, const Node& place, std::string_view reference, const Bindings& bindings) {
  const std::size_t dot = reference.find('.');
  const auto bound = bindings.find(std::string(reference.substr(1, dot - 1)));
  if (bound == bindings.end()) return nullptr;
  if (dot == std::string_view::npos) return bound->second;
  const std::string member(reference.substr(dot + 1));
  if (const Node* value = bound->second->find(member)) return value;
  reader.fail(place.at, fmt::format("a value of parameter '{}' has no '{}'", bound->first, member));
  return nullptr;
}

/// A text with all references replaced.
std::string filled_in(Reader& reader, const Node& place, const Bindings& bindings) {
  std::string result;
  std::string_view rest = place.text;
  while (!rest.empty()) {
    const std::size_t length = reference_length(rest);
    const Node* value = length > 0 ? find(reader, place, rest.substr(0, length), bindings) : nullptr;
    if (value && value->kind == Node::Kind::map) value = value->find("name");
    const std::size_t taken = length > 0 ? length : 1;
    if (value && value->is_scalar())
      result += value->text;
    else
      result += rest.substr(0, taken);
    rest.remove_prefix(taken);
  }
  return result;
}

}  // namespace

void check_names(Reader& reader, const Node* parameters, const Node* instead) {
  if (parameters)
    for (std::size_t i = 0; i < parameters->members.size(); ++i)
      if (!std::ranges::all_of(parameters->members[i].first, is_letter))
        reader.fail(parameters->key_positions[i], "a parameter's name is made of small letters and _");
  if (instead)
    for (std::size_t i = 0; i < instead->members.size(); ++i)
      if (!parameters || !parameters->find(instead->members[i].first))
        reader.fail(instead->key_positions[i],
                    fmt::format("'for' has no parameter '{}'", instead->members[i].first));
}

std::vector<Bindings> combinations(const Node* parameters, const Node* instead) {
  std::vector<Bindings> all(1);
  if (!parameters) return all;
  for (const auto& [name, usual] : parameters->members) {
    const Node* other = instead ? instead->find(name) : nullptr;
    std::vector<Bindings> longer;
    for (const Bindings& one : all)
      for (const Node& value : (other ? *other : usual).items) {
        longer.push_back(one);
        longer.back()[name] = &value;
      }
    all = std::move(longer);
  }
  return all;
}

Node substituted(Reader& reader, const Node& node, const Bindings& bindings) {
  if (node.kind == Node::Kind::string) {
    if (reference_length(node.text) == node.text.size())
      if (const Node* value = find(reader, node, node.text, bindings)) return *value;
    Node text = node;
    text.text = filled_in(reader, node, bindings);
    return text;
  }
  Node copy = node;
  for (Node& item : copy.items) item = substituted(reader, item, bindings);
  for (auto& member : copy.members) member.second = substituted(reader, member.second, bindings);
  return copy;
}

}  // namespace scatterproof::runner::bench
