// SPDX-License-Identifier: Apache-2.0
#include "plainer.hpp"
#include "scatterproof/spec/language/selection.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Argument;
using spec::Scalar;
using spec::Tensor;

void add_numbers(const Scalar& value, std::vector<Argument>& others) {
  const spec::DType dtype = dtype_of(value);
  for (const Plainer plainer : ways_to_plainer()) others.emplace_back(plainer(value, dtype));
}

void add_lists(const spec::Shape& list, std::vector<Argument>& others) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const Plainer plainer : ways_to_plainer()) {
      spec::Shape other = list;
      other[i] = plainer(Scalar::of_int(list[i]), spec::DType::i64).integer();
      others.emplace_back(std::move(other));
    }
}

/// What an argument could be instead.
std::vector<Argument> others_for(const spec::ArgumentDecl& declared, const Argument& value) {
  std::vector<Argument> others;
  if (declared.fallback) others.push_back(*declared.fallback);
  if (declared.optional) others.emplace_back();
  others.insert(others.end(), declared.choices.begin(), declared.choices.end());
  if (const auto* word = std::get_if<std::string>(&value); word && !declared.selects_with.empty())
    if (const auto selection = spec::language::parse_selection(*word))
      for (std::string& text : plainer_selections(*selection)) others.emplace_back(std::move(text));
  if (declared.kind == spec::ArgumentKind::choice) return others;
  if (const auto* number = std::get_if<Scalar>(&value)) add_numbers(*number, others);
  if (const auto* list = std::get_if<spec::Shape>(&value)) add_lists(*list, others);
  if (const auto* tensor = std::get_if<Tensor>(&value);
      tensor && declared.kind == spec::ArgumentKind::tensor_or_scalar && tensor->numel() > 0)
    others.emplace_back(tensor->get(spec::Coords(tensor->rank(), 0)));
  return others;
}

}  // namespace

void add_attribute_steps(const spec::OpSpec& op, const spec::Call& call, std::vector<Step>& steps) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const spec::ArgumentDecl* declared = op.argument(call.arguments[i].first);
    if (!declared) continue;
    for (Argument& other : others_for(*declared, call.arguments[i].second))
      steps.push_back([&call, i, other = std::move(other)] {
        spec::Call made = call;
        made.arguments[i].second = other;
        std::erase(made.omitted, made.arguments[i].first);
        return made;
      });
  }
}

}  // namespace scatterproof::runner::shrink
