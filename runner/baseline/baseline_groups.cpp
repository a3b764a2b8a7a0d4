// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner {
namespace {

/// What failures of one entry have in common besides their place.
struct Behaviour {
  std::string engine;
  spec::Verdict verdict = spec::Verdict::pass;
  std::string diagnosis;  ///< without numbers; empty: none
  friend auto operator<=>(const Behaviour&, const Behaviour&) = default;
};

Behaviour behaviour_of(const spec::Record& record) {
  const bool plain = record.diagnosis.kind == spec::DiagnosisKind::none;
  return {engine_of(record), record.verdict, plain ? "" : to_string(without_numbers(record.diagnosis))};
}

/// The folders of an id that a glob may stand for, the widest first: a rule, a topic, and what is below them.
/// Ids of generated calls already stand for many calls.
std::vector<std::string> folders_of(const spec::Record& record) {
  const std::string below_api = record.id.substr(std::min(record.id.size(), record.api.size()));
  if (below_api.starts_with("/fuzz/") || below_api.starts_with("/relation/")) return {};
  const std::size_t names = below_api.starts_with("/rule/") ? 2 : 1;
  std::vector<std::string> folders;
  std::size_t depth = 0;
  for (std::size_t slash = below_api.find('/', 1); slash != std::string::npos;
       slash = below_api.find('/', slash + 1))
    if (++depth >= names) folders.push_back(record.api + below_api.substr(0, slash + 1));
  return folders;
}

/// All records of the engines, to see what else a glob would take in.
class Seen {
 public:
  explicit Seen(const std::vector<spec::Record>& records) {
    for (const spec::Record& record : records)
      behaviours_[engine_of(record)][record.id].insert(behaviour_of(record));
  }

  /// Whether several ids are in the folder, and every record of the engine there is of this behaviour.
  bool is_all(const std::string& folder, const Behaviour& behaviour) const {
    const auto& of_id = behaviours_.at(behaviour.engine);
    std::size_t ids = 0;
    for (auto at = of_id.lower_bound(folder); at != of_id.end() && at->first.starts_with(folder); ++at, ++ids)
      if (at->second.size() != 1 || *at->second.begin() != behaviour) return false;
    return ids > 1;
  }

 private:
  std::map<std::string, std::map<std::string, std::set<Behaviour>>> behaviours_;  ///< by engine and id
};

}  // namespace

std::string engine_of(const spec::Record& record) {
  return spec::without_release(record.engine);  // it may call its version otherwise: 2.13.0+cpu
}

std::vector<BaselineEntry> entries_for(const std::vector<spec::Record>& records,
                                       const std::function<bool(const spec::Record&)>& wanted,
                                       const std::string& today) {
  const Seen seen(records);
  // Folders are nested or apart, so the widest one that fits each record makes the fewest entries.
  std::set<std::tuple<std::string, Behaviour>> places;
  for (const spec::Record& record : records) {
    if (!wanted(record)) continue;
    const Behaviour behaviour = behaviour_of(record);
    const std::vector<std::string> folders = folders_of(record);
    const auto widest = std::ranges::find_if(
        folders, [&](const std::string& folder) { return seen.is_all(folder, behaviour); });
    places.emplace(widest == folders.end() ? kind_of_id(record.id) : *widest + "*", behaviour);
  }
  std::vector<BaselineEntry> entries;
  for (const auto& [glob, behaviour] : places) {
    BaselineEntry entry;
    entry.case_glob = glob;
    entry.engine_glob = behaviour.engine;
    entry.verdicts = {behaviour.verdict};
    if (!behaviour.diagnosis.empty()) entry.diagnosis_globs = {behaviour.diagnosis};
    entry.reason = unfilled_reason;
    entry.since = today;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace scatterproof::runner
