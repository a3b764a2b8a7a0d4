// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/gradients.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "gradient_behaviour.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/gradients.hpp"

namespace scatterproof::runner::compare {
namespace {

struct GradientClassName {
  std::string_view id, says;
};

/// In the order of GradientClass.
constexpr std::array<GradientClassName, gradient_classes_count> gradient_class_names = {{
    {"colliding", "values are assigned to one cell: who gets the cotangent"},
    {"tie", "contributions tie for the extreme: how they share the cotangent"},
    {"tie-with-start", "the start value is among those that tie"},
    {"overwritten", "the start value of a cell that is assigned to: 0"},
    {"left-out", "a start value that does not count, where something is written: 0"},
    {"unreached", "the start value of a cell to which nothing is written: the cotangent"},
    {"nowhere", "a value that lands in no cell, as it is dropped or lies beyond the index: 0"},
    {"several", "a value that lands in several cells: the sum of their cotangents"},
    {"zero", "a factor that is zero or meets one: the product of the others"},
    {"mean", "a value of a mean: a part of the cotangent"},
    {"plain", "any other value that lands in one cell"},
}};

/// What one member did with one input.
struct SeenGradients {
  std::vector<GradientBehaviour> behaviours;
  std::vector<spec::GradientAnswer> gradients;
};

/// A call of a member whose gradients are asked.
struct AskedGradients {
  std::size_t input;
  spec::Call call;
  GradientTask task;
};

std::optional<AskedGradients> question_of(const Plan& plan, const FamilyMember& member, const Input& input,
                                          std::size_t number) {
  auto call = call_of(plan.comparison, member, input.said);
  const auto* said = std::get_if<spec::Call>(&call);
  if (!said || !member.engine->supports(*said).yes) return {};
  auto task = gradient_task(*member.spec, *said, member.engine->info());
  const auto* follows = std::get_if<GradientTask>(&task);
  if (!follows || !follows->gradients.why_open.empty()) return {};
  return AskedGradients{number, *said, std::get<GradientTask>(std::move(task))};
}

class GradientComparison {
 public:
  explicit GradientComparison(const Plan& plan) : plan_(plan) {}

  ComparisonResult run() {
    for (const FamilyMember& member : plan_.members)
      if (member.engine->info().gradients) compared_.members.push_back(member);
    if (compared_.members.size() < 2) return std::move(compared_);
    compared_.inputs = draw_inputs(plan_.comparison, specs(), plan_.wishes);
    for (const FamilyMember& member : compared_.members) {
      plan_.tell("asking for gradients: " + member.name(compared_.members));
      answers_.push_back(answers_of(member));
      if (plan_.is_interrupted()) return std::move(compared_);
    }
    for (std::size_t c = 0; c < gradient_class_names.size(); ++c) add_row(c);
    for (const ClassRow& row : compared_.rows) find_difference(row);
    return std::move(compared_);
  }

 private:
  using Answers = std::map<std::size_t, SeenGradients>;  ///< by input

  std::vector<const spec::OpSpec*> specs() const {
    std::vector<const spec::OpSpec*> all;
    for (const FamilyMember& member : compared_.members)
      if (!member.restated && std::ranges::find(all, member.spec) == all.end()) all.push_back(member.spec);
    return all;
  }

  Answers answers_of(const FamilyMember& member) const {
    std::vector<AskedGradients> questions;
    for (std::size_t i = 0; i < compared_.inputs.size() && !plan_.is_interrupted(); ++i)
      if (auto question = question_of(plan_, member, compared_.inputs[i], i))
        questions.push_back(*std::move(question));
    std::vector<const spec::Call*> calls;
    std::vector<const spec::GradientQuestion*> asked;
    for (const AskedGradients& one : questions) {
      calls.push_back(&one.call);
      asked.push_back(&one.task.reverse);
    }
    const std::vector<spec::Outcome> outcomes = runner::ask(*member.engine, calls, plan_.timeout, asked);
    Answers answers;
    for (std::size_t k = 0; k < questions.size(); ++k) {
      auto gradients = gradients_in(outcomes[k], questions[k].task.reverse.answers());
      if (gradients.empty()) continue;
      answers[questions[k].input] = {
          gradient_behaviours(questions[k].task.dependences, questions[k].task.gradients, gradients),
          std::move(gradients)};
    }
    return answers;
  }

  /// A call that is refused as a whole has no gradient of any argument.
  static std::vector<spec::GradientAnswer> gradients_in(const spec::Outcome& outcome, std::size_t count) {
    if (const auto* refused = std::get_if<spec::Refused>(&outcome.what))
      return std::vector<spec::GradientAnswer>(count, *refused);
    const auto* produced = std::get_if<spec::Produced>(&outcome.what);
    return produced && produced->gradients.size() == count ? produced->gradients
                                                           : std::vector<spec::GradientAnswer>();
  }

