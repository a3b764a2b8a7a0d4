// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "differences.hpp"
#include "witness.hpp"

namespace scatterproof::runner::compare {
namespace {

std::vector<const spec::OpSpec*> specs_of(const std::vector<FamilyMember>& members) {
  std::vector<const spec::OpSpec*> specs;
  for (const FamilyMember& member : members)
    if (std::ranges::find(specs, member.spec) == specs.end()) specs.push_back(member.spec);
  return specs;
}

/// Asks some inputs at a time, so that progress shows, a stop comes soon, and a member that has crashed on three inputs of
/// a class is not asked about more of them: each time its process is started anew.
Observations ask_all(const Plan& plan, const std::vector<Input>& inputs) {
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, int> crashes;
  const ComparisonSetting setting{.comparison = plan.comparison,
                                  .members = plan.members,
                                  .timeout = plan.timeout,
                                  .skips = [&](std::size_t member, const Input& input) {
                                    return crashes[{member, input.classes}] >= 3;
                                  }};
  constexpr std::size_t at_once = 64;
  Observations answers;
  for (std::size_t from = 0; from < inputs.size(); from += at_once) {
    if (plan.wishes.interrupted && *plan.wishes.interrupted) break;
    const std::size_t many = std::min(at_once, inputs.size() - from);
    for (auto& row : ask(setting, std::span(inputs).subspan(from, many))) {
      const std::vector<std::size_t>& classes = inputs[answers.size()].classes;
      for (std::size_t m = 0; m < row.size(); ++m)
        crashes[{m, classes}] += row[m].kind == Observation::Kind::crashed ? 1 : 0;
      answers.push_back(std::move(row));
    }
    if (plan.progress) plan.progress(answers.size(), inputs.size());
  }
  return answers;
}

/// The members among whom differences are looked for.
std::vector<Group> groups_of(const Plan& plan) {
  std::vector<Group> groups;
  std::map<const spec::OpSpec*, std::size_t> of_api;
  for (std::size_t m = 0; m < plan.members.size(); ++m) {
    const auto [at, is_new] = of_api.try_emplace(plan.drift ? plan.members[m].spec : nullptr, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(m);
  }
  return groups;
}

/// Finds inputs that show every two members of a group that part on these, few and small ones.
class DifferenceSearch {
 public:
  DifferenceSearch(const Plan& plan, const Group& group, const std::vector<Cell>& cells,
                   const std::vector<Input>& inputs, const Observations& answers,
                   const std::vector<std::size_t>& which)
      : plan_(plan), group_(group), cells_(cells), inputs_(inputs), answers_(answers), which_(which) {
    for (const std::size_t i : which) {
      for (const MemberPair& pair : parted(answers[i]))
        if (is_in(group, pair.first) && is_in(group, pair.second)) shows_[i].insert(pair);
      to_show_.insert(shows_[i].begin(), shows_[i].end());
    }
  }

  std::vector<Divergence> run() {
    while (!to_show_.empty()) {
      const std::size_t best = showing_most();
      const Divergence found = shown_small(best);
      const std::size_t before = to_show_.size();
      for (const MemberPair& pair : parted(found.answers)) to_show_.erase(pair);
      if (to_show_.size() == before)  // an engine that answers in one way and then in another
        for (const MemberPair& pair : shows_[best]) to_show_.erase(pair);
      add(found);
    }
    return std::move(found_);
  }

 private:
  std::size_t showing_most() {
    const auto wanted = [&](std::size_t i) {
      return std::ranges::count_if(shows_[i],
                                   [&](const MemberPair& pair) { return to_show_.contains(pair); });
    };
    return *std::ranges::max_element(
        which_, {}, [&](std::size_t i) { return std::pair(wanted(i), -elements_of(inputs_[i].said)); });
  }

  /// An input made smaller. Where what all members do keeps it large, one that shows two of them is smaller still.
  Divergence shown_small(std::size_t best) {
    const Divergence whole = difference(best);
    Divergence of_all = large_.contains(best) ? whole : smaller(plan_, group_, cells_, whole, group_);
    if (is_small(of_all.witness.said)) return of_all;
    large_.insert(best);
    const MemberPair pair =
        *std::ranges::find_if(shows_[best], [&](const MemberPair& one) { return to_show_.contains(one); });
    std::vector<std::size_t> showing;
    std::ranges::copy_if(which_, std::back_inserter(showing),
                         [&](std::size_t i) { return shows_[i].contains(pair); });
    const std::size_t least =
        *std::ranges::min_element(showing, {}, [&](std::size_t i) { return elements_of(inputs_[i].said); });
    Divergence of_two = smaller(plan_, group_, cells_, difference(least), {pair.first, pair.second});
    return elements_of(of_two.witness.said) < elements_of(of_all.witness.said) ? of_two : of_all;
  }

  Divergence difference(std::size_t input) const {
    return divergence(plan_, group_, cells_, inputs_[input], answers_[input]);
  }

  /// Unless the same members do the same in one that was found before.
  void add(Divergence difference) {
    if (std::ranges::find(found_, difference.sides, &Divergence::sides) != found_.end()) return;
    std::vector<FamilyMember> members;
    for (const std::size_t m : group_) members.push_back(plan_.members[m]);
    difference.portable = portable(
        {.comparison = plan_.comparison, .members = members, .timeout = plan_.timeout}, difference.witness);
    found_.push_back(std::move(difference));
  }

  const Plan& plan_;
  const Group& group_;
  const std::vector<Cell>& cells_;
  const std::vector<Input>& inputs_;
  const Observations& answers_;
  const std::vector<std::size_t>& which_;
  std::map<std::size_t, std::set<MemberPair>> shows_;  ///< by input
  std::set<MemberPair> to_show_;
  std::set<std::size_t> large_;  ///< inputs that could not be made small while all members do the same
  std::vector<Divergence> found_;
};

}  // namespace

std::string_view name(DivergenceKind kind) {
  switch (kind) {
    case DivergenceKind::documented:
      return "documented difference";
    case DivergenceKind::undocumented:
      return "undocumented difference";
    case DivergenceKind::contradicts:
      return "contradicts own document";
    case DivergenceKind::form_drift:
      return "form drift";
    case DivergenceKind::drift:
      break;
  }
  return "drift";
}

std::string Cell::letters() const {
  if (does.empty()) return "-";
  std::string all;
  for (const Behaviour& one : does) all += one.letter;
  return all;
}

std::string Divergence::name() const {
  std::vector<std::string> does;
  for (const Side& side : sides) does.push_back(side.does);
  return fmt::format("{}: {}", in.empty() ? "agreed" : in, fmt::join(does, " | "));
}

Compared compare(const Plan& plan) {
  Compared compared{
      .members = plan.members, .inputs = {}, .cells = {}, .differences = {}, .classes_missed = {}};
  compared.inputs = draw_inputs(plan.comparison, specs_of(plan.members), plan.wishes);
  const Observations answers = ask_all(plan, compared.inputs);
  const std::vector<Group> groups = groups_of(plan);
  const std::size_t classes = plan.comparison.classes.size();
  for (std::size_t c = 0; c <= classes; ++c) {
    const std::vector<std::size_t> alone = c < classes ? std::vector{c} : std::vector<std::size_t>{};
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (compared.inputs[i].classes == alone) which.push_back(i);
    if (which.empty()) compared.classes_missed.push_back(c);
    std::vector<Cell> row;
    for (std::size_t m = 0; m < plan.members.size(); ++m)
      row.push_back(cell_of(plan, compared.inputs, answers, which, m));
    for (const Group& group : groups)
      for (Divergence& one : DifferenceSearch(plan, group, row, compared.inputs, answers, which).run())
        compared.differences.push_back(std::move(one));
    compared.cells.push_back(std::move(row));
  }
  return compared;
}

}  // namespace scatterproof::runner::compare
