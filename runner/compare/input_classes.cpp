// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/input_classes.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "scatterproof/runner/compare/readings.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner::compare {
namespace {

using spec::FamilyCall;
using spec::FamilyComparison;

bool holds_for_some(const FamilyComparison& comparison, const spec::language::Frame& frame,
                    const FamilyCall& said, const spec::FamilyInputClass& one) {
  const std::vector<std::size_t> places = comparison.family->places("index");
  for (std::size_t item = 0; item < places.size(); ++item) {
    const auto* index = std::get_if<spec::Tensor>(&said.values[places[item]]);
    if (!index || !spec::is_integer(index->dtype()) || index->numel() == 0) continue;
    spec::Coords at(index->rank(), 0);
    do {
      const auto size = spec::counts_within(*comparison.family, frame, at, static_cast<std::int64_t>(item));
      if (size && spec::holds_for_element(one.some, index->get(at).integer(), *size)) return true;
    } while (spec::next(at, index->shape()));
  }
  return false;
}

/// Whether elements of the role's tensor share storage.
bool overlaps(const FamilyComparison& comparison, const FamilyCall& said, const std::string& name) {
  const auto* tensor = std::get_if<spec::Tensor>(role(comparison, said, name));
  return tensor && tensor->numel() > 0 && spec::overlaps_itself(*tensor);
}

/// Whether the role's tensor is a part of a storage, or has another order there; not a tensor whose elements
/// overlap.
bool is_view(const FamilyComparison& comparison, const FamilyCall& said, const std::string& name) {
  const auto* tensor = std::get_if<spec::Tensor>(role(comparison, said, name));
  return tensor && tensor->numel() > 0 && spec::layout_of(*tensor) != spec::Layout::contiguous &&
         !spec::overlaps_itself(*tensor);
}

bool holds(const FamilyComparison& comparison, const spec::language::Frame& frame, const FamilyCall& said,
           const spec::FamilyInputClass& one) {
  if (one.some) return holds_for_some(comparison, frame, said, one);
  if (!one.overlaps.empty()) return overlaps(comparison, said, one.overlaps);
  if (!one.views.empty()) return is_view(comparison, said, one.views);
  try {
    return spec::language::evaluate_bool(*one.when, frame);
  } catch (const spec::language::NotEvaluable&) {
    return false;
  }
}

/// The places in `among` of those that hold for what is said.
std::vector<std::size_t> holding(const FamilyComparison& comparison, const FamilyCall& said,
                                 std::span<const spec::FamilyInputClass> among) {
  spec::language::Frame frame = spec::comparison_frame(*comparison.family, said);
  frame.emplace_back(collides(comparison, said));
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < among.size(); ++c)
    if (holds(comparison, frame, said, among[c])) places.push_back(c);
  return places;
}

/// `mode=clip` for each word of a choice, `accumulate=true`, and `alpha!=1` for a number with a default.
std::vector<ArgumentClass> argument_classes(const spec::OpSpec& op) {
  std::vector<ArgumentClass> classes;
  for (const spec::ArgumentDecl& one : op.arguments) {
    if (one.kind == spec::ArgumentKind::boolean) classes.push_back({one.name, "true", true});
    if (one.kind == spec::ArgumentKind::choice)
      for (const spec::Argument& choice : one.choices)
        classes.push_back({one.name, spec::to_string(choice), true});
    if (one.kind == spec::ArgumentKind::scalar && one.fallback)
      classes.push_back({one.name, spec::to_string(*one.fallback), false});
  }
  return classes;
}

}  // namespace

Input classified(const FamilyComparison& comparison, FamilyCall said) {
  std::vector<std::size_t> classes = holding(comparison, said, comparison.classes);
  return {.said = std::move(said), .classes = std::move(classes)};
}

InputClasses::InputClasses(const spec::OpSpec& op, const FamilyComparison* comparison)
    : op_(op), comparison_(comparison), by_argument_(argument_classes(op)) {
  if (comparison_)
    for (const auto* list : {&comparison_->classes, &comparison_->details})
      for (const spec::FamilyInputClass& one : *list) all_.push_back({.id = one.id, .says = one.says});
  for (const ArgumentClass& one : by_argument_)
    all_.push_back({.id = one.argument + (one.equal ? "=" : "!=") + one.value,
                    .says = fmt::format("{} is {}{}", one.argument, one.equal ? "" : "not ", one.value)});
  if (all_.size() > most_input_classes)
    throw std::length_error(fmt::format("{} has {} input classes", op.api, all_.size()));
}

InputClassSet InputClasses::of(const spec::Call& call) const {
  InputClassSet set;
  std::size_t before = 0;
  if (comparison_) {
    const auto said = spec::family_call_of(*comparison_->family, op_, call);
    for (const auto* list : {&comparison_->classes, &comparison_->details}) {
      if (const auto* values = std::get_if<FamilyCall>(&said))
        for (const std::size_t place : holding(*comparison_, *values, *list)) set.set(before + place);
      before += list->size();
    }
  }
  for (const ArgumentClass& one : by_argument_) {
    const spec::Argument* value = call.find(one.argument);
    set.set(before++, value != nullptr && (spec::to_string(*value) == one.value) == one.equal);
  }
  return set;
}

}  // namespace scatterproof::runner::compare