  void add_row(std::size_t c) {
    ClassRow row{.classes = {c}, .cells = {}};
    for (const Answers& answers : answers_)
      row.cells.push_back(cell_of(answers, static_cast<GradientClass>(c)));
    compared_.rows.push_back(std::move(row));
  }

  Cell cell_of(const Answers& answers, GradientClass of) const {
    Cell cell;
    for (const auto& [input, answer] : answers)
      for (const GradientBehaviour& one : answer.behaviours)
        if (one.of == of) count(cell, one, input, answer);
    std::ranges::stable_sort(cell.does, std::greater<>(), &Behaviour::count);
    return cell;
  }

  void count(Cell& cell, const GradientBehaviour& one, std::size_t input, const SeenGradients& answer) const {
    auto found = std::ranges::find(cell.does, one.does, &Behaviour::name);
    if (found == cell.does.end())
      found = cell.does.insert(found, {.name = std::string(one.does), .letter = std::string(one.letter)});
    if (found->count++ == 0 || size_of(input) < size_of(found->input)) {
      found->input = input;
      found->outcome = shown(observed(answer, one.argument));
    }
  }

  std::int64_t size_of(std::size_t input) const { return elements_of(compared_.inputs[input].said); }

  /// The gradient of one argument, as if it were the result.
  static Observation observed(const SeenGradients& answer, std::size_t argument) {
    Observation seen{.kind = Observation::Kind::produced};
    const spec::GradientAnswer& gradient = answer.gradients[argument];
    if (const auto* refused = std::get_if<spec::Refused>(&gradient)) {
      seen.kind = Observation::Kind::refused;
      seen.outcome = {*refused, 0};
    } else if (const auto* tensor = std::get_if<spec::Tensor>(&gradient)) {
      seen.outcome = {spec::Produced{{*tensor}, {}}, 0};
    } else {
      seen.outcome = {spec::Refused{{"none"}, "the result does not depend on it"}, 0};
    }
    return seen;
  }

  /// What a member shows of a class on an input; null: nothing.
  const GradientBehaviour* shown_by(std::size_t member, std::size_t input, GradientClass of) const {
    const auto answer = answers_[member].find(input);
    if (answer == answers_[member].end()) return nullptr;
    const auto found = std::ranges::find(answer->second.behaviours, of, &GradientBehaviour::of);
    return found == answer->second.behaviours.end() ? nullptr : &*found;
  }

  /// On the input that shows most behaviours, and is the smallest of these.
  void find_difference(const ClassRow& row) {
    const auto of = static_cast<GradientClass>(row.classes.front());
    std::optional<Divergence> best;
    std::pair<std::size_t, std::int64_t> merit{1, 0};
    for (std::size_t i = 0; i < compared_.inputs.size(); ++i) {
      Divergence candidate = divergence(i, of);
      const std::pair now{candidate.sides.size(), -size_of(i)};
      if (now.first > 1 && (!best || now > merit)) merit = now, best = std::move(candidate);
    }
    if (best) compared_.differences.push_back(*std::move(best));
  }

  Divergence divergence(std::size_t input, GradientClass of) const {
    Divergence one{.in = std::string(gradient_class_names[static_cast<std::size_t>(of)].id),
                   .sides = {},
                   .witness = compared_.inputs[input],
                   .answers = std::vector<Observation>(compared_.members.size())};
    for (std::size_t m = 0; m < compared_.members.size(); ++m) {
      const GradientBehaviour* does = shown_by(m, input, of);
      if (!does) continue;
      one.answers[m] = observed(answers_[m].at(input), does->argument);
      auto side = std::ranges::find(one.sides, does->does, &Divergence::Side::does);
      if (side == one.sides.end())
        side = one.sides.insert(side, {.does = std::string(does->does), .members = {}});
      side->members.push_back(m);
    }
    return one;
  }

  const Plan& plan_;
  ComparisonResult compared_;
  std::vector<Answers> answers_;  ///< by member
};

}  // namespace

ComparisonResult compare_gradients(const Plan& plan) { return GradientComparison(plan).run(); }

spec::FamilyComparison gradient_classes(const spec::FamilyComparison& comparison) {
  spec::FamilyComparison same = comparison;
  same.classes.clear();
  for (const GradientClassName& one : gradient_class_names) {
    spec::FamilyInputClass made;
    made.id = one.id;
    made.says = one.says;
    same.classes.push_back(std::move(made));
  }
  return same;
}

}  // namespace scatterproof::runner::compare
