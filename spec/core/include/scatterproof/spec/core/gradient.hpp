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
/// the result changes if the arguments move along `tangents`. Second order, reverse over reverse, asks how
/// the sum of `tangents` times the gradients changes with the cotangent, and with these arguments.
struct GradientQuestion {
  std::vector<std::string> of;        ///< arguments that are tensors of real numbers
  Tensor cotangent;                   ///< not in forward mode: of the result's shape and dtype
  std::vector<Tensor> tangents = {};  ///< of these arguments' shapes and dtypes; reverse mode: empty
  bool second_order = false;

  bool forward() const { return !tangents.empty() && !second_order; }
  /// An argument each, or the result's tangent; second order: the cotangent, then an argument each.
  std::size_t answers() const { return forward() ? 1 : of.size() + (second_order ? 1 : 0); }
};

}  // namespace scatterproof::spec
