// SPDX-License-Identifier: Apache-2.0
#include "walk_checks.hpp"

#include <algorithm>

namespace scatterproof::engines::walking {

using spec::Combiner;
using spec::DType;

std::string words(Sizes sizes) { return spec::to_string(Shape(sizes.begin(), sizes.end())); }

Refusal check_dtypes(const KernelCall& call) {
  const DType index = call.index.dtype();
  const bool accepted =
      call.index_dtypes.empty()
          ? index == DType::i32 || index == DType::i64
          : std::find(call.index_dtypes.begin(), call.index_dtypes.end(), index) != call.index_dtypes.end();
  if (!accepted) return refuse("dtype", "index of dtype {} is not accepted", spec::name(index));
  if (!call.updates) return {};
  const DType dtype = call.data.dtype();
  if (const Tensor* updates = update_tensor(call); updates && updates->dtype() != dtype)
    return refuse("dtype", "updates are {}, data is {}", spec::name(updates->dtype()), spec::name(dtype));
  if (call.combine == Combiner::mean && dtype == DType::boolean) return refuse("dtype", "bool has no mean");
  if ((call.combine == Combiner::amax || call.combine == Combiner::amin) && spec::is_complex(dtype))
    return refuse("dtype", "{} has no order, so no largest or smallest", spec::name(dtype));
  return {};
}

Refusal check_axis(std::int64_t axis, int rank) {
  if (axis >= -rank && axis < rank) return {};
  return refuse("axis", "axis {} is outside [{}, {})", axis, -rank, rank);
}

Refusal check_has_dimensions(const char* what, const Tensor& tensor) {
  if (tensor.rank() > 0) return {};
  return refuse("rank", "{} 0 dimensions, at least 1 is needed", what);
}

Refusal check_updates(Sizes have, Sizes want, bool broadcast) {
  if (!broadcast && have.size() != want.size())
    return refuse("rank", "updates have {} dimensions, {} are needed", have.size(), want.size());
  if (have.size() > want.size())
    return refuse("rank", "updates have {} dimensions, at most {} fit", have.size(), want.size());
  const std::size_t ahead = want.size() - have.size();
  for (std::size_t d = 0; d < have.size(); ++d)
    if (have[d] != want[ahead + d] && !(broadcast && have[d] == 1))
      return refuse("shape", "updates have sizes {}, {} are needed", words(have), words(want));
  return {};
}

Refusal check_result(Sizes shape) {
  if (shape.size() > spec::max_rank)
    return refuse("value", "the result would have {} dimensions, at most {} are possible", shape.size(),
                  spec::max_rank);
  const auto numel = spec::checked_numel(shape);
  if (!numel || *numel > spec::max_numel)
    return refuse("value", "a result of sizes {} is too large", words(shape));
  return {};
}

Refusal check_elements_sizes(const KernelCall& call, const Operand& data, const Operand& index, int axis) {
  for (int d = 0; d < data.rank; ++d) {
    if (d == axis) continue;
    const std::int64_t have = data.size[d];
    const std::int64_t want = index.size[d];
    if (call.broadcast ? want != have && want != 1 && have != 1 : want > have)
      return refuse("shape", "index has size {} in dimension {}, data has {}", want, d, have);
    if (call.index_equals_data && want != have)
      return refuse("shape", "index has size {} in dimension {}, but must have data's {}", want, d, have);
  }
  return {};
}

Refusal check_elements_updates(const KernelCall& call, const Operand& updates, Sizes space) {
  if (call.broadcast || call.index_equals_updates)
    return check_updates(updates.sizes(), space, call.broadcast);
  for (std::size_t d = 0; d < space.size(); ++d)
    if (space[d] > updates.size[d])
      return refuse("shape", "index has size {} in dimension {}, updates have {}", space[d], d,
                    updates.size[d]);
  return {};
}

Refusal check_batch(const KernelCall& call, const Operand& table, const Operand& index) {
  const std::int64_t limit = std::min(table.rank, index.rank);
  if (call.batch_dims < 0 || (call.batch_dims > 0 && call.batch_dims >= limit))
    return refuse("value", "batch_dims {} is outside [0, {})", call.batch_dims, limit);
  if (!std::equal(table.size, table.size + call.batch_dims, index.size))
    return refuse("shape", "the first {} sizes of index {} differ from those of data {}", call.batch_dims,
                  words(index.sizes()), words(table.sizes()));
  return {};
}

}  // namespace scatterproof::engines::walking
