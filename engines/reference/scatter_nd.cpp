// SPDX-License-Identifier: Apache-2.0
// out[index[q, :] ++ t] (+)= updates[q ++ t]
#include "cells.hpp"
#include "checks.hpp"
#include "kernels.hpp"

namespace scatterproof::engines::reference {

Outcome scatter_nd(const KernelCall& call, ReceivedValues* received) {
  const Tensor& data = call.data;
  const Tensor& index = call.index;
  // Rule input-has-dimension of: mindspore.ops.tensor_scatter_update
  if (data.rank() == 0) return refuse("rank", "data has 0 dimensions, at least 1 is needed");
  if (index.rank() == 0) return refuse("rank", "index has 0 dimensions, at least 1 is needed");
  if (auto no = check_dtypes(call)) return *no;
  const std::int64_t depth = index.shape().back();
  // Rule tuple-length of: mindspore.ops.tensor_scatter_update
  if (depth > static_cast<std::int64_t>(data.rank()))
    return refuse("shape", "index has tuples of length {}, data has {} dimensions", depth, data.rank());
  Shape space(index.shape().begin(), index.shape().end() - 1);
  space.insert(space.end(), data.shape().begin() + depth, data.shape().end());
  if (const auto* updates = std::get_if<Tensor>(&*call.updates))
    if (auto no = check_updates_shape(*updates, space, call.broadcast)) return *no;
  if (auto no = check_index_tuples(index, data.shape(), call.wrap_negative)) return *no;

  const auto lead = static_cast<std::ptrdiff_t>(index.rank()) - 1;
  const Updates updates(call);
  Cells cells(data.contiguous(), call, received);
  for_each_position(space, [&](const Coords& p) {
    Coords at_index(p.begin(), p.begin() + lead);
    at_index.push_back(0);
    Coords to;
    for (std::int64_t j = 0; j < depth; ++j) {
      at_index.back() = j;
      to.push_back(index_at(index, at_index, data.shape()[static_cast<std::size_t>(j)]));
    }
    to.insert(to.end(), p.begin() + lead, p.end());
    cells.receive(cells.position(span_of(to)), updates.at(p));
  });
  return {spec::Produced{{cells.finish()}, {}}, 0};
}

}  // namespace scatterproof::engines::reference
