// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/slices.hpp"

#include <numeric>

namespace scatterproof::runner::relations {

using spec::Coords;
using spec::Shape;
using spec::Tensor;

namespace {

/// A tensor whose every element is read elsewhere: `from(at)` is a position of `source`.
template <class From>
Tensor read_from(const Tensor& source, Shape shape, From from) {
  Tensor result(source.dtype(), std::move(shape));
  if (result.numel() == 0) return result;
  Coords at(result.rank(), 0);
  do result.set(at, source.get(from(at)));
  while (spec::next(at, result.shape()));
  return result;
}

}  // namespace

SliceNumbers places(std::int64_t first, std::int64_t last) {
  SliceNumbers all(static_cast<std::size_t>(last - first));
  std::iota(all.begin(), all.end(), first);
  return all;
}

Tensor selected(const Tensor& tensor, std::size_t dimension, const SliceNumbers& at) {
  Shape shape = tensor.shape();
  shape[dimension] = static_cast<std::int64_t>(at.size());
  return read_from(tensor, std::move(shape), [&](Coords from) {
    from[dimension] = at[static_cast<std::size_t>(from[dimension])];
    return from;
  });
}

Tensor joined(const Tensor& a, const Tensor& b, std::size_t dimension) {
  Shape shape = a.shape();
  const std::int64_t border = shape[dimension];
  shape[dimension] += b.shape()[dimension];
  Tensor result(a.dtype(), std::move(shape));
  if (result.numel() == 0) return result;
  Coords at(result.rank(), 0);
  do {
    Coords from = at;
    const bool behind = at[dimension] >= border;
    if (behind) from[dimension] -= border;
    result.set(at, (behind ? b : a).get(from));
  } while (spec::next(at, result.shape()));
  return result;
}

Tensor filled(spec::DType dtype, const Shape& shape, const spec::Scalar& value) {
  Tensor result(dtype, shape);
  for (std::int64_t i = 0; i < result.numel(); ++i) result.set_at_position(i, value);
  return result;
}

std::optional<Tensor> reshaped(const Tensor& tensor, const Shape& shape) {
  if (shape.size() > spec::max_rank || spec::checked_numel(shape) != tensor.numel()) return {};
  return Tensor(tensor.dtype(), shape, tensor.values());
}

std::optional<Tensor> fitted(const Tensor& tensor, const Shape& shape) {
  if (tensor.rank() > shape.size() || shape.size() > spec::max_rank) return {};
  const std::size_t missing = shape.size() - tensor.rank();
  for (std::size_t d = 0; d < tensor.rank(); ++d)
    if (tensor.shape()[d] != 1 && tensor.shape()[d] < shape[d + missing]) return {};
  return read_from(tensor, shape, [&](const Coords& at) {
    Coords from(at.begin() + static_cast<std::ptrdiff_t>(missing), at.end());
    for (std::size_t d = 0; d < from.size(); ++d)
      if (tensor.shape()[d] == 1) from[d] = 0;
    return from;
  });
}

}  // namespace scatterproof::runner::relations
