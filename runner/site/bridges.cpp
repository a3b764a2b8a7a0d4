// SPDX-License-Identifier: Apache-2.0
// bridges.yaml: code that writes a call with another API.
#include <algorithm>

#include "scatterproof/runner/site/site.hpp"
#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::site {
namespace {

using spec::FamilyComparison;
using spec::yaml::Node;

/// Reads the entries, and looks up what they name.
class CodeReader {
 public:
  CodeReader(const spec::yaml::Document& document, const std::vector<FamilyComparison>& comparisons)
      : reader_(document), comparisons_(comparisons) {}

  spec::Result<PortingCode> read() {
    PortingCode code;
    for (const Node* node : items("bridges")) code.bridges.push_back(bridge(*node));
    for (const Node* node : items("preparations")) code.preparations.push_back(preparation(*node));
    if (!reader_.errors().empty()) return reader_.errors();
    return code;
  }

 private:
  std::vector<const Node*> items(const std::string& key) {
    std::vector<const Node*> all;
    const Node* list = reader_.document().root.find(key);
    if (!list)
      reader_.fail(reader_.document().root.at, key + " is missing");
    else
      for (const Node& node : list->items) all.push_back(&node);
    return all;
  }

  /// Null: an error has been noted.
  const FamilyComparison* family(const Node& node, const std::string& name) {
    for (const FamilyComparison& one : comparisons_)
      if (one.family->name == name) return &one;
    std::vector<std::string> known;
    for (const FamilyComparison& one : comparisons_) known.push_back(one.family->name);
    reader_.fail_unknown(node.at, "family", name, known);
    return nullptr;
  }

  Bridge bridge(const Node& node) {
    Bridge made{.from = reader_.text(node, "from"),
                .to = reader_.text(node, "to"),
                .combine = reader_.texts(node, "combine"),
                .says = reader_.text(node, "says"),
                .code = reader_.text(node, "code"),
                .result = reader_.text(node, "result")};
    family(node, made.from);
    family(node, made.to);
    return made;
  }

  Preparation preparation(const Node& node) {
    Preparation made{.in = reader_.texts(node, "in"),
                     .classes = reader_.texts(node, "classes"),
                     .does = reader_.text(node, "does"),
                     .to = reader_.text(node, "to"),
                     .bridged = reader_.flag(node, "bridged"),
                     .sets = {},
                     .result = reader_.text(node, "result")};
    if (const Node* sets = node.find("sets"))
      for (const spec::yaml::Member& member : sets->members)
        made.sets.emplace_back(member.first, reader_.text(*sets, member.first));
    for (const std::string& name : made.in)
      if (const FamilyComparison* known = family(node, name)) check(node, made, *known);
    return made;
  }

  void check(const Node& node, const Preparation& made, const FamilyComparison& comparison) {
    std::vector<std::string> classes, readings = {"as defined"}, roles;
    for (const auto& one : comparison.classes) classes.push_back(one.id);
    for (const auto& one : comparison.readings) readings.push_back(one.id);
    for (const auto& one : comparison.family->roles) roles.push_back(one.list.empty() ? one.name : one.list);
    const auto look_up = [&](const char* kind, const std::string& word,
                             const std::vector<std::string>& known) {
      if (std::ranges::find(known, word) == known.end()) reader_.fail_unknown(node.at, kind, word, known);
    };
    for (const std::string& one : made.classes) look_up("input class", one, classes);
    look_up("reading", made.does, readings);
    for (const auto& [role, _] : made.sets) look_up("role", role, roles);
  }

  spec::Reader reader_;
  const std::vector<FamilyComparison>& comparisons_;
};

}  // namespace

spec::Result<PortingCode> load_porting_code(const std::string& path,
                                            const std::vector<FamilyComparison>& comparisons) {
  const auto document = spec::yaml::read_file(path);
  if (!document) return document.errors();
  return CodeReader(*document, comparisons).read();
}

}  // namespace scatterproof::runner::site
