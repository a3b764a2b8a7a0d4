// SPDX-License-Identifier: Apache-2.0
#include "call_of.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scatterproof/runner/snippet/snippet.hpp"

namespace scatterproof::runner::python {
namespace {

using engines::protocol::Json;
using engines::protocol::Payload;
using spec::Argument;
using spec::ArgumentDecl;
using spec::ArgumentKind;
using spec::Scalar;

std::string_view name_of(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::tensor:
      return "an array";
    case ArgumentKind::integer:
      return "an integer";
    case ArgumentKind::boolean:
      return "True or False";
    case ArgumentKind::scalar:
      return "a number";
    case ArgumentKind::tensor_or_scalar:
      return "an array or a number";
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
  const bool is_choice = declared.kind == ArgumentKind::choice && declared.rule.empty() && !declared.between;
  if (!is_choice ||
      std::ranges::any_of(declared.choices, [&](const Argument& one) { return identical(one, value); }))
    return "";
  std::vector<std::string> words;
  for (const Argument& one : declared.choices) words.push_back(to_string(one));
  return fmt::format("is {}, and must be {}", to_string(value), fmt::join(words, ", "));
}

class Reading {
 public:
  Reading(const spec::OpSpec& op, const Json& arguments, const Payload& payload)
      : op_(op), arguments_(arguments), payload_(payload) {
    call_.api = op.api;
  }

  spec::Result<spec::Call> read() {
    if (!arguments_.is_object()) throw engines::protocol::Wrong{"'arguments' is not an object"};
    refuse_unknown();
    for (const ArgumentDecl& declared : op_.arguments) add(declared);
    if (const ArgumentDecl* item = item_behind_gap(op_, call_))
      fail(fmt::format("'{}' is given without the item of '{}' before it", item->name, item->list));
    if (!errors_.empty()) return std::move(errors_);
    return std::move(call_);
  }

 private:
  void fail(std::string what, std::string hint = {}) {
    errors_.push_back({.what = std::move(what), .hint = std::move(hint)});
  }

  void refuse_unknown() {
    std::vector<std::string> names;
    for (const ArgumentDecl& declared : op_.arguments) names.push_back(spec::keyword_of(op_, declared.name));
    for (const auto& [name, value] : arguments_.items())
      if (std::ranges::find(names, name) == names.end())
        fail(fmt::format("{} has no argument '{}'", op_.api, name),
             spec::did_you_mean(name, names, fmt::format("it has {}", fmt::join(names, ", "))));
  }

  void add(const ArgumentDecl& declared) {
    const auto given = arguments_.find(spec::keyword_of(op_, declared.name));
    if (given == arguments_.end()) return add_default(declared);
    Argument value = given->is_null() ? Argument(spec::None{})
                                      : engines::protocol::decode_argument(*given, payload_, parts_);
    if (const std::string fault = fault_of(declared, value); !fault.empty())
      fail(fmt::format("argument '{}' of {} {}", declared.name, op_.api, fault));
    call_.arguments.emplace_back(declared.name, std::move(value));
  }

  void add_default(const ArgumentDecl& declared) {
    if (!declared.fallback && !declared.optional)
      fail(fmt::format("argument '{}' of {} is missing", declared.name, op_.api));
    if (declared.fallback) call_.omitted.push_back(declared.name);
    call_.arguments.emplace_back(declared.name, declared.fallback.value_or(spec::None{}));
  }

  const spec::OpSpec& op_;
  const Json& arguments_;
  const Payload& payload_;
  engines::protocol::Parts parts_;
  spec::Call call_;
  spec::Errors errors_;
};

}  // namespace

spec::Result<const spec::OpSpec*> find_spec(const spec::SpecLibrary& specs, const std::string& api) {
  if (const spec::OpSpec* op = specs.find(api)) return op;
  std::vector<std::string> names;
  for (const spec::OpSpec& op : specs.all()) names.push_back(op.api);
  return spec::Error{.what = fmt::format("there is no spec of '{}'", api),
                     .hint = spec::did_you_mean(api, names, "`scatterproof spec list` prints every API")};
}

spec::Result<spec::Call> call_of(const spec::OpSpec& op, const Json& arguments, const Payload& payload) {
  return Reading(op, arguments, payload).read();
}

}  // namespace scatterproof::runner::python
