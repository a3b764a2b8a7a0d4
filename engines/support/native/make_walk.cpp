// SPDX-License-Identifier: Apache-2.0
// From a call in kernel terms to a walk: all checks except that of the index values, then strides.
#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "scatterproof/engines/native/walk.hpp"
#include "walk_checks.hpp"

namespace scatterproof::engines {
namespace {

using namespace walking;

const std::byte* first_element(const Tensor& tensor) {
  return tensor.storage().data() + tensor.offset() * static_cast<std::int64_t>(spec::size_of(tensor.dtype()));
}

/// Sets the result's shape, or refuses it.
Refusal set_result(Walk& walk, Sizes shape) {
  if (auto no = check_result(shape)) return no;
  walk.result_rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), walk.result_shape);
  walk.result_numel = spec::numel(shape);
  return {};
}

/// The result is contiguous: its strides, whichever role it has.
void contiguous(Operand& operand) {
  std::int64_t stride = 1;
  for (int d = operand.rank - 1; d >= 0; --d) {
    operand.stride[d] = stride;
    stride *= std::max<std::int64_t>(operand.size[d], 1);
  }
}

/// One dimension of the walk under construction. The stride of a dimension of size 1 does not matter.
void add_dimension(Walk& walk, std::int64_t size, std::int64_t index, std::int64_t table,
                   std::int64_t stream) {
  walk.count *= size;
  if (size == 1) return;
  if (walk.rank > 0) {
    const int d = walk.rank - 1;  // does the dimension before step like this one, a whole turn at a time?
    if (walk.index_stride[d] == index * size && walk.table_stride[d] == table * size &&
        walk.stream_stride[d] == stream * size) {
      walk.shape[d] *= size;
      walk.index_stride[d] = index;
      walk.table_stride[d] = table;
      walk.stream_stride[d] = stream;
      return;
    }
  }
  walk.shape[walk.rank] = size;
  walk.index_stride[walk.rank] = index;
  walk.table_stride[walk.rank] = table;
  walk.stream_stride[walk.rank] = stream;
  ++walk.rank;
}

/// How updates step in dimension d of the walk: they are aligned at the end, and stretch where their size
/// is 1. A scalar is the same everywhere (no dimensions).
std::int64_t update_stride(const Operand& updates, int walk_rank, int d) {
  const int own = d - (walk_rank - updates.rank);
  return own < 0 || updates.size[own] == 1 ? 0 : updates.stride[own];
}

/// A gather's result has the walk's own sizes, so its strides are known once all dimensions are.
void gather_strides(std::span<const std::int64_t> space, std::int64_t* strides) {
  std::int64_t stride = 1;
  for (std::size_t d = space.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(space[d], 1);
  }
}

/// The walk before neighbours are joined.
struct Draft {
  int rank = 0;
  std::int64_t space[max_walk_rank];
  std::int64_t index[max_walk_rank];
  std::int64_t table[max_walk_rank];

  void add(std::int64_t size, std::int64_t index_stride, std::int64_t table_stride) {
    space[rank] = size;
    index[rank] = index_stride;
    table[rank] = table_stride;
    ++rank;
  }
  Sizes sizes() const { return {space, static_cast<std::size_t>(rank)}; }
};

void write_down(Walk& walk, const Draft& draft, const Operand& updates) {
  std::int64_t stream[max_walk_rank];
  if (!walk.scatter) gather_strides(draft.sizes(), stream);
  for (int d = 0; walk.scatter && d < draft.rank; ++d) stream[d] = update_stride(updates, draft.rank, d);
  for (int d = 0; d < draft.rank; ++d)
    add_dimension(walk, draft.space[d], draft.index[d], draft.table[d], stream[d]);
}

/// The largest index plus one; empty when there is no index, or the sum overflows.
std::optional<std::int64_t> inferred_size(const Tensor& index) {
  if (index.numel() == 0) return {};
  std::int64_t largest = std::numeric_limits<std::int64_t>::min();
  for (const spec::Scalar& value : index.values()) largest = std::max(largest, value.integer());
  if (largest == std::numeric_limits<std::int64_t>::max()) return {};
  return std::max<std::int64_t>(largest + 1, 0);
}

/// The table's sizes: data's, or those of a result that does not start from data.
Refusal size_elements_table(const KernelCall& call, Operand& table, int axis) {
  if (call.start_from_data) return {};
  const auto size = call.output_size ? call.output_size : inferred_size(call.index);
  if (!size) return refuse("value", "the size of the result is neither given nor follows from the index");
  if (*size < 0) return refuse("value", "output_size is {}", *size);
  table.size[axis] = *size;
  return {};
}

