// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec::testing {

using Doubles = std::vector<double>;

/// A vector of these.
inline Tensor reals(const Doubles& values, DType dtype = DType::f32) {
  std::vector<Scalar> scalars;
  for (const double value : values) scalars.push_back(Scalar::of_real(value));
  return Tensor(dtype, {static_cast<std::int64_t>(values.size())}, scalars);
}

}  // namespace scatterproof::spec::testing
