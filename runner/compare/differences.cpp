// SPDX-License-Identifier: Apache-2.0
#include "differences.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "scatterproof/runner/relations/answer.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::compare {
namespace {

using AnswerKind = Observation::Kind;

Behaviour behaviour_of(const Explanation& explanation) {
  return {.name = name_of(explanation), .letter = explanation.empty() ? "=" : explanation.front()->letter};
}

Behaviour behaviour_of(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::refused:
      return {.name = "refuses", .letter = "R"};
    case AnswerKind::refused_after_writing:
      return {.name = "refuses after writing", .letter = "W"};
    case AnswerKind::crashed:
      return {.name = "crashes", .letter = "X"};
    case AnswerKind::absent:
    case AnswerKind::produced:
      break;
  }
  return {.name = std::string(Behaviour::unexplained), .letter = "?"};
}

/// Adds an input that shows the behaviour.
void count(std::vector<Behaviour>& does, Behaviour shown, std::size_t input,
           const std::vector<Input>& inputs) {
  const auto found = std::ranges::find(does, shown.name, &Behaviour::name);
  if (found == does.end()) {
    shown.count = 1;
    shown.input = input;
    does.push_back(std::move(shown));
    return;
  }
  ++found->count;
  if (elements_of(inputs[input].said) < elements_of(inputs[found->input].said)) found->input = input;
}

}  // namespace

Cell cell_of(const Plan& plan, const std::vector<Input>& inputs, const Observations& answers,
             const std::vector<std::size_t>& which, std::size_t member) {
  Cell cell;
  std::vector<std::size_t> explained;
  for (const std::size_t i : which) {
    const Observation& answer = answers[i][member];
    if (answer.kind == AnswerKind::absent) {
      if (cell.why_none.empty()) cell.why_none = answer.why_absent;
      cell.unasked |= answer.why_absent.empty();
    } else if (answer.kind == AnswerKind::produced && answer.readings != 0) {
      explained.push_back(i);
    } else {
      count(cell.does, behaviour_of(answer.kind), i, inputs);
    }
  }
  // The reading that explains most answers first, until all are explained.
  while (!explained.empty()) {
    const auto candidates = explanations_of(plan.comparison, inputs[explained.front()].classes);
    const auto explains = [&](std::size_t e) {
      return std::ranges::count_if(
          explained, [&](std::size_t i) { return (answers[i][member].readings >> e & 1) != 0; });
    };
    std::size_t best = 0;
    for (std::size_t e = 1; e < candidates.size(); ++e)
      if (explains(e) > explains(best)) best = e;
    for (const std::size_t i : explained)
      if (answers[i][member].readings >> best & 1)
        count(cell.does, behaviour_of(candidates[best]), i, inputs);
    std::erase_if(explained, [&](std::size_t i) { return (answers[i][member].readings >> best & 1) != 0; });
  }
  std::ranges::stable_sort(cell.does, std::greater<>(), &Behaviour::count);
  if (!cell.does.empty()) cell.why_none.clear();
  for (Behaviour& one : cell.does) {
    const Observation& answer = answers[one.input][member];
    one.outcome = shown(answer);
    one.digest = digest_of(answer);
  }
  return cell;
}

std::string digest_of(const Observation& answer) {
  const spec::Tensor* tensor = relations::only_tensor(answer.outcome).first;
  return tensor != nullptr ? runner::digest_of(*tensor) : "";
}

const Behaviour* shown_by(const Plan& plan, const Cell& cell, const std::vector<std::size_t>& classes,
                          const Observation& answer) {
  if (answer.kind == AnswerKind::absent) return nullptr;
  std::set<std::string> possible;
  if (answer.kind != AnswerKind::produced || answer.readings == 0) {
    possible.insert(behaviour_of(answer.kind).name);
  } else {
    const auto candidates = explanations_of(plan.comparison, classes);
    for (std::size_t e = 0; e < candidates.size(); ++e)
      if (answer.readings >> e & 1) possible.insert(behaviour_of(candidates[e]).name);
  }
  const auto found =
      std::ranges::find_if(cell.does, [&](const Behaviour& one) { return possible.contains(one.name); });
  return found != cell.does.end() ? &*found : nullptr;
}

DivergenceKind kind_of(const Plan& plan, const std::vector<Observation>& answers) {
  std::set<const spec::OpSpec*> apis;
  std::set<std::string> releases;
  bool documented = true;
  for (std::size_t m = 0; m < answers.size(); ++m) {
    if (answers[m].kind == AnswerKind::absent) continue;
    if (!answers[m].keeps_word) return DivergenceKind::contradicts;
    apis.insert(plan.members[m].spec);
    releases.insert(spec::without_form(plan.members[m].engine->info().name));
    documented &= answers[m].promised == Promised::result || answers[m].promised == Promised::refusal;
  }
  if (apis.size() == 1) return releases.size() == 1 ? DivergenceKind::form_drift : DivergenceKind::drift;
  return documented ? DivergenceKind::documented : DivergenceKind::undocumented;
}

std::vector<Divergence::Side> sides_of(const Plan& plan, const std::vector<Cell>& cells,
                                       const std::vector<std::size_t>& classes,
                                       const std::vector<Observation>& answers) {
  std::vector<Divergence::Side> sides;
  for (std::size_t m = 0; m < plan.members.size(); ++m) {
    const Behaviour* does = shown_by(plan, cells[m], classes, answers[m]);
    if (!does) continue;
    auto side = std::ranges::find(sides, does->name, &Divergence::Side::does);
    if (side == sides.end()) side = sides.insert(side, {.does = does->name, .members = {}});
    side->members.push_back(m);
  }
  return sides;
}

std::set<MemberPair> parted(const std::vector<Observation>& answers) {
  std::set<MemberPair> pairs;
  for (std::size_t a = 0; a < answers.size(); ++a)
    for (std::size_t b = a + 1; b < answers.size(); ++b)
      if (differ(answers[a], answers[b])) pairs.insert({a, b});
  return pairs;
}

}  // namespace scatterproof::runner::compare
