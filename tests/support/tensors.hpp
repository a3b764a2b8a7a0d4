// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec::testing {

inline Tensor ints(Shape shape, const std::vector<std::int64_t>& values, DType dtype = DType::i64) {
  std::vector<Scalar> scalars;
  for (const std::int64_t value : values) scalars.push_back(Scalar::of_int(value));
  return Tensor(dtype, std::move(shape), scalars);
}

}  // namespace scatterproof::spec::testing
