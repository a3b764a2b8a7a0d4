// SPDX-License-Identifier: Apache-2.0
// Loads what the comparison of a family needs: two lists that all families share, and the family's meaning.
#include "scatterproof/spec/family/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "role_values.hpp"
#include "scatterproof/spec/opspec/reader.hpp"

namespace scatterproof::spec {
namespace {

using language::Scope;
using language::Type;
using language::Types;
using yaml::Node;

constexpr auto tuple_type = static_cast<Types>(Type::tuple);
constexpr auto integer_type = static_cast<Types>(Type::integer);
constexpr auto boolean_type = static_cast<Types>(Type::boolean);

Scope scope_of(const Family& family) {
  Scope scope;
  for (const Role& role : family.roles) scope.declare(role.name, types_of(role), role.list);
  for (const auto& [name, expression] : family.lets) scope.declare(name, expression->types());
  scope.declare("stream", tuple_type);
  return scope;
}

Scope element_scope() {
  Scope scope;
  scope.declare("i", integer_type);
  scope.declare("s", integer_type);
  return scope;
}

/// One of the shared files, read for one family.
class ListLoader {
 public:
  /// `kind`: what the entries are, for errors. The file is valid if `schema` finds nothing.
  ListLoader(const yaml::Document& document, std::string_view schema, std::string kind,
             const FamilyLibrary& families, const Family& family)
      : reader_(document),
        unique_(reader_, std::move(kind)),
        families_(families),
        family_(family),
        scope_(scope_of(family)) {
    reader_.fail(yaml::validate(document, schema));
  }

