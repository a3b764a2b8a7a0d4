// SPDX-License-Identifier: Apache-2.0
// All combiners but the product and the quotient are linear where their values do not tie, so that no
// derivative changes.
#include "scatterproof/spec/gradient/second_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace scatterproof::spec {
namespace {

/// Whether a cell is the product or quotient of several values.
bool multiplies(const Bag& bag, std::size_t cell) {
  const std::int64_t written = bag.offsets[cell + 1] - bag.offsets[cell];
  if (bag.combine == Combiner::quotient) return written > 0;
  return bag.combine == Combiner::prod && written > 0 && written + (bag.start && bag.start_counts) > 1;
}

bool is_at_tie(const ExpectedGradients& gradients, const ElementGradient& element) {
  return std::ranges::any_of(element.choices, [&](std::size_t i) {
    return gradients.choices[i].kind == GradientChoice::Kind::shares;
  });
}

Judgement wrong_by(const ExpectedSecondOrder& expected, std::size_t argument, const std::string& words) {
  const std::string& name = expected.by_cotangent.arguments[argument];
  return {.verdict = Verdict::mismatch,
          .diagnosis = {.kind = DiagnosisKind::gradient_second, .subject = as_subject(name)},
          .explanation = fmt::format("second order, by {}: {}", name, words)};
}

/// Empty: the answer may be right.
std::optional<Judgement> judge_argument(const ExpectedSecondOrder& expected, std::size_t argument,
                                        const Tensor& answer) {
  const Shape& shape = expected.by_cotangent.shapes[argument];
  const DType dtype = expected.dtypes[argument];
  if (answer.shape() != shape || answer.dtype() != dtype)
    return wrong_by(expected, argument,
                    fmt::format("the answer is {}{}, the argument {}{}", name(answer.dtype()),
                                to_string(answer.shape()), name(dtype), to_string(shape)));
  const std::vector<Scalar> got = answer.values();
  const std::vector<bool>& zero = expected.by_elements[argument];
  for (std::size_t e = 0; e < got.size(); ++e)
    if (zero[e] && got[e].real() != 0)
      return wrong_by(
          expected, argument,
          fmt::format("{} for element {}; expected 0, as no derivative of the result changes with it",
                      to_string(got[e], dtype), to_string(coords_of(static_cast<std::int64_t>(e), shape))));
  return {};
}

}  // namespace

ExpectedSecondOrder expect_second_order(const Dependences& of, std::span<const Tensor> tangents) {
  ExpectedSecondOrder made{.by_cotangent = expect_tangent(of, tangents), .dtypes = of.dtypes};
  const Tensor any(of.bag.dtype, of.bag.shape);
  const ExpectedGradients gradients = expect_gradients(of, any);
  for (const auto& elements : gradients.elements) {
    std::vector<bool>& zero = made.by_elements.emplace_back();
    for (const ElementGradient& element : elements)
      zero.push_back(!element.open && !is_at_tie(gradients, element));
  }
  const auto leave_open = [&](const Dependence& on) {
    if (on.argument >= 0)
      made.by_elements[static_cast<std::size_t>(on.argument)][static_cast<std::size_t>(on.element)] = false;
  };
  for (std::size_t cell = 0; cell + 1 < of.bag.offsets.size(); ++cell) {
    if (!multiplies(of.bag, cell)) continue;
    if (of.bag.start) leave_open(of.starts[cell]);
    for (auto i = of.bag.offsets[cell]; i < of.bag.offsets[cell + 1]; ++i)
      leave_open(of.contributions[static_cast<std::size_t>(i)]);
  }
  return made;
}

Judgement judge_second_order(const ExpectedSecondOrder& expected, std::span<const GradientAnswer> answers) {
  Judgement by_cotangent =
      judge_tangent(expected.by_cotangent, answers.front(), DiagnosisKind::gradient_second);
  if (is_failure(by_cotangent.verdict)) return by_cotangent;
  for (std::size_t a = 0; a < expected.by_elements.size(); ++a)
    if (const auto* answer = std::get_if<Tensor>(&answers[1 + a]))
      if (auto wrong = judge_argument(expected, a, *answer)) return *std::move(wrong);
  return by_cotangent;
}

}  // namespace scatterproof::spec
