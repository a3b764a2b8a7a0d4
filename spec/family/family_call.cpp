// SPDX-License-Identifier: Apache-2.0
// Converts a call to what it says and back, using the kernel entries of specs.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "role_values.hpp"
#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec {

std::optional<Argument> role_value(Role::Kind kind, const std::string& text) {
  if (kind == Role::Kind::word) return text;
  if (kind == Role::Kind::boolean && (text == "true" || text == "false"))
    return Scalar::of_bool(text == "true");
  if (kind != Role::Kind::integer) return {};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return Scalar::of_int(value);
}

std::optional<Argument> role_value(Role::Kind kind, const Argument& argument) {
  const auto* number = std::get_if<Scalar>(&argument);
  switch (kind) {
    case Role::Kind::tensor:
      if (std::holds_alternative<Tensor>(argument)) return argument;
      return {};
    case Role::Kind::tensor_or_scalar:
      if (number || std::holds_alternative<Tensor>(argument)) return argument;
      return {};
    case Role::Kind::integer:
      if (number && number->is_integral()) return Scalar::of_int(number->integer());
      return {};
    case Role::Kind::sizes:
      if (std::holds_alternative<Shape>(argument)) return argument;
      return {};
    case Role::Kind::boolean:
      if (number && number->is_integral()) return Scalar::of_bool(number->integer() != 0);
      return {};
    case Role::Kind::word:
      break;
  }
  return to_string(argument);
}

language::Types types_of(const Role& role) {
  using language::Type;
  using language::Types;
  switch (role.kind) {
    case Role::Kind::tensor:
      return static_cast<Types>(Type::tensor) | (role.optional ? static_cast<Types>(Type::none) : 0U);
    case Role::Kind::tensor_or_scalar:
      return Type::tensor | Type::number;
    case Role::Kind::integer:
      return static_cast<Types>(Type::integer);
    case Role::Kind::sizes:
      return static_cast<Types>(Type::tuple);
    case Role::Kind::boolean:
      return static_cast<Types>(Type::boolean);
    case Role::Kind::word:
      break;
  }
  return static_cast<Types>(Type::word);
}

namespace {

using language::Frame;

bool same(const Argument& a, const Argument& b) {
  if (a.index() != b.index()) return false;
  if (const auto* tensor = std::get_if<Tensor>(&a)) return identical(*tensor, std::get<Tensor>(b));
  if (const auto* number = std::get_if<Scalar>(&a)) return identical(*number, std::get<Scalar>(b));
  return to_string(a) == to_string(b);
}

bool may_be_none(const Role& role) { return role.left_out || role.optional; }

/// A role's value in a call; empty when the kernel entry or the call has none.
std::optional<Argument> value_in(const Role& role, const OpSpec& spec, const Call& call) {
  const LoweredValue* lowered = spec.said().find(role.name);
  if (!lowered) return may_be_none(role) ? None{} : role.fallback;
  if (lowered->argument.empty()) return role_value(role.kind, lowered->literal);
  const Argument* argument = call.find(lowered->argument);
  if (!argument) return may_be_none(role) ? std::optional<Argument>(None{}) : std::nullopt;
  if (may_be_none(role) && std::holds_alternative<None>(*argument)) return None{};
  if (lowered->table.empty()) return role_value(role.kind, *argument);
  for (const auto& [from, to] : lowered->table)
    if (from == to_string(*argument)) return to == "none" ? std::nullopt : role_value(role.kind, to);
  return {};
}

/// All values that an argument can have, if there are only a few.
std::vector<Argument> choices_of(const ArgumentDecl& declared) {
  std::vector<Argument> choices = declared.choices;
  if (declared.kind == ArgumentKind::boolean) choices = {Scalar::of_bool(false), Scalar::of_bool(true)};
  if (declared.optional) choices.emplace_back(None{});
  return choices;
}

/// Whether an argument may hold a value that a role has.
bool takes(const ArgumentDecl& declared, const Argument& value) {
  const bool tensor = std::holds_alternative<Tensor>(value), number = std::holds_alternative<Scalar>(value);
  switch (declared.kind) {
    case ArgumentKind::tensor:
      return tensor;
    case ArgumentKind::tensor_or_scalar:
      return tensor || number;
    case ArgumentKind::choice:
      if (!declared.selects_with.empty()) return language::parse_selection(to_string(value)).has_value();
      return std::ranges::any_of(declared.choices, [&](const Argument& one) { return same(one, value); });
    case ArgumentKind::integers:
      return std::holds_alternative<Shape>(value);
    case ArgumentKind::integer:
      return number && std::get<Scalar>(value).is_integral();
    case ArgumentKind::boolean:
      return number && std::get<Scalar>(value).kind() == Scalar::Kind::boolean;
    case ArgumentKind::scalar:
      break;
  }
  return number;
}

/// The argument that gives a role this value; empty: none does.
std::optional<Argument> argument_for(const Role& role, const LoweredValue& lowered,
                                     const ArgumentDecl& declared, const Argument& value) {
  if (lowered.table.empty()) return takes(declared, value) ? std::optional(value) : std::nullopt;
  for (const auto& [from, to] : lowered.table) {
    const auto gives = role_value(role.kind, to);
    if (!gives || !same(*gives, value)) continue;
    for (const Argument& choice : choices_of(declared))
      if (to_string(choice) == from) return choice;
  }
  return {};
}

/// A call under construction.
class Sentence {
 public:
  explicit Sentence(const OpSpec& spec) : spec_(spec), arguments_(spec.arguments.size()) {}

