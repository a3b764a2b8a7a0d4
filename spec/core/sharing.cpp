// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/sharing.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace scatterproof::spec {
namespace {

Argument copy_of(const Tensor& tensor, const Call& original, const Call& copy) {
  const auto shared = shared_with(original, copy.arguments.size());
  if (!shared) return tensor.clone();
  const auto& owner = std::get<Tensor>(copy.arguments[*shared].second);
  return *Tensor::view(tensor.dtype(), tensor.shape(), tensor.strides(), tensor.offset(),
                       owner.shared_storage());
}

/// Whether two ways to go along these axes lead to one place.
bool meet_in_one_place(const std::vector<std::pair<std::int64_t, std::int64_t>>& axes) {
  std::vector<std::int64_t> places{0};
  for (const auto& [step, steps] : axes) {
    const std::size_t before = places.size();
    for (std::int64_t n = 1; n <= steps; ++n)
      for (std::size_t i = 0; i < before; ++i) places.push_back(places[i] + n * step);
  }
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) != places.end();
}

}  // namespace

bool share_storage(const Tensor& a, const Tensor& b) {
  return a.shared_storage() == b.shared_storage() && a.numel() > 0 && b.numel() > 0;
}

std::optional<std::size_t> shared_with(const Call& call, std::size_t at) {
  const auto* tensor = std::get_if<Tensor>(&call.arguments[at].second);
  if (tensor == nullptr) return {};
  for (std::size_t i = 0; i < at; ++i)
    if (const auto* other = std::get_if<Tensor>(&call.arguments[i].second);
        other != nullptr && share_storage(*tensor, *other))
      return i;
  return {};
}

bool has_shared_storage(const Call& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (shared_with(call, i)) return true;
  return false;
}

bool same_view(const Tensor& a, const Tensor& b) {
  return share_storage(a, b) && a.dtype() == b.dtype() && a.shape() == b.shape() &&
         a.strides() == b.strides() && a.offset() == b.offset();
}

bool overlaps_itself(const Tensor& tensor) {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // how far a step is, and how many there are
  for (std::size_t d = 0; d < tensor.rank(); ++d)
    if (tensor.shape()[d] > 1) axes.emplace_back(std::abs(tensor.strides()[d]), tensor.shape()[d] - 1);
  std::ranges::sort(axes);
  if (!axes.empty() && axes.front().first == 0) return true;
  std::int64_t reach = 0;  // of the axes with shorter steps
  const bool all_step_over = std::ranges::all_of(axes, [&](const auto& axis) {
    const bool steps_over = axis.first > reach;
    reach += axis.first * axis.second;
    return steps_over;
  });
  return !all_step_over && tensor.numel() > 0 && meet_in_one_place(axes);
}

std::vector<const Tensor*> tensors_of(const Call& call) {
  std::vector<const Tensor*> tensors;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value)) tensors.push_back(tensor);
  return tensors;
}

Call clone(const Call& call) {
  Call copy{.api = call.api, .arguments = {}, .omitted = call.omitted};
  copy.arguments.reserve(call.arguments.size());
  for (const auto& [key, value] : call.arguments) {
    const Tensor* tensor = std::get_if<Tensor>(&value);
    copy.arguments.emplace_back(key, tensor ? copy_of(*tensor, call, copy) : value);
  }
  return copy;
}

}  // namespace scatterproof::spec
