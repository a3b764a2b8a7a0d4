// SPDX-License-Identifier: Apache-2.0
#include "recorded_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/engines/recorded/recording.hpp"

namespace scatterproof::runner {
namespace {

bool is_choice(const spec::ArgumentDecl& declared, const spec::Argument& value) {
  const bool any = !declared.rule.empty() || declared.between;
  return std::holds_alternative<std::string>(value) || std::holds_alternative<spec::Scalar>(value)
             ? any || std::ranges::any_of(declared.choices,
                                          [&](const auto& choice) { return identical(choice, value); })
             : false;
}

/// Whether a call can be written in which the argument has this value.
bool can_be(const spec::ArgumentDecl& declared, const spec::Argument& value) {
  using enum spec::ArgumentKind;
  const auto* number = std::get_if<spec::Scalar>(&value);
  const bool is_tensor = std::holds_alternative<spec::Tensor>(value);
  if (std::holds_alternative<spec::None>(value)) return declared.optional;
  switch (declared.kind) {
    case tensor:
      return is_tensor;
    case integer:
      return number && number->kind() == spec::Scalar::Kind::integer;
    case boolean:
      return number && number->kind() == spec::Scalar::Kind::boolean;
    case scalar:
      return number != nullptr;
    case tensor_or_scalar:
      return is_tensor || number;
    case choice:
      return is_choice(declared, value);
    case integers:
      return std::holds_alternative<spec::Shape>(value);
  }
  return false;
}

/// The call with its arguments in the spec's order and its defaults; or what is wrong with it, as a sentence.
std::variant<spec::Call, std::string> completed(const spec::Call& given, const spec::OpSpec& op) {
  spec::Call call{.api = given.api, .arguments = {}};
  for (const auto& [name, value] : given.arguments)
    if (!op.argument(name)) return fmt::format("{} has no argument '{}'", op.api, name);
  for (const spec::ArgumentDecl& declared : op.arguments) {
    if (const spec::Argument* value = given.find(declared.name)) {
      if (!can_be(declared, *value))
        return fmt::format("argument '{}' of {} cannot be {}", declared.name, op.api, to_string(*value));
      call.arguments.emplace_back(declared.name, *value);
    } else if (declared.fallback || declared.optional) {
      call.arguments.emplace_back(declared.name, declared.fallback.value_or(spec::None{}));
      if (declared.fallback) call.omitted.push_back(declared.name);
    } else {
      return fmt::format("argument '{}' of {} is missing", declared.name, op.api);
    }
  }
  if (const spec::ArgumentDecl* item = item_behind_gap(op, call))
    return fmt::format("argument '{}' of {} is given without the item of '{}' before it", item->name, op.api,
                       item->list);
  return call;
}

}  // namespace

spec::GoodCases recorded_cases(const std::string& path, const spec::SpecLibrary& specs) {
  const auto recording = engines::read_recording(path);
  if (!recording) return {{}, recording.errors()};
  spec::GoodCases read;
  for (std::size_t i = 0; i < recording->calls.size(); ++i) {
    const engines::RecordedCall& recorded = recording->calls[i];
    const spec::Position at{static_cast<int>(i) + 2, 1};
    const spec::OpSpec* op = specs.find(recorded.call.api);
    if (!op) {
      read.errors.push_back(
          {.file = path, .at = at, .what = fmt::format("unknown API '{}'", recorded.call.api)});
      continue;
    }
    auto call = completed(recorded.call, *op);
    if (const auto* wrong = std::get_if<std::string>(&call)) {
      read.errors.push_back({.file = path, .at = at, .what = *wrong});
      continue;
    }
    spec::Case one;
    one.id = recorded.from.starts_with(op->api + "/") ? recorded.from
                                                      : fmt::format("{}/recorded/{}", op->api, at.line);
    one.why = "recorded";
    one.call = std::get<spec::Call>(std::move(call));
    one.file = path;
    one.at = at;
    read.cases.push_back(std::move(one));
  }
  return read;
}

}  // namespace scatterproof::runner
