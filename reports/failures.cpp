// SPDX-License-Identifier: Apache-2.0
#include "failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "text.hpp"

namespace scatterproof::reports {
namespace {

/// What failures of one case on several engines have in common. Streams of version 1 have no diagnosis: their
/// words must do.
std::string alike(const spec::Record& record) {
  if (record.diagnosis.kind == spec::DiagnosisKind::none) return record.explanation;
  return to_string(without_numbers(record.diagnosis)) + '\n' + record.message;
}

spec::TextHash kind_of(const spec::FailureKey& key) {
  return spec::hash_of(fmt::format("{}\n{}", name(key.verdict), key.diagnosis),
                       key.rule + '\n' + key.message);
}

/// A cause that calls of a group may have, whatever the argument is called in each API.
struct SharedCause {
  spec::Diagnosis first;
  std::vector<std::string> arguments;  ///< `input` and `self`; empty: it is about none
  std::uint64_t calls = 0;
  const CaseFailure* last = nullptr;  ///< that was counted: two arguments may have one cause
};

bool is_one_cause(const spec::Diagnosis& a, const spec::Diagnosis& b) {
  return a.kind == b.kind && (is_about_argument(a.kind) || a.subject == b.subject);
}

void count_cause(const spec::Diagnosis& cause, const CaseFailure& failure, std::vector<SharedCause>& causes) {
  auto one =
      std::ranges::find_if(causes, [&](const auto& known) { return is_one_cause(known.first, cause); });
  if (one == causes.end()) one = causes.insert(one, {.first = cause, .arguments = {}});
  if (std::exchange(one->last, &failure) != &failure) one->calls += failure.calls;
  if (is_about_argument(cause.kind) &&
      std::ranges::find(one->arguments, cause.subject) == one->arguments.end())
    one->arguments.push_back(cause.subject);
}

/// `input, self or x is read as if it were contiguous`
std::string text_of(const SharedCause& cause) {
  spec::Diagnosis all = cause.first;
  for (std::size_t i = 1; i < cause.arguments.size(); ++i)
    all.subject += (i + 1 < cause.arguments.size() ? ", " : " or ") + cause.arguments[i];
  return sentence(all);
}

/// The first cause behind `begins`, and each other one in a line of its own.
template <class Causes, class Text>
std::string lines_of(std::string begins, const Causes& causes, const Text& text) {
  std::string lines;
  for (const auto& cause : causes) lines += fmt::format("\n{}{}", std::exchange(begins, "or: "), text(cause));
  return lines;
}

std::string bytes_of(const spec::TextHash& hash) { return fmt::format("{} {}", hash.first, hash.second); }

/// The items with equal keys together, in the order of the first of each.
template <class Item, class Key>
std::vector<std::vector<Item>> grouped(const std::vector<Item>& items, const Key& key_of) {
  std::vector<std::vector<Item>> groups;
  std::unordered_map<spec::TextHash, std::size_t> places;
  for (const Item& item : items) {
    const auto [place, is_new] = places.try_emplace(key_of(item), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(item);
  }
  return groups;
}

}  // namespace

std::uint64_t calls_in(const Failures::Group& group) {
  std::uint64_t calls = 0;
  for (const CaseFailure* failure : group) calls += failure->calls;
  return calls;
}

std::size_t records_in(const Failures::Group& group) {
  std::size_t records = 0;
  for (const CaseFailure* failure : group) records += failure->records;
  return records;
}

std::uint32_t Failures::number_of(const std::string& name) {
  const auto [place, is_new] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return place->second;
}

void Failures::add(const spec::Record& record) {
  const auto number = static_cast<std::uint32_t>(records_.size());
  const std::string verdict(1, static_cast<char>(record.verdict));
  const auto [place, is_new] = places_.try_emplace(spec::hash_of(record.id, verdict + alike(record)),
                                                   static_cast<std::uint32_t>(failures_.size()));
  if (is_new) {
    const spec::FailureKey key = key_of(record);
    failures_.push_back(
        {.kind = kind_of(key),
         .count = record.count,
         .elements = record.elements,
         .first = number,
         .last = number,
         .api = number_of(record.api),
         .operation = number_of(key.operation),
         .broken = number_of(fmt::format("{}", fmt::join(record.broken, ", "))),
         .least_bytes = static_cast<std::uint32_t>(record.explanation.size() + record.reproduce.size()),
         .severity = severity_of(record),
         .diagnosis = number_of(to_string(without_numbers(record.diagnosis))),
         .causes = record.causes.empty() ? nullptr : &*causes_.insert(record.causes).first});
  }
  CaseFailure& failure = failures_[place->second];
  failure.calls += record.count;
  ++failure.records;
  records_.push_back({spool_.add(record), number_of(record.engine), 0});
  if (!is_new) records_[std::exchange(failure.last, number)].next = number;
}

FailureText Failures::read(const CaseFailure& failure) const {
  FailureText text{.first = first(failure), .story = "", .engines = {}};
  text.story = story_of(text.first);
  text.engines.emplace_back(text.first.engine, text.first.reproduce);
  for (std::uint32_t at = failure.first; at != failure.last;) {
    at = records_[at].next;
    text.engines.emplace_back(names_[records_[at].engine], spool_.read(records_[at].place).reproduce);
  }
  return text;
}

FailureText Failures::read(const Group& group) const {
  FailureText text = read(*group.front());
  if (group.size() == 1) return text;
  text.story = text.first.explanation + likely_causes(group);
  const auto is_same = [&](const CaseFailure* one) { return one->diagnosis == group.front()->diagnosis; };
  if (!std::ranges::all_of(group, is_same)) text.first.diagnosis = without_guess(text.first.diagnosis);
  return text;
}

std::string Failures::likely_causes(const Group& group) const {
  std::vector<SharedCause> causes;
  for (const CaseFailure* one : group)
    if (one->causes)
      for (const spec::Diagnosis& cause : *one->causes) count_cause(cause, *one, causes);
  if (causes.empty()) return "";
  const std::uint64_t all = calls_in(group), most = std::ranges::max(causes, {}, &SharedCause::calls).calls;
  std::erase_if(causes, [&](const SharedCause& one) {
    return one.calls < most || one.calls <= all / 4;  // what explains fewer is chance
  });
  std::string lines = lines_of(most < all ? fmt::format("likely cause of {} of these {} calls: ", most, all)
                                          : fmt::format("likely cause of all {} calls: ", all),
                               causes, text_of);
  // Where others share a cause, another one of the shown call, often of one cell, is chance.
  if (const spec::LikelyCauses* shown = group.front()->causes; shown && causes.empty())
    lines += lines_of("likely cause of this call, if not of the others: ", *shown, spec::sentence);
  return lines;
}

spec::TextHash Failures::family_of(const CaseFailure& failure) const {
  std::string engines;
  for (std::uint32_t at = failure.first;; at = records_[at].next) {
    engines += std::to_string(records_[at].engine) + ' ';
    if (at == failure.last) break;
  }
  return spec::hash_of(engines, bytes_of(failure.kind));
}

std::vector<Failures::Group> Failures::groups() const {
  Group all;
  for (const CaseFailure& failure : failures_) all.push_back(&failure);
  std::vector<Group> groups = grouped(all, [&](const CaseFailure* failure) {
    return spec::hash_of(std::to_string(failure->operation), bytes_of(family_of(*failure)));
  });
  for (Group& group : groups) std::ranges::stable_sort(group, {}, &CaseFailure::elements);
  std::ranges::stable_sort(groups, std::ranges::greater(), calls_in);
  std::ranges::stable_sort(groups, {}, [](const Group& group) { return group.front()->severity; });
  return groups;
}

std::vector<Failures::Family> Failures::families() const {
  return grouped(groups(), [&](const Group& group) { return family_of(*group.front()); });
}

std::vector<std::pair<std::string, std::size_t>> Failures::apis(const Group& group) const {
  std::vector<std::pair<std::string, std::size_t>> apis;
  std::unordered_map<std::uint32_t, std::size_t> places;
  for (const CaseFailure* failure : group) {
    const auto [place, is_new] = places.try_emplace(failure->api, apis.size());
    if (is_new) apis.emplace_back(names_[failure->api], 0);
    ++apis[place->second].second;
  }
  return apis;
}

}  // namespace scatterproof::reports
