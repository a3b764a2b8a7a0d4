// SPDX-License-Identifier: Apache-2.0
// Each element is compared with the sum of its terms: exactly where every order of summation gives the same,
// and otherwise within the error that rounding can make. What a choice leaves over is compared with the
// choice, and then the members of each choice with one another.
#include "scatterproof/spec/gradient/judge_gradient.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "rounded_sum.hpp"

namespace scatterproof::spec {
namespace {

/// What is left of an element's gradient for its choices.
struct Rest {
  double value = 0;
  double bound = 0;        ///< of its error, whatever the share is
  double share_bound = 0;  ///< if this is its share: a small share has small errors
};

/// A wrong answer.
struct Wrong {
  DiagnosisKind kind;
  std::size_t argument;
  std::string words;
};

RoundedSum sum_of_terms(const ExpectedGradients& expected, std::size_t a, const ElementGradient& element) {
  const FloatFormat one = float_format(expected.dtypes[a]), other = float_format(expected.dtype);
  RoundedSum sum(one.precision < other.precision ? one : other);
  for (const GradientTerm& term : element.terms) sum.add(term.value, term.roundings);
  return sum;
}

/// The first of the parts of an explanation.
std::string joined(std::vector<std::string> parts, const char* separator) {
  constexpr std::size_t most = 8;
  if (parts.size() > most) parts.resize(most), parts.back() = "...";
  return fmt::format("{}", fmt::join(parts, separator));
}

/// Whether the sum may leave the range of the dtype on the way.
bool is_beyond_range(const RoundedSum& sum, DType dtype) {
  return sum.magnitude() >= std::ldexp(1.0, float_format(dtype).max_exponent);
}

class GradientJudge {
 public:
  GradientJudge(const ExpectedGradients& expected, std::span<const GradientAnswer> answers)
      : expected_(expected), answers_(answers), left_(expected.arguments.size()) {}

  Judgement run() {
    for (std::size_t a = 0; a < answers_.size() && !wrong_; ++a) judge_argument(a);
    for (std::size_t i = 0; i < expected_.choices.size() && !wrong_; ++i) judge_choice(expected_.choices[i]);
    return conclusion();
  }

 private:
  void judge_argument(std::size_t a) {
    if (const auto* refused = std::get_if<Refused>(&answers_[a])) {
      if (refusal_.empty())
        refusal_ =
            fmt::format("the engine has no gradient of {}: {}", expected_.arguments[a], refused->message);
      return;
    }
    if (!has_right_form(a)) return;
    const auto& elements = expected_.elements[a];
    left_[a].resize(elements.size());
    const auto* tensor = std::get_if<Tensor>(&answers_[a]);
    const std::vector<Scalar> got = tensor ? tensor->values() : std::vector<Scalar>(elements.size());
    for (std::size_t e = 0; e < elements.size() && !wrong_; ++e)
      if (!elements[e].open) judge_element(a, e, got[e].real());
  }

  bool has_right_form(std::size_t a) {
    const auto* tensor = std::get_if<Tensor>(&answers_[a]);
    if (!tensor || (tensor->shape() == expected_.shapes[a] && tensor->dtype() == expected_.dtypes[a]))
      return true;
    fail(DiagnosisKind::gradient_form, a,
         fmt::format("the gradient of {} is {}{}, the argument {}{}", expected_.arguments[a],
                     name(tensor->dtype()), to_string(tensor->shape()), name(expected_.dtypes[a]),
                     to_string(expected_.shapes[a])));
    return false;
  }

