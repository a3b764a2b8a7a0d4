// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/catalogue/completed_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace scatterproof::runner {
namespace {

using spec::Argument;
using spec::ArgumentDecl;
using spec::ArgumentKind;
using spec::Scalar;

std::string_view name_of(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::tensor:
      return "a tensor";
    case ArgumentKind::integer:
      return "an integer";
    case ArgumentKind::boolean:
      return "True or False";
    case ArgumentKind::scalar:
      return "a number";
    case ArgumentKind::tensor_or_scalar:
      return "a tensor or a number";
    case ArgumentKind::choice:
      return "one of its words";
    case ArgumentKind::integers:
      return "a list of integers";
  }
  return "";
}

bool is_of(ArgumentKind kind, const Argument& value) {
  const auto* number = std::get_if<Scalar>(&value);
  const bool is_tensor = std::holds_alternative<spec::Tensor>(value);
  switch (kind) {
    case ArgumentKind::tensor:
      return is_tensor;
    case ArgumentKind::integer:
      return number && number->kind() == Scalar::Kind::integer;
    case ArgumentKind::boolean:
      return number && number->kind() == Scalar::Kind::boolean;
    case ArgumentKind::scalar:
      return number != nullptr;
    case ArgumentKind::tensor_or_scalar:
      return is_tensor || number;
    case ArgumentKind::choice:
      return std::holds_alternative<std::string>(value) ||
             (number && number->kind() == Scalar::Kind::integer);
    case ArgumentKind::integers:
      return std::holds_alternative<spec::Shape>(value);
  }
  return false;
}

/// What is wrong with the value of an argument; empty: nothing.
std::string fault_of(const ArgumentDecl& declared, const Argument& value) {
  if (std::holds_alternative<spec::None>(value))
    return declared.optional ? "" : "is None, which it may not be";
  if (!is_of(declared.kind, value))
    return fmt::format("must be {}, and is {}", name_of(declared.kind), to_string(value));
  const bool is_choice = declared.kind == ArgumentKind::choice && declared.rule.empty() &&
                         !declared.between && declared.selects_with.empty();
  if (!is_choice ||
      std::ranges::any_of(declared.choices, [&](const Argument& one) { return identical(one, value); }))
    return "";
  std::vector<std::string> words;
  for (const Argument& one : declared.choices) words.push_back(to_string(one));
  return fmt::format("is {}, and must be {}", to_string(value), fmt::join(words, ", "));
}

class Completing {
 public:
  Completing(const spec::OpSpec& op, const spec::Call& given) : op_(op), given_(given) { call_.api = op.api; }

  spec::Result<spec::Call> complete() {
    refuse_unknown();
    for (const ArgumentDecl& declared : op_.arguments) add(declared);
    if (const ArgumentDecl* item = item_behind_gap(op_, call_))
      fail(fmt::format("argument '{}' of {} is given without the item of '{}' before it", item->name, op_.api,
                       item->list));
    if (const std::string fault = fault_of_selections(op_, call_); !fault.empty() && errors_.empty())
      fail(fault);
    if (!errors_.empty()) return std::move(errors_);
    return std::move(call_);
  }

 private:
  void fail(std::string what, std::string hint = {}) {
    errors_.push_back({.what = std::move(what), .hint = std::move(hint)});
  }

  void refuse_unknown() {
    std::vector<std::string> names;
    for (const ArgumentDecl& declared : op_.arguments) names.push_back(declared.name);
    for (const auto& [name, value] : given_.arguments)
      if (!op_.argument(name))
        fail(fmt::format("{} has no argument '{}'", op_.api, name),
             spec::did_you_mean(name, names, fmt::format("it has {}", fmt::join(names, ", "))));
  }

  void add(const ArgumentDecl& declared) {
    const Argument* value = given_.find(declared.name);
    if (!value) return add_default(declared);
    if (const std::string fault = fault_of(declared, *value); !fault.empty())
      fail(fmt::format("argument '{}' of {} {}", declared.name, op_.api, fault));
    call_.arguments.emplace_back(declared.name, *value);
  }

  void add_default(const ArgumentDecl& declared) {
    if (!declared.fallback && !declared.optional)
      fail(fmt::format("argument '{}' of {} is missing", declared.name, op_.api));
    if (declared.fallback) call_.omitted.push_back(declared.name);
    call_.arguments.emplace_back(declared.name, declared.fallback.value_or(spec::None{}));
  }

  const spec::OpSpec& op_;
  const spec::Call& given_;
  spec::Call call_;
  spec::Errors errors_;
};

}  // namespace

spec::Result<spec::Call> completed_call(const spec::OpSpec& op, const spec::Call& given) {
  return Completing(op, given).complete();
}

}  // namespace scatterproof::runner
