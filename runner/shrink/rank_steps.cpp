// SPDX-License-Identifier: Apache-2.0
// Dimensions dropped or merged. Which dimension of one tensor belongs to which of another is not known here:
// every combination is a step.
#include <algorithm>

#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Argument;
using spec::Scalar;
using spec::Tensor;

/// What happens to one argument. Dropping a dimension is what makes the step one of these; the rest goes
/// along.
struct Action {
  enum class Kind : std::uint8_t { none, drop, cut_column, toward_zero } kind = Kind::none;
  std::size_t at = 0;  ///< the dimension, or the column of the last one
};

constexpr std::size_t most_combinations = 4096;  // five dimensions in three tensors and an axis make 800

std::vector<Action> actions_on(const spec::OpSpec& op, const std::string& name, const Argument& value) {
  using Kind = Action::Kind;
  std::vector<Action> actions = {{}};
  if (const auto* tensor = std::get_if<Tensor>(&value)) {
    for (std::size_t d = 0; d < tensor->rank(); ++d)
      if (tensor->shape()[d] <= 1) actions.push_back({Kind::drop, d});
    if (tensor->rank() > 0 && is_index(op, name, value)) {
      const auto columns = static_cast<std::size_t>(tensor->shape().back());
      for (std::size_t j = 0; j < columns && columns <= most_columns; ++j)
        actions.push_back({Kind::cut_column, j});
    }
  } else if (const auto* list = std::get_if<spec::Shape>(&value)) {
    for (std::size_t d = 0; d < list->size(); ++d) actions.push_back({Kind::drop, d});
  } else if (const spec::ArgumentDecl* declared = op.argument(name);
             declared && declared->kind == spec::ArgumentKind::integer) {
    const auto* number = std::get_if<Scalar>(&value);
    if (number && number->is_integral() && number->integer() != 0) actions.push_back({Kind::toward_zero, 0});
  }
  return actions;
}

Argument applied(const Action& action, const Argument& value) {
  if (action.kind == Action::Kind::toward_zero) {
    const std::int64_t number = std::get<Scalar>(value).integer();
    return Scalar::of_int(number > 0 ? number - 1 : number + 1);
  }
  if (const auto* list = std::get_if<spec::Shape>(&value)) {
    spec::Shape shorter = *list;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(action.at));
    return shorter;
  }
  const auto& tensor = std::get<Tensor>(value);
  if (action.kind == Action::Kind::drop) return without_dimension(tensor, action.at);
  return without_range(tensor, tensor.rank() - 1, static_cast<std::int64_t>(action.at), 1);
}

using Combination = std::vector<Action>;  // one action an argument

std::ptrdiff_t drops(const Combination& combination) {
  return std::ranges::count(combination, Action::Kind::drop, &Action::kind);
}

/// All choices of one action each, without those that drop nothing; those that drop most come first.
std::vector<Combination> combinations(const std::vector<std::vector<Action>>& actions) {
  std::vector<Combination> all = {{}};
  for (const std::vector<Action>& choices : actions) {
    std::vector<Combination> longer;
    for (const Combination& start : all)
      for (const Action& action : choices) {
        if (longer.size() == most_combinations) break;
        longer.push_back(start);
        longer.back().push_back(action);
      }
    all = std::move(longer);
  }
  std::erase_if(all, [](const Combination& one) { return drops(one) == 0; });
  std::ranges::stable_sort(all, std::ranges::greater{}, drops);
  return all;
}

/// An argument that was left out is passed: its value may no longer be its default.
void apply(const Action& action, spec::Call& call, std::size_t argument) {
  auto& [name, value] = call.arguments[argument];
  value = applied(action, value);
  std::erase(call.omitted, name);
}

/// Two neighbouring dimensions made one in every tensor that has both, and an integer (an axis) that may go
/// along.
spec::Call with_merged_everywhere(const spec::Call& call, std::size_t d, const Combination& integers) {
  spec::Call made = call;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& value = call.arguments[i].second;
    if (const auto* tensor = std::get_if<Tensor>(&value); tensor && d + 1 < tensor->rank())
      made.arguments[i].second = with_merged(*tensor, d);
    if (integers[i].kind == Action::Kind::toward_zero) apply(integers[i], made, i);
  }
  return made;
}

/// The same dimension, counted from either end, of every tensor that has it, whatever its size.
spec::Call without_dimension_everywhere(const spec::Call& call, std::size_t d, bool from_end) {
  spec::Call made = call;
  for (auto& [name, value] : made.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value); tensor && d < tensor->rank())
      value = without_dimension(*tensor, from_end ? tensor->rank() - 1 - d : d);
  return made;
}

}  // namespace

void add_rank_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps) {
  std::size_t rank = 0;
  std::vector<std::vector<Action>> actions;
  for (const auto& [name, value] : call.arguments) {
    if (const auto* tensor = std::get_if<Tensor>(&value)) rank = std::max(rank, tensor->rank());
    actions.push_back(actions_on(op, name, value));
  }
  for (std::size_t d = 0; d < rank; ++d)
    for (const bool from_end : {false, true})
      steps.push_back([&call, d, from_end] { return without_dimension_everywhere(call, d, from_end); });
  Combination integers;
  for (const std::vector<Action>& choices : actions) integers.push_back(choices.back());
  for (std::size_t d = 0; d + 1 < rank; ++d)
    for (const Combination& along : {Combination(integers.size()), integers})
      steps.push_back([&call, d, along] { return with_merged_everywhere(call, d, along); });
  for (Combination& combination : combinations(actions))
    steps.push_back([&call, combination = std::move(combination)] {
      spec::Call made = call;
      for (std::size_t i = 0; i < combination.size(); ++i)
        if (combination[i].kind != Action::Kind::none) apply(combination[i], made, i);
      return made;
    });
}

}  // namespace scatterproof::runner::shrink
