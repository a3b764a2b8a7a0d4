// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/calls/tensor_edits.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace scatterproof::runner {
namespace {

using spec::Scalar;
using spec::Tensor;

/// The axes, those with the least strides first.
std::vector<std::size_t> from_innermost(const spec::Shape& strides) {
  std::vector<std::size_t> order(strides.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t axis) { return std::abs(strides[axis]); });
  return order;
}

/// Strides for other sizes, with the axes in the same order and the same gaps between them. Empty: elements
/// of the original overlap, so that there are no gaps.
std::optional<spec::Shape> spaced_like(const Tensor& original, const spec::Shape& sizes) {
  spec::Shape strides(sizes.size());
  std::int64_t covered = 1, covers = 1;
  for (const std::size_t axis : from_innermost(original.strides())) {
    if (original.shape()[axis] < 2) {
      strides[axis] = covers;
    } else {
      const std::int64_t stride = std::abs(original.strides()[axis]), gap = stride - covered;
      if (gap < 0) return {};
      strides[axis] = (covers + gap) * (original.strides()[axis] < 0 ? -1 : 1);
      covered = stride * original.shape()[axis];
    }
    covers = std::abs(strides[axis]) * std::max<std::int64_t>(sizes[axis], 1);
  }
  return strides;
}

/// With the layout of the original, if it has a name; else in the same order and with the same gaps.
Tensor laid_out_like(const Tensor& original, const Tensor& values) {
  if (const auto layout = spec::layout_of(original))
    return *layout == spec::Layout::contiguous ? values : with_layout(values, *layout);
  if (original.rank() != values.rank()) return values;
  const auto strides = spaced_like(original, values.shape());
  return strides ? with_strides(values, *strides, 1) : values;
}

/// A tensor of another shape, each of whose elements comes from a place of the original.
template <class From>
Tensor rearranged(const Tensor& original, spec::Shape shape, const From& from) {
  Tensor values(original.dtype(), std::move(shape));
  if (values.numel() == 0) return laid_out_like(original, values);
  spec::Coords at(values.rank(), 0);
  do values.set(at, original.get(from(at)));
  while (spec::next(at, values.shape()));
  return laid_out_like(original, values);
}

}  // namespace

Tensor without_range(const Tensor& tensor, std::size_t d, std::int64_t first, std::int64_t count) {
  spec::Shape shape = tensor.shape();
  shape[d] -= count;
  return rearranged(tensor, std::move(shape), [&](spec::Coords at) {
    if (at[d] >= first) at[d] += count;
    return at;
  });
}

Tensor without_dimension(const Tensor& tensor, std::size_t d) {
  const auto place = static_cast<std::ptrdiff_t>(d);
  spec::Shape shape = tensor.shape();
  shape.erase(shape.begin() + place);
  if (tensor.shape()[d] == 0) return laid_out_like(tensor, Tensor(tensor.dtype(), std::move(shape)));
  return rearranged(tensor, std::move(shape), [&](spec::Coords at) {
    at.insert(at.begin() + place, 0);
    return at;
  });
}

Tensor with_merged(const Tensor& tensor, std::size_t d) {
  spec::Shape shape = tensor.shape();
  shape[d] *= shape[d + 1];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(d + 1));
  return laid_out_like(tensor, Tensor(tensor.dtype(), std::move(shape), tensor.values()));
}

Tensor with_values(const Tensor& tensor, const std::vector<Scalar>& values) {
  return laid_out_like(tensor, Tensor(tensor.dtype(), tensor.shape(), values));
}

bool fits(const Tensor& tensor, spec::DType dtype) {
  return std::ranges::all_of(tensor.values(), [&](const Scalar& value) { return spec::fits(value, dtype); });
}

Tensor with_dtype(const Tensor& tensor, spec::DType dtype) {
  return laid_out_like(tensor, Tensor(dtype, tensor.shape(), tensor.values()));
}

Tensor following(const Tensor& index, std::int64_t size, std::int64_t first, std::int64_t count,
                 std::optional<std::size_t> column) {
  std::vector<Scalar> values = index.values();
  const std::size_t columns = column ? static_cast<std::size_t>(index.shape().back()) : 1;
  for (std::size_t i = column.value_or(0); i < values.size(); i += columns) {
    const std::int64_t entry = values[i].integer();
    if (entry >= first + count)
      values[i] = Scalar::of_int(entry - count);
    else if (entry < 0 && entry >= -size && entry + size < first)
      values[i] = Scalar::of_int(entry + count);
  }
  return with_values(index, values);
}

}  // namespace scatterproof::runner
