// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/baseline/baseline_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "scatterproof/spec/record/failure_key.hpp"

namespace scatterproof::runner {
namespace {

std::string_view below_api(const spec::Record& record) {
  return std::string_view(record.id).substr(std::min(record.id.size(), record.api.size()));
}

/// Ids of generated calls already stand for many calls.
bool is_generated(const spec::Record& record) {
  const std::string_view below = below_api(record);
  return below.starts_with("/fuzz/") || below.starts_with("/relation/");
}

/// The folders of an id that a glob may stand for, the widest first: a rule, a topic, and what is below them.
std::vector<std::string> folders_of(const spec::Record& record) {
  const std::string_view below = below_api(record);
  const std::size_t names = below.starts_with("/rule/") ? 2 : 1;
  std::vector<std::string> folders;
  std::size_t depth = 0;
  for (std::size_t slash = below.find('/', 1); slash != std::string_view::npos;
       slash = below.find('/', slash + 1))
    if (++depth >= names) folders.emplace_back(below.substr(0, slash + 1));
  return folders;
}

/// The id's folders and the id itself, below APIs that this glob matches.
std::vector<std::string> globs_below(const std::string& apis, const spec::Record& record) {
  std::vector<std::string> globs;
  for (const std::string& folder : folders_of(record)) globs.push_back(apis + folder + "*");
  globs.push_back(fmt::format("{}{}", apis, below_api(record)));
  return globs;
}

/// A group of failures while its globs are looked for. They take in no other record of any run.
class Group {
 public:
  Group(const spec::FailureKey& key, const std::vector<spec::Record>& all,
        std::vector<const spec::Record*> failures, Ran ran)
      : left_(std::move(failures)) {
    const std::string& operation = left_.front()->operation;
    entry_.engine_glob = key.engine;
    entry_.verdicts = {key.verdict};
    if (!key.operation.empty()) entry_.operation_glob = operation;
    entry_.message_glob = left_.front()->message.empty() ? "" : key.message;
    std::set<std::string> diagnoses;
    for (const spec::Record* one : left_)
      if (one->diagnosis.kind != spec::DiagnosisKind::none)
        diagnoses.insert(to_string(without_numbers(one->diagnosis)));
    entry_.diagnosis_globs.assign(diagnoses.begin(), diagnoses.end());
    for (const spec::Record& record : all)
      if (engine_of(record) == key.engine &&
          (entry_.operation_glob.empty() || record.operation == entry_.operation_glob))
        if (!is_failure(record.verdict) || key_of(record) != key) others_.push_back(&record);
    take_generated();
    // The topics and cases of several APIs, of several of one framework, the topics of one.
    if (ran == Ran::everything && (!entry_.operation_glob.empty() || !entry_.message_glob.empty())) {
      take(2, [](const spec::Record& record) { return globs_below("*", record); });
      take(2, [](const spec::Record& record) {
        return globs_below(record.api.substr(0, record.api.find('.')) + ".*", record);
      });
    }
    take(1, [](const spec::Record& record) { return globs_below(record.api, record); });
    for (const spec::Record* one : left_) globs_.insert(one->id);
  }

  BaselineEntry entry() && {
    for (const std::string& glob : globs_) entry_.cases.push_back({.glob = glob});
    return std::move(entry_);
  }

 private:
  void take_generated() {
    for (const spec::Record* one : left_)
      if (is_generated(*one)) globs_.insert(kind_of_id(one->id));
    std::erase_if(left_, [](const spec::Record* one) { return is_generated(*one); });
  }

  /// Takes the first glob of each failure that is left, if it stands for several failures of this many APIs,
  /// and for nothing else.
  template <class Globs>
  void take(std::size_t least_apis, const Globs& globs_for) {
    while (true) {
      const std::string* taken = nullptr;
      std::vector<std::string> globs;
      for (const spec::Record* one : left_) {
        globs = globs_for(*one);
        const auto fitting = std::ranges::find_if(
            globs, [&](const std::string& glob) { return is_fitting(glob, least_apis); });
        if (fitting == globs.end()) continue;
        taken = &*fitting;
        break;
      }
      if (!taken) return;
      std::erase_if(left_, [&](const spec::Record* one) { return matches_glob(*taken, one->id); });
      globs_.insert(*taken);
    }
  }

  bool is_fitting(const std::string& glob, std::size_t least_apis) {
    const auto [place, is_new] = looked_at_.try_emplace(glob, false);
    if (!is_new) return place->second;
    std::set<std::string_view> ids, apis;
    for (const spec::Record* one : left_)
      if (matches_glob(glob, one->id)) ids.insert(one->id), apis.insert(one->api);
    return place->second = ids.size() > 1 && apis.size() >= least_apis &&
                           std::ranges::none_of(
                               others_, [&](const spec::Record* one) { return matches_glob(glob, one->id); });
  }

  BaselineEntry entry_;
  std::set<std::string> globs_;
  std::vector<const spec::Record*> left_;
  std::vector<const spec::Record*> others_;  ///< of this engine and operation, but not of the group
  std::map<std::string, bool> looked_at_;
};

}  // namespace

std::string engine_of(const spec::Record& record) {
  return spec::without_release(record.engine);  // it may call its version otherwise: 2.13.0+cpu
}

std::vector<BaselineEntry> entries_for(const std::vector<spec::Record>& records,
                                       const std::function<bool(const spec::Record&)>& wanted,
                                       const std::string& today, Ran ran) {
  std::map<spec::FailureKey, std::vector<const spec::Record*>> failures;
  for (const spec::Record& record : records)
    if (wanted(record)) failures[key_of(record)].push_back(&record);
  std::vector<std::pair<spec::FailureKey, std::vector<const spec::Record*>>> groups(failures.begin(),
                                                                                    failures.end());
  std::ranges::stable_sort(groups, {}, [](const auto& group) {
    return std::tuple(severity_of(*group.second.front()), -static_cast<std::ptrdiff_t>(group.second.size()));
  });
  std::vector<BaselineEntry> entries;
  for (auto& [key, group] : groups) {
    BaselineEntry entry = Group(key, records, std::move(group), ran).entry();
    entry.reason = unfilled_reason;
    entry.since = today;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace scatterproof::runner
