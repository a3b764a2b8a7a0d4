// SPDX-License-Identifier: Apache-2.0
// out[a ++ i ++ b] = data[a ++ index[i] ++ b], where a runs over the dimensions ahead of the axis, b over
// those behind
#include "checks.hpp"
#include "kernels.hpp"

namespace scatterproof::engines::reference {

Outcome gather_rows(const KernelCall& call) {
  const Tensor& data = call.data;
  const Tensor& index = call.index;
  if (auto no = check_rows(call)) return *no;
  const std::size_t axis = from_front(call.axis, data.rank());
  const std::int64_t size = data.shape()[axis];
  if (auto no = check_index(index, size, call.wrap_negative)) return *no;

  const auto ahead = static_cast<std::ptrdiff_t>(axis);
  const auto depth = static_cast<std::ptrdiff_t>(index.rank());
  const Shape shape = rows_space(call, axis);
  if (auto no = check_result_shape(shape)) return *no;

  Tensor out(data.dtype(), shape);
  for_each_position(shape, [&](const Coords& p) {
    const Coords i(p.begin() + ahead, p.begin() + ahead + depth);
    Coords from(p.begin(), p.begin() + ahead);
    from.push_back(index_at(index, i, size));
    from.insert(from.end(), p.begin() + ahead + depth, p.end());
    spec::copy_element(data, data.position(span_of(from)), out, out.position(span_of(p)));
  });
  return {spec::Produced{{out}, {}}, 0};
}

}  // namespace scatterproof::engines::reference
