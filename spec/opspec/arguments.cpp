// SPDX-License-Identifier: Apache-2.0
// Arguments: their declarations and their values in YAML.
#include <fmt/format.h>

#include <algorithm>

#include "loading.hpp"
#include "scatterproof/spec/language/selection.hpp"
#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/opspec/literal.hpp"

namespace scatterproof::spec {
namespace {

using yaml::Node;

struct KindName {
  std::string_view word;
  ArgumentKind kind;
};
constexpr KindName kinds[] = {
    {"tensor", ArgumentKind::tensor},    {"integer", ArgumentKind::integer},
    {"boolean", ArgumentKind::boolean},  {"scalar", ArgumentKind::scalar},
    {"choice", ArgumentKind::choice},    {"tensor_or_scalar", ArgumentKind::tensor_or_scalar},
    {"integers", ArgumentKind::integers}};

std::optional<Argument> read_word(const Node& node) {
  if (node.kind == Node::Kind::integer) return Argument(node.number);
  if (node.is_scalar() && node.kind != Node::Kind::null) return Argument(node.text);
  return std::nullopt;
}

/// The least and the greatest of a choice of integers.
std::pair<std::int64_t, std::int64_t> ends_of(const ArgumentDecl& declared) {
  std::vector<std::int64_t> numbers;
  for (const Argument& choice : declared.choices) numbers.push_back(std::get<Scalar>(choice).integer());
  const auto [least, greatest] = std::ranges::minmax(numbers);
  return {least, greatest};
}

/// Of a choice that takes integers between its own: whether the value lies within them, else an error.
bool check_between(Reader& reader, const Node& node, const Argument& value, const ArgumentDecl& declared) {
  const auto [least, greatest] = ends_of(declared);
  const auto* number = std::get_if<Scalar>(&value);
  if (number && least <= number->integer() && number->integer() <= greatest) return true;
  reader.fail(node.at, fmt::format("invalid choice of '{}' '{}'", declared.name, node.text),
              fmt::format("use an integer from {} to {}", least, greatest));
  return false;
}

std::optional<Argument> read_choice(Reader& reader, const Node& node, const ArgumentDecl& declared) {
  const auto value = read_word(node);
  if (!value) {
    reader.fail(node.at, fmt::format("'{}' must be a word or an integer", declared.name));
    return std::nullopt;
  }
  const auto matches = [&](const Argument& choice) { return identical(choice, *value); };
  const auto is_of_its_kind = [&](const Argument& choice) { return choice.index() == value->index(); };
  std::vector<std::string> words;
  for (const Argument& choice : declared.choices) words.push_back(to_string(choice));
  if (!declared.rule.empty() && std::ranges::none_of(declared.choices, is_of_its_kind)) {
    const bool is_number = std::holds_alternative<Scalar>(*value);
    reader.fail(
        node.at,
        fmt::format("'{}' must be {}, and is '{}'", declared.name, is_number ? "a word" : "an integer",
                    node.text),
        fmt::format("use one of {}", fmt::join(words, ", ")) +
            (is_number ? fmt::format("; the word in quotes, if it is meant: \"{}\"", node.text) : ""));
    return std::nullopt;
  }
  if (!declared.rule.empty() || std::ranges::any_of(declared.choices, matches)) return value;
  if (declared.between) return check_between(reader, node, *value, declared) ? value : std::nullopt;
  reader.fail_unknown(node.at, fmt::format("choice of '{}'", declared.name), node.text, words);
  return std::nullopt;
}

std::optional<Argument> read_selection(Reader& reader, const Node& node, const ArgumentDecl& declared) {
  if (node.is_scalar() && language::parse_selection(node.text)) return Argument(node.text);
  reader.fail(node.at, fmt::format("'{}' must be a selection", declared.name),
              "write what stands between the brackets, such as \"1:3, $, ...\", with $ for an array");
  return std::nullopt;
}

std::optional<Argument> read_integers(Reader& reader, const Node& node, const ArgumentDecl& declared) {
  Shape list;
  bool good = node.kind == Node::Kind::list;
  for (const Node& item : node.items) {
    good = good && item.kind == Node::Kind::integer;
    if (good) list.push_back(item.number.integer());
  }
  if (good) return Argument(list);
  reader.fail(node.at, fmt::format("'{}' must be a list of integers", declared.name));
  return std::nullopt;
}

std::optional<Argument> read_number(Reader& reader, const Node& node, const ArgumentDecl& declared) {
  if (node.is_number() || node.kind == Node::Kind::boolean) return Argument(node.number);
  if (node.kind == Node::Kind::list && node.items.size() == 2 && node.items[0].is_number() &&
      node.items[1].is_number())
    return Argument(Scalar::of_complex(node.items[0].number.real(), node.items[1].number.real()));
  reader.fail(node.at, fmt::format("'{}' must be a number", declared.name));
  return std::nullopt;
}

std::optional<Argument> read_plain(Reader& reader, const Node& node, const ArgumentDecl& declared,
                                   Node::Kind kind, std::string_view word) {
  if (node.kind == kind) return Argument(node.number);
  reader.fail(node.at, fmt::format("'{}' must be {}", declared.name, word));
  return std::nullopt;
}

void read_kind(Loading& loading, const Node& map, ArgumentDecl& declared) {
  for (const auto& [word, kind] : kinds) {
    const Node* node = map.find(word);
    if (!node) continue;
    declared.kind = kind;
    if (kind == ArgumentKind::tensor || kind == ArgumentKind::tensor_or_scalar) {
      if (node->text != "any") declared.type = node->text;
    } else if (kind == ArgumentKind::choice) {
      for (const Node& item : node->items)
        if (const auto choice = read_word(item)) declared.choices.push_back(*choice);
    }
    return;
  }
  if (const Node* list = map.find("selection")) {
    declared.kind = ArgumentKind::choice;
    declared.selects_with = list->text;
    return;
  }
  loading.reader.fail(
      declared.at, fmt::format("the kind of argument '{}' is missing", declared.name),
      "one of tensor, tensors, integer, boolean, scalar, tensor_or_scalar, choice, selection, integers");
}

/// The ones that are tried: with as many arrays as the list may have.
void add_usual_selections(Loading& loading) {
  OpSpec& spec = loading.spec;
  for (ArgumentDecl& declared : spec.arguments) {
    if (declared.selects_with.empty()) continue;
    const auto most = std::ranges::count(spec.arguments, declared.selects_with, &ArgumentDecl::list);
    if (most == 0)
      loading.reader.fail(declared.at, fmt::format("'{}' is not a list of tensors", declared.selects_with));
    for (std::string& text : language::usual_selections(static_cast<std::size_t>(most)))
      declared.choices.emplace_back(std::move(text));
  }
}

/// A list of tensors becomes as many arguments as it can have items.
void read_list(Loading& loading, const Node& map, const std::string& type, ArgumentDecl item) {
  if (const Node* node = map.find("default"))
    loading.reader.fail(node->at, fmt::format("'{}' is a list of tensors, which has no default", item.name));
  const bool may_be_empty = loading.reader.flag(map, "optional");
  item.list = item.name;
  if (type != "any") item.type = type;
  item.from = read_source(loading.reader, map, loading.spec);
  for (std::size_t i = 0; i < language::max_items; ++i) {
    item.name = fmt::format("{}_{}", item.list, i);
    item.optional = i > 0 || may_be_empty;
    loading.scope.declare(item.name, static_types(item), item.list);
    loading.spec.arguments.push_back(item);
  }
}

}  // namespace

const ArgumentDecl* item_behind_gap(const OpSpec& spec, const Call& call) {
  const auto given = [&](const ArgumentDecl& item) {
    const Argument* value = call.find(item.name);
    return value && !std::holds_alternative<None>(*value);
  };
  for (std::size_t i = 1; i < spec.arguments.size(); ++i) {
    const ArgumentDecl &before = spec.arguments[i - 1], &item = spec.arguments[i];
    if (!item.list.empty() && item.list == before.list && given(item) && !given(before)) return &item;
  }
  return nullptr;
}

std::string fault_of_selections(const OpSpec& spec, const Call& call) {
  for (const ArgumentDecl& declared : spec.arguments) {
    const Argument* value = declared.selects_with.empty() ? nullptr : call.find(declared.name);
    const auto* text = value ? std::get_if<std::string>(value) : nullptr;
    if (!text) continue;
    const auto selection = language::parse_selection(*text);
    if (!selection || selection->has_firsts()) return fmt::format("'{}' is not a selection", *text);
    std::size_t given = 0;
    for (const ArgumentDecl& item : spec.arguments) {
      const Argument* array = item.list == declared.selects_with ? call.find(item.name) : nullptr;
      if (!array || std::holds_alternative<None>(*array)) continue;
      const language::SelectionPart* part = selection->array(given++);
      const auto* tensor = std::get_if<Tensor>(array);
      if (part && part->kind == language::SelectionPart::Kind::mask &&
          !(tensor && tensor->dtype() == DType::boolean && tensor->rank() == part->dimensions()))
        return fmt::format("'{}' has a mask of {} dimensions where '{}' is, which is none", *text,
                           part->dimensions(), item.name);
    }
    if (given != selection->arrays())
      return fmt::format("'{}' has {} arrays, and {} of '{}' are given", *text, selection->arrays(), given,
                         declared.selects_with);
  }
  return {};
}

bool check_argument(Loading& loading, Position at, const std::string& name) {
  if (loading.spec.argument(name)) return true;
  std::vector<std::string> known;
  for (const ArgumentDecl& declared : loading.spec.arguments) known.push_back(declared.name);
  loading.reader.fail_unknown(at, "argument", name, known);
  return false;
}

void read_arguments(Loading& loading) {
  const Node* arguments = loading.root.find("arguments");
  if (!arguments) return;
  for (std::size_t i = 0; i < arguments->members.size(); ++i) {
    const auto& [name, map] = arguments->members[i];
    ArgumentDecl declared;
    declared.name = name;
    declared.at = arguments->key_positions[i];
    if (const Node* type = map.find("tensors")) {
      read_list(loading, map, type->text, std::move(declared));
      continue;
    }
    read_kind(loading, map, declared);
    declared.optional = loading.reader.flag(map, "optional");
    declared.between = loading.reader.flag(map, "between");
    if (declared.between && !std::ranges::all_of(declared.choices, [](const Argument& choice) {
          return std::holds_alternative<Scalar>(choice);
        }))
      loading.reader.fail(map.find("between")->at, "only between integers is there anything");
    if (const Node* rule = map.find("rule")) {
      declared.rule = loading.reader.text(*rule, "id");
      if (declared.rule.empty()) declared.rule = name;
    }
    if (const Node* fallback = map.find("default")) {
      if (fallback->kind == Node::Kind::null)
        declared.optional = true;
      else
        declared.fallback = read_argument(loading.reader, *fallback, declared);
    }
    declared.from = read_source(loading.reader, map, loading.spec);
    loading.scope.declare(name, static_types(declared));
    loading.spec.arguments.push_back(std::move(declared));
  }
  add_usual_selections(loading);
}

std::string keyword_of(const OpSpec& spec, const std::string& argument) {
  const bool is_function = spec.python.find("({self}") != std::string::npos;
  return argument == "self" && is_function ? "input" : argument;
}

const ArgumentDecl* argument_meant(const OpSpec& spec, const std::string& word) {
  const ArgumentDecl* named = spec.argument(word);
  if (named || spec.arguments.empty() || (word != "input" && word != "self")) return named;
  return &spec.arguments.front();
}

std::vector<std::string> at_default(const OpSpec& spec, const Call& call) {
  std::vector<std::string> names;
  for (const auto& [name, value] : call.arguments)
    if (const ArgumentDecl* declared = spec.argument(name);
        declared && declared->fallback && identical(*declared->fallback, value))
      names.push_back(name);
  return names;
}

std::optional<Argument> read_argument(Reader& reader, const Node& node, const ArgumentDecl& declared) {
  switch (declared.kind) {
    case ArgumentKind::tensor:
      break;
    case ArgumentKind::tensor_or_scalar:
      if (node.kind != Node::Kind::map) return read_number(reader, node, declared);
      break;
    case ArgumentKind::integer:
      return read_plain(reader, node, declared, Node::Kind::integer, "an integer");
    case ArgumentKind::boolean:
      return read_plain(reader, node, declared, Node::Kind::boolean, "true or false");
    case ArgumentKind::scalar:
      return read_number(reader, node, declared);
    case ArgumentKind::choice:
      return declared.selects_with.empty() ? read_choice(reader, node, declared)
                                           : read_selection(reader, node, declared);
    case ArgumentKind::integers:
      return read_integers(reader, node, declared);
  }
  const auto tensor = read_tensor(reader, node);
  return tensor ? std::optional<Argument>(*tensor) : std::nullopt;
}

}  // namespace scatterproof::spec
