// SPDX-License-Identifier: Apache-2.0
// Compares a document's own numbers, as printed, with a result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::spec {
namespace {

using namespace judging;

/// Documents print at least this many decimals of a float that has any.
constexpr int fewest_decimals = 4;

/// Decimals of a number's shortest text: 3 for 0.125, 7 for 1e-07.
int decimals_of(const std::string& text) {
  const auto point = text.find('.');
  const auto exponent = std::min(text.find('e'), text.size());
  const int fraction = point < exponent ? static_cast<int>(exponent - point) - 1 : 0;
  return exponent == text.size() ? fraction : fraction - std::atoi(text.c_str() + exponent + 1);
}

/// Half a unit of the last decimal of the longest number: a document prints all numbers of a tensor with the
/// same precision.
double resolution(const std::vector<Scalar>& printed, DType dtype) {
  const DType part_dtype = dtype == DType::c64 ? DType::f32 : dtype == DType::c128 ? DType::f64 : dtype;
  int decimals = fewest_decimals;
  for (const Scalar& value : printed)
    for (const double part : {value.real(), value.imag()})
      if (std::isfinite(part))
        decimals = std::max(decimals, decimals_of(to_string(Scalar::of_real(part), part_dtype)));
  return 0.5 * std::pow(10.0, -decimals);
}

bool near(double a, double b, double distance) {
  return (std::isnan(a) && std::isnan(b)) || a == b || std::abs(a - b) <= distance;
}

/// Whether the produced and the printed value can both be right. Printed and produced may be different
/// roundings of one exact value, or different winners of a collision.
bool agree(const Allowed& allowed, const Scalar& printed, const Scalar& actual, double half_unit) {
  if (allowed.free || same_value(printed, actual, allowed.zeros_alike)) return true;
  if (!allowed.holds(actual)) return false;
  if (!allowed.region) return allowed.holds(printed);
  const double distance = 2 * allowed.bound.value_or(0) + half_unit;
  return near(printed.real(), actual.real(), distance) && near(printed.imag(), actual.imag(), distance);
}

Judgement other_form(std::string explanation) {
  return {.verdict = Verdict::mismatch,
          .diagnosis = {.kind = DiagnosisKind::printed_form},
          .explanation = std::move(explanation)};
}

}  // namespace

Judgement judge_printed(const Bag& bag, const Tensor& printed, const Tensor& actual) {
  if (const auto why = unsound(bag))
    return {.diagnosis = {.kind = DiagnosisKind::unsound_bag}, .explanation = "the bag is unsound: " + *why};
  if (printed.dtype() != actual.dtype() || printed.shape() != actual.shape())
    return other_form(fmt::format("the result is {}{}, but the document prints {}{}", name(actual.dtype()),
                                  to_string(actual.shape()), name(printed.dtype()),
                                  to_string(printed.shape())));
  if (bag.dtype != actual.dtype() || bag.shape != actual.shape())
    return other_form(fmt::format("the document prints {}{}, but its meaning gives {}{}",
                                  name(printed.dtype()), to_string(printed.shape()), name(bag.dtype),
                                  to_string(bag.shape)));

  const std::vector<Scalar> expected = printed.values(), came = actual.values();
  const double half_unit = resolution(expected, bag.dtype);
  Judgement judgement{.verdict = Verdict::pass, .mode = ComparisonMode::exact};
  std::size_t failing = 0;
  for (std::size_t i = 0; i < came.size(); ++i) {
    const Cell cell = cell_at(bag, static_cast<std::int64_t>(i));
    const Allowed allowed = allowed_in(cell);
    judgement.mode = std::max(judgement.mode, allowed.mode);
    if (agree(allowed, expected[i], came[i], half_unit) || failing++ > 0) continue;
    judgement.verdict = Verdict::mismatch;
    judgement.diagnosis = {.kind = DiagnosisKind::printed_value};
    judgement.explanation =
        fmt::format("{} is {}, but the document prints {}\nits meaning allows {}: {}",
                    place("out", bag.shape, cell.index), to_string(came[i], bag.dtype),
                    to_string(expected[i], bag.dtype), describe(allowed, bag.dtype), describe_cell(cell));
  }
  if (failing > 0)
    judgement.explanation += fmt::format("\n{} of {} cells {} from the printed ones", failing, came.size(),
                                         failing == 1 ? "differs" : "differ");
  return judgement;
}

}  // namespace scatterproof::spec
