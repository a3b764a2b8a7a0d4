// SPDX-License-Identifier: Apache-2.0
// The derivative of each cell by each element is that of the gradients, with 1 for the cotangent of every
// cell: forward mode sums it over elements where reverse mode sums it over cells.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>

#include "rounded_sum.hpp"
#include "scatterproof/spec/gradient/expected_tangent.hpp"

namespace scatterproof::spec {
namespace {

Tensor ones(DType dtype, const Shape& shape) {
  return {dtype, shape, std::vector<Scalar>(static_cast<std::size_t>(numel(shape)), Scalar::of_real(1))};
}

/// A number for a message, without needless digits.
std::string text_of(double number, DType dtype) { return to_string(Scalar::of_real(number), dtype); }

class TangentJudge {
 public:
  TangentJudge(const ExpectedTangent& expected, DiagnosisKind kind) : expected_(expected), kind_(kind) {}

  Judgement run(const GradientAnswer& answer) {
    if (const auto* refused = std::get_if<Refused>(&answer))
      return open("the engine has no tangent of the result: " + refused->message);
    const auto* tensor = std::get_if<Tensor>(&answer);
    if (tensor && (tensor->shape() != expected_.shape || tensor->dtype() != expected_.dtype))
      return wrong(fmt::format("the tangent is {}{}, the result {}{}", name(tensor->dtype()),
                               to_string(tensor->shape()), name(expected_.dtype),
                               to_string(expected_.shape)));
    const std::vector<Scalar> got = tensor ? tensor->values() : std::vector<Scalar>(expected_.cells.size());
    std::size_t judged = 0;
    for (std::size_t c = 0; c < expected_.cells.size(); ++c) {
      const CellTangent& cell = expected_.cells[c];
      const auto allowed = allowed_in(cell);
      if (!allowed) continue;
      ++judged;
      if (!allows(*allowed, got[c].real()))
        return wrong(fmt::format("the tangent of result{} is {}; expected {}", place(c, expected_.shape),
                                 tensor ? text_of(got[c].real(), expected_.dtype) : "none",
                                 words(cell, *allowed)));
    }
    if (judged == 0) return open("mathematics leaves the tangent of every cell free");
    return {.verdict = Verdict::pass};
  }

 private:
  /// One or several intervals.
  using Allowed = boost::container::small_vector<Interval, 1>;

  static bool allows(const Allowed& allowed, double got) {
    return std::ranges::any_of(allowed,
                               [&](const Interval& one) { return std::abs(got - one.value) <= one.bound; });
  }

  /// Empty: the cell is not judged.
  std::optional<Allowed> allowed_in(const CellTangent& cell) const {
    if (cell.open) return {};
    RoundedSum sum(float_format(expected_.dtype));
    for (const TangentTerm& term : cell.terms) sum.add(term.value, term.roundings + (cell.choice ? 3 : 0));
    if (sum.magnitude() * cell.summed >= std::ldexp(1.0, float_format(expected_.dtype).max_exponent))
      return {};
    if (!cell.choice) return Allowed(1, sum.interval());
    if (*cell.choice == GradientChoice::Kind::one) {
      Allowed each;
      if (cell.constants) each.push_back({});
      for (const TangentTerm& term : cell.terms) each.push_back({term.value, 0});
      return each;
    }
    double least = cell.constants ? 0 : INFINITY, greatest = -least;
    for (const TangentTerm& term : cell.terms)
      least = std::min(least, term.value), greatest = std::max(greatest, term.value);
    return Allowed(1, Interval{(least + greatest) / 2, (greatest - least) / 2 + sum.interval().bound});
  }

  std::string words(const CellTangent& cell, const Allowed& allowed) const {
    constexpr std::size_t most_terms = 8;
    std::vector<std::string> parts;
    for (const TangentTerm& term : cell.terms)
      parts.push_back(
          fmt::format("{} of {}{}", text_of(term.value, expected_.dtype), expected_.arguments[term.argument],
                      place(static_cast<std::size_t>(term.element), expected_.shapes[term.argument])));
    if (parts.size() > most_terms) parts.resize(most_terms), parts.back() = "...";
    if (cell.constants) parts.insert(parts.begin(), "0");
    if (!cell.choice)
      return fmt::format(
          "{}{}", text_of(allowed.front().value, expected_.dtype),
          parts.empty() ? ", as it depends on no element" : fmt::format(" = {}", fmt::join(parts, " + ")));
    return fmt::format("{} {}", *cell.choice == GradientChoice::Kind::one ? "one of" : "a number between",
                       fmt::join(parts, " and "));
  }

  static std::string place(std::size_t flat, const Shape& shape) {
    return to_string(coords_of(static_cast<std::int64_t>(flat), shape));
  }

