// SPDX-License-Identifier: Apache-2.0
// Tensors made of tensors: parts, joins, fillings. All results are contiguous, with storage of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner::relations {

using SliceNumbers = std::vector<std::int64_t>;
/// first, first + 1, .. last - 1
SliceNumbers places(std::int64_t first, std::int64_t last);

/// The slices at these places along a dimension. Precondition: the dimension and all places exist.
spec::Tensor selected(const spec::Tensor& tensor, std::size_t dimension, const SliceNumbers& at);
/// `b` after `a`. Precondition: dtypes agree, and sizes except along the dimension.
spec::Tensor joined(const spec::Tensor& a, const spec::Tensor& b, std::size_t dimension);
spec::Tensor filled(spec::DType dtype, const spec::Shape& shape, const spec::Scalar& value);
/// The same elements in other sizes; empty when their numbers differ.
std::optional<spec::Tensor> reshaped(const spec::Tensor& tensor, const spec::Shape& shape);
/// Dimensions aligned at the end: sizes of 1 stretched, longer ones cut off; empty when the shapes do not
/// fit.
std::optional<spec::Tensor> fitted(const spec::Tensor& tensor, const spec::Shape& shape);

}  // namespace scatterproof::runner::relations
