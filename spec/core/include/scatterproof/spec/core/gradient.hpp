// SPDX-License-Identifier: Apache-2.0
// What an engine is asked about the derivative of a call.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {

/// Reverse mode asks for a vector-Jacobian product: how the sum of `cotangent` times the result, cell by
/// cell, changes with each element of these arguments. Forward mode asks for a Jacobian-vector product: how
/// the result changes if the arguments move along `tangents`.
struct GradientQuestion {
  std::vector<std::string> of;        ///< arguments that are tensors of real numbers
  Tensor cotangent;                   ///< reverse mode: of the result's shape and dtype
  std::vector<Tensor> tangents = {};  ///< forward mode: of these arguments' shapes and dtypes; else empty

  bool forward() const { return !tangents.empty(); }
  /// An argument each, or the result's tangent.
  std::size_t answers() const { return forward() ? 1 : of.size(); }
};

}  // namespace scatterproof::spec