  static Judgement open(std::string why) {
    return {.verdict = Verdict::open,
            .diagnosis = {.kind = DiagnosisKind::gradient_open},
            .explanation = std::move(why)};
  }
  Judgement wrong(const std::string& why) const {
    const bool second = kind_ == DiagnosisKind::gradient_second;
    return {.verdict = Verdict::mismatch,
            .diagnosis = {.kind = kind_},
            .explanation = (second ? "second order, by the cotangent: " : "forward mode: ") + why};
  }

  const ExpectedTangent& expected_;
  DiagnosisKind kind_;
};

}  // namespace

ExpectedTangent expect_tangent(const Dependences& of, std::span<const Tensor> tangents) {
  const ExpectedGradients derivatives = expect_gradients(of, ones(of.bag.dtype, of.bag.shape));
  ExpectedTangent made{.dtype = of.bag.dtype,
                       .shape = of.bag.shape,
                       .arguments = of.arguments,
                       .shapes = of.shapes,
                       .cells = std::vector<CellTangent>(of.bag.offsets.size() - 1)};
  const auto cell = [&](std::int64_t c) -> CellTangent& { return made.cells[static_cast<std::size_t>(c)]; };
  std::vector<std::vector<Scalar>> along;
  for (const Tensor& tangent : tangents) along.push_back(tangent.values());
  for (std::size_t a = 0; a < derivatives.elements.size(); ++a)
    for (std::size_t e = 0; e < derivatives.elements[a].size(); ++e)
      for (const GradientTerm& term : derivatives.elements[a][e].terms)
        cell(term.cell).terms.push_back(
            {a, static_cast<std::int64_t>(e), term.value * along[a][e].real(), term.roundings});
  if (of.bag.combine == Combiner::mean || of.bag.combine == Combiner::sum_over_root ||
      of.bag.combine == Combiner::amax ||
      of.bag.combine == Combiner::amin)  // of the last two, shares of a tie
    for (std::size_t c = 0; c < made.cells.size(); ++c)
      made.cells[c].summed = static_cast<double>(of.bag.offsets[c + 1] - of.bag.offsets[c] + 1);
  for (const GradientChoice& choice : derivatives.choices) {
    CellTangent& chosen = cell(choice.cell);
    chosen.choice = choice.kind;
    for (const GradientChoice::Member& member : choice.members)
      chosen.terms.push_back(
          {member.argument, member.element,
           member.coefficient * along[member.argument][static_cast<std::size_t>(member.element)].real(),
           member.times});
    chosen.constants = choice.constants;
  }
  for (const std::int64_t c : derivatives.open_cells) cell(c).open = true;
  return made;
}

std::string modes_disagree(const ExpectedGradients& expected, std::span<const GradientAnswer> gradients,
                           const Tensor& cotangent, const GradientAnswer& tangent,
                           std::span<const Tensor> tangents) {
  if (!expected.open_cells.empty() || std::ranges::any_of(expected.choices, &GradientChoice::or_each))
    return {};  // what the document says of reverse mode is not the derivative
  double by_reverse = 0, by_forward = 0, magnitude = 0;
  int precision = float_format(expected.dtype).precision;
  std::size_t terms = 0;
  for (std::size_t a = 0; a < gradients.size(); ++a) {
    if (std::holds_alternative<Refused>(gradients[a])) return {};
    precision = std::min(precision, float_format(expected.dtypes[a]).precision);
    const auto* gradient = std::get_if<Tensor>(&gradients[a]);
    const std::vector<Scalar> along = tangents[a].values(), got = gradient ? gradient->values() : along;
    for (std::size_t e = 0; e < along.size(); ++e) {
      const double step = along[e].real();
      if (gradient) by_reverse += got[e].real() * step;
      for (const GradientTerm& term : expected.elements[a][e].terms)
        magnitude += std::abs(term.value * step), ++terms;
      for (const std::size_t i : expected.elements[a][e].choices) {
        const GradientChoice::Member& member = member_of(expected.choices[i], a, e);
        magnitude += std::abs(expected.choices[i].cotangent * member.coefficient * step);
        terms += static_cast<std::size_t>(member.times);
      }
    }
  }
  if (const auto* result = std::get_if<Tensor>(&tangent)) {
    const std::vector<Scalar> g = cotangent.values(), got = result->values();
    for (std::size_t c = 0; c < g.size(); ++c) by_forward += g[c].real() * got[c].real();
  }
  if (!std::isfinite(by_reverse) || !std::isfinite(by_forward)) return {};  // what overflows is not judged
  // Whatever was rounded, was rounded relative to one of these terms, a few times and at each addition.
  const double bound = static_cast<double>(terms + 16) * std::ldexp(1.0, -precision) * magnitude;
  if (!(std::abs(by_forward - by_reverse) > bound)) return {};
  return fmt::format(
      "forward and reverse mode disagree: cotangent times the result's tangent is {}, gradients "
      "times the arguments' tangents are {}",
      by_forward, by_reverse);
}

Judgement judge_tangent(const ExpectedTangent& expected, const GradientAnswer& answer, DiagnosisKind kind) {
  return TangentJudge(expected, kind).run(answer);
}

}  // namespace scatterproof::spec