  /// Empty, or why the API cannot say this. `unsaid`: what the role is in a call that does not mention it.
  std::string put(const Role& role, const Argument& value, const std::optional<Argument>& unsaid) {
    const LoweredValue* lowered = spec_.said().find(role.name);
    const bool left_out = may_be_none(role) && std::holds_alternative<None>(value);
    if (!lowered && left_out) return {};
    const Argument& meant = left_out && unsaid ? *unsaid : value;
    if (!lowered || lowered->argument.empty()) {
      const auto fixed = lowered ? role_value(role.kind, lowered->literal) : unsaid;
      if (fixed && same(*fixed, meant)) return {};
      return cannot(role, value);
    }
    const ArgumentDecl* declared = spec_.argument(lowered->argument);
    auto argument = left_out && declared->optional ? None{} : argument_for(role, *lowered, *declared, meant);
    if (!argument) return cannot(role, value);
    auto& place = arguments_[static_cast<std::size_t>(declared - spec_.arguments.data())];
    if (place && !same(*place, *argument))
      return fmt::format("in {}, {} serves two roles", spec_.api, declared->name);
    place = std::move(argument);
    return {};
  }

  std::variant<Call, std::string> finish(const Call* base) {
    Call call{spec_.api, {}};
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const ArgumentDecl& declared = spec_.arguments[i];
      const Argument* kept = base ? base->find(declared.name) : nullptr;
      auto& value = arguments_[i];
      if (!value && kept) value = *kept;
      if (!value && !declared.selects_with.empty()) value = arrays_alone(declared.selects_with);
      if (!value) value = declared.fallback;
      if (!value && declared.optional) value = None{};
      if (!value) return fmt::format("{} has the argument {}, which no role fills", spec_.api, declared.name);
      call.arguments.emplace_back(declared.name, *std::move(value));
    }
    return call;
  }

 private:
  std::string cannot(const Role& role, const Argument& value) const {
    return fmt::format("{} cannot express {} = {}", spec_.api, role.name, to_string(value));
  }

  /// The selection whose parts are the arrays of a list that are there: `$, $`.
  std::string arrays_alone(const std::string& list) const {
    std::string key;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if (spec_.arguments[i].list == list && arguments_[i] && std::holds_alternative<Tensor>(*arguments_[i]))
        key += key.empty() ? "$" : ", $";
    return key.empty() ? "()" : key;
  }

