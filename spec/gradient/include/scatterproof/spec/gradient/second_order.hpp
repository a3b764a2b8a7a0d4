// SPDX-License-Identifier: Apache-2.0
// Reverse mode over reverse mode, as it follows from a call's bag (docs/understand/judging.md, section 12).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/tensor.hpp"
#include "scatterproof/spec/gradient/dependence.hpp"
#include "scatterproof/spec/gradient/expected_tangent.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::spec {

/// The derivatives of the sum of tangents times gradients. It is linear in the cotangent, by which its
/// derivative is therefore the tangent of the result. By an element it is 0 if no derivative of the call
/// changes with that.
struct ExpectedSecondOrder {
  ExpectedTangent by_cotangent;
  std::vector<DType> dtypes;                     ///< of the arguments
  std::vector<std::vector<bool>> by_elements{};  ///< of each argument: true: it is 0; false: it is not judged
};

/// `tangent`: of the same dependences, along the tangents that are asked about.
ExpectedSecondOrder expect_second_order(const Dependences& of, ExpectedTangent tangent);

/// The verdict on the answers for the cotangent and for all arguments. An engine may refuse.
Judgement judge_second_order(const ExpectedSecondOrder& expected, std::span<const GradientAnswer> answers);

}  // namespace scatterproof::spec
