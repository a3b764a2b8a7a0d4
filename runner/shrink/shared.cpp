// SPDX-License-Identifier: Apache-2.0
#include "shared.hpp"

#include <algorithm>

#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Tensor;

const Tensor* tensor_of(const spec::Call& call, std::size_t argument) {
  return argument < call.arguments.size() ? std::get_if<Tensor>(&call.arguments[argument].second) : nullptr;
}

bool changed(const spec::Call& before, const spec::Call& after, std::size_t argument) {
  return tensor_of(before, argument)->shared_storage() != tensor_of(after, argument)->shared_storage();
}

void write(const Tensor& values, Tensor& to) {
  spec::Coords at(values.rank(), 0);
  do to.set(at, values.get(at));
  while (spec::next(at, values.shape()));
}

}  // namespace

std::optional<spec::Call> shared_again(const spec::Call& before, const spec::Call& after) {
  for (std::size_t b = 0; b < before.arguments.size(); ++b) {
    const auto a = spec::shared_with(before, b);
    if (!a) continue;
    const Tensor* first = tensor_of(after, *a);
    const Tensor* second = tensor_of(after, b);
    if (!first || !second || first->dtype() != second->dtype() || spec::share_storage(*first, *second) ||
        first->numel() == 0 || second->numel() == 0)
      return {};
    const std::size_t large = first->numel() < second->numel() ? b : *a;
    const std::size_t small = large == b ? *a : b;
    const Tensor& values = *tensor_of(after, small);
    const Tensor storage = tensor_of(after, large)->contiguous();
    const std::int64_t offset =
        std::clamp<std::int64_t>(tensor_of(before, small)->offset(), 0, storage.numel() - values.numel());
    Tensor view = *Tensor::view(values.dtype(), values.shape(), spec::contiguous_strides(values.shape()),
                                offset, storage.shared_storage());
    if (changed(before, after, small)) write(values, view);
    spec::Call made = after;
    made.arguments[large].second = storage;
    made.arguments[small].second = view;
    return made;
  }
  return {};
}

}  // namespace scatterproof::runner::shrink
