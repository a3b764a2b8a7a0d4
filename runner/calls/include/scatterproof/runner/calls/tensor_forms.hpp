// SPDX-License-Identifier: Apache-2.0
// Views of a tensor in another form, which share its storage.
#pragma once

#include <optional>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner {

/// As numpy broadcasts: missing axes in front, and axes of size 1, are repeated. Empty if the tensor has that
/// shape already, or cannot be broadcast to it.
std::optional<spec::Tensor> broadcast(const spec::Tensor& tensor, const spec::Shape& shape);

/// The first positions along each axis, as many as the shape has. Empty if there are no more, or the rank
/// differs.
std::optional<spec::Tensor> cut(const spec::Tensor& tensor, const spec::Shape& shape);

}  // namespace scatterproof::runner
