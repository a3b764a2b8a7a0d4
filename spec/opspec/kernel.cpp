// SPDX-License-Identifier: Apache-2.0
// Reads how the API lowers to a canonical kernel. Only argument names are checked here: the schema knows the
// fields, and the engines know what they mean.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "loading.hpp"

namespace scatterproof::spec {
namespace {

using yaml::Node;

LoweredValue read_table(Loading& loading, const Node& table) {
  LoweredValue value;
  const Node* by = table.find("by");
  if (!by || !check_argument(loading, by->at, by->text)) return value;
  value.argument = by->text;
  const ArgumentDecl& argument = *loading.spec.argument(by->text);
  for (const auto& [key, word] : table.members)
    if (key != "by") value.table.emplace_back(key, word.text);
  for (const Argument& choice : argument.choices) {
    const std::string word =
        std::holds_alternative<std::string>(choice) ? std::get<std::string>(choice) : to_string(choice);
    if (std::ranges::none_of(value.table, [&](const auto& entry) { return entry.first == word; }))
      loading.reader.fail(
          table.at, fmt::format("the table has no entry for the value '{}' of '{}'", word, argument.name));
  }
  return value;
}

LoweredValue read_value(Loading& loading, const Node& node) {
  LoweredValue value;
  if (node.kind == Node::Kind::map) return read_table(loading, node);
  if (node.kind == Node::Kind::list) {
    std::vector<std::string> words;
    for (const Node& item : node.items) words.push_back(item.text);
    value.literal = fmt::format("{}", fmt::join(words, ","));
  } else if (node.text.starts_with('$')) {
    value.argument = node.text.substr(1);
    check_argument(loading, node.at, value.argument);
  } else {
    value.literal = node.text;
  }
  return value;
}

/// A field that is a list of tensors becomes a field for each item, as the list becomes arguments.
void read_field(Loading& loading, const std::string& key, const Node& node, KernelLowering& lowering) {
  const bool names_list = node.text.starts_with('$') && loading.scope.find_list(node.text.substr(1));
  if (!names_list) {
    lowering.fields.emplace_back(key, read_value(loading, node));
    return;
  }
  const std::string list = node.text.substr(1);
  for (const ArgumentDecl& item : loading.spec.arguments) {
    if (item.list != list) continue;
    LoweredValue value;
    value.argument = item.name;
    lowering.fields.emplace_back(key + item.name.substr(list.size()), std::move(value));
  }
}

void read_entry(Loading& loading, const Node* entry, KernelLowering& lowering) {
  if (!entry) return;
  lowering.op = loading.reader.text(*entry, "op");
  for (const auto& [key, node] : entry->members)
    if (key != "op") read_field(loading, key, node, lowering);
}

}  // namespace

void read_kernel(Loading& loading) {
  const Node* kernel = loading.root.find("kernel");
  const Node* family = loading.root.find("family");
  if (kernel && family)
    loading.reader.fail(family->at, "a spec has a kernel entry or a family entry",
                        "the kernel entry says what the family entry would");
  read_entry(loading, kernel, loading.spec.kernel);
  read_entry(loading, family, loading.spec.family);
}

}  // namespace scatterproof::spec
