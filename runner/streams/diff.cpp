// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/streams/diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "scatterproof/runner/baseline/baseline_groups.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner {
namespace {

std::string text_of_diagnosis(const spec::Diagnosis& diagnosis) {
  return diagnosis.kind == spec::DiagnosisKind::none ? "" : to_string(without_numbers(diagnosis));
}

/// What a reader of a behaviour wants to know.
struct Wanted {
  bool pass_for_weak = false;  ///< they differ in what a call could have shown, not in what the engine did
  bool dtype = true;
};

/// Everything but the elements of a result.
std::string kind_of_behaviour(const spec::Record& record, const Wanted& wanted = {}) {
  const bool is_pass = wanted.pass_for_weak && record.verdict == spec::Verdict::weak;
  std::string text(name(is_pass ? spec::Verdict::pass : record.verdict));
  const std::string diagnosis = is_pass ? "" : text_of_diagnosis(record.diagnosis);
  const std::string practice = text_of_diagnosis(record.practice);
  if (!diagnosis.empty()) text += fmt::format(" ({})", diagnosis);
  if (!practice.empty() && practice != diagnosis) text += fmt::format(", practice {}", practice);
  if (!record.outcome) return text;
  const spec::OutcomeSummary& outcome = *record.outcome;
  text += ": " + outcome.kind;
  if (!outcome.classes.empty()) text += ' ' + outcome.classes.front();
  if (!outcome.wrote.empty()) text += fmt::format(" after writing {}", fmt::join(outcome.wrote, ", "));
  if (wanted.dtype && !outcome.dtype.empty())
    text += fmt::format(" {}{}", outcome.dtype, spec::to_string(outcome.shape));
  return text;
}

using Entry = ComparedRun::Entry;
using Entries = std::span<const Entry>;

/// Those of the first call's key.
Entries first_of(Entries calls) {
  const auto end =
      std::ranges::find_if(calls, [&](const Entry& one) { return one.key != calls.front().key; });
  return {calls.begin(), end};
}

/// The difference while it grows.
class Comparison {
 public:
  /// Both in the order of their keys.
  void compare_all(Entries before, Entries after) {
    while (!before.empty() || !after.empty()) {
      const bool is_before = after.empty() || (!before.empty() && before.front().key <= after.front().key);
      const bool is_after = before.empty() || (!after.empty() && after.front().key <= before.front().key);
      const Entries one = is_before ? first_of(before) : Entries(),
                    other = is_after ? first_of(after) : Entries();
      before = before.subspan(one.size());
      after = after.subspan(other.size());
      if (!is_after)
        found_.only_before += one.size();
      else if (!is_before)
        found_.only_after += other.size();
      else if (one.front().is_of_many || other.front().is_of_many)
        compare_kinds(one, other);
      else
        compare(one.front(), other.front());
    }
  }

  Difference take() { return std::move(found_); }

 private:
  /// One call on both sides.
  void compare(const Entry& before, const Entry& after) {
    using enum Change::Kind;
    if (before.is_offered != after.is_offered)
      add(after.is_offered ? appeared : vanished, &before, &after);
    else if (before.behaviour != after.behaviour)
      add(changed, &before, &after);
    else if (before.digest != after.digest)
      add(before.is_allowed ? other_result : changed, &before, &after);
    else
      ++found_.same;
  }

  /// Generated calls of one id: which ways of ending there are on each side.
  void compare_kinds(Entries before, Entries after) {
    for (const Entry& one : before)
      if (std::ranges::find(after, one.behaviour, &Entry::behaviour) != after.end())
        ++found_.same;
      else
        add(Change::Kind::vanished, &one, nullptr);
    for (const Entry& one : after)
      if (std::ranges::find(before, one.behaviour, &Entry::behaviour) == before.end())
        add(Change::Kind::appeared, nullptr, &one);
  }

  void add(Change::Kind kind, const Entry* before, const Entry* after) {
    Change change{.kind = kind, .before = {}, .after = {}};
    if (before) change.before = before->place;
    if (after) change.after = after->place;
    found_.changes.push_back(std::move(change));
  }

  Difference found_;
};

/// A record's behaviour without its sizes and dtypes, which do not make a change; empty: there is no record.
std::string words_of(const std::optional<spec::Record>& record) {
  return record ? kind_of_behaviour(*record, {.dtype = false}) : "";
}

bool failed(const std::optional<spec::Record>& record) { return record && is_failure(record->verdict); }

/// Which failure became another, or none.
struct Turn {
  Change::Direction direction = Change::Direction::other;
  const spec::Record* failure = nullptr;  ///< null: neither worse nor better
};
Turn turn_of(const ChangedRecords& records) {
  using enum Change::Direction;
  const bool before = failed(records.before), after = failed(records.after);
  if (!before && !after) return {};
  if (before != after) return after ? Turn{worse, &*records.after} : Turn{better, &*records.before};
  const auto was = severity_of(*records.before), is = severity_of(*records.after);
  return was == is ? Turn{} : is < was ? Turn{worse, &*records.after} : Turn{better, &*records.before};
}

/// Without the operation: several kernels may share what changed.
std::string text_of(const spec::FailureKey& key) {
  return fmt::format("{}\n{}\n{}\n{}", name(key.verdict), key.diagnosis, key.rule, key.message);
}

/// Reads what a change is sorted by, and what it is like.
spec::Errors complete(Change& change, const ComparedRun& before, const ComparedRun& after) {
  const auto records = records_of(change, before, after);
  if (!records) return records.errors();
  const spec::Record& either = records->either();
  const spec::Record& first = records->before ? *records->before : *records->after;
  const Turn turn = turn_of(*records);
  change.direction = turn.direction;
  if (turn.failure) change.severity = severity_of(*turn.failure);
  change.order = fmt::format("{:020}", turn.failure ? turn.failure->elements : 0) + either.api + '\0' +
                 either.id + '\0' + engine_of(first);
  change.like = spec::hash_of(
      fmt::format("{}\n{}\n{}", static_cast<int>(change.direction), static_cast<int>(change.kind),
                  engine_of(either)),
      turn.failure ? text_of(key_of(*turn.failure))
                   : fmt::format("{}\n{}", words_of(records->before), words_of(records->after)));
  return {};
}

}  // namespace

