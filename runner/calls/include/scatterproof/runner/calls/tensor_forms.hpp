// SPDX-License-Identifier: Apache-2.0
// Views of a tensor in another form, which share its storage.
#pragma once

#include <optional>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner {

/// As numpy broadcasts: missing axes in front, and axes of size 1, are repeated. Empty when it has that shape, or cannot
/// be brought to it.
std::optional<spec::Tensor> broadcast(const spec::Tensor& tensor, const spec::Shape& shape);

/// The first positions along each axis, as many as the shape has. Empty when there are no more, or the rank differs.
std::optional<spec::Tensor> cut(const spec::Tensor& tensor, const spec::Shape& shape);

}  // namespace scatterproof::runner
