// SPDX-License-Identifier: Apache-2.0
#include "portable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "readings.hpp"

namespace scatterproof::runner::compare {
namespace {

/// Members of which no two differ, those that give a result: as many as agree with one of them.
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

}  // namespace

std::optional<Portable> portable(const ComparisonSetting& setting, const Input& input) {
  Portable found;
  for (const std::size_t c : input.classes) {
    const auto reading = setting.comparison.classes[c].portable;
    if (!reading) return {};
    found.made.push_back(&setting.comparison.readings[*reading]);
  }
  if (found.made.empty()) return {};
  auto said = changed(setting.comparison, input.said, found.made);
  if (!said) return {};
  found.input = classified(setting.comparison, *std::move(said));
  found.answers = ask(setting, {&found.input, 1}).front();
  found.agree = largest_group(found.answers);
  if (found.agree.size() < 2) return {};
  for (std::size_t m = 0; m < found.answers.size(); ++m)
    if (found.answers[m].kind != Observation::Kind::absent &&
        std::ranges::find(found.agree, m) == found.agree.end())
      found.others.push_back(m);
  return found;
}

std::string agreement_words(const Portable& portable, std::span<const FamilyMember> all) {
  std::string words = fmt::format("{} members gave one result for it", portable.agree.size());
  if (portable.others.empty()) return words + ", and none refused.";
  std::vector<std::string> others;
  for (const std::size_t m : portable.others)
    others.push_back(fmt::format("{}: {}", all[m].name(all), shown(portable.answers[m])));
  return fmt::format("{}. Not so {}.", words, fmt::join(others, "; "));
}

}  // namespace scatterproof::runner::compare