spec::Result<ChangedRecords> records_of(const Change& change, const ComparedRun& before,
                                        const ComparedRun& after) {
  ChangedRecords records;
  for (const auto& [run, place, record] : {std::tuple(&before, change.before, &records.before),
                                           std::tuple(&after, change.after, &records.after)}) {
    if (!place) continue;
    auto read = run->stream().at(*place);
    if (!read) return read.errors();
    *record = std::move(read).value();
  }
  return records;
}

spec::Result<ComparedRun> ComparedRun::read(const Open& open,
                                            const std::function<bool(const spec::Record&)>& wanted) {
  ComparedRun run;
  auto stream = open([&](const spec::Record& record, std::uint64_t place) {
    if (!wanted || wanted(record)) run.add(record, place);
  });
  if (!stream) return stream.errors();
  run.stream_ = std::move(stream).value();
  return run;
}

void ComparedRun::add(const spec::Record& record, std::uint64_t place) {
  const auto number = static_cast<std::uint32_t>(engines_.size());
  auto& [name, engine] = *engines_.try_emplace(engine_of(record), number, record.version).first;
  if (engine.version != record.version && several_versions_.empty())
    several_versions_ = fmt::format("{} {} and {}", name, engine.version, record.version);
  if (!record.outcome && record.id.find("/fuzz/") != std::string::npos) engine.generated += record.count;
  entries_.push_back({.key = spec::hash_of(record.id),
                      .behaviour = spec::hash_of(kind_of_behaviour(record, {.pass_for_weak = true})).second,
                      .digest = record.outcome ? spec::hash_of(record.outcome->digest).second : 0,
                      .place = place,
                      .engine = engine.number,
                      .is_offered = record.verdict != spec::Verdict::unsupported,
                      .is_allowed = is_allowed(record.verdict),
                      .is_of_many = !record.outcome});
}

std::uint64_t ComparedRun::generated() const {
  std::uint64_t most = 0;
  for (const auto& [name, engine] : engines_) most = std::max(most, engine.generated);
  return most;
}

std::vector<ComparedRun::Entry> ComparedRun::take_entries(bool by_engine) {
  std::vector<spec::TextHash> names(engines_.size());
  for (const auto& [name, engine] : engines_) names[engine.number] = spec::hash_of(name);
  std::vector<Entry> calls = std::move(entries_);
  for (Entry& call : calls) {
    if (!by_engine) break;
    call.key.first += names[call.engine].first;
    call.key.second += names[call.engine].second;
  }
  std::ranges::sort(calls, {}, [](const Entry& one) { return std::pair(one.key, one.place); });
  return calls;
}

std::string_view words_for(const Change& change) {
  const bool generated = !change.before || !change.after;
  switch (change.kind) {
    case Change::Kind::appeared:
      return generated ? "generated calls end like this only now" : "supported now";
    case Change::Kind::vanished:
      return generated ? "generated calls no longer end like this" : "no longer supported";
    case Change::Kind::other_result:
      return "another result, which the document allows too";
    case Change::Kind::changed:
      break;
  }
  return "another verdict or outcome";
}

std::string_view name(Change::Direction direction) {
  switch (direction) {
    case Change::Direction::worse:
      return "worse";
    case Change::Direction::better:
      return "better";
    case Change::Direction::other:
      break;
  }
  return "other";
}

std::string behaviour_text(const spec::Record& record) {
  std::string text = kind_of_behaviour(record);
  if (!record.outcome || record.outcome->digest.empty()) return text;
  return text + ' ' + (record.outcome->values.empty() ? record.outcome->digest : record.outcome->values);
}

spec::Result<Difference> difference(ComparedRun& before, ComparedRun& after) {
  const bool by_engine = !before.has_one_engine() || !after.has_one_engine();
  Comparison comparison;
  comparison.compare_all(before.take_entries(by_engine), after.take_entries(by_engine));
  Difference found = comparison.take();
  for (Change& change : found.changes)
    if (spec::Errors errors = complete(change, before, after); !errors.empty()) return errors;
  std::ranges::sort(found.changes, {}, [](const Change& one) {
    return std::tuple(one.direction, one.severity, one.kind, std::string_view(one.order), one.before,
                      one.after);
  });
  return found;
}

std::vector<std::vector<const Change*>> alike(const std::vector<Change>& changes) {
  std::vector<std::vector<const Change*>> groups;
  std::unordered_map<spec::TextHash, std::size_t> places;
  for (const Change& change : changes) {
    const auto [place, is_new] = places.try_emplace(change.like, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&change);
  }
  std::ranges::stable_sort(groups, {}, [](const std::vector<const Change*>& group) {
    return std::tuple(group.front()->direction, group.front()->severity,
                      -static_cast<std::ptrdiff_t>(group.size()));
  });
  return groups;
}

}  // namespace scatterproof::runner
