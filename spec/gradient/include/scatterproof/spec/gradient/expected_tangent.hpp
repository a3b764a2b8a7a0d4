// SPDX-License-Identifier: Apache-2.0
// The tangent of a call's result, as it follows from the same derivatives as the gradients
// (docs/understand/judging.md, section 12).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/tensor.hpp"
#include "scatterproof/spec/gradient/dependence.hpp"
#include "scatterproof/spec/gradient/expected_gradient.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::spec {

/// What an element adds to the tangent of a cell.
struct TangentTerm {
  std::size_t argument = 0;
  std::int64_t element = 0;
  double value = 0;
  int roundings = 0;  ///< an engine's value may have been rounded this often; 0: it is exact
};

/// A cell is the sum of its terms, or follows from a choice of mathematics.
struct CellTangent {
  std::vector<TangentTerm> terms;
  /// Where values tie, the tangent lies between those of the members; where assigned values collide, it is
  /// that of one member.
  std::optional<GradientChoice::Kind> choice = {};
  bool constants = false;  ///< a number takes part in the choice: its tangent is 0
  bool open = false;       ///< mathematics or the document leaves it free, or it is not judged
};

struct ExpectedTangent {
  DType dtype = DType::f32;  ///< of the result
  Shape shape;               ///< of the result
  std::vector<std::string> arguments;
  std::vector<Shape> shapes;  ///< of these arguments
  std::vector<CellTangent> cells;
};

/// Precondition: one tangent for each of the arguments, of its shape, with finite elements.
ExpectedTangent expect_tangent(const Dependences& of, std::span<const Tensor> tangents);

/// Why the answers of the two modes are not those of one linear map: the sum of cotangent times the result's
/// tangent is not that of gradients times the arguments' tangents. Empty: they may be. Precondition: each
/// answer alone is right.
std::string modes_disagree(const ExpectedGradients& expected, std::span<const GradientAnswer> gradients,
                           const Tensor& cotangent, const GradientAnswer& tangent,
                           std::span<const Tensor> tangents);

/// The verdict on an answer in forward mode, or, with gradient_second, on the derivative of second order by
/// the cotangent, which is the tangent too. No document promises one, so an engine may refuse.
Judgement judge_tangent(const ExpectedTangent& expected, const GradientAnswer& answer,
                        DiagnosisKind kind = DiagnosisKind::gradient_tangent);

}  // namespace scatterproof::spec
