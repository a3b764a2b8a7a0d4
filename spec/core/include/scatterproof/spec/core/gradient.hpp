// SPDX-License-Identifier: Apache-2.0
// What an engine is asked about the derivative of a call.
#pragma once

#include <string>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {

/// Asks for a vector-Jacobian product: how the sum of `cotangent` times the result, cell by cell, changes
/// with each element of these arguments.
struct GradientQuestion {
  std::vector<std::string> of;  ///< arguments that are tensors of real numbers
  Tensor cotangent;             ///< of the result's shape and dtype
};

}  // namespace scatterproof::spec