  const OpSpec& spec_;
  std::vector<std::optional<Argument>> arguments_;
};

/// Whether all parts of a selection, if it is not a role itself, are arrays of integers: these are roles.
bool says_what_is_selected(const OpSpec& spec, const Call& call) {
  return std::ranges::all_of(spec.arguments, [&](const ArgumentDecl& declared) {
    const auto is_of_it = [&](const auto& field) { return field.second.argument == declared.name; };
    const Argument* key = declared.selects_with.empty() ? nullptr : call.find(declared.name);
    if (!key || std::ranges::any_of(spec.said().fields, is_of_it)) return true;
    const auto selection = language::parse_selection(to_string(*key));
    return selection && std::ranges::all_of(selection->all(), [](const language::SelectionPart& part) {
             return part.kind == language::SelectionPart::Kind::array;
           });
  });
}

/// The value of a role in a call that does not mention it; `before` holds the values of the roles before it.
/// Empty: it must be mentioned.
std::optional<Argument> unsaid(const Role& role, const Frame& before) {
  if (!role.left_out) return role.fallback;
  try {
    return Scalar::of_int(std::get<std::int64_t>(language::evaluate(*role.left_out, before)));
  } catch (const language::NotEvaluable&) {
    return {};
  }
}

language::Value value_of(const Role& role, const Argument& argument) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return language::TensorPart{.tensor = tensor};
  if (const auto* word = std::get_if<std::string>(&argument)) return *word;
  if (const auto* sizes = std::get_if<Shape>(&argument)) return *sizes;
  if (const auto* number = std::get_if<Scalar>(&argument)) {
    if (role.kind == Role::Kind::boolean) return number->integer() != 0;
    if (role.kind == Role::Kind::integer) return number->integer();
    return language::Element{*number, -1, -1};
  }
  return None{};
}

Frame roles_of(const Family& family, const FamilyCall& said) {
  Frame frame;
  for (std::size_t i = 0; i < family.roles.size(); ++i) {
    const Role& role = family.roles[i];
    const Argument& value = said.values[i];
    const auto instead = std::holds_alternative<None>(value) ? unsaid(role, frame) : std::nullopt;
    frame.push_back(value_of(role, instead ? *instead : value));
  }
  return frame;
}

}  // namespace

std::variant<FamilyCall, std::string> family_call_of(const Family& family, const OpSpec& spec,
                                                     const Call& call) {
  if (!says_what_is_selected(spec, call))
    return fmt::format("the call selects by more than arrays of integers, which {} does not know",
                       family.name);
  FamilyCall said;
  for (const Role& role : family.roles) {
    auto value = value_in(role, spec, call);
    if (!value) return fmt::format("the call has no {} as {} knows it", role.name, family.name);
    said.values.push_back(*std::move(value));
  }
  return said;
}

std::variant<Call, std::string> say(const Family& family, const OpSpec& spec, const FamilyCall& said,
                                    const Call* base) {
  Sentence sentence(spec);
  const Frame frame = roles_of(family, said);
  for (std::size_t i = 0; i < family.roles.size(); ++i) {
    const Role& role = family.roles[i];
    if (role.policy) continue;
    if (auto cannot = sentence.put(role, said.values[i], unsaid(role, frame)); !cannot.empty()) return cannot;
  }
  return sentence.finish(base);
}

Frame frame_of(const Family& family, const FamilyCall& said) {
  Frame frame = roles_of(family, said);
  for (const auto& [name, expression] : family.lets) {
    try {
      frame.push_back(language::evaluate(*expression, frame));
    } catch (const language::NotEvaluable&) {
      frame.emplace_back(None{});
    }
  }
  return frame;
}

}  // namespace scatterproof::spec
