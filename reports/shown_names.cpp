// SPDX-License-Identifier: Apache-2.0
#include "shown_names.hpp"

#include <algorithm>

#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::reports {
namespace {

constexpr std::size_t long_name = 32;  // bytes: a path or a command that is longer is shortened

/// `cmd:worker.py` of `cmd:python3 /somewhere/worker.py --fast`, `so:mine.so` of `so:/somewhere/mine.so`.
/// Others as they are.
std::string shortened_name(const std::string& engine) {
  if (!spec::is_named_by_path(engine) || engine.size() <= long_name) return engine;
  const std::size_t begin = engine.find(':') + 1;
  const std::size_t slash = engine.rfind('/');
  if (slash == std::string::npos || slash < begin) return engine;
  const std::size_t end =
      engine.starts_with("cmd:") ? std::min(engine.find(' ', slash), engine.size()) : engine.size();
  return engine.substr(0, begin) + engine.substr(slash + 1, end - slash - 1);
}

/// What an engine would like to be called.
std::string wished(const spec::EngineSummary& engine) {
  return engine.name.starts_with("cmd:") && !engine.declared.empty() ? engine.declared
                                                                     : shortened_name(engine.name);
}

}  // namespace

ShownNames::ShownNames(const std::vector<spec::EngineSummary>& engines) {
  for (const spec::EngineSummary& engine : engines) {
    const std::string name = wished(engine);
    const auto is_other = [&](const spec::EngineSummary& other) {
      return &other != &engine && (other.name == name || wished(other) == name);
    };
    if (name != engine.name && std::ranges::none_of(engines, is_other)) declared_[engine.name] = name;
  }
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