  void judge_element(std::size_t a, std::size_t e, double got) {
    const ElementGradient& element = expected_.elements[a][e];
    const DType dtype = expected_.dtypes[a];
    RoundedSum sum = sum_of_terms(expected_, a, element);
    const Interval fixed = sum.interval();
    if (element.choices.empty()) {
      if (is_beyond_range(sum, dtype)) return;
      ++judged_;
      if (!(std::abs(got - fixed.value) <= fixed.bound)) wrong_element(a, e, got, fixed, fixed.bound);
      return;
    }
    const double fixed_magnitude = sum.magnitude();
    double least = 0, greatest = 0;
    for (const std::size_t i : element.choices) {
      const GradientChoice& choice = expected_.choices[i];
      const GradientChoice::Member& member = member_of(choice, a, e);
      const double most = choice.most(member);
      least += std::min(0.0, most);
      greatest += std::max(0.0, most);
      // A share has been rounded each time, and their sum; a survivor gets all of the cotangent at once.
      const bool at_once = choice.kind == GradientChoice::Kind::one && !choice.or_each;
      sum.add(most, at_once ? 2 : 2 + member.times);
    }
    const double bound = sum.interval().bound;
    if (is_beyond_range(sum, dtype)) return;
    ++judged_;
    const double left = got - fixed.value, error = sum.relative_error();
    if (!(left >= least - bound && left <= greatest + bound)) return wrong_element(a, e, got, fixed, bound);
    const double of_share = error < 1 ? error / (1 - error) * (fixed_magnitude + std::abs(left)) : INFINITY;
    left_[a][e] = Rest{left, bound, std::min(bound, of_share)};
  }

  /// Members that take part in another choice too, or have no gradient, hide what they get of this one.
  void judge_choice(const GradientChoice& choice) {
    double sum = 0, bound = 0, magnitude = 0;
    std::size_t may_win = 0, must_win = 0, with_all = 0;
    for (const GradientChoice::Member& member : choice.members) {
      const auto e = static_cast<std::size_t>(member.element);
      if (left_[member.argument].empty() || !left_[member.argument][e] ||
          expected_.elements[member.argument][e].choices.size() > 1)
        return;
      const Rest left = *left_[member.argument][e];
      if (!std::isfinite(left.bound)) return;  // in this dtype, that many terms hide it
      const double most = choice.cotangent * member.coefficient;
      const bool wins = std::abs(left.value - most) <= left.bound;
      const bool has_all = choice.or_each && std::abs(left.value - choice.most(member)) <= left.bound;
      const bool loses = std::abs(left.value) <= left.bound;  // both, if rounding may hide all of it
      may_win += wins;
      must_win += wins && !loses;
      with_all += has_all;
      if (choice.kind == GradientChoice::Kind::one && !wins && !has_all && !loses)
        return wrong_choice(choice);
      sum += left.value / member.coefficient;
      magnitude += std::abs(left.value / member.coefficient);
      bound += left.share_bound / std::abs(member.coefficient);
    }
    bound += own_error(choice.members.size()) * magnitude;
    const bool complete = std::abs(sum - choice.cotangent) <= bound;
    const bool too_much =
        choice.cotangent > 0 ? sum > choice.cotangent + bound : sum < choice.cotangent - bound;
    const bool fine =
        choice.kind == GradientChoice::Kind::one
            ? (must_win <= 1 && (may_win > 0 || choice.constants)) || with_all == choice.members.size()
            : (complete || (choice.constants && !too_much));
    if (!fine) wrong_choice(choice);
  }

  void fail(DiagnosisKind kind, std::size_t a, std::string words) {
    if (!wrong_) wrong_ = Wrong{kind, a, std::move(words)};
  }

  void wrong_element(std::size_t a, std::size_t e, double got, const Interval& fixed, double bound) {
    const ElementGradient& element = expected_.elements[a][e];
    const bool is_none = !std::holds_alternative<Tensor>(answers_[a]);
    const bool reached = !element.terms.empty() || !element.choices.empty();
    std::string words = fmt::format("the gradient of {}{} is {}; expected {}{}", expected_.arguments[a],
                                    to_string(coords_of(static_cast<std::int64_t>(e), expected_.shapes[a])),
                                    is_none ? "none" : to_string(Scalar::of_real(got), expected_.dtypes[a]),
                                    fixed.value, why(element));
    if (bound > 0) words += fmt::format(" (bound {:.3g})", bound);
    fail(is_none    ? DiagnosisKind::gradient_missing
         : !reached ? DiagnosisKind::gradient_of_nothing
                    : DiagnosisKind::gradient_value,
         a, std::move(words));
  }

