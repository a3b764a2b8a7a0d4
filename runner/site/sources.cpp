// SPDX-License-Identifier: Apache-2.0
// What the site reads by itself: findings.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "scatterproof/runner/site/site.hpp"
#include "scatterproof/spec/opspec/reader.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::site {
namespace {

namespace fs = std::filesystem;
using spec::yaml::Node;

PublishedFinding read_finding(spec::Reader& reader) {
  const Node& root = reader.document().root;
  const auto text = [&](std::string_view key) { return reader.text(root, key); };
  PublishedFinding one{.id = text("id"),
                       .title = text("title"),
                       .severity = text("severity"),
                       .configuration = text("configuration"),
                       .status = text("status"),
                       .link = text("link"),
                       .because = text("because"),
                       .fixed_in = text("fixed_in"),
                       .searched = text("searched"),
                       .silent = text("silent"),
                       .mathematics = text("mathematics"),
                       .what = text("what"),
                       .seen = {},
                       .apis = {},
                       .threads = reader.texts(root, "threads"),
                       .clauses = {},
                       .scripts = {}};
  const auto each_of = [&](std::string_view key, const auto& take) {
    const Node* node = root.find(key);
    if (!node) return;
    for (const spec::yaml::Member& member : node->members)
      take(member.first, reader.texts(*node, member.first));
  };
  each_of("seen", [&](const std::string& engine, auto releases) { one.seen[engine] = std::move(releases); });
  each_of("apis", [&](const std::string& api, auto rules) { one.apis.emplace_back(api, std::move(rules)); });
  if (const Node* clauses = root.find("clauses"))
    for (const Node& clause : clauses->items)
      one.clauses.push_back({.where = reader.text(clause, clause.find("page") ? "page" : "text"),
                             .says = reader.text(clause, "says"),
                             .against = reader.flag(clause, "against")});
  if (const Node* shows = root.find("shows"))
    for (const Node& show : shows->items) one.scripts.push_back(reader.text(show, "script"));
  return one;
}

/// `F9` before `F10`.
int number_of(const PublishedFinding& one) {
  int number = 0;
  if (!one.id.empty()) std::from_chars(one.id.data() + 1, one.id.data() + one.id.size(), number);
  return number;
}

}  // namespace

spec::Result<std::vector<PublishedFinding>> load_findings(const std::string& workers) {
  std::vector<PublishedFinding> all;
  spec::Errors errors;
  std::error_code ignored;
  for (const fs::directory_entry& worker : fs::directory_iterator(workers, ignored))
    for (const fs::directory_entry& entry : fs::directory_iterator(worker.path() / "findings", ignored)) {
      if (entry.path().extension() != ".yaml") continue;
      const auto document = spec::yaml::read_file(entry.path().string());
      if (!document) {
        errors.insert(errors.end(), document.errors().begin(), document.errors().end());
        continue;
      }
      spec::Reader reader(*document);
      all.push_back(read_finding(reader));
      errors.insert(errors.end(), reader.errors().begin(), reader.errors().end());
    }
  if (!errors.empty()) return errors;
  std::ranges::sort(all, {}, number_of);
  return all;
}

}  // namespace scatterproof::runner::site
