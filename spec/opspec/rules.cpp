// SPDX-License-Identifier: Apache-2.0
// Reads lets and rules: the written rules, and those that type variables and choices imply.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "loading.hpp"

namespace scatterproof::spec {
namespace {

using language::Constancy;
using language::Type;
using yaml::Node;

constexpr auto boolean = static_cast<language::Types>(Type::boolean);

Promise read_promise(Loading& loading, const Node& node) {
  Promise promise;
  const bool word = node.is_scalar();
  if ((word && node.text == "undefined") || node.find("undefined")) {
    promise.kind = Promise::Kind::undefined;
  } else if ((word && node.text == "open") || node.find("open")) {
    promise.kind = Promise::Kind::open;
  } else if (const Node* error = node.find("error")) {
    promise.kind = Promise::Kind::error;
    promise.classes = loading.reader.texts(node, "error");
    std::erase(promise.classes, "any");
    promise.native = loading.reader.text(node, "native");
    promise.always = loading.reader.flag(node, "always");
    static const std::vector<std::string> natives = {"rank", "shape", "dtype", "index", "axis", "value"};
    if (std::ranges::find(natives, promise.native) == natives.end()) {
      const Node* native = node.find("native");
      loading.reader.fail_unknown(native ? native->at : error->at, "refusal kind", promise.native, natives);
    }
  } else {
    loading.reader.fail(node.at, "a promise is {error: CLASS, native: KIND}, undefined or open");
  }
  if (!word) promise.applies = read_applies(loading, node);
  return promise;
}

void read_promises(Loading& loading, const Node& map, Rule& rule) {
  const Node* broken = map.find("broken");
  if (!broken) {
    loading.reader.fail(rule.at,
                        fmt::format("rule '{}' does not say what is promised when it is broken", rule.id),
                        "add 'broken: {error: ..., native: ...}', 'broken: undefined' or 'broken: open'");
    return;
  }
  if (broken->kind == Node::Kind::list) {
    for (const Node& item : broken->items) rule.broken.push_back(read_promise(loading, item));
  } else {
    rule.broken.push_back(read_promise(loading, *broken));
  }
}

/// Reads what all rules share, except the requirement.
Rule read_common(Loading& loading, const Node& map, std::string id, Position at) {
  Rule rule;
  rule.id = std::move(id);
  rule.at = at;
  rule.says = loading.reader.text(map, "says");
  rule.from = read_source(loading.reader, map, loading.spec);
  rule.unless = read_expression(loading, map, "unless", loading.scope, boolean);
  rule.applies = read_applies(loading, map);
  read_promises(loading, map, rule);
  return rule;
}

void check_constancy(Loading& loading, const Rule& rule) {
  if (!rule.require) return;
  if (rule.require->constancy() == Constancy::always_true)
    loading.reader.fail(rule.at, fmt::format("rule '{}' can never be broken", rule.id),
                        "a condition that always holds is not a rule: move it to 'summary' or remove it");
  if (rule.require->constancy() == Constancy::always_false)
    loading.reader.fail(rule.at, fmt::format("rule '{}' can never be obeyed", rule.id));
  if (rule.unless && rule.unless->constancy() == Constancy::always_true)
    loading.reader.fail(rule.at, fmt::format("rule '{}' never holds: its 'unless' is always true", rule.id));
}

/// Whether an item of a selection's list is a mask, which is of booleans whatever the type is; nothing for
/// any other argument.
std::string mask_guard(const OpSpec& spec, const ArgumentDecl& item) {
  std::size_t n = 0;
  for (const ArgumentDecl& other : spec.arguments) {
    if (&other == &item) break;
    n += other.list == item.list ? 1 : 0;
  }
  for (const ArgumentDecl& declared : spec.arguments)
    if (!declared.selects_with.empty() && declared.selects_with == item.list)
      return fmt::format("is_mask({}, {})", declared.name, n);
  return {};
}

/// When an argument of the type is a tensor: a condition to put before `implies`, or nothing when it always
/// is.
std::string tensor_guard(const OpSpec& spec, const ArgumentDecl& declared) {
  std::vector<std::string> all;
  if (declared.optional && !declared.fallback) all.push_back(fmt::format("given({})", declared.name));
  if (declared.kind == ArgumentKind::tensor_or_scalar)
    all.push_back(fmt::format("is_tensor({})", declared.name));
  if (const std::string mask = mask_guard(spec, declared); !mask.empty()) all.push_back("not " + mask);
  return fmt::format("{}", fmt::join(all, " and "));
}

std::string guarded(const std::string& guard, const std::string& claim) {
  return guard.empty() ? claim : fmt::format("({} implies {})", guard, claim);
}

/// `dtype(a) == dtype(b)` for the arguments of one type, then the list for the first, or for all where any
/// may be absent.
std::string type_requirement(const OpSpec& spec, const std::vector<const ArgumentDecl*>& arguments,
                             const TypeVariable& type) {
  std::vector<std::string> parts;
  const bool anchored = tensor_guard(spec, *arguments.front()).empty();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      if (anchored && i > 0) continue;
      const std::string a = tensor_guard(spec, *arguments[i]);
      const std::string b = tensor_guard(spec, *arguments[j]);
      const std::string both = a.empty() || b.empty() ? a + b : a + " and " + b;
      parts.push_back(
          guarded(both, fmt::format("dtype({}) == dtype({})", arguments[i]->name, arguments[j]->name)));
    }
  }
  std::vector<std::string_view> names;
  for (const DType dtype : type.dtypes) names.push_back(name(dtype));
  for (std::size_t i = 0; i < (anchored ? 1 : arguments.size()); ++i)
    parts.push_back(guarded(tensor_guard(spec, *arguments[i]),
                            fmt::format("dtype({}) in [{}]", arguments[i]->name, fmt::join(names, ", "))));
  return fmt::format("{}", fmt::join(parts, " and "));
}

