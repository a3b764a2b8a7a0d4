// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/restated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scatterproof/runner/relations/slices.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Argument;
using spec::Family;
using spec::FamilyCall;
using spec::Scalar;
using spec::Tensor;
using spec::language::Frame;

Argument argument_of(const spec::language::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return Scalar::of_int(*number);
  if (const auto* truth = std::get_if<bool>(&value)) return Scalar::of_bool(*truth);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return spec::None{};
}

/// Throws if it is none.
std::int64_t integer_of(const spec::language::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  const auto* element = std::get_if<spec::language::Element>(&value);
  if (!element || !element->value.is_integral())
    throw spec::language::NotEvaluable("an index is not an integer");
  return element->value.integer();
}

/// Of the index's dtype, which is one of integers, if all elements fit. The frame has what sizes may use.
Tensor made(const spec::MadeIndex& one, const Frame& frame, spec::DType dtype) {
  const spec::Shape sizes = spec::language::evaluate_tuple(*one.sizes, frame);
  std::vector<Scalar> elements;
  spec::Coords at(sizes.size(), 0);
  const std::int64_t count = spec::numel(sizes);
  for (std::int64_t i = 0; i < count; ++i, spec::next(at, sizes)) {
    Frame with_position = frame;
    with_position.emplace_back(at);
    elements.push_back(Scalar::of_int(integer_of(spec::language::evaluate(*one.element, with_position))));
  }
  const auto fits = [&](const Scalar& element) {
    const auto [least, greatest] = spec::integer_range(dtype);
    return element.integer() >= least && element.integer() <= greatest;
  };
  const bool all_fit = std::ranges::all_of(elements, fits);
  return Tensor(all_fit ? dtype : spec::DType::i64, sizes, elements);
}

/// Adds what is made, each item of a list in its role of the other family, `in`. Else: why that cannot be.
std::string add_made(const spec::MadeIndex& one, const std::string& in, const Frame& frame, spec::DType dtype,
                     RoleChanges& changes) {
  if (!one.items) {
    changes.emplace_back(one.role, made(one, frame, dtype));
    return {};
  }
  const std::int64_t count = integer_of(spec::language::evaluate(*one.items, frame));
  if (count > std::int64_t{spec::language::max_items})
    return fmt::format("an API of {} takes at most {} index tensors here, and this needs {}", in,
                       spec::language::max_items, count);
  for (std::int64_t item = 0; item < count; ++item) {
    Frame of_item = frame;
    of_item.emplace_back(item);
    changes.emplace_back(fmt::format("{}_{}", one.role, item), made(one, of_item, dtype));
  }
  return {};
}

/// The roles that the relation expresses differently.
std::variant<RoleChanges, std::string> changes_of(const spec::Relation& relation, const Family& from,
                                                  const FamilyCall& said) {
  const Frame frame = spec::frame_of(from, said);
  RoleChanges changes;
  for (const auto& [role, value] : relation.values)
    changes.emplace_back(role, argument_of(spec::language::evaluate(*value, frame)));
  for (const auto& [role, sizes] : relation.shapes) {
    auto tensor =
        reshaped(std::get<Tensor>(value_of(from, said, role)), spec::language::evaluate_tuple(*sizes, frame));
    if (!tensor) return fmt::format("{} cannot be reshaped", role);
    changes.emplace_back(role, *std::move(tensor));
  }
  if (!relation.makes.empty()) {
    const spec::DType dtype = std::get<Tensor>(said.values[from.places("index").front()]).dtype();
    if (!spec::is_integer(dtype))
      return fmt::format("an index of {} may mean another thing there", name(dtype));
    for (const spec::MadeIndex& one : relation.makes)
      if (auto why_not = add_made(one, relation.in, frame, dtype, changes); !why_not.empty()) return why_not;
  }
  if (!from.role("updates")) return changes;
  auto updates = fitted_updates(from, said);
  if (!updates) return "updates do not fit the index";
  changes.emplace_back("updates", *std::move(updates));
  return changes;
}

}  // namespace

const Argument& value_of(const Family& family, const FamilyCall& said, std::string_view role) {
  return said.values[static_cast<std::size_t>(family.role(role) - family.roles.data())];
}

Argument& value_of(const Family& family, FamilyCall& said, std::string_view role) {
  return const_cast<Argument&>(value_of(family, std::as_const(said), role));
}

std::optional<Argument> fitted_updates(const Family& family, const FamilyCall& said) {
  const Argument& updates = value_of(family, said, "updates");
  const auto* tensor = std::get_if<Tensor>(&updates);
  if (!tensor) return updates;
  const spec::Shape stream = spec::language::evaluate_tuple(*family.stream, spec::frame_of(family, said));
  auto fit = fitted(*tensor, stream);
  return fit ? std::optional<Argument>(*std::move(fit)) : std::nullopt;
}

std::variant<FamilyCall, std::string> said_in(const Family& from, const FamilyCall& said, const Family& to,
                                              const RoleChanges& changes) {
  FamilyCall other;
  for (const spec::Role& role : to.roles) {
    const auto changed =
        std::ranges::find(changes, role.name, [](const auto& change) { return change.first; });
    if (changed != changes.end())
      other.values.push_back(changed->second);
    else if (!role.policy && from.role(role.name))
      other.values.push_back(value_of(from, said, role.name));
    else if (role.fallback)
      other.values.push_back(*role.fallback);
    else if (role.optional)
      other.values.push_back(spec::None{});
    else
      return fmt::format("it has no {}", role.name);
  }
  return other;
}

std::variant<FamilyCall, std::string> restated(const spec::Relation& relation, const Family& from,
                                               const FamilyCall& said, const Family& to) {
  const auto changes = changes_of(relation, from, said);
  if (const auto* why_not = std::get_if<std::string>(&changes)) return *why_not;
  return said_in(from, said, to, std::get<RoleChanges>(changes));
}

}  // namespace scatterproof::runner::relations