Refusal plan_elements(const KernelCall& call, Walk& walk) {
  Operand table(call.data, true);
  const Operand index(call.index, true);
  const Tensor* update_values = update_tensor(call);
  const Operand updates = update_values ? Operand(*update_values, !call.broadcast) : Operand();
  if (call.needs_dimensions) {
    if (auto no = check_has_dimensions("data has", call.data)) return no;
    if (auto no = check_has_dimensions("index has", call.index)) return no;
    if (update_values)
      if (auto no = check_has_dimensions("updates have", *update_values)) return no;
  }
  if (auto no = check_axis(call.axis, table.rank)) return no;
  if (auto no = check_dtypes(call)) return no;
  const int axis = static_cast<int>(call.axis < 0 ? call.axis + table.rank : call.axis);

  if (walk.scatter) {
    if (auto no = size_elements_table(call, table, axis)) return no;
    contiguous(table);
    const bool scalar_result = call.start_from_data && call.data.rank() == 0;
    if (auto no = set_result(walk, scalar_result ? Sizes{} : table.sizes())) return no;
  }
  if (call.empty_index_unchecked && index.sizes().size() > 0 && spec::numel(index.sizes()) == 0) {
    walk.count = 0;
    return walk.scatter ? Refusal{} : set_result(walk, call.index.shape());
  }
  if (call.index.rank() != call.data.rank())
    return refuse("rank", "index has {} dimensions, data has {}", call.index.rank(), call.data.rank());
  if (update_values && !call.broadcast && update_values->rank() != call.index.rank())
    return refuse("rank", "updates have {} dimensions, index has {}", update_values->rank(),
                  call.index.rank());
  // Off the axis data keeps its own sizes even where the result does not start from it.
  if (auto no = check_elements_sizes(call, table, index, axis)) return no;

  Draft draft;
  for (int d = 0; d < index.rank; ++d) {
    const bool stretched = call.broadcast && d != axis && index.size[d] == 1;
    const std::int64_t size = stretched ? table.size[d] : index.size[d];
    const bool fixed = d == axis || table.size[d] == 1;
    draft.add(size, index.size[d] == 1 ? 0 : index.stride[d], fixed ? 0 : table.stride[d]);
  }
  if (update_values)
    if (auto no = check_elements_updates(call, updates, draft.sizes())) return no;
  walk.size[0] = table.size[axis];
  walk.step[0] = table.stride[axis];
  if (!walk.scatter)
    if (auto no = set_result(walk, call.index.rank() == 0 ? Sizes{} : draft.sizes())) return no;
  write_down(walk, draft, updates);
  return {};
}

Refusal plan_rows(const KernelCall& call, Walk& walk) {
  Operand table(call.data);
  const Operand index(call.index);
  if (auto no = check_has_dimensions("data has", call.data)) return no;
  if (auto no = check_axis(call.axis, table.rank)) return no;
  if (auto no = check_dtypes(call)) return no;
  const int axis = static_cast<int>(call.axis < 0 ? call.axis + table.rank : call.axis);
  if (walk.scatter) {
    contiguous(table);
    if (auto no = set_result(walk, table.sizes())) return no;
  }
  Draft draft;
  for (int d = 0; d < axis; ++d) draft.add(table.size[d], 0, table.stride[d]);
  for (int d = 0; d < index.rank; ++d) draft.add(index.size[d], index.stride[d], 0);
  for (int d = axis + 1; d < table.rank; ++d) draft.add(table.size[d], 0, table.stride[d]);

  Operand updates;
  if (const Tensor* values = update_tensor(call)) {
    updates = Operand(*values);
    std::int64_t wanted[max_walk_rank];
    std::copy_n(draft.space, draft.rank, wanted);
    if (call.surplus_updates && index.rank == 1 && updates.rank == draft.rank &&
        updates.size[axis] > wanted[axis])
      wanted[axis] = updates.size[axis];
    const Sizes want(wanted, static_cast<std::size_t>(draft.rank));
    if (auto no = check_updates(updates.sizes(), want, call.broadcast)) return no;
  }
  walk.size[0] = table.size[axis];
  walk.step[0] = table.stride[axis];
  if (!walk.scatter)
    if (auto no = set_result(walk, draft.sizes())) return no;
  write_down(walk, draft, updates);
  return {};
}

