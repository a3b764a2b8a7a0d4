// SPDX-License-Identifier: Apache-2.0
// Layouts that are drawn: those with a name, and strides that have none.
#pragma once

#include <cstdint>

#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner::fuzz {

/// Kernels get strides wrong when they walk many elements: large tensors are contiguous in half of the calls,
/// others in most.
DrawnLayout draw_layout(std::int64_t numel, spec::Dice& dice);

/// The same values with strides that are drawn: axes in any order, a step or a gap on one of them, a negative
/// stride, 0 along an axis of equal values, any stride on an axis of one element, and an offset of up to 15
/// elements. How much is drawn depends on the shape alone.
spec::Tensor mixed(const spec::Tensor& tensor, spec::Dice& dice);

}  // namespace scatterproof::runner::fuzz
