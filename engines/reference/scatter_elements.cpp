// SPDX-License-Identifier: Apache-2.0
// out[p with axis = index[p]] (+)= updates[p]
#include <algorithm>
#include <limits>

#include "cells.hpp"
#include "checks.hpp"
#include "kernels.hpp"

namespace scatterproof::engines::reference {
namespace {

/// Updates against the iteration space, which is the index's shape unless sizes of 1 were stretched.
Refusal check_updates(const KernelCall& call, const Tensor& updates, const Shape& space) {
  if (call.broadcast || call.index_equals_updates) return check_updates_shape(updates, space, call.broadcast);
  for (std::size_t d = 0; d < space.size(); ++d)
    // Rule index-within-src of: torch.Tensor.scatter_, torch.Tensor.scatter_add_,
    // torch.Tensor.scatter_reduce_
    if (space[d] > updates.shape()[d])
      return refuse("shape", "index has size {} in dimension {}, updates have {}", space[d], d,
                    updates.shape()[d]);
  return {};
}

/// The largest index plus one; empty when there is none, or no such number.
std::optional<std::int64_t> inferred_size(const Tensor& index) {
  if (index.numel() == 0) return {};
  std::int64_t largest = std::numeric_limits<std::int64_t>::min();
  for_each_position(index.shape(),
                    [&](const Coords& p) { largest = std::max(largest, index.get(span_of(p)).integer()); });
  if (largest == std::numeric_limits<std::int64_t>::max()) return {};
  return std::max<std::int64_t>(largest + 1, 0);
}

Tensor filled(spec::DType dtype, const Shape& shape, const spec::Scalar& value) {
  const std::vector<spec::Scalar> values(static_cast<std::size_t>(spec::numel(shape)),
                                         spec::convert(value, dtype));
  return Tensor(dtype, shape, values);
}

}  // namespace

Outcome scatter_elements(const KernelCall& call, ReceivedValues* received) {
  const Tensor data = at_least_vector(call.data);
  const Tensor index = at_least_vector(call.index);
  if (auto no = check_dimensions(call)) return *no;
  if (auto no = check_axis(call.axis, data.rank())) return *no;
  if (auto no = check_dtypes(call)) return *no;
  const std::size_t axis = from_front(call.axis, data.rank());

  Shape shape = data.shape();
  if (!call.start_from_data) {
    const auto size = call.output_size ? call.output_size : inferred_size(index);
    if (!size) return refuse("value", "the size of the result is neither given nor follows from the index");
    if (*size < 0) return refuse("value", "output_size is {}", *size);
    shape[axis] = *size;
    if (auto no = check_result_shape(shape)) return *no;
  }
  const bool unchecked = call.empty_index_unchecked && index.numel() == 0;
  // Rule same-rank of: torch.scatter_reduce.v1_11, torch.Tensor.scatter_, torch.Tensor.scatter_.value,
  // torch.Tensor.scatter_add_, torch.Tensor.scatter_reduce_
  if (!unchecked && call.index.rank() != call.data.rank())
    return refuse("rank", "index has {} dimensions, data has {}", call.index.rank(), call.data.rank());
  const auto* given = std::get_if<Tensor>(&*call.updates);
  // Rule same-rank of: torch.Tensor.scatter_, torch.Tensor.scatter_add_, torch.Tensor.scatter_reduce_
  // Rule src-rank of: mindspore.mint.scatter
  if (given && !unchecked && !call.broadcast && given->rank() != call.index.rank())
    return refuse("rank", "updates have {} dimensions, index has {}", given->rank(), call.index.rank());
  Shape space = index.shape();
  if (!unchecked) {
    if (auto no = check_off_axis(call, data, index, axis)) return *no;
    space = elements_space(call, data, index, axis);
    if (given)
      if (auto no = check_updates(call, call.broadcast ? *given : at_least_vector(*given), space)) return *no;
    if (auto no = check_index(index, shape[axis], call.wrap_negative)) return *no;
  }

  const bool scalar_result = call.start_from_data && call.data.rank() == 0;
  const Tensor start = call.start_from_data ? data.contiguous() : filled(data.dtype(), shape, call.fill);
  const Stretched indices(index), places(start);
  const Updates updates(call);
  Cells cells(start, call, received);
  for_each_position(space, [&](const Coords& p) {
    const std::int64_t i = from_front(indices.integer_at(p), shape[axis]);
    cells.receive(places.position(p, axis, i), updates.at(p));
  });
  const Tensor out = cells.finish();
  if (!scalar_result) return {spec::Produced{{out}, {}}, 0};
  return {spec::Produced{{*Tensor::view(out.dtype(), {}, {}, 0, out.shared_storage())}, {}}, 0};
}

}  // namespace scatterproof::engines::reference
