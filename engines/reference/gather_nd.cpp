// SPDX-License-Identifier: Apache-2.0
// out[q ++ t] = data[q[:batch] ++ index[q, :] ++ t]
#include <algorithm>

#include "checks.hpp"
#include "kernels.hpp"

namespace scatterproof::engines::reference {

Outcome gather_nd(const KernelCall& call) {
  const Tensor& data = call.data;
  const Tensor& index = call.index;
  const bool names_all = index.rank() > 0 && index.shape().back() == 0;  // tuples without elements
  if (data.rank() == 0 && !names_all) return refuse("rank", "data has 0 dimensions, at least 1 is needed");
  if (index.rank() == 0) return refuse("rank", "index has 0 dimensions, at least 1 is needed");
  if (auto no = check_dtypes(call)) return *no;
  const auto least_rank = static_cast<std::int64_t>(std::min(data.rank(), index.rank()));
  if (call.batch_dims < 0 || (call.batch_dims > 0 && call.batch_dims >= least_rank))
    return refuse("value", "batch_dims {} is outside [0, {})", call.batch_dims, least_rank);
  const std::int64_t batch = call.batch_dims;
  if (!std::equal(data.shape().begin(), data.shape().begin() + batch, index.shape().begin()))
    return refuse("shape", "the first {} sizes of index {} differ from those of data {}", batch,
                  spec::to_string(index.shape()), spec::to_string(data.shape()));
  const std::int64_t depth = index.shape().back();
  const std::int64_t deepest = static_cast<std::int64_t>(data.rank()) - batch;
  // Rule tuple-length of: onnx.GatherND
  if (depth > deepest)
    return refuse("shape", "index has tuples of length {}, data has {} dimensions behind the batch", depth,
                  deepest);
  const std::span<const std::int64_t> sizes =
      std::span(data.shape()).subspan(static_cast<std::size_t>(batch));
  if (auto no = check_index_tuples(index, sizes, call.wrap_negative)) return *no;

  const auto lead = static_cast<std::ptrdiff_t>(index.rank()) - 1;
  Shape shape(index.shape().begin(), index.shape().end() - 1);
  shape.insert(shape.end(), data.shape().begin() + batch + depth, data.shape().end());
  if (auto no = check_result_shape(shape)) return *no;

  Tensor out(data.dtype(), shape);
  for_each_position(shape, [&](const Coords& p) {
    Coords at_index(p.begin(), p.begin() + lead);
    at_index.push_back(0);
    Coords from(p.begin(), p.begin() + batch);
    for (std::int64_t j = 0; j < depth; ++j) {
      at_index.back() = j;
      from.push_back(index_at(index, at_index, sizes[static_cast<std::size_t>(j)]));
    }
    from.insert(from.end(), p.begin() + lead, p.end());
    spec::copy_element(data, data.position(span_of(from)), out, out.position(span_of(p)));
  });
  return {spec::Produced{{out}, {}}, 0};
}

}  // namespace scatterproof::engines::reference