void read_type(Loading& loading, const std::string& name, const Node& map, Position at) {
  TypeVariable type{name, {}};
  std::vector<std::string> known;
  for (const DType dtype : all_dtypes) known.emplace_back(spec::name(dtype));
  if (const Node* dtypes = map.find("dtypes"))
    for (const Node& item : dtypes->items) {
      if (const auto dtype = parse_dtype(item.text))
        type.dtypes.push_back(*dtype);
      else
        loading.reader.fail_unknown(item.at, "dtype", item.text, known);
    }
  std::vector<const ArgumentDecl*> arguments;
  for (const ArgumentDecl& declared : loading.spec.arguments)
    if (declared.type == name) arguments.push_back(&declared);
  // A plain tensor comes first: the others are compared with it.
  std::ranges::stable_partition(
      arguments, [&](const ArgumentDecl* one) { return tensor_guard(loading.spec, *one).empty(); });
  Rule rule = read_common(loading, map, name, at);
  if (arguments.empty()) {
    loading.reader.fail(at, fmt::format("no argument has type '{}'", name));
  } else if (arguments.size() == 1 && type.dtypes.size() == all_dtypes.size()) {
    loading.reader.fail(
        at, fmt::format("type '{}' restricts nothing: it has one argument and allows every dtype", name),
        fmt::format("declare '{}: {{tensor: any}}'", arguments.front()->name));
  } else {
    rule.require =
        parse_generated(loading, at, type_requirement(loading.spec, arguments, type), Type::boolean);
  }
  loading.spec.types.push_back(std::move(type));
  loading.spec.rules.push_back(std::move(rule));
}

void read_types(Loading& loading) {
  std::vector<std::string> known;
  if (const Node* types = loading.root.find("types")) {
    Unique unique(loading.reader, "type");
    for (std::size_t i = 0; i < types->members.size(); ++i) {
      known.push_back(types->members[i].first);
      read_type(loading, types->members[i].first, types->members[i].second, types->key_positions[i]);
    }
  }
  for (const ArgumentDecl& declared : loading.spec.arguments)
    if (!declared.type.empty() && std::ranges::find(known, declared.type) == known.end())
      loading.reader.fail_unknown(declared.at, "type", declared.type, known);
}

/// `reduce in ["add", "multiply"]`, of an argument that may be absent only when it is given.
std::string choice_requirement(const ArgumentDecl& declared) {
  std::vector<std::string> words;
  for (const Argument& choice : declared.choices) {
    if (const auto* word = std::get_if<std::string>(&choice))
      words.push_back(fmt::format("\"{}\"", *word));
    else
      words.push_back(to_string(std::get<Scalar>(choice)));
  }
  const std::string claim = fmt::format("{} in [{}]", declared.name, fmt::join(words, ", "));
  return guarded(declared.optional && !declared.fallback ? fmt::format("given({})", declared.name) : "",
                 claim);
}

