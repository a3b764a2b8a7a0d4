// SPDX-License-Identifier: Apache-2.0
// Reads the meaning, the latitude, what is promised of refused calls, and what limits gradients.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "loading.hpp"

namespace scatterproof::spec {
namespace {

using language::Constancy;
using language::Type;
using yaml::Node;

constexpr language::Types types(Type type) { return static_cast<language::Types>(type); }

bool check_combiner(Loading& loading, const Node& node) {
  if (parse_combiner(node.text)) return true;
  const auto words =
      all_combiners | std::views::transform([](Combiner one) { return std::string(name(one)); });
  loading.reader.fail_unknown(node.at, "combiner", node.text, {words.begin(), words.end()});
  return false;
}

/// The condition under which an argument has the value that a table's key names; empty after an error.
std::string key_condition(Loading& loading, const ArgumentDecl& by, const std::string& key, Position at) {
  if (by.kind == ArgumentKind::boolean && (key == "true" || key == "false"))
    return key == "true" ? by.name : "not " + by.name;
  for (const Argument& choice : by.choices) {
    const auto* word = std::get_if<std::string>(&choice);
    if (word && *word == key) return fmt::format("{} == \"{}\"", by.name, key);
    if (!word && to_string(choice) == key) return fmt::format("{} == {}", by.name, key);
  }
  if (by.optional && !by.fallback && key == "none") return fmt::format("not given({})", by.name);
  std::vector<std::string> known;
  for (const Argument& choice : by.choices) known.push_back(to_string(choice));
  loading.reader.fail_unknown(at, fmt::format("value of '{}'", by.name), key, known);
  return {};
}

std::size_t values_of(const ArgumentDecl& by) {
  const std::size_t absent = by.optional && !by.fallback ? 1 : 0;
  return absent + (by.kind == ArgumentKind::boolean ? 2 : by.choices.size());
}

/// `{by: reduce, add: sum, ...}` as an expression: `if reduce == "add" then "sum" else ...`.
ExpressionPtr read_combine_table(Loading& loading, const Node& table) {
  const Node* by = table.find("by");
  if (!by || !check_argument(loading, by->at, by->text)) return nullptr;
  const ArgumentDecl& argument = *loading.spec.argument(by->text);
  std::string expression;
  std::string last;
  std::size_t entries = 0;
  for (std::size_t i = 0; i < table.members.size(); ++i) {
    const auto& [key, value] = table.members[i];
    if (key == "by") continue;
    const std::string condition = key_condition(loading, argument, key, table.key_positions[i]);
    if (!check_combiner(loading, value) || condition.empty()) return nullptr;
    if (!last.empty()) expression += last;
    last = fmt::format("if {} then \"{}\" else ", condition, value.text);
    if (++entries == values_of(argument)) last = fmt::format("\"{}\"", value.text);
  }
  if (entries != values_of(argument)) {
    loading.reader.fail(table.at, fmt::format("the table has {} of the {} values of '{}'", entries,
                                              values_of(argument), argument.name));
    return nullptr;
  }
  return parse_generated(loading, table.at, expression + last, Type::word);
}

ExpressionPtr read_combine(Loading& loading, const Node& meaning) {
  const Node* combine = meaning.find("combine");
  if (combine && combine->kind == Node::Kind::map) return read_combine_table(loading, *combine);
  if (combine && !check_combiner(loading, *combine)) return nullptr;
  const Position at = combine ? combine->at : meaning.at;
  const std::string word = combine ? combine->text : "assign";
  return parse_generated(loading, at, fmt::format("\"{}\"", word), Type::word);
}

void read_loops(Loading& loading, const Node& meaning, language::Scope& scope) {
  const Node* loops = meaning.find("for");
  if (!loops) return;
  for (std::size_t i = 0; i < loops->members.size(); ++i) {
    const std::string& variable = loops->members[i].first;
    if (scope.find(variable) || variable == "out") {
      loading.reader.fail(loops->key_positions[i], fmt::format("the name '{}' is already taken", variable));
      continue;
    }
    auto domain = read_expression(loading, *loops, variable, scope, types(Type::tuple));
    scope.declare(variable, types(Type::tuple));
    loading.spec.meaning.loops.push_back({variable, std::move(domain)});
  }
}

void read_result(Loading& loading, const Node& meaning) {
  const Node* result = meaning.find("result");
  if (!result) return;
  Meaning& made = loading.spec.meaning;
  made.result_shape = read_expression(loading, *result, "shape", loading.scope, types(Type::tuple));
  made.result_dtype_of = loading.reader.text(*result, "dtype");
  const Node* dtype = result->find("dtype");
  if (!dtype || !check_argument(loading, dtype->at, made.result_dtype_of)) return;
  const ArgumentDecl& argument = *loading.spec.argument(made.result_dtype_of);
  if (argument.kind != ArgumentKind::tensor || argument.optional)
    loading.reader.fail(
        dtype->at,
        fmt::format("'{}' is not always a tensor, so the result cannot take its dtype", argument.name));
}

/// `scope` has the loops' variables.
void read_where(Loading& loading, const Node& meaning, const language::Scope& scope) {
  ExpressionPtr& where = loading.spec.meaning.where;
  where = read_expression(loading, meaning, "where", scope, types(Type::boolean));
  if (where && where->constancy() != Constancy::varies)
    loading.reader.fail(meaning.find("where")->at, "'where' is the same for every write");
}

template <class Enum, std::size_t N>
void read_policy(Loading& loading, const Node& latitude, std::string_view key,
                 const std::pair<const char*, Enum> (&words)[N], Enum& target) {
  const Node* node = latitude.find(key);
  if (!node) return;
  std::vector<std::string> known;
  for (const auto& [word, value] : words) {
    if (node->text == word) {
      target = value;
      return;
    }
    known.emplace_back(word);
  }
  loading.reader.fail_unknown(node->at, std::string(key), node->text, known);
}

}  // namespace

void read_meaning(Loading& loading) {
  const Node* meaning = loading.root.find("meaning");
  if (!meaning) return;
  Meaning& made = loading.spec.meaning;
  made.from = read_source(loading.reader, *meaning, loading.spec);
  read_result(loading, *meaning);
  const language::Types number = Type::number | Type::integer;
  made.start = read_expression(loading, *meaning, "start", loading.scope,
                               number | types(Type::tensor) | types(Type::boolean));
  made.combine = read_combine(loading, *meaning);
  made.start_counts = read_expression(loading, *meaning, "start_counts", loading.scope, types(Type::boolean));
  language::Scope scope = loading.scope;
  read_loops(loading, *meaning, scope);
  read_where(loading, *meaning, scope);
  if (const Node* write = meaning->find("write")) {
    const auto parsed = loading.reader.take(language::parse_write(loading.reader.expression(*write), scope));
    made.at = parsed.at;
    made.write_at = write->at;
    made.value = parsed.value;
  }
  made.in_place = loading.reader.texts(*meaning, "in_place");
  if (const Node* in_place = meaning->find("in_place"))
    for (const Node& item : in_place->items) check_argument(loading, item.at, item.text);
}

void read_latitude(Loading& loading) {
  const Node* node = loading.root.find("latitude");
  loading.spec.latitude.nan = NanPolicy::open;
  if (!node) return;
  static constexpr std::pair<const char*, Collisions> collisions[] = {
      {"any", Collisions::any}, {"last", Collisions::last}, {"forbidden", Collisions::forbidden}};
  static constexpr std::pair<const char*, Accumulate> accumulate[] = {{"any", Accumulate::any},
                                                                      {"wider", Accumulate::wider}};
  static constexpr std::pair<const char*, IntegerMean> means[] = {
      {"floor", IntegerMean::floor}, {"truncate", IntegerMean::truncate}, {"open", IntegerMean::open}};
  static constexpr std::pair<const char*, IntegerQuotient> quotients[] = {{"floor", IntegerQuotient::floor},
                                                                          {"open", IntegerQuotient::open}};
  static constexpr std::pair<const char*, NanPolicy> nans[] = {
      {"propagate", NanPolicy::propagate}, {"ignore", NanPolicy::ignore}, {"open", NanPolicy::open}};
  loading.spec.latitude.from = read_source(loading.reader, *node, loading.spec);
  read_policy(loading, *node, "collisions", collisions, loading.spec.latitude.collisions);
  read_policy(loading, *node, "accumulate", accumulate, loading.spec.latitude.accumulate);
  read_policy(loading, *node, "integer_mean", means, loading.spec.latitude.integer_mean);
  read_policy(loading, *node, "integer_quotient", quotients, loading.spec.latitude.integer_quotient);
  read_policy(loading, *node, "nan", nans, loading.spec.latitude.nan);
}

void read_gradient(Loading& loading) {
  const Node* node = loading.root.find("gradient");
  if (!node) return;
  using Ties = GradientPolicy::Ties;
  static constexpr std::pair<const char*, Ties> ties[] = {{"free", Ties::free}, {"even", Ties::even}};
  using Colliding = GradientPolicy::Collisions;
  static constexpr std::pair<const char*, Colliding> collisions[] = {{"one", Colliding::one},
                                                                     {"or_each", Colliding::or_each}};
  GradientPolicy& policy = loading.spec.gradient;
  policy.from = read_source(loading.reader, *node, loading.spec);
  policy.rules = read_rule_list(loading, *node);
  read_policy(loading, *node, "ties", ties, policy.ties);
  read_policy(loading, *node, "collisions", collisions, policy.collisions);
}

/// Only of an argument that the API overwrites is there anything to promise.
void read_refusal(Loading& loading) {
  const Node* node = loading.root.find("refusal");
  if (!node) return;
  Refusal& refusal = loading.spec.refusal;
  refusal.from = read_source(loading.reader, *node, loading.spec);
  refusal.unchanged = loading.reader.texts(*node, "unchanged");
  refusal.unless = read_expression(loading, *node, "unless", loading.scope, types(Type::boolean));
  if (refusal.unless && refusal.unless->constancy() != Constancy::varies)
    loading.reader.fail(node->find("unless")->at, "'unless' is the same for every call");
  const std::vector<std::string>& overwritten = loading.spec.meaning.in_place;
  if (const Node* unchanged = node->find("unchanged"))
    for (const Node& item : unchanged->items)
      if (std::ranges::find(overwritten, item.text) == overwritten.end())
        loading.reader.fail_unknown(item.at, "overwritten argument (meaning: in_place)", item.text,
                                    overwritten);
}

}  // namespace scatterproof::spec
