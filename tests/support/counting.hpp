// SPDX-License-Identifier: Apache-2.0
// Tensors whose elements tell where they were.
#pragma once

#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof {

/// Of i32, with the elements 0, 1, 2, .. in row-major order.
inline spec::Tensor counting(const spec::Shape& shape) {
  std::vector<spec::Scalar> values;
  for (std::int64_t n = 0; n < spec::numel(shape); ++n) values.push_back(spec::Scalar::of_int(n));
  return spec::Tensor(spec::DType::i32, shape, values);
}

}  // namespace scatterproof