void read_choices(Loading& loading) {
  const Node* arguments = loading.root.find("arguments");
  if (!arguments) return;
  for (const auto& [name, map] : arguments->members) {
    const ArgumentDecl* declared = loading.spec.argument(name);
    const Node* node = map.find("rule");
    if (!declared || !node) continue;
    if (declared->kind != ArgumentKind::choice) {
      loading.reader.fail(node->at, "only a choice can have its own rule", "write it under 'rules'");
      continue;
    }
    Rule rule = read_common(loading, *node, declared->rule, node->at);
    rule.require = parse_generated(loading, node->at, choice_requirement(*declared), Type::boolean);
    loading.spec.rules.push_back(std::move(rule));
  }
}

}  // namespace

Applies read_applies(Loading& loading, const Node& map) {
  Applies applies{loading.reader.text(map, "since"), loading.reader.text(map, "until"),
                  loading.reader.text(map, "device")};
  for (const std::string_view key : {"since", "until"}) {
    const std::string version = loading.reader.text(map, key);
    if (version.find_first_not_of("0123456789.") != std::string::npos)
      loading.reader.fail(map.find(key)->at, fmt::format("invalid version '{}'", version),
                          "use digits and dots, such as 1.12");
  }
  return applies;
}

ExpressionPtr read_expression(Loading& loading, const Node& map, std::string_view key,
                              const language::Scope& scope, language::Types expected) {
  const Node* node = map.find(key);
  if (!node) return nullptr;
  if (!node->is_scalar()) {
    loading.reader.fail(node->at, fmt::format("'{}' must be an expression", key),
                        "put an expression that starts with [ or { in quotes");
    return nullptr;
  }
  return loading.reader.take(language::parse_expression(loading.reader.expression(*node), scope, expected));
}

ExpressionPtr parse_generated(Loading& loading, Position at, std::string text, language::Type expected) {
  auto parsed = language::parse_expression({loading.reader.document().file, at, text}, loading.scope,
                                           static_cast<language::Types>(expected));
  if (parsed) return std::move(parsed).value();
  for (const Error& error : parsed.errors())
    loading.reader.fail(at, error.what, fmt::format("this stands for `{}`", text));
  return nullptr;
}

void read_lets(Loading& loading) {
  const Node* lets = loading.root.find("let");
  if (!lets) return;
  constexpr language::Types anything = 255;
  for (std::size_t i = 0; i < lets->members.size(); ++i) {
    const std::string& name = lets->members[i].first;
    if (loading.scope.find(name) || loading.scope.find_list(name) || name == "out") {
      loading.reader.fail(lets->key_positions[i], fmt::format("the name '{}' is already taken", name));
      continue;
    }
    auto expression = read_expression(loading, *lets, name, loading.scope, anything);
    // A wrong let still declares its name, so its uses are not reported too.
    loading.scope.declare(name, expression ? expression->types() : anything);
    loading.spec.lets.emplace_back(name, std::move(expression));
  }
}

std::vector<Rule> read_rule_list(Loading& loading, const Node& map) {
  std::vector<Rule> made;
  if (const Node* rules = map.find("rules"))
    for (const Node& node : rules->items) {
      Rule rule = read_common(loading, node, loading.reader.text(node, "id"), node.at);
      rule.require = read_expression(loading, node, "require", loading.scope, boolean);
      check_constancy(loading, rule);
      made.push_back(std::move(rule));
    }
  return made;
}

void read_rules(Loading& loading) {
  read_types(loading);
  read_choices(loading);
  for (const Rule& rule : loading.spec.rules) check_constancy(loading, rule);
  std::ranges::move(read_rule_list(loading, loading.root), std::back_inserter(loading.spec.rules));
}

void check_rule_ids(Loading& loading) {
  Unique unique(loading.reader, "rule");
  for (const std::vector<Rule>* rules : {&loading.spec.rules, &loading.spec.gradient.rules})
    for (const Rule& rule : *rules) unique.add(rule.id, rule.at);
}

}  // namespace scatterproof::spec