Refusal plan_nd(const KernelCall& call, Walk& walk) {
  Operand table(call.data);
  const Operand index(call.index);
  const bool names_all =
      !walk.scatter && index.rank > 0 && index.size[index.rank - 1] == 0;  // tuples without elements
  if (!names_all)
    if (auto no = check_has_dimensions("data has", call.data)) return no;
  if (auto no = check_has_dimensions("index has", call.index)) return no;
  if (auto no = check_dtypes(call)) return no;
  if (!walk.scatter)
    if (auto no = check_batch(call, table, index)) return no;
  const int batch = walk.scatter ? 0 : static_cast<int>(call.batch_dims);
  const std::int64_t depth = index.size[index.rank - 1];
  if (walk.scatter && depth > table.rank)
    return refuse("shape", "index has tuples of length {}, data has {} dimensions", depth, table.rank);
  if (!walk.scatter && depth > table.rank - batch)
    return refuse("shape", "index has tuples of length {}, data has {} dimensions behind the batch", depth,
                  table.rank - batch);
  if (walk.scatter) {
    contiguous(table);
    if (auto no = set_result(walk, table.sizes())) return no;
  }
  const int first = batch + static_cast<int>(depth);  // dimensions of data from here on are copied whole
  Draft draft;
  for (int d = 0; d < index.rank - 1; ++d)
    draft.add(index.size[d], index.stride[d], d < batch ? table.stride[d] : 0);
  for (int d = first; d < table.rank; ++d) draft.add(table.size[d], 0, table.stride[d]);

  Operand updates;
  if (const Tensor* values = update_tensor(call)) {
    updates = Operand(*values);
    if (auto no = check_updates(updates.sizes(), draft.sizes(), call.broadcast)) return no;
  }
  walk.depth = static_cast<int>(depth);
  walk.index_step = index.stride[index.rank - 1];
  for (int j = 0; j < walk.depth; ++j) {
    walk.size[j] = table.size[batch + j];
    walk.step[j] = table.stride[batch + j];
  }
  if (!walk.scatter)
    if (auto no = set_result(walk, draft.sizes())) return no;
  write_down(walk, draft, updates);
  return {};
}

void set_pointers(const KernelCall& call, Walk& walk) {
  walk.index = first_element(call.index);
  if (!walk.scatter) {
    walk.table = first_element(call.data);
    return;
  }
  if (const Tensor* updates = update_tensor(call)) {
    walk.stream = first_element(*updates);
    return;
  }
  Tensor one(walk.dtype, {});
  one.set({}, std::get<spec::Scalar>(*call.updates));
  std::memcpy(walk.scalar, one.storage().data(), spec::size_of(walk.dtype));
  walk.stream = walk.scalar;
}

}  // namespace

std::optional<Outcome> make_walk(const KernelCall& call, Walk& walk) {
  walk.rank = 0;
  walk.count = 1;
  walk.depth = 1;
  walk.index_step = 0;
  walk.wrap_negative = call.wrap_negative;
  walk.scatter = call.op == KernelOp::scatter_elements || call.op == KernelOp::scatter_rows ||
                 call.op == KernelOp::scatter_nd;
  walk.dtype = call.data.dtype();
  walk.index_dtype = call.index.dtype();
  walk.combine = call.combine;
  walk.include_start = call.include_start;
  walk.integer_mean = call.integer_mean;
  walk.start_from_data = call.start_from_data;
  walk.table = walk.stream = nullptr;
  Refusal refusal;
  switch (call.op) {
    case KernelOp::scatter_elements:
    case KernelOp::gather_elements:
      refusal = plan_elements(call, walk);
      break;
    case KernelOp::scatter_rows:
    case KernelOp::gather_rows:
      refusal = plan_rows(call, walk);
      break;
    case KernelOp::scatter_nd:
    case KernelOp::gather_nd:
      refusal = plan_nd(call, walk);
      break;
  }
  if (!refusal) set_pointers(call, walk);
  return refusal;
}

std::optional<Outcome> refuse_index(const KernelCall& call, const Walk& walk) {
  if (walk.depth == 0) return {};
  const bool tuples = call.op == KernelOp::scatter_nd || call.op == KernelOp::gather_nd;
  const auto size_at = [&](const spec::Coords& at) { return walk.size[tuples ? at.back() : 0]; };
  const auto at = first_out_of_range(call.index, walk.wrap_negative, size_at);
  if (!at) return {};
  const std::int64_t size = size_at(*at);
  return refuse("index", "index{} is {}, outside [{}, {})", spec::to_string(*at),
                call.index.get(*at).integer(), walk.wrap_negative ? -size : 0, size);
}

Tensor make_result(const KernelCall& call, const Walk& walk) {
  Shape shape(walk.result_shape, walk.result_shape + walk.result_rank);
  if (!walk.scatter) return Tensor(walk.dtype, std::move(shape));
  if (walk.start_from_data) return call.data.contiguous();
  const std::vector<spec::Scalar> values(static_cast<std::size_t>(walk.result_numel),
                                         spec::convert(call.fill, walk.dtype));
  return Tensor(walk.dtype, std::move(shape), values);
}

}  // namespace scatterproof::engines
