// SPDX-License-Identifier: Apache-2.0
#include "compare_answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/compare/render.hpp"

namespace scatterproof::runner::cli {

bool none_differ(std::span<const compare::Observation> answers) {
  for (std::size_t m = 0; m < answers.size(); ++m)
    for (std::size_t k = 0; k < m; ++k)
      if (compare::differ(answers[m], answers[k])) return false;
  return true;
}

Takers print_answers(std::span<const compare::FamilyMember> members,
                     std::span<const compare::Observation> answers) {
  Takers takers;
  for (std::size_t m = 0; m < answers.size(); ++m) {
    using enum compare::Observation::Kind;
    const std::string name = members[m].name(members), answer = compare::shown(answers[m]);
    const std::string own = members[m].spec->api + ' ';
    if (answers[m].kind == absent) {
      takers.absent[answer.starts_with(own) ? answer.substr(own.size()) : answer].push_back(name);
      continue;
    }
    fmt::print("  {:44} {}\n", name, answer);
    (answers[m].kind == produced ? takers.took : takers.refuse).push_back(name);
  }
  return takers;
}

int say_portable(const Takers& members) {
  const std::vector<std::string>& took = members.took;
  if (took.size() > 1)
    fmt::print("portable between: {}\n", fmt::join(took, ", "));
  else if (took.empty())
    fmt::print("not portable: no member takes the call\n");
  else if (members.refuse.empty())
    fmt::print("not compared: {} takes the call, and no other member can express it\n", took.front());
  else
    fmt::print("not portable: only {} takes the call\n", took.front());
  if (!members.refuse.empty()) fmt::print("not taken by: {}\n", fmt::join(members.refuse, ", "));
  return took.size() > 1 ? as_expected : unexpected;
}

std::vector<compare::Portable> print_advice(const compare::ComparisonSetting& setting,
                                            const compare::Input& input,
                                            std::span<const compare::Observation> answers) {
  const std::vector<compare::Input> like_it = compare::neighbours(setting.comparison, input);
  const auto said_of_them = compare::ask(setting, like_it);
  std::vector<std::size_t> all(like_it.size());
  std::iota(all.begin(), all.end(), 0);
  const auto means = [&](std::size_t member, const compare::Explanation& made) {
    return compare::means(setting.comparison, like_it, said_of_them, all, member, made);
  };
  std::vector<compare::Portable> ways = compare::portable(setting, input, answers, means);
  for (const compare::Portable& way : ways)
    fmt::print("{}\n  it is then {}{}: {}\n", compare::advice_words(way, setting.members),
               setting.comparison.family->name, compare::text_of(setting.comparison, way.input),
               compare::agreement_words(way, setting.members));
  return ways;
}

}  // namespace scatterproof::runner::cli
