// SPDX-License-Identifier: Apache-2.0
// out[a ++ index[i] ++ b] (+)= updates[a ++ i ++ b], a running over the dimensions ahead of the axis, b over
// the rest; an index of rank 0 names one row, and updates lack the axis
#include "cells.hpp"
#include "checks.hpp"
#include "kernels.hpp"

namespace scatterproof::engines::reference {

Outcome scatter_rows(const KernelCall& call, ReceivedValues* received) {
  const Tensor& data = call.data;
  const Tensor& index = call.index;
  if (auto no = check_rows(call)) return *no;
  const std::size_t axis = from_front(call.axis, data.rank());
  const Shape space = rows_space(call, axis);
  if (const auto* updates = std::get_if<Tensor>(&*call.updates)) {
    Shape wanted = space;
    if (call.surplus_updates && index.rank() == 1 && updates->rank() == space.size() &&
        updates->shape()[axis] > space[axis])
      wanted[axis] = updates->shape()[axis];
    if (auto no = check_updates_shape(*updates, wanted, call.broadcast)) return *no;
  }
  const std::int64_t size = data.shape()[axis];
  if (auto no = check_index(index, size, call.wrap_negative)) return *no;

  const auto ahead = static_cast<std::ptrdiff_t>(axis);
  const auto depth = static_cast<std::ptrdiff_t>(index.rank());
  const Updates updates(call);
  Cells cells(data.contiguous(), call, received);
  for_each_position(space, [&](const Coords& p) {
    const Coords i(p.begin() + ahead, p.begin() + ahead + depth);
    Coords to(p.begin(), p.begin() + ahead);
    to.push_back(index_at(index, i, size));
    to.insert(to.end(), p.begin() + ahead + depth, p.end());
    cells.receive(cells.position(span_of(to)), updates.at(p));
  });
  return {spec::Produced{{cells.finish()}, {}}, 0};
}

}  // namespace scatterproof::engines::reference
