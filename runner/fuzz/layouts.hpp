// SPDX-License-Identifier: Apache-2.0
// Layouts that are drawn: those with a name, and strides that have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "scatterproof/runner/fuzz/generated.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner::fuzz {

/// Kernels get strides wrong when they walk many elements: large tensors are contiguous in half of the calls,
/// others in most. `often`: others too are in half.
DrawnLayout draw_layout(std::int64_t numel, bool often, spec::Dice& dice);

/// The axis along which values repeat so that its stride can be 0: in each expanded layout, in some mixed
/// ones.
std::optional<std::size_t> draw_flat_axis(DrawnLayout layout, std::size_t rank, spec::Dice& dice);

/// The same values with strides that are drawn: axes in any order, a step or a gap on one of them, a negative
/// stride, any stride on an axis of one element, and up to 15 unused elements around. Along `flat` all
/// elements must be equal. The strides depend on the shape and the dice, not on the values.
spec::Tensor mixed(const spec::Tensor& tensor, std::optional<std::size_t> flat, spec::Dice& dice);

}  // namespace scatterproof::runner::fuzz
