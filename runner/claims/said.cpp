// SPDX-License-Identifier: Apache-2.0
// A call of A in the words of B, as a claim has it.
#include <fmt/format.h>

#include <algorithm>

#include "scatterproof/runner/claims/claim.hpp"
#include "scatterproof/spec/language/arithmetic.hpp"
#include "scatterproof/spec/opspec/frame.hpp"

namespace scatterproof::runner::claims {
namespace {

using spec::Argument;
using spec::ArgumentKind;
using spec::Call;
using spec::Scalar;
using spec::Tensor;
using spec::language::Frame;
using spec::language::NotEvaluable;
using spec::language::Value;

/// Larger tensors would take long to build by expressions.
constexpr std::int64_t most_built = 1 << 16;

Scalar number_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return Scalar::of_bool(*truth);
  if (const auto number = spec::language::as_number(value)) return *number;
  throw NotEvaluable("an element is not a number");
}

/// `frame` ends before the slot of `p`.
Tensor built(const TensorMapping& how, Frame frame) {
  const spec::Shape sizes = spec::language::evaluate_tuple(*how.sizes, frame);
  const Value dtype = spec::language::evaluate(*how.dtype, frame);
  const auto count = spec::checked_numel(sizes);
  if (!count || *count > most_built || sizes.size() > spec::max_rank)
    throw NotEvaluable("a tensor of sizes " + spec::to_string(sizes) + " is not built");
  if (!std::holds_alternative<spec::DType>(dtype)) throw NotEvaluable("dtype gives no dtype");
  std::vector<Scalar> values;
  frame.emplace_back(spec::Shape(sizes.size(), 0));
  for (std::int64_t i = 0; i < *count; ++i) {
    values.push_back(number_of(spec::language::evaluate(*how.each, frame)));
    spec::next(std::get<spec::Shape>(frame.back()), sizes);
  }
  return Tensor(std::get<spec::DType>(dtype), sizes, values);
}

Argument argument_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return Scalar::of_int(*number);
  if (const auto* truth = std::get_if<bool>(&value)) return Scalar::of_bool(*truth);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* tuple = std::get_if<spec::Shape>(&value)) return *tuple;
  if (std::holds_alternative<spec::None>(value)) return spec::None{};
  if (const auto number = spec::language::as_number(value)) return *number;
  throw NotEvaluable("an expression gives neither a number nor a tuple");
}

/// Whether an argument of B can have this value. A claim may give a number for a tensor of A's or the other
/// way round.
bool fits(const spec::ArgumentDecl& declared, const Argument& value) {
  const bool tensor = std::holds_alternative<Tensor>(value), number = std::holds_alternative<Scalar>(value);
  if (std::holds_alternative<spec::None>(value)) return declared.optional;
  switch (declared.kind) {
    case ArgumentKind::tensor:
      return tensor;
    case ArgumentKind::tensor_or_scalar:
      return tensor || number;
    case ArgumentKind::integer:
    case ArgumentKind::boolean:
      return number && std::get<Scalar>(value).is_integral();
    case ArgumentKind::scalar:
      return number;
    case ArgumentKind::integers:
      return std::holds_alternative<spec::Shape>(value);
    case ArgumentKind::choice:
      break;
  }
  return !tensor;
}

Argument evaluated(const MappingClaim& claim, const Mapping& mapping, const Call& call, const Frame& frame,
                   const Tensor* first) {
  if (std::holds_alternative<FirstResult>(mapping)) return *first;
  if (const auto* same = std::get_if<SameArgument>(&mapping)) return *call.find(same->argument);
  if (const auto* constant = std::get_if<Argument>(&mapping)) return *constant;
  if (const auto* words = std::get_if<WordMap>(&mapping)) {
    const std::string word = spec::to_string(*call.find(words->by));
    for (const auto& [from, to] : words->table)
      if (from == word) return to;
    throw NotEvaluable(fmt::format("{} has no word for {} = {}", claim.id, words->by, word));
  }
  if (const auto* how = std::get_if<TensorMapping>(&mapping)) return built(*how, frame);
  return argument_of(spec::language::evaluate(*std::get<spec::ExpressionPtr>(mapping), frame));
}

}  // namespace

bool holds_for(const spec::OpSpec& a, const spec::language::Expression& expression, const Call& call) {
  try {
    return spec::language::evaluate_bool(expression, spec::make_frame(a, call).frame);
  } catch (const NotEvaluable&) {
    return false;
  }
}

bool is_about(const MappingClaim& claim, const Call& call) {
  return !claim.when || holds_for(*claim.a, *claim.when, call);
}

std::variant<Call, std::string> said(const MappingClaim& claim, const Call& call, const Tensor* first) {
  const Frame frame = spec::make_frame(*claim.a, call).frame;
  Call b{claim.b->api, {}};
  for (const spec::ArgumentDecl& declared : claim.b->arguments) {
    const auto mapped =
        std::ranges::find(claim.arguments, declared.name, [](const auto& entry) { return entry.first; });
    if (mapped == claim.arguments.end()) {
      b.arguments.emplace_back(declared.name, declared.fallback.value_or(Argument(spec::None{})));
      b.omitted.push_back(declared.name);
      continue;
    }
    try {
      Argument value = evaluated(claim, mapped->second, call, frame, first);
      if (!fits(declared, value)) return fmt::format("{} cannot be {}", declared.name, to_string(value));
      // What B overwrites is its own: A may be called again with the same tensors.
      if (auto* tensor = std::get_if<Tensor>(&value)) *tensor = tensor->contiguous();
      b.arguments.emplace_back(declared.name, std::move(value));
    } catch (const NotEvaluable& reason) {
      return fmt::format("{} has no value: {}", declared.name, reason.what());
    }
  }
  return b;
}

std::variant<Tensor, std::string> given_back(const MappingClaim& claim, const Call& call) {
  try {
    return built(*claim.gives, spec::make_frame(*claim.a, call).frame);
  } catch (const NotEvaluable& reason) {
    return std::string(reason.what());
  }
}

std::variant<Tensor, std::string> result_of(const MappingClaim& claim, const Call& call,
                                            const Tensor& result) {
  if (!claim.result) return result;
  Frame frame = spec::make_frame(*claim.a, call).frame;
  frame.emplace_back(spec::language::TensorPart{.tensor = &result});
  try {
    return built(*claim.result, std::move(frame));
  } catch (const NotEvaluable& reason) {
    return std::string(reason.what());
  }
}

}  // namespace scatterproof::runner::claims
