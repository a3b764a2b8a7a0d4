// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/opspec/frame.hpp"

#include <fmt/format.h>

namespace scatterproof::spec {

using language::Type;

language::Types static_types(const ArgumentDecl& declared) {
  const auto basic = [&]() -> language::Types {
    switch (declared.kind) {
      case ArgumentKind::tensor:
        return static_cast<language::Types>(Type::tensor);
      case ArgumentKind::integer:
        return static_cast<language::Types>(Type::integer);
      case ArgumentKind::boolean:
        return static_cast<language::Types>(Type::boolean);
      case ArgumentKind::scalar:
        return static_cast<language::Types>(Type::number);
      case ArgumentKind::tensor_or_scalar:
        return Type::tensor | Type::number;
      case ArgumentKind::integers:
        return static_cast<language::Types>(Type::tuple);
      case ArgumentKind::choice:
        break;
    }
    language::Types types = declared.selects_with.empty() ? 0u : static_cast<language::Types>(Type::word);
    for (const Argument& choice : declared.choices)
      types |= static_cast<language::Types>(std::holds_alternative<std::string>(choice) ? Type::word
                                                                                        : Type::integer);
    return types;
  };
  return basic() | (declared.optional && !declared.fallback ? static_cast<language::Types>(Type::none) : 0u);
}

language::Scope base_scope(const OpSpec& spec) {
  language::Scope scope;
  for (const ArgumentDecl& declared : spec.arguments)
    scope.declare(declared.name, static_types(declared), declared.list);
  for (const auto& [name, expression] : spec.lets) scope.declare(name, expression->types());
  return scope;
}

namespace {

language::Value value_of(const Argument& argument, const ArgumentDecl& declared, int index) {
  if (const auto* tensor = std::get_if<Tensor>(&argument))
    return language::TensorPart{.tensor = tensor, .argument = index};
  if (const auto* word = std::get_if<std::string>(&argument)) return *word;
  if (const auto* list = std::get_if<Shape>(&argument)) return *list;
  if (const auto* number = std::get_if<Scalar>(&argument)) {
    if (declared.kind == ArgumentKind::boolean) return number->integer() != 0;
    if (declared.kind == ArgumentKind::integer || declared.kind == ArgumentKind::choice)
      return number->integer();
    return language::Element{*number, index, -1};
  }
  return None{};
}

}  // namespace

CallFrame make_frame(const OpSpec& spec, const Call& call) {
  CallFrame made;
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const Argument* argument = call.find(spec.arguments[i].name);
    made.frame.push_back(argument ? value_of(*argument, spec.arguments[i], static_cast<int>(i)) : None{});
  }
  for (const auto& [name, expression] : spec.lets) {
    try {
      made.frame.push_back(language::evaluate(*expression, made.frame));
    } catch (const language::NotEvaluable& reason) {
      made.frame.emplace_back(None{});
      if (made.missing.empty()) made.missing = fmt::format("{} has no value: {}", name, reason.what());
    }
  }
  return made;
}

}  // namespace scatterproof::spec
