// SPDX-License-Identifier: Apache-2.0
// All combiners but the product and the quotient are linear where their values do not tie, so that no
// derivative changes.
#include "scatterproof/spec/gradient/second_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace scatterproof::spec {
namespace {

constexpr int roundings_of_division = 3;  // of a product of one factor, as in the table of section 12

bool multiplies(Combiner combine) { return combine == Combiner::prod || combine == Combiner::quotient; }

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

/// Whether a tangent over any value that meets in the cell, and that over another one, are numbers in the
/// middle of the dtype's range.
bool can_divide(const Bag& bag, std::size_t cell) {
  const FloatFormat format = float_format(bag.dtype);
  const auto is_moderate = [&](const Scalar& value) {
    const double size = std::abs(value.real());
    return size == 0 || (size >= std::ldexp(1.0, format.min_exponent / 2) &&
                         size <= std::ldexp(1.0, format.max_exponent / 2));
  };
  for (auto i = bag.offsets[cell]; i < bag.offsets[cell + 1]; ++i)
    if (!is_moderate(bag.list[static_cast<std::size_t>(i)].value)) return false;
  return !bag.start || is_moderate((*bag.start)[cell]);
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

ExpectedSecondOrder expect_second_order(const Dependences& of, ExpectedTangent tangent) {
  ExpectedSecondOrder made{.by_cotangent = std::move(tangent), .dtypes = of.dtypes};
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
  // An engine that differentiates its division of the whole product may be off by rounding errors where
  // there is no other factor, too.
  if (multiplies(of.bag.combine)) {
    for (std::size_t c = 0; c < made.by_cotangent.cells.size(); ++c) {
      CellTangent& cell = made.by_cotangent.cells[c];
      cell.open = cell.open || !can_divide(of.bag, c);
      for (TangentTerm& term : cell.terms) term.roundings = std::max(term.roundings, roundings_of_division);
    }
    std::ranges::for_each(of.starts, leave_open);
    std::ranges::for_each(of.contributions, leave_open);
  }
  // If each of several values gets the cotangent, as a document may say, no tangent of the result has that
  // map as its transpose.
  for (const GradientChoice& choice : gradients.choices)
    if (choice.or_each) made.by_cotangent.cells[static_cast<std::size_t>(choice.cell)].open = true;
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
