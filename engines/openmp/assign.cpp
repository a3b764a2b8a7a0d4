// SPDX-License-Identifier: Apache-2.0
// Scatter loops that only move elements: one set for each size.
#include "operations.hpp"

namespace scatterproof::engines::openmp {

const ScatterKernels& assignment_kernels(spec::DType dtype) {
  return visit_size(spec::size_of(dtype), [](auto type) -> const ScatterKernels& {
    static constexpr ScatterKernels kernels =
        scatter_kernels<Combiner::assign, typename decltype(type)::type>();
    return kernels;
  });
}

}  // namespace scatterproof::engines::openmp
