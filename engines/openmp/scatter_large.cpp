// SPDX-License-Identifier: Apache-2.0
// Scatter loops for elements of four bytes and more.
#include "scatter.hpp"

namespace scatterproof::engines::openmp {

SCATTERPROOF_SCATTER_KERNELS(std::int32_t)
SCATTERPROOF_SCATTER_KERNELS(std::int64_t)
SCATTERPROOF_SCATTER_KERNELS(float)
SCATTERPROOF_SCATTER_KERNELS(double)
SCATTERPROOF_SCATTER_KERNELS(Complex<float>)
SCATTERPROOF_SCATTER_KERNELS(Complex<double>)

}  // namespace scatterproof::engines::openmp
