// SPDX-License-Identifier: Apache-2.0
// Smaller tensors made from tensors. Each keeps the layout of its original as far as the new form allows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::runner {

/// Without `count` positions of dimension d, from `first` on. Precondition: they exist.
spec::Tensor without_range(const spec::Tensor& tensor, std::size_t d, std::int64_t first, std::int64_t count);

/// Without dimension d: keeps its first position; zeros where that dimension was empty.
spec::Tensor without_dimension(const spec::Tensor& tensor, std::size_t d);

/// Dimensions d and d + 1 merged, the elements in the same order. Precondition: both exist.
spec::Tensor with_merged(const spec::Tensor& tensor, std::size_t d);

/// The same form, with these values in row-major order.
spec::Tensor with_values(const spec::Tensor& tensor, const std::vector<spec::Scalar>& values);

/// Whether with_dtype loses nothing: the dtype has every value.
bool fits(const spec::Tensor& tensor, spec::DType dtype);

/// The values converted as C does it.
spec::Tensor with_dtype(const spec::Tensor& tensor, spec::DType dtype);

/// An index that goes on naming what it named when `count` positions from `first` on are cut out of a
/// dimension of `size`: entries beyond them move down, entries that count from the end move up. Those that
/// named what is gone stay as they are. With a column, only that column of the last dimension changes.
spec::Tensor following(const spec::Tensor& index, std::int64_t size, std::int64_t first, std::int64_t count,
                       std::optional<std::size_t> column);

}  // namespace scatterproof::runner
