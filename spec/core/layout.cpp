// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {
namespace {

constexpr std::array<std::pair<Layout, std::string_view>, 6> layout_names = {
    {{Layout::contiguous, "contiguous"},
     {Layout::transposed, "transposed"},
     {Layout::sliced, "sliced"},
     {Layout::reversed, "reversed"},
     {Layout::expanded, "expanded"},
     {Layout::padded, "padded"}}};

/// A view with these strides whose elements are filled from `source`; storage just large enough, plus
/// `slack`.
Tensor laid_out(const Tensor& source, Shape strides, std::int64_t offset, std::int64_t elements) {
  auto storage =
      std::make_shared<Tensor::Storage>(static_cast<std::size_t>(elements) * size_of(source.dtype()),
                                        std::byte{0x5a});  // marks storage that nothing should read
  Tensor result =
      *Tensor::view(source.dtype(), source.shape(), std::move(strides), offset, std::move(storage));
  copy_elements(source, result);
  return result;
}

Shape column_major(const Shape& shape) {
  Shape strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(shape[d], 1);
  }
  return strides;
}

/// Whether all elements along axis d are the same.
bool constant_along(const Tensor& tensor, std::size_t d) {
  if (tensor.numel() == 0) return false;
  Coords at(tensor.rank(), 0);
  do {
    const std::int64_t here = tensor.position(at), first = here - at[d] * tensor.strides()[d];
    if (here != first && !identical(tensor.at_position(here), tensor.at_position(first))) return false;
  } while (next(at, tensor.shape()));
  return true;
}

Tensor expanded(const Tensor& tensor) {
  Shape kept = tensor.shape();
  std::vector<bool> flat(tensor.rank());
  for (std::size_t d = 0; d < tensor.rank(); ++d)
    if ((flat[d] = constant_along(tensor, d))) kept[d] = 1;
  Shape strides = contiguous_strides(kept);
  for (std::size_t d = 0; d < tensor.rank(); ++d)
    if (flat[d]) strides[d] = 0;
  return laid_out(tensor, std::move(strides), 0, numel(kept));
}

/// The commonest view of all, `x[:, 1:k]`: the last stride is 1, and yet the tensor is not contiguous.
Tensor padded(const Tensor& tensor) {
  Shape with_padding = tensor.shape();
  if (with_padding.size() > 1) ++with_padding.back();
  const std::int64_t rows = tensor.rank() > 1 ? numel(with_padding) / with_padding.back() : 1;
  return laid_out(tensor, contiguous_strides(with_padding), 1, tensor.numel() + rows + 1);
}

}  // namespace

std::optional<Layout> parse_layout(std::string_view text) {
  for (const auto& [layout, word] : layout_names)
    if (word == text) return layout;
  return std::nullopt;
}

std::string_view name(Layout layout) { return layout_names[static_cast<std::size_t>(layout)].second; }

Tensor with_layout(const Tensor& tensor, Layout layout) {
  const std::int64_t count = tensor.numel();
  switch (layout) {
    case Layout::contiguous:
      break;
    case Layout::transposed:
      return laid_out(tensor, column_major(tensor.shape()), 0, count);
    case Layout::sliced: {
      Shape strides = contiguous_strides(tensor.shape());
      for (std::int64_t& stride : strides) stride *= 2;
      return laid_out(tensor, std::move(strides), 3, 2 * count + 4);
    }
    case Layout::reversed: {
      Shape strides = contiguous_strides(tensor.shape());
      for (std::int64_t& stride : strides) stride = -stride;
      return laid_out(tensor, std::move(strides), std::max<std::int64_t>(count - 1, 0), count);
    }
    case Layout::expanded:
      return expanded(tensor);
    case Layout::padded:
      return padded(tensor);
  }
  return tensor.contiguous();
}

Tensor with_strides(const Tensor& tensor, const Shape& strides, std::int64_t around) {
  std::int64_t before = 0, after = 0;
  for (std::size_t d = 0; d < tensor.rank() && tensor.numel() > 0; ++d)
    (strides[d] < 0 ? before : after) += (tensor.shape()[d] - 1) * std::abs(strides[d]);
  return laid_out(tensor, strides, around + before, around + before + after + 1 + around);
}

bool has_contiguous_layout(const Tensor& tensor) {
  return tensor.offset() == 0 && tensor.strides() == contiguous_strides(tensor.shape());
}

std::optional<Layout> layout_of(const Tensor& tensor) {
  if (has_contiguous_layout(tensor)) return Layout::contiguous;
  for (const Layout layout : all_layouts) {
    const Tensor same = with_layout(tensor, layout);
    if (same.strides() == tensor.strides() && same.offset() == tensor.offset()) return layout;
  }
  return std::nullopt;
}

}  // namespace scatterproof::spec