  Errors load_readings(std::vector<CallReading>& readings) {
    for (const Node* node : entries("readings")) readings.push_back(read_reading(*node));
    for (std::size_t i = 0; i < readings.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (readings[i].letter == readings[j].letter)
          reader_.fail({1, 1}, fmt::format("the readings '{}' and '{}' of {} have one letter, '{}'",
                                           readings[j].id, readings[i].id, family_.name, readings[i].letter));
    return reader_.errors();
  }

  /// Fills the classes and the details of a comparison that has its readings.
  Errors load_classes(const std::vector<std::string>& all_readings, FamilyComparison& comparison) {
    for (const Node* node : entries("classes"))
      comparison.classes.push_back(read_class(*node, comparison.readings, all_readings));
    for (const Node* node : entries("details"))
      comparison.details.push_back(read_class(*node, comparison.readings, all_readings));
    return reader_.errors();
  }

 private:
  /// The entries of a list that are about the family. Ids are unique in the whole file.
  std::vector<const Node*> entries(const std::string& list) {
    std::vector<const Node*> own;
    const Node* nodes = reader_.document().root.find(list);
    if (!nodes || !reader_.errors().empty()) return own;
    for (const Node& node : nodes->items) {
      unique_.add(reader_.text(node, "id"), node.at);
      if (is_about_family(node) && has_needed_roles(node)) own.push_back(&node);
    }
    return own;
  }

  /// A list of tensors does not count as a role: an expression cannot name it.
  bool has_needed_roles(const Node& node) const {
    const Node* needs = node.find("needs");
    return !needs ||
           std::ranges::all_of(needs->items, [&](const Node& role) { return family_.role(role.text); });
  }

  /// Reports families that are not there.
  bool is_about_family(const Node& node) {
    const Node* in = node.find("in");
    if (!in) return true;
    for (const Node& word : in->items)
      if (!families_.find(word.text))
        reader_.fail(word.at, fmt::format("unknown family '{}'", word.text), families_.hint(word.text));
    return std::ranges::find(in->items, family_.name, &Node::text) != in->items.end();
  }

  ExpressionPtr parse(const Node& map, std::string_view key, const Scope& scope, Types expected) {
    const Node* node = map.find(key);
    return node ? reader_.take(language::parse_expression(reader_.expression(*node), scope, expected))
                : nullptr;
  }

  /// Roles by name; those that the family lacks are an error.
  void read_edits(const Node& node, std::string_view key, Types types, CallReading::Edits& edits) {
    const Node* given = node.find(key);
    if (!given) return;
    // Sizes are those of tensors, and a list has several tensors; any other value is that of one role.
    for (const auto& [role, value] : given->members)
      if (types == tuple_type ? has_tensors(role, value.at) : has_role(role, value.at))
        edits.emplace_back(
            role, reader_.take(language::parse_expression(reader_.expression(value), scope_, types)));
  }

  bool has_role(const std::string& role, Position at) {
    return is_known(family_.role(role) != nullptr, role, at);
  }

  /// A list of tensors will do, too.
  bool has_tensors(const std::string& role, Position at) {
    return is_known(!family_.places(role).empty(), role, at);
  }

  bool is_known(bool known_role, const std::string& role, Position at) {
    if (known_role) return true;
    std::vector<std::string> known;
    for (const Role& one : family_.roles) known.push_back(one.name);
    reader_.fail_unknown(at, "role of " + family_.name, role, known);
    return false;
  }

  CallReading read_reading(const Node& node) {
    CallReading reading{.id = reader_.text(node, "id"),
                        .says = reader_.text(node, "says"),
                        .letter = reader_.text(node, "letter"),
                        .index = parse(node, "index", element_scope(), integer_type),
                        .combines = reader_.text(node, "combines"),
                        .untouched = parse(node, "untouched", scope_, Type::integer | Type::number),
                        .starts = reader_.flag(node, "starts")};
    using Over = CallReading::PassesOver;
    const std::string over = reader_.text(node, "passes_over");
    reading.passes_over = over == "dropped"   ? Over::dropped
                          : over == "zero"    ? Over::zero
                          : over == "invalid" ? Over::invalid
                                              : Over::nothing;
    read_edits(node, "stretches", tuple_type, reading.stretches);
    read_edits(node, "cuts", tuple_type, reading.cuts);
    read_edits(node, "reshapes", tuple_type, reading.reshapes);
    read_edits(node, "fills", tuple_type, reading.fills);
    read_edits(node, "values", Type::integer | Type::word, reading.values);
    for (const auto& [key, roles] : {std::pair("flushes", &reading.flushes), {"copies", &reading.copies}})
      if (const Node* given = node.find(key))
        for (const Node& role : given->items)
          if (has_tensors(role.text, role.at)) roles->push_back(role.text);
    if (const Node* casts = node.find("casts"))
      for (const auto& [role, to] : casts->members)
        if (has_tensors(role, to.at)) {
          if (!parse_dtype(to.text) && !has_role(to.text, to.at)) continue;
          reading.casts.emplace_back(role, to.text);
        }
    return reading;
  }

  std::optional<std::size_t> find(const Node& word, const std::vector<CallReading>& readings,
                                  const std::vector<std::string>& all) {
    const auto found = std::ranges::find(readings, word.text, &CallReading::id);
    if (found != readings.end()) return static_cast<std::size_t>(found - readings.begin());
    if (std::ranges::find(all, word.text) == all.end())
      reader_.fail_unknown(word.at, "reading", word.text, all);
    return {};
  }

  FamilyInputClass read_class(const Node& node, const std::vector<CallReading>& readings,
                              const std::vector<std::string>& all) {
    Scope facts = scope_;
    facts.declare("collides", boolean_type);
    FamilyInputClass one{.id = reader_.text(node, "id"),
                         .says = reader_.text(node, "says"),
                         .some = parse(node, "some", element_scope(), boolean_type),
                         .when = parse(node, "when", facts, boolean_type),
                         .overlaps = reader_.text(node, "overlaps"),
                         .views = reader_.text(node, "views"),
                         .open = reader_.flag(node, "open"),
                         .readings = {},
                         .portable = {}};
    for (const std::string_view key : {"overlaps", "views"})
      if (const Node* role = node.find(key)) has_role(role->text, role->at);
    for (const auto& [key, places] : {std::pair("readings", &one.readings), {"portable", &one.portable}})
      if (const Node* named = node.find(key))
        for (const Node& word : named->items)
          if (const auto at = find(word, readings, all)) places->push_back(*at);
    return one;
  }

  Reader reader_;
  Unique unique_;
  const FamilyLibrary& families_;
  const Family& family_;
  Scope scope_;
};

}  // namespace

const FamilyInputClass* FamilyComparison::find_class(std::string_view id) const {
  const auto found = std::ranges::find(classes, id, &FamilyInputClass::id);
  return found != classes.end() ? &*found : nullptr;
}

Result<FamilyComparison> load_comparison(const std::string& folder, const FamilyLibrary& families,
                                         const Family& family) {
  auto meaning = load_op_spec(fmt::format("{}/meanings/{}.yaml", folder, family.name));
  if (!meaning) return meaning.errors();
  FamilyComparison comparison{
      .family = &family, .meaning = std::move(meaning).value(), .classes = {}, .details = {}, .readings = {}};
  const auto readings = yaml::read_file(folder + "/readings.yaml");
  if (!readings) return readings.errors();
  Errors errors =
      ListLoader(*readings, "readings", "reading", families, family).load_readings(comparison.readings);
  std::vector<std::string> all;
  if (const Node* nodes = readings->root.find("readings"))
    for (const Node& node : nodes->items)
      if (const Node* id = node.find("id")) all.push_back(id->text);
  const auto classes = yaml::read_file(folder + "/classes.yaml");
  if (!classes) return classes.errors();
  const Errors more =
      ListLoader(*classes, "classes", "input class", families, family).load_classes(all, comparison);
  errors.insert(errors.end(), more.begin(), more.end());
  if (!errors.empty()) return errors;
  return comparison;
}

language::Frame comparison_frame(const Family& family, const FamilyCall& said) {
  language::Frame frame = frame_of(family, said);
  try {
    frame.emplace_back(language::evaluate_tuple(*family.stream, frame));
  } catch (const language::NotEvaluable&) {
    frame.emplace_back(None{});
  }
  return frame;
}

std::optional<std::int64_t> counts_within(const Family& family, const language::Frame& frame, const Coords& p,
                                          std::int64_t item) {
  language::Frame with_position(
      frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(family.roles.size() + family.lets.size()));
  with_position.emplace_back(p);
  with_position.emplace_back(item);
  try {
    const language::Value size = language::evaluate(*family.counts, with_position);
    const auto* known = std::get_if<std::int64_t>(&size);  // a role that is left out may have no value
    return known ? std::optional(*known) : std::nullopt;
  } catch (const language::NotEvaluable&) {
    return {};
  }
}

bool holds_for_element(const ExpressionPtr& some, std::int64_t i, std::int64_t s) {
  try {
    return language::evaluate_bool(*some, {i, s});
  } catch (const language::NotEvaluable&) {
    return false;
  }
}

}  // namespace scatterproof::spec
