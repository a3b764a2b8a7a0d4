// SPDX-License-Identifier: Apache-2.0
// Scatter loops for elements of one and two bytes.
#include "scatter.hpp"

namespace scatterproof::engines::openmp {

SCATTERPROOF_SCATTER_KERNELS(Truth)
SCATTERPROOF_SCATTER_KERNELS(std::uint8_t)
SCATTERPROOF_SCATTER_KERNELS(std::int8_t)
SCATTERPROOF_SCATTER_KERNELS(std::int16_t)
SCATTERPROOF_SCATTER_KERNELS(Half)
SCATTERPROOF_SCATTER_KERNELS(BFloat)

}  // namespace scatterproof::engines::openmp
