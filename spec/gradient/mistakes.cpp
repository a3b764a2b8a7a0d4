// SPDX-License-Identifier: Apache-2.0
// Wrong answers are compared with what each mistake would give.
#include "mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "scatterproof/spec/gradient/judge_gradient.hpp"

namespace scatterproof::spec {
namespace {

constexpr std::pair<Mistake, std::string_view> made_in_cells[] = {
    {Mistake::each_write_counts, "each of the values assigned to a cell gets its cotangent"},
    {Mistake::start_is_kept, "the start value of a cell that is written gets its cotangent"},
    {Mistake::start_counts, "a start value that does not count takes part"},
    {Mistake::start_takes_share, "a start value that does not count takes a share, which is lost"},
    {Mistake::other_factors_left_out, "the other factors of a product are left out"},
    {Mistake::each_of_tie_gets_all, "each of the values that tie gets all of the cotangent"},
    {Mistake::none_of_tie_gets_any, "none of the values that tie gets anything"},
    {Mistake::counted_in_u8, "the values that meet in a cell are counted in u8"},
    {Mistake::counted_in_f16, "the values that meet in a cell are counted in f16, up to 2048"},
    {Mistake::counted_in_bf16, "the values that meet in a cell are counted in bf16, up to 256"}};

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

std::string likely_mistake(const Dependences& of, const Tensor& cotangent,
                           std::span<const GradientAnswer> answers) {
  const auto explains = [&](const ExpectedGradients& made) {
    return judge_gradients(made, answers).verdict == Verdict::pass;
  };
  for (const auto& [mistake, words] : made_in_cells)
    if (explains(expect_by_mistake(of, cotangent, mistake))) return std::string(words);
  const ExpectedGradients right = expect_gradients(of, cotangent);
  if (explains(assigned_instead_of_added(right, true)) || explains(assigned_instead_of_added(right, false)))
    return "the cotangents of several cells that reach an element are not added: one of them is taken";
  if (is_division(right, expect_by_mistake(of, cotangent, Mistake::whole_product_divided), answers))
    return "the whole product is divided by a factor, and one is 0 or the product leaves the range";
  return "";
}

}  // namespace scatterproof::spec