  /// Which cells the gradient of an element comes from.
  std::string why(const ElementGradient& element) const {
    std::vector<std::string> parts;
    for (const GradientTerm& term : element.terms)
      parts.push_back(fmt::format("{} of result{}", term.value, cell_text(term.cell)));
    std::string text = parts.empty() ? ", as no cell depends on it" : " = " + joined(parts, " + ");
    if (element.choices.empty()) return text;
    text = parts.empty() ? "" : text;
    for (const std::size_t i : element.choices)
      text += fmt::format(", and up to {} of result{}, which it shares with others",
                          expected_.choices[i].cotangent, cell_text(expected_.choices[i].cell));
    return text;
  }

  std::string cell_text(std::int64_t cell) const { return to_string(coords_of(cell, expected_.shape)); }

  void wrong_choice(const GradientChoice& choice) {
    std::vector<std::string> parts;
    for (const GradientChoice::Member& member : choice.members)
      parts.push_back(fmt::format("{}{} {}", expected_.arguments[member.argument],
                                  to_string(coords_of(member.element, expected_.shapes[member.argument])),
                                  left_[member.argument][static_cast<std::size_t>(member.element)]->value));
    const bool tie = choice.kind == GradientChoice::Kind::shares;
    fail(tie ? DiagnosisKind::gradient_shares : DiagnosisKind::gradient_survivor,
         choice.members.front().argument,
         fmt::format("{}: the cotangent of result{} is {}, {}; got {}",
                     tie ? "values tie" : "assigned values collide", cell_text(choice.cell), choice.cotangent,
                     tie ? "and the shares of those that tie must sum to it"
                         : "and the one that survives must get it, the others 0",
                     joined(std::move(parts), ", ")));
  }

  Judgement conclusion() const {
    if (wrong_)
      return {
          .verdict = Verdict::mismatch,
          .diagnosis = {.kind = wrong_->kind, .subject = as_subject(expected_.arguments[wrong_->argument])},
          .explanation = wrong_->words};
    if (judged_ > 0) return {.verdict = Verdict::pass};
    return {.verdict = Verdict::open,
            .diagnosis = {.kind = DiagnosisKind::gradient_open},
            .explanation = !expected_.why_open.empty() ? expected_.why_open
                           : refusal_.empty() ? "mathematics leaves every element of the gradients free"
                                              : refusal_};
  }

  const ExpectedGradients& expected_;
  std::span<const GradientAnswer> answers_;
  /// Of each element that was judged and has choices, what these gave it.
  std::vector<std::vector<std::optional<Rest>>> left_;
  std::size_t judged_ = 0;
  std::string refusal_;
  std::optional<Wrong> wrong_;
};

}  // namespace

const GradientChoice::Member& member_of(const GradientChoice& choice, std::size_t argument,
                                        std::size_t element) {
  return *std::ranges::find_if(choice.members, [&](const GradientChoice::Member& member) {
    return member.argument == argument && member.element == static_cast<std::int64_t>(element);
  });
}

Interval without_choices(const ExpectedGradients& expected, std::size_t argument,
                         const ElementGradient& element) {
  const RoundedSum sum = sum_of_terms(expected, argument, element);
  if (is_beyond_range(sum, expected.dtypes[argument])) return {0, INFINITY};
  return sum.interval();
}

Judgement judge_gradients(const ExpectedGradients& expected, std::span<const GradientAnswer> answers) {
  return GradientJudge(expected, answers).run();
}

}  // namespace scatterproof::spec
