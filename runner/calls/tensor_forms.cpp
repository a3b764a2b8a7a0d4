// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/calls/tensor_forms.hpp"

#include <algorithm>

namespace scatterproof::runner {

std::optional<spec::Tensor> broadcast(const spec::Tensor& tensor, const spec::Shape& shape) {
  if (tensor.rank() > shape.size() || tensor.shape() == shape) return {};
  const std::size_t missing = shape.size() - tensor.rank();
  spec::Shape strides(shape.size(), 0);
  for (std::size_t d = missing; d < shape.size(); ++d) {
    const std::int64_t size = tensor.shape()[d - missing];
    if (size != 1 && size != shape[d]) return {};
    if (size == shape[d]) strides[d] = tensor.strides()[d - missing];
  }
  return spec::Tensor::view(tensor.dtype(), shape, strides, tensor.offset(), tensor.shared_storage());
}

std::optional<spec::Tensor> cut(const spec::Tensor& tensor, const spec::Shape& shape) {
  if (tensor.rank() != shape.size()) return {};
  spec::Shape smaller = tensor.shape();
  for (std::size_t d = 0; d < shape.size(); ++d) smaller[d] = std::min(smaller[d], shape[d]);
  if (smaller == tensor.shape()) return {};
  return spec::Tensor::view(tensor.dtype(), smaller, tensor.strides(), tensor.offset(),
                            tensor.shared_storage());
}

}  // namespace scatterproof::runner
