// SPDX-License-Identifier: Apache-2.0
// Wrong answers are compared with what each mistake would give.
#include "mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scatterproof/spec/gradient/judge_gradient.hpp"

namespace scatterproof::spec {
namespace {

constexpr std::pair<Mistake, DiagnosisKind> made_in_cells[] = {
    {Mistake::each_write_counts, DiagnosisKind::each_write_gets_all},
    {Mistake::start_is_kept, DiagnosisKind::start_gets_all},
    {Mistake::start_counts, DiagnosisKind::start_takes_part},
    {Mistake::start_takes_share, DiagnosisKind::start_takes_share},
    {Mistake::other_factors_left_out, DiagnosisKind::other_factors_left_out},
    {Mistake::each_of_tie_gets_all, DiagnosisKind::each_of_tie_gets_all},
    {Mistake::none_of_tie_gets_any, DiagnosisKind::none_of_tie_gets_any},
    {Mistake::counted_in_u8, DiagnosisKind::counted_in_u8},
    {Mistake::counted_in_f16, DiagnosisKind::counted_in_f16},
    {Mistake::counted_in_bf16, DiagnosisKind::counted_in_bf16}};

/// Where several cells reach an element, one of them alone counts.
ExpectedGradients assigned_instead_of_added(const ExpectedGradients& right, bool last) {
  ExpectedGradients made = right;
  for (auto& argument : made.elements)
    for (ElementGradient& element : argument)
      if (element.terms.size() > 1) element.terms = {last ? element.terms.back() : element.terms.front()};
  return made;
}

/// Whether the whole product was divided by a factor, and is wrong where that is 0, or the product leaves the
/// range.
bool is_division(const ExpectedGradients& right, const ExpectedGradients& divided,
                 std::span<const GradientAnswer> answers) {
  for (std::size_t a = 0; a < answers.size(); ++a) {
    const auto* tensor = std::get_if<Tensor>(&answers[a]);
    if (!tensor || tensor->shape() != right.shapes[a]) continue;
    const std::vector<Scalar> got = tensor->values();
    for (std::size_t e = 0; e < got.size(); ++e)
      if (divided.elements[a][e].open && !right.elements[a][e].open && std::isfinite(got[e].real()))
        return false;
  }
  return judge_gradients(divided, answers).verdict != Verdict::mismatch;
}

}  // namespace

Diagnosis likely_mistake(const Dependences& of, const Tensor& cotangent,
                         std::span<const GradientAnswer> answers) {
  const auto explains = [&](const ExpectedGradients& made) {
    return judge_gradients(made, answers).verdict == Verdict::pass;
  };
  for (const auto& [mistake, kind] : made_in_cells)
    if (explains(expect_by_mistake(of, cotangent, mistake))) return {.kind = kind};
  const ExpectedGradients right = expect_gradients(of, cotangent);
  if (explains(assigned_instead_of_added(right, true)) || explains(assigned_instead_of_added(right, false)))
    return {.kind = DiagnosisKind::cells_not_added};
  if (is_division(right, expect_by_mistake(of, cotangent, Mistake::whole_product_divided), answers))
    return {.kind = DiagnosisKind::product_divided};
  return {};
}

}  // namespace scatterproof::spec
