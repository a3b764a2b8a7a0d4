// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "differences.hpp"
#include "readings.hpp"
#include "shrink/shrink.hpp"

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

/// Places in Plan::members.
using Group = std::vector<std::size_t>;

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

std::vector<FamilyMember> members_of(const Plan& plan, const Group& group) {
  std::vector<FamilyMember> members;
  for (const std::size_t m : group) members.push_back(plan.members[m]);
  return members;
}

/// The answers of a group; those of all others are absent.
std::vector<Observation> answers_of(const Group& group, const std::vector<Observation>& answers) {
  std::vector<Observation> theirs(answers.size());
  for (const std::size_t m : group) theirs[m] = answers[m];
  return theirs;
}

/// Whether the sides' first members still do what they did, to an input that is in the same classes.
class StillParted {
 public:
  StillParted(const Plan& plan, const Divergence& difference, const std::vector<Cell>& cells)
      : plan_(plan), difference_(difference), cells_(cells) {
    for (const Divergence::Side& side : difference.sides) {
      places_.push_back(side.members.front());
      members_.push_back(plan.members[side.members.front()]);
    }
  }

  std::vector<bool> operator()(std::span<const spec::Call> candidates) const {
    std::vector<bool> keep(candidates.size());
    std::vector<Input> inputs;
    std::vector<std::size_t> places;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      spec::Said said = as_said(plan_.comparison, candidates[c]);
      if (!result_fits(plan_.comparison, said)) continue;
      Input input = classified(plan_.comparison, std::move(said));
      if (input.classes != difference_.witness.classes) continue;
      inputs.push_back(std::move(input));
      places.push_back(c);
    }
    const auto answers =
        ask({.comparison = plan_.comparison, .members = members_, .timeout = plan_.timeout}, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) keep[places[i]] = same(answers[i]);
    return keep;
  }

 private:
  bool same(const std::vector<Observation>& answers) const {
    for (std::size_t k = 0; k < answers.size(); ++k) {
      const Behaviour* does = shown_by(plan_, cells_[places_[k]], difference_.witness.classes, answers[k]);
      if (!does || does->name != difference_.sides[k].does) return false;
      for (std::size_t j = 0; j < k; ++j)
        if (!differ(answers[j], answers[k])) return false;
    }
    return true;
  }

  const Plan& plan_;
  const Divergence& difference_;
  const std::vector<Cell>& cells_;
  std::vector<std::size_t> places_;
  std::vector<FamilyMember> members_;
};

void shrink_witness(const Plan& plan, const Group& group, const std::vector<Cell>& cells,
                    Divergence& difference) {
  if (difference.sides.size() < 2 || plan.shrink_seconds <= 0) return;
  const StillParted still(plan, difference, cells);
  const spec::Call call = as_call(plan.comparison, difference.witness.said);
  if (!still({&call, 1}).front()) return;
  const auto shrunk = shrink::shrink(plan.comparison.meaning, call, still, {.seconds = plan.shrink_seconds});
  difference.minimal = shrunk.minimal;
  difference.witness = classified(plan.comparison, as_said(plan.comparison, shrunk.call));
  const ComparisonSetting setting{
      .comparison = plan.comparison, .members = plan.members, .timeout = plan.timeout};
  difference.answers = answers_of(group, ask(setting, {&difference.witness, 1}).front());
  difference.sides = sides_of(plan, cells, difference.witness.classes, difference.answers);
  difference.kind = kind_of(plan, difference.answers);
}

/// Whether the same members do the same in a difference that was found before.
bool is_known(const std::vector<Divergence>& known, const Divergence& one) {
  return std::ranges::any_of(
      known, [&](const Divergence& other) { return other.in == one.in && other.sides == one.sides; });
}

/// Adds a difference, with a smaller witness and a way to write it portably, unless it was found before.
void add(const Plan& plan, const Group& group, const std::vector<Cell>& cells, Divergence difference,
         std::vector<Divergence>& known) {
  shrink_witness(plan, group, cells, difference);
  if (is_known(known, difference)) return;
  const std::vector<FamilyMember> members = members_of(plan, group);
  difference.portable = portable({.comparison = plan.comparison, .members = members, .timeout = plan.timeout},
                                 difference.witness);
  known.push_back(std::move(difference));
}

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
  std::vector<std::pair<Group, Observations>> groups;
  for (Group& group : groups_of(plan)) {
    Observations theirs;
    for (const auto& each : answers) theirs.push_back(answers_of(group, each));
    groups.emplace_back(std::move(group), std::move(theirs));
  }
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
    for (const auto& [group, theirs] : groups) {
      for (Divergence& difference : differences_of(plan, compared.inputs, theirs, which, row)) {
        if (c < classes) difference.in = plan.comparison.classes[c].id;
        add(plan, group, row, std::move(difference), compared.differences);
      }
    }
    compared.cells.push_back(std::move(row));
  }
  return compared;
}

}  // namespace scatterproof::runner::compare
