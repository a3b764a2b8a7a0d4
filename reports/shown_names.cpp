// SPDX-License-Identifier: Apache-2.0
#include "shown_names.hpp"

#include <algorithm>

namespace scatterproof::reports {

ShownNames::ShownNames(const std::vector<spec::EngineSummary>& engines) {
  const auto has_name = [&](const std::string& name) {
    return std::ranges::count_if(
        engines, [&](const auto& engine) { return engine.name == name || engine.declared == name; });
  };
  for (const spec::EngineSummary& engine : engines)
    if (engine.name.starts_with("cmd:") && !engine.declared.empty() && has_name(engine.declared) == 1)
      declared_[engine.name] = engine.declared;
}

const std::string& ShownNames::of(const std::string& engine) const {
  const auto found = declared_.find(engine);
  return found == declared_.end() ? engine : found->second;
}

const spec::Record& ShownNames::shown(const spec::Record& record, spec::Record& renamed) const {
  const std::string& name = of(record.engine);
  if (name == record.engine) return record;
  renamed = record;
  renamed.engine = name;
  return renamed;
}

}  // namespace scatterproof::reports
