// SPDX-License-Identifier: Apache-2.0
// out[p] = data[p with axis = index[p]]
#include "checks.hpp"
#include "kernels.hpp"

namespace scatterproof::engines::reference {
Outcome gather_elements(const KernelCall& call) {
  const Tensor data = at_least_vector(call.data);
  const Tensor index = at_least_vector(call.index);
  if (auto no = check_dimensions(call)) return *no;
  if (auto no = check_axis(call.axis, data.rank())) return *no;
  if (auto no = check_dtypes(call)) return *no;
  if (call.empty_index_unchecked && index.numel() == 0)
    return {spec::Produced{{Tensor(data.dtype(), call.index.shape())}, {}}, 0};
  // Rule same-rank of: mindspore.mint.gather, torch.gather
  if (call.index.rank() != call.data.rank())
    return refuse("rank", "index has {} dimensions, data has {}", call.index.rank(), call.data.rank());
  const std::size_t axis = from_front(call.axis, data.rank());
  if (auto no = check_off_axis(call, data, index, axis)) return *no;
  const std::int64_t size = data.shape()[axis];
  if (auto no = check_index(index, size, call.wrap_negative)) return *no;

  const Shape space = elements_space(call, data, index, axis);
  if (auto no = check_result_shape(space)) return *no;

  Tensor out(data.dtype(), call.index.rank() == 0 ? Shape{} : space);
  const Stretched indices(index), elements(data);
  std::int64_t position = 0;
  for_each_position(space, [&](const Coords& p) {
    const std::int64_t i = from_front(indices.integer_at(p), size);
    spec::copy_element(data, elements.position(p, axis, i), out, position++);
  });
  return {spec::Produced{{out}, {}}, 0};
}

}  // namespace scatterproof::engines::reference
