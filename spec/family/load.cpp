// SPDX-License-Identifier: Apache-2.0
// One family file: schema first, then part by part; all errors at once.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "role_values.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/reader.hpp"

namespace scatterproof::spec {
namespace {

using language::Scope;
using language::Type;
using language::Types;
using yaml::Node;

constexpr std::array<std::pair<std::string_view, Role::Kind>, 6> role_kinds = {
    {{"tensor", Role::Kind::tensor},
     {"tensor_or_scalar", Role::Kind::tensor_or_scalar},
     {"integer", Role::Kind::integer},
     {"sizes", Role::Kind::sizes},
     {"boolean", Role::Kind::boolean},
     {"word", Role::Kind::word}}};

/// Roles that the ways of deriving calls know by name, and the kinds they must have.
constexpr std::array<std::pair<std::string_view, Role::Kind>, 4> known_roles = {
    {{"data", Role::Kind::tensor},
     {"index", Role::Kind::tensor},
     {"axis", Role::Kind::integer},
     {"updates", Role::Kind::tensor_or_scalar}}};

/// Of these ways, the ones that need more than data and index: a role, or another part of the file.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> needs = {
    {{"wrap_axis", "axis"}, {"fill_updates", "updates"}, {"gather_back", "updates"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> needed_parts = {
    {{"permute", "lookups"}, {"split", "lookups"}, {"grow_table", "table"}}};

std::string_view word_of(Role::Kind kind) {
  return std::ranges::find(role_kinds, kind, &std::pair<std::string_view, Role::Kind>::second)->first;
}

class Loader {
 public:
  explicit Loader(const yaml::Document& document) : reader_(document) {}

  Result<Family> run() {
    // Parts that the schema rejects are not read further, so that no error is reported twice.
    reader_.fail(yaml::validate(reader_.document(), "families"));
    static constexpr std::string_view parts[] = {"relations"};
    const auto root = without(reader_.document().root, reader_.errors(), parts);
    if (!root) return reader_.errors();
    family_.file = reader_.document().file;
    family_.name = reader_.text(*root, "family");
    family_.summary = reader_.text(*root, "summary");
    read_roles(*root, "roles", false);
    read_roles(*root, "policies", true);
    read_lets(*root);
    read_shape(*root);
    read_relations(*root);
    if (!reader_.errors().empty()) return reader_.errors();
    return std::move(family_);
  }

 private:
  /// Empty after an error.
  ExpressionPtr parse(const Node& node, const Scope& scope, Types expected) {
    return reader_.take(language::parse_expression(reader_.expression(node), scope, expected));
  }

  bool is_free(const std::string& name, Position at) {
    const bool taken = scope_.find(name) || scope_.find_list(name);
    if (taken) reader_.fail(at, fmt::format("name '{}' is already taken", name));
    return !taken;
  }

  void declare(const std::string& name, Position at, Types types) {
    if (is_free(name, at)) scope_.declare(name, types);
  }

  /// A list of tensors is as many roles as it can have items, as it is as many arguments of a call.
  void read_list(const std::string& name, const Node& node) {
    if (name != "index") reader_.fail(node.at, "only the role 'index' can be a list of tensors");
    for (std::size_t i = 0; i < language::max_items; ++i) {
      Role item{.name = fmt::format("{}_{}", name, i),
                .list = name,
                .optional = i > 0 || reader_.flag(node, "optional")};
      if (!is_free(item.name, node.at)) return;
      scope_.declare(item.name, types_of(item), name);
      family_.roles.push_back(std::move(item));
    }
  }

  void read_roles(const Node& root, std::string_view key, bool policy) {
    const Node* roles = root.find(key);
    if (!roles) return;
    for (const auto& [name, node] : roles->members) {
      const std::string kind = reader_.text(node, "is");
      if (kind == "tensors") {
        read_list(name, node);
        continue;
      }
      if (const Node* given = node.find("optional"))
        reader_.fail(given->at, "'optional' belongs to a list, is: tensors");
      Role role{.name = name, .policy = policy};
      for (const auto& [word, value] : role_kinds)
        if (word == kind) role.kind = value;
      if (const Node* given = node.find("default")) {
        role.fallback = role_value(role.kind, given->text);
        if (!role.fallback) reader_.fail(given->at, fmt::format("'{}' is not of kind {}", given->text, kind));
      } else if (policy) {
        reader_.fail(node.at, fmt::format("policy '{}' needs a default", name));
      }
      if (const Node* given = node.find("left_out")) {
        role.left_out = parse(*given, scope_, static_cast<Types>(Type::integer));
        if (role.kind != Role::Kind::integer || role.fallback || policy)
          reader_.fail(given->at, "'left_out' belongs to a role that is an integer and has no default");
      }
      for (const auto& [known, must_be] : known_roles)
        if (known == name && role.kind != must_be)
          reader_.fail(node.at, fmt::format("role '{}' must be: {}", name, word_of(must_be)));
      declare(name, node.at, types_of(role));
      family_.roles.push_back(std::move(role));
    }
  }

  void read_lets(const Node& root) {
    const Node* lets = root.find("let");
    if (!lets) return;
    for (const auto& [name, node] : lets->members) {
      auto parsed = parse(node, scope_, ~Types{0});
      if (!parsed) continue;
      declare(name, node.at, parsed->types());
      family_.lets.emplace_back(name, std::move(parsed));
    }
  }

  void read_shape(const Node& root) {
    constexpr auto integer = static_cast<Types>(Type::integer);
    family_.stream = parse(*root.find("stream"), scope_, static_cast<Types>(Type::tuple));
    if (const Node* lookups = root.find("lookups")) {
      if (!family_.role("index")) reader_.fail(lookups->at, "lookups need an index that is one tensor");
      family_.index_lookups = parse(*lookups->find("index"), scope_, integer);
      family_.stream_lookups = parse(*lookups->find("stream"), scope_, integer);
    }
    if (const Node* table = root.find("table")) family_.table = parse(*table, scope_, integer);
    Scope at_position = scope_;
    at_position.declare("p", static_cast<Types>(Type::tuple));
    at_position.declare("item", integer);
    family_.counts = parse(*root.find("counts"), at_position, integer);
  }

  void read_relations(const Node& root) {
    const Node* relations = root.find("relations");
    if (!relations) return;
    if (!family_.role("data")) reader_.fail(relations->at, "relations need a role 'data'");
    if (family_.places("index").empty()) reader_.fail(relations->at, "relations need a role 'index'");
    Unique unique(reader_, "relation");
    Scope facts = scope_;
    if (facts.find("collides"))
      reader_.fail(root.at,
                   "the name 'collides' is taken: it says whether some cell receives several values");
    else
      facts.declare("collides", static_cast<Types>(Type::boolean));
    for (const Node& node : relations->items) {
      Relation relation;
      relation.at = node.at;
      relation.id = reader_.text(node, "id");
      unique.add(relation.id, node.at);
      relation.says = reader_.text(node, "says");
      relation.by = reader_.text(node, "by");
      for (const auto& [way, role] : needs)
        if (way == relation.by && !family_.role(role))
          reader_.fail(node.find("by")->at, fmt::format("'{}' needs a role '{}'", way, role));
      for (const auto& [way, part] : needed_parts)
        if (way == relation.by && !root.find(part))
          reader_.fail(node.find("by")->at, fmt::format("'{}' needs '{}'", way, part));
      relation.in = node.find("in") ? reader_.text(node, "in") : family_.name;
      relation.refused_alike = reader_.text(node, "refusals") == "alike";
      if (const Node* when = node.find("when"))
        relation.when = parse(*when, facts, static_cast<Types>(Type::boolean));
      read_changes(node, "values", ~Types{0}, relation.values);
      read_changes(node, "shapes", static_cast<Types>(Type::tuple), relation.shapes);
      read_made(node, relation.makes);
      family_.relations.push_back(std::move(relation));
    }
  }

  /// The part of a relation that only restating has; null: it has none.
  const Node* of_restating(const Node& node, std::string_view key) {
    const Node* given = node.find(key);
    if (given && reader_.text(node, "by") != "restate")
      reader_.fail(given->at, fmt::format("'{}' belongs to 'by: restate'", key));
    return given;
  }

  void read_made(const Node& node, std::vector<MadeIndex>& makes) {
    const Node* given = of_restating(node, "makes");
    if (!given) return;
    for (const auto& [role, made] : given->members) {
      MadeIndex one{.role = role};
      Scope of_item = scope_;
      if (const Node* items = made.find("items")) {
        one.items = parse(*items, scope_, static_cast<Types>(Type::integer));
        of_item.declare("item", static_cast<Types>(Type::integer));
      }
      one.sizes = parse(*made.find("sizes"), of_item, static_cast<Types>(Type::tuple));
      Scope at_position = of_item;
      at_position.declare("p", static_cast<Types>(Type::tuple));
      one.element = parse(*made.find("element"), at_position, Type::integer | Type::number);
      if (one.sizes && one.element) makes.push_back(std::move(one));
    }
  }

  void read_changes(const Node& node, std::string_view key, Types expected,
                    std::vector<std::pair<std::string, ExpressionPtr>>& changes) {
    const Node* given = of_restating(node, key);
    if (!given) return;
    for (const auto& [name, value] : given->members)
      if (auto parsed = parse(value, scope_, expected)) changes.emplace_back(name, std::move(parsed));
  }

  Reader reader_;
  Family family_;
  Scope scope_;
};

Result<Family> load(const Result<yaml::Document>& document) {
  if (!document) return document.errors();
  return Loader(*document).run();
}

}  // namespace

Result<Family> load_family(const std::string& path) { return load(yaml::read_file(path)); }

Result<Family> load_family_text(std::string file_name, std::string text) {
  return load(yaml::read_text(std::move(file_name), std::move(text)));
}

}  // namespace scatterproof::spec
