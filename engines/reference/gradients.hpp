// SPDX-License-Identifier: Apache-2.0
// The gradients of the six operations.
#pragma once

#include "scatterproof/engines/native/native.hpp"

namespace scatterproof::engines::reference {

/// Precondition: the call, of real numbers, has produced a result.
KernelGradients gradients(const KernelCall& call, const spec::Tensor& cotangent);

/// Of the result, flat: where its data and its updates move like this; null: they do not.
spec::Tensor tangent(const KernelCall& call, const spec::Tensor* of_data, const spec::Tensor* of_updates);

}  // namespace scatterproof::engines::reference
