// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/selftest/equivalents.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::runner::selftest {

spec::Result<Equivalents> load_equivalents(const std::string& path) {
  const auto document = spec::yaml::read_file(path);
  if (!document) return document.errors();
  spec::Errors errors = spec::yaml::validate(*document, "equivalents");
  if (!errors.empty()) return errors;
  Equivalents equivalents;
  for (const spec::yaml::Node& node : document->root.find("equivalents")->items)
    for (const spec::yaml::Node& name : node.find("names")->items) {
      const auto [other, added] =
          equivalents.try_emplace(name.text, Equivalent{node.find("why")->text, name.at});
      if (!added)
        errors.push_back(document->error(name.at, fmt::format("'{}' is listed twice", name.text),
                                         fmt::format("first listed in line {}", other->second.at.line)));
    }
  if (!errors.empty()) return errors;
  return equivalents;
}

spec::Errors unknown_names(const Equivalents& equivalents, const std::string& path,
                           const std::vector<std::string>& known) {
  spec::Errors errors;
  for (const auto& [name, equivalent] : equivalents) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    errors.push_back({.file = path,
                      .at = equivalent.at,
                      .what = fmt::format("unknown fault or mutant '{}'", name),
                      .hint = spec::did_you_mean(name, known, "`scatterproof selftest` prints the names")});
  }
  return errors;
}

}  // namespace scatterproof::runner::selftest
