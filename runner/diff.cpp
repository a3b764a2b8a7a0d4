// SPDX-License-Identifier: Apache-2.0
#include "diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "baseline_groups.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner {
namespace {

using CallKey = std::pair<std::string, std::string>;  ///< id and engine
using CallRecords = std::map<CallKey, std::vector<const spec::Record*>>;

std::string text_of_diagnosis(const spec::Diagnosis& diagnosis) {
  return diagnosis.kind == spec::DiagnosisKind::none ? "" : to_string(without_numbers(diagnosis));
}

/// Records of `fuzz` stand for many calls, and several of them have one id.
bool is_of_many(const spec::Record& record) { return !record.outcome; }

/// Everything but the elements of a result.
std::string kind_of_behaviour(const spec::Record& record) {
  std::string text(name(record.verdict));
  const std::string diagnosis = text_of_diagnosis(record.diagnosis);
  const std::string practice = text_of_diagnosis(record.practice);
  if (!diagnosis.empty()) text += fmt::format(" ({})", diagnosis);
  if (!practice.empty() && practice != diagnosis) text += fmt::format(", practice {}", practice);
  if (!record.outcome) return text;
  const spec::OutcomeSummary& outcome = *record.outcome;
  text += ": " + outcome.kind;
  if (!outcome.classes.empty()) text += ' ' + outcome.classes.front();
  if (!outcome.wrote.empty()) text += fmt::format(" after writing {}", fmt::join(outcome.wrote, ", "));
  if (!outcome.dtype.empty()) text += fmt::format(" {}{}", outcome.dtype, spec::to_string(outcome.shape));
  return text;
}

/// pass and weak differ in what a call could have shown, not in what the engine did.
std::string comparable(const spec::Record& record) {
  spec::Record one = record;
  if (one.verdict == spec::Verdict::weak) one.verdict = spec::Verdict::pass, one.diagnosis = {};
  return kind_of_behaviour(one);
}

CallRecords by_call(const std::vector<spec::Record>& records, bool one_engine) {
  CallRecords calls;
  for (const spec::Record& record : records)
    calls[{record.id, one_engine ? "" : engine_of(record)}].push_back(&record);
  return calls;
}

std::set<std::string> engines_in(const std::vector<spec::Record>& records) {
  std::set<std::string> engines;
  for (const spec::Record& record : records) engines.insert(engine_of(record));
  return engines;
}

/// The difference while it grows.
class Comparison {
 public:
  /// One call on both sides.
  void compare(const spec::Record& before, const spec::Record& after) {
    using enum Change::Kind;
    const bool offered_before = before.verdict != spec::Verdict::unsupported;
    const bool offered_after = after.verdict != spec::Verdict::unsupported;
    if (offered_before != offered_after)
      add({offered_after ? appeared : vanished, &before, &after});
    else if (comparable(before) != comparable(after))
      add({changed, &before, &after});
    else if (before.outcome->digest != after.outcome->digest)
      add({is_allowed(before.verdict) ? other_result : changed, &before, &after});
    else
      ++found_.same;
  }

  /// Generated calls of one id: which ways of ending there are on each side.
  void compare_kinds(const std::vector<const spec::Record*>& before,
                     const std::vector<const spec::Record*>& after) {
    const auto ends_like = [](const spec::Record* one) {
      return [one](const spec::Record* other) { return comparable(*one) == comparable(*other); };
    };
    for (const spec::Record* one : before)
      if (std::ranges::any_of(after, ends_like(one)))
        ++found_.same;
      else
        add({Change::Kind::vanished, one, nullptr});
    for (const spec::Record* one : after)
      if (std::ranges::none_of(before, ends_like(one))) add({Change::Kind::appeared, nullptr, one});
  }

  void only(const std::vector<const spec::Record*>& records, std::size_t Difference::*side) {
    found_.*side += records.size();
  }

  Difference take() {
    std::ranges::stable_sort(found_.changes, {}, [](const Change& one) {
      return std::tuple(one.kind, one.either().api, one.either().id);
    });
    return std::move(found_);
  }

 private:
  void add(Change change) { found_.changes.push_back(change); }
  Difference found_;
};

}  // namespace

std::string_view name(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::changed:
      return "changed";
    case Change::Kind::appeared:
      return "appeared";
    case Change::Kind::vanished:
      return "vanished";
    case Change::Kind::other_result:
      break;
  }
  return "other result";
}

std::string several_versions(const std::vector<spec::Record>& records) {
  std::map<std::string, std::string> versions;
  for (const spec::Record& record : records) {
    const auto [first, is_new] = versions.emplace(engine_of(record), record.version);
    if (!is_new && first->second != record.version)
      return fmt::format("{} {} and {}", first->first, first->second, record.version);
  }
  return "";
}

std::string behaviour_text(const spec::Record& record) {
  std::string text = kind_of_behaviour(record);
  if (!record.outcome || record.outcome->digest.empty()) return text;
  return text + ' ' + (record.outcome->values.empty() ? record.outcome->digest : record.outcome->values);
}

Difference difference(const std::vector<spec::Record>& before, const std::vector<spec::Record>& after) {
  const bool one_engine = engines_in(before).size() == 1 && engines_in(after).size() == 1;
  const CallRecords earlier = by_call(before, one_engine), later = by_call(after, one_engine);
  Comparison comparison;
  for (const auto& [key, records] : earlier) {
    const auto found = later.find(key);
    if (found == later.end())
      comparison.only(records, &Difference::only_before);
    else if (is_of_many(*records.front()) || is_of_many(*found->second.front()))
      comparison.compare_kinds(records, found->second);
    else
      comparison.compare(*records.front(), *found->second.front());
  }
  for (const auto& [key, records] : later)
    if (!earlier.contains(key)) comparison.only(records, &Difference::only_after);
  return comparison.take();
}

std::vector<std::vector<Change>> alike(const std::vector<Change>& changes) {
  std::vector<std::vector<Change>> groups;
  std::map<std::tuple<Change::Kind, std::string, std::string, std::string, std::string>, std::size_t> places;
  for (const Change& change : changes) {
    // Sizes and dtypes are not what a change is about.
    const auto words = [](const spec::Record* record) {
      if (!record) return std::string();
      spec::Record one = *record;
      if (one.outcome) one.outcome->dtype.clear();
      return kind_of_behaviour(one);
    };
    const spec::Record& either = change.either();
    const auto [place, is_new] = places.try_emplace(
        {change.kind, either.api, engine_of(either), words(change.before), words(change.after)},
        groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(change);
  }
  return groups;
}

}  // namespace scatterproof::runner
