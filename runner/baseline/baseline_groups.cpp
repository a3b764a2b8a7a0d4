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
#include "telling_globs.hpp"

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

/// Wrong cells that no known mistake explains.
bool is_unexplained(const spec::Record& record) {
  using enum spec::DiagnosisKind;
  const spec::DiagnosisKind kind = record.diagnosis.kind;
  return kind == cells_kept_start || kind == cells_untouched || kind == cells_other;
}

/// What failures may have in common. A cause about an argument is one cause whatever each API calls the
/// argument.
class Diagnoses {
 public:
  explicit Diagnoses(const Records& failures) {
    for (const spec::Record* one : failures) {
      Failure failure{.diagnoses = {}, .calls = one->count};
      for (const spec::Diagnosis& diagnosis : diagnoses_of(*one)) {
        failure.diagnoses.insert(key(diagnosis));
        named_[key(diagnosis)].insert(to_string(without_numbers(diagnosis)));
      }
      if (!failure.diagnoses.empty()) left_.push_back(std::move(failure));
    }
  }

  /// Globs that cover all failures: first the diagnosis that the most calls have, then that which the most of
  /// the other calls have, and so on. So a guess that fits few calls by chance is left out.
  std::vector<std::string> fewest() && {
    std::set<std::string> globs;
    while (!left_.empty()) {
      std::map<std::string, std::uint64_t> calls;
      for (const Failure& failure : left_)
        for (const std::string& one : failure.diagnoses) calls[one] += failure.calls;
      const std::string most =
          std::ranges::max_element(calls, {}, [](const auto& one) { return one.second; })->first;
      std::erase_if(left_, [&](const Failure& failure) { return failure.diagnoses.contains(most); });
      const std::set<std::string>& named = named_.at(most);
      globs.insert(named.size() == 1 ? *named.begin() : most);
    }
    return {globs.begin(), globs.end()};
  }

 private:
  struct Failure {
    std::set<std::string> diagnoses;
    std::uint64_t calls = 0;
  };

  static std::string key(spec::Diagnosis diagnosis) {
    if (is_about_argument(diagnosis.kind)) diagnosis.subject.clear();
    const std::string text = to_string(without_numbers(diagnosis));
    return is_about_argument(diagnosis.kind) ? text + "/*" : text;
  }

  std::vector<Failure> left_;
  std::map<std::string, std::set<std::string>> named_;
};

/// The share of a bug's generated calls that no known mistake explains.
double unexplained_share(const Records& failures) {
  std::uint64_t generated = 0, unexplained = 0;
  for (const spec::Record* one : failures)
    if (is_generated(*one)) {
      generated += one->count;
      unexplained += is_unexplained(*one) ? one->count : 0;
    }
  return generated == 0 ? 0 : static_cast<double>(unexplained) / static_cast<double>(generated);
}

/// Beyond it, those mistakes that explain other calls do so by chance, and later calls have further ones.
constexpr double most_unexplained = 0.25;

const std::vector<std::string> any_wrong_cells = {"cell/*", "wrong_meaning/*"};

/// A group of failures while its globs are looked for. They take in no other record of any run.
class Group {
 public:
  /// `call_glob`: that all of them match, which then are generated calls; empty: none is known.
  Group(const spec::FailureKey& key, const std::vector<spec::Record>& all, Records failures, Ran ran,
        const std::string& call_glob = {})
      : left_(std::move(failures)) {
    const std::string& operation = left_.front()->operation;
    entry_.engine_glob = key.engine;
    entry_.verdicts = {key.verdict};
    if (!key.operation.empty()) entry_.operation_glob = operation;
    entry_.message_glob = left_.front()->message.empty() ? "" : key.message;
    entry_.call_glob = call_glob;
    const bool is_any = !call_glob.empty() || unexplained_share(left_) > most_unexplained;
    entry_.diagnosis_globs = is_any ? any_wrong_cells : Diagnoses(left_).fewest();
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
  Records left_;
  Records others_;  ///< of this engine and operation, but not of the group
  std::map<std::string, bool> looked_at_;
};

}  // namespace

std::string engine_of(const spec::Record& record) {
  return spec::without_release(record.engine);  // it may call its version otherwise: 2.13.0+cpu
}

std::vector<BaselineEntry> entries_for(const std::vector<spec::Record>& records,
                                       const std::function<bool(const spec::Record&)>& wanted,
                                       const std::string& today, Ran ran) {
  std::map<spec::FailureKey, Records> failures;
  for (const spec::Record& record : records)
    if (wanted(record)) failures[key_of(record)].push_back(&record);
  std::vector<std::pair<spec::FailureKey, Records>> groups(failures.begin(), failures.end());
  std::ranges::stable_sort(groups, {}, [](const auto& group) {
    return std::tuple(severity_of(*group.second.front()), -static_cast<std::ptrdiff_t>(group.second.size()));
  });
  std::vector<BaselineEntry> entries;
  const auto add = [&](Group group) {
    BaselineEntry& entry = entries.emplace_back(std::move(group).entry());
    entry.reason = unfilled_reason;
    entry.since = today;
  };
  for (auto& [key, group] : groups) {
    if (unexplained_share(group) > 0)
      for (ToldApart& told : take_told_apart(group))
        add(Group(key, records, std::move(told.failures), ran, told.call_glob));
    if (!group.empty()) add(Group(key, records, std::move(group), ran));
  }
  return entries;
}

}  // namespace scatterproof::runner
