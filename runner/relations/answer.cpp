// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "scatterproof/spec/core/tensor.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/doubt.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Coords;
using spec::Outcome;
using spec::Produced;
using spec::Refused;
using spec::Scalar;
using spec::Settled;
using spec::Tensor;

/// How far each cell of the first call's result is settled, as a tensor of u8.
std::optional<Tensor> settled_cells(const spec::OpSpec& spec, const spec::Call& call) {
  const auto bag = spec::execute(spec, call);
  if (!bag) return {};
  std::vector<Scalar> values;
  for (const Settled cell : spec::settled(*bag)) values.push_back(Scalar::of_int(static_cast<int>(cell)));
  return Tensor(spec::DType::u8, bag->shape, values);
}

bool agree(const Scalar& a, const Scalar& b, std::int64_t settled) {
  if (settled == static_cast<int>(Settled::no) || identical(a, b)) return true;
  // Equal numbers with other bits: zeros of two signs.
  return settled == static_cast<int>(Settled::but_for_zero_sign) && a.kind() == b.kind() &&
         a.real() == b.real() && a.imag() == b.imag();
}

/// The first cell that differs. Without `settled`, every bit counts.
std::optional<Coords> difference(const Tensor& expected, const Tensor& actual, const Tensor* settled) {
  if (actual.numel() == 0) return {};
  Coords at(actual.rank(), 0);
  do {
    const std::int64_t how = settled ? settled->get(at).integer() : static_cast<int>(Settled::whole);
    if (!agree(expected.get(at), actual.get(at), how)) return at;
  } while (spec::next(at, actual.shape()));
  return {};
}

std::string form(const Tensor& tensor) {
  return fmt::format("{}{}", spec::name(tensor.dtype()), spec::to_string(tensor.shape()));
}

/// `refused`, `crashed`: the kind of an outcome without its words.
std::string kind_of(const Outcome& outcome) {
  const std::string line = spec::to_string(outcome);
  return line.substr(0, line.find_first_of(": "));
}

/// The part of an outcome that must be equal for two calls to count as refused in the same way.
std::string manner(const Outcome& outcome) {
  const auto* refused = std::get_if<Refused>(&outcome.what);
  return refused && !refused->error_classes.empty() ? "refused with " + refused->error_classes.front()
                                                    : kind_of(outcome);
}

/// Outcomes that say nothing about the call.
bool is_mute(const Outcome& outcome) {
  return std::holds_alternative<spec::Unsupported>(outcome.what) ||
         std::holds_alternative<spec::Unavailable>(outcome.what) ||
         std::holds_alternative<spec::Garbled>(outcome.what) ||
         std::holds_alternative<spec::TimedOut>(outcome.what);
}

class Comparison {
 public:
  Comparison(const Evidence& evidence, const Other& other, const Outcome& outcome)
      : evidence_(evidence), other_(other), outcome_(outcome) {}

  Answer answer() const {
    for (const Outcome* one : {&evidence_.first, &outcome_})
      if (is_mute(*one)) return NotApplicable{spec::to_string(*one)};
    const auto [first, first_why] = only_tensor(evidence_.first);
    const auto [second, second_why] = only_tensor(outcome_);
    if (first && second) return compared(*first, *second);
    if (!evidence_.relation.refused_alike) return NotApplicable{first ? second_why : first_why};
    const std::string one = manner(evidence_.first), other = manner(outcome_);
    if (one == other) return Holds{};
    return violated(fmt::format("one call is {}, the other is {}", one, other), {});
  }

 private:
  Answer compared(const Tensor& first, const Tensor& second) const {
    // A result that is not of the documented form has no image.
    if (other_.expected && evidence_.bag &&
        (first.shape() != evidence_.bag->shape || first.dtype() != evidence_.bag->dtype))
      return NotApplicable{"the result is not of the documented form: " + form(first)};
    const Tensor expected = other_.expected ? other_.expected(first) : first;
    if (expected.dtype() != second.dtype() || expected.shape() != second.shape())
      return violated(fmt::format("the result is {}, but should be {}", form(second), form(expected)), {});
    const auto any = difference(expected, second, nullptr);
    if (!any) return Holds{};
    if (const auto at = settled_difference(expected, second))
      return violated(told(*at, expected, second), at);
    if (!other_.every_bit) return Holds{};
    return violated(told(*any, expected, second), any, evidence_.setting.engine.info().varies);
  }

  std::optional<Coords> settled_difference(const Tensor& expected, const Tensor& second) const {
    const spec::Call& call = evidence_.derivation.first;
    const auto cells = settled_cells(*evidence_.setting.specs.find(call.api), call);
    if (!cells) return difference(expected, second, nullptr);
    const Tensor image = other_.settled ? other_.settled(*cells) : *cells;
    return difference(expected, second, image.shape() == second.shape() ? &image : nullptr);
  }

  static std::string told(const Coords& at, const Tensor& expected, const Tensor& second) {
    return fmt::format("out[{}] is {}, but should be {}", fmt::join(at, ","),
                       spec::to_string(second.get(at), second.dtype()),
                       spec::to_string(expected.get(at), expected.dtype()));
  }

  Answer violated(const std::string& what, std::optional<Coords> at, std::string documented = {}) const {
    return Violated{.relation = evidence_.relation.id,
                    .sentence = fmt::format("{}: {}", evidence_.relation.says, what),
                    .first = evidence_.derivation.first,
                    .second = other_.call,
                    .first_outcome = evidence_.first,
                    .second_outcome = outcome_,
                    .at = std::move(at),
                    .documented = std::move(documented)};
  }

  const Evidence& evidence_;
  const Other& other_;
  const Outcome& outcome_;
};

/// What the first call wrote besides what it is documented to overwrite.
Answer inputs_kept(const Evidence& evidence) {
  const auto* produced = std::get_if<Produced>(&evidence.first.what);
  if (!produced) return NotApplicable{spec::to_string(evidence.first)};
  const spec::Call& call = evidence.derivation.first;
  const auto& allowed = evidence.setting.specs.find(call.api)->meaning.in_place;
  for (const std::string& name : produced->inputs_written)
    if (std::ranges::find(allowed, name) == allowed.end())
      return Violated{.relation = evidence.relation.id,
                      .sentence = fmt::format("{}: the call wrote {}", evidence.relation.says, name),
                      .first = call,
                      .second = call,
                      .first_outcome = evidence.first,
                      .second_outcome = evidence.first};
  return Holds{};
}

}  // namespace

std::pair<const Tensor*, std::string> only_tensor(const Outcome& outcome) {
  const auto* produced = std::get_if<Produced>(&outcome.what);
  if (!produced) return {nullptr, spec::to_string(outcome)};
  if (produced->tensors.size() != 1) return {nullptr, "the call did not give exactly one tensor"};
  return {&produced->tensors.front(), ""};
}

Answer answer(const Evidence& evidence) {
  if (evidence.derivation.keeps_inputs) return inputs_kept(evidence);
  Answer best = NotApplicable{evidence.derivation.others.why_none};
  for (std::size_t i = 0; i < evidence.others.size(); ++i) {
    Answer one = Comparison(evidence, evidence.derivation.others.calls[i], evidence.others[i]).answer();
    if (std::holds_alternative<Violated>(one)) return one;
    if (!std::holds_alternative<Holds>(best)) best = std::move(one);
  }
  return best;
}

}  // namespace scatterproof::runner::relations
