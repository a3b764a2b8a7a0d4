// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/portable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "scatterproof/runner/compare/readings.hpp"

namespace scatterproof::runner::compare {
namespace {

/// Members that give a result, with no two that differ: as many as agree with one of them.
std::vector<std::size_t> largest_group(const std::vector<Observation>& answers) {
  std::vector<std::size_t> largest;
  for (const Observation& first : answers) {
    std::vector<std::size_t> group;
    for (std::size_t m = 0; m < answers.size() && first.kind == Observation::Kind::produced; ++m)
      if (answers[m].kind == Observation::Kind::produced && !differ(first, answers[m]) &&
          std::ranges::none_of(group, [&](std::size_t k) { return differ(answers[k], answers[m]); }))
        group.push_back(m);
    if (group.size() > largest.size()) largest = std::move(group);
  }
  return largest;
}

/// The readings of a class that can be made before the call.
std::vector<const spec::CallReading*> ways_of(const spec::FamilyComparison& comparison,
                                              const spec::FamilyInputClass& one) {
  std::vector<const spec::CallReading*> made;
  for (const auto* places : {&one.readings, &one.portable})
    for (const std::size_t at : *places)
      if (const spec::CallReading& reading = comparison.readings[at]; reading.changes_only_arguments())
        made.push_back(&reading);
  return made;
}

/// One for each class; all that there are.
std::vector<Explanation> alternatives(const spec::FamilyComparison& comparison,
                                      const std::vector<std::size_t>& classes) {
  std::vector<Explanation> all;
  if (!classes.empty()) all.emplace_back();
  for (const std::size_t c : classes)
    for (const Explanation& before : std::exchange(all, {}))
      for (const spec::CallReading* way : ways_of(comparison, comparison.classes[c])) {
        all.push_back(before);
        all.back().push_back(way);
      }
  return all;
}

bool still_in(const Input& changed, const std::vector<std::size_t>& classes) {
  return std::ranges::any_of(
      classes, [&](std::size_t c) { return std::ranges::find(changed.classes, c) != changed.classes.end(); });
}

bool same_call(const Input& a, const Input& b) {
  return std::ranges::equal(a.said.values, b.said.values,
                            [](const auto& one, const auto& other) { return spec::identical(one, other); });
}

/// The ways that are what some member meant, without the members that agree on them.
std::vector<Portable> meant(const spec::FamilyComparison& comparison, const Input& input,
                            std::span<const Observation> answers, const Means& means) {
  std::vector<Portable> found;
  for (Explanation& made : alternatives(comparison, input.classes)) {
    auto said = changed(comparison, input.said, made);
    if (!said) continue;
    Portable way{.made = std::move(made), .input = classified(comparison, *std::move(said)), .keeps = {}};
    if (still_in(way.input, input.classes)) continue;
    way.keeps = those_that_gave(comparison, way.input, answers);
    std::erase_if(way.keeps, [&](std::size_t member) { return !means(member, way.made); });
    const bool is_new =
        std::ranges::none_of(found, [&](const Portable& other) { return same_call(other.input, way.input); });
    if (!way.keeps.empty() && is_new) found.push_back(std::move(way));
  }
  return found;
}

/// `torch.gather, torch.take_along_dim and 3 others`.
std::string listed(const std::vector<std::size_t>& members, std::span<const FamilyMember> all) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const std::size_t m : members)
    if (names.size() < most || members.size() == most + 1) names.push_back(all[m].name(all));
  const std::size_t left = members.size() - names.size();
  if (left > 0) return fmt::format("{} and {} others", fmt::join(names, ", "), left);
  if (names.size() == 1) return names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace

std::vector<Portable> portable(const ComparisonSetting& setting, const Input& input,
                               std::span<const Observation> answers, const Means& means) {
  std::vector<Portable> found = meant(setting.comparison, input, answers, means);
  std::vector<Input> inputs;
  for (const Portable& way : found) inputs.push_back(way.input);
  auto answered = ask(setting, inputs);
  for (std::size_t i = 0; i < found.size(); ++i) {
    Portable& way = found[i];
    way.answers = std::move(answered[i]);
    way.agree = largest_group(way.answers);
    for (std::size_t m = 0; m < way.answers.size(); ++m)
      if (way.answers[m].kind != Observation::Kind::absent &&
          std::ranges::find(way.agree, m) == way.agree.end())
        way.others.push_back(m);
  }
  std::erase_if(found, [](const Portable& way) { return way.agree.size() < 2; });
  return found;
}

std::vector<Input> neighbours(const spec::FamilyComparison& comparison, const Input& input) {
  std::vector<Input> found;
  for (const std::int64_t by : {-3, -2, -1, 1, 2, 3})
    if (auto said = with_far_indices_moved(comparison, input.said, by)) {
      Input one = classified(comparison, *std::move(said));
      if (one.classes == input.classes && !same_call(one, input)) found.push_back(std::move(one));
    }
  return found;
}

bool means(const spec::FamilyComparison& comparison, std::span<const Input> inputs,
           std::span<const std::vector<Observation>> answers, std::span<const std::size_t> which,
           std::size_t member, const Explanation& made) {
  if (which.empty()) return true;
  const auto all = explanations_of(comparison, inputs[which.front()].classes);
  Explanation explains;  // without changes that members need not mean, such as a cast
  std::ranges::copy_if(made, std::back_inserter(explains), [&](const spec::CallReading* reading) {
    return std::ranges::any_of(
        all, [&](const Explanation& one) { return std::ranges::find(one, reading) != one.end(); });
  });
  const auto found = std::ranges::find(all, explains);
  if (found == all.end()) return true;
  const auto bit = static_cast<std::size_t>(found - all.begin());
  return std::ranges::all_of(which, [&](std::size_t i) {
    const Observation& answer = answers[i][member];
    return answer.kind != Observation::Kind::produced || (answer.readings >> bit & 1) != 0;
  });
}

std::string advice_words(const Portable& portable, std::span<const FamilyMember> all) {
  std::vector<std::string> says;
  for (const spec::CallReading* reading : portable.made) says.push_back(reading->says);
  return fmt::format("to get the result of {} everywhere, change the arguments first: {}",
                     listed(portable.keeps, all), fmt::join(says, "; "));
}

std::string agreement_words(const Portable& portable, std::span<const FamilyMember> all) {
  std::string words = fmt::format("{} members then agree", portable.agree.size());
  if (portable.others.empty()) return words + ", and none refuses.";
  std::vector<std::string> others;
  for (const std::size_t m : portable.others)
    others.push_back(fmt::format("{}: {}", all[m].name(all), shown(portable.answers[m])));
  return fmt::format("{}. Different: {}.", words, fmt::join(others, "; "));
}

}  // namespace scatterproof::runner::compare
