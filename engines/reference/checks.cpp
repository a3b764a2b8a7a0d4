// SPDX-License-Identifier: Apache-2.0
// The checks: each refuses with the kind that the documents' rules require of a native engine.
#include "checks.hpp"

#include <algorithm>
#include <variant>

namespace scatterproof::engines::reference {
namespace {

using spec::Combiner;
using spec::DType;

/// Truth values have no mean, complex numbers no order.
Refusal check_combiner(Combiner combine, DType dtype) {
  if (combine == Combiner::mean && dtype == DType::boolean) return refuse("dtype", "bool has no mean");
  const bool orders = combine == Combiner::amax || combine == Combiner::amin;
  if (orders && spec::is_complex(dtype))
    return refuse("dtype", "{} has no order, so no largest or smallest", spec::name(dtype));
  return {};
}

bool accepts(const KernelCall& call, DType index_dtype) {
  if (call.index_dtypes.empty()) return index_dtype == DType::i32 || index_dtype == DType::i64;
  return std::find(call.index_dtypes.begin(), call.index_dtypes.end(), index_dtype) !=
         call.index_dtypes.end();
}

// Rule index-in-range of: mindspore.mint.gather, mindspore.ops.tensor_scatter_add,
// mindspore.ops.tensor_scatter_max, mindspore.ops.tensor_scatter_min, mindspore.ops.tensor_scatter_update,
// numpy.add.at, numpy.logical_and.at, numpy.logical_or.at, numpy.maximum.at, numpy.minimum.at,
// numpy.multiply.at, numpy.ndarray.__getitem__,
// numpy.ndarray.__setitem__, numpy.put_along_axis, numpy.take_along_axis, onnx.Gather, onnx.GatherElements,
// onnx.GatherND, onnx.ScatterElements, tensorflow.gather_nd, tensorflow.tensor_scatter_nd_add,
// tensorflow.tensor_scatter_nd_max, tensorflow.tensor_scatter_nd_update, torch.Tensor.scatter_,
// torch.Tensor.scatter_.value, torch.Tensor.scatter_add_, torch.Tensor.scatter_reduce_, torch.gather,
// torch.scatter_reduce.v1_11
// Rule index-not-negative of: mindspore.mint.scatter
Refusal check_index_value(std::int64_t value, const Coords& at, std::int64_t size, bool wrap_negative) {
  const std::int64_t lowest = wrap_negative ? -size : 0;
  if (value >= lowest && value < size) return {};
  return refuse("index", "index{} is {}, outside [{}, {})", spec::to_string(Shape(at.begin(), at.end())),
                value, lowest, size);
}

}  // namespace

// Rule axis-range of: mindspore.Tensor.index_add
// Rule dim-range of: mindspore.mint.gather, mindspore.mint.index_add, torch.gather,
// torch.scatter_reduce.v1_11,
// torch.Tensor.index_copy_, torch.Tensor.scatter_, torch.Tensor.scatter_.value, torch.Tensor.scatter_add_,
// torch.Tensor.scatter_reduce_
Refusal check_axis(std::int64_t axis, std::size_t rank) {
  const auto r = static_cast<std::int64_t>(rank);
  if (axis >= -r && axis < r) return {};
  return refuse("axis", "axis {} is outside [{}, {})", axis, -r, r);
}

std::size_t from_front(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

Refusal check_dtypes(const KernelCall& call) {
  const DType dtype = call.data.dtype();
  if (!accepts(call, call.index.dtype()))
    return refuse("dtype", "index of dtype {} is not accepted", spec::name(call.index.dtype()));
  if (!call.updates) return {};
  const auto* updates = std::get_if<Tensor>(&*call.updates);
  if (updates && updates->dtype() != dtype)
    return refuse("dtype", "updates are {}, data is {}", spec::name(updates->dtype()), spec::name(dtype));
  return check_combiner(call.combine, dtype);
}

Refusal check_index(const Tensor& index, std::int64_t size, bool wrap_negative) {
  const std::int64_t lowest = wrap_negative ? -size : 0;
  const bool all_inside = spec::every_run(index, [&](spec::ElementRun run) {
    for (; run.count > 0; --run.count, run.position += run.stride)
      if (const std::int64_t value = spec::load_integer(index, run.position); value < lowest || value >= size)
        return false;
    return true;
  });
  if (all_inside) return {};
  Refusal refusal;
  for_each_position(index.shape(), [&](const Coords& at) {
    if (!refusal) refusal = check_index_value(index.get(span_of(at)).integer(), at, size, wrap_negative);
  });
  return refusal;
}

Refusal check_index_tuples(const Tensor& index, std::span<const std::int64_t> sizes, bool wrap_negative) {
  Refusal refusal;
  for_each_position(index.shape(), [&](const Coords& at) {
    const std::int64_t size = sizes[static_cast<std::size_t>(at.back())];
    if (!refusal) refusal = check_index_value(index.get(span_of(at)).integer(), at, size, wrap_negative);
  });
  return refusal;
}

Refusal check_dimensions(const KernelCall& call) {
  if (!call.needs_dimensions) return {};
  // Rule input-has-dimension of: mindspore.mint.gather, mindspore.mint.scatter
  if (call.data.rank() == 0) return refuse("rank", "data has 0 dimensions, at least 1 is needed");
  // Rule index-has-dimension of: mindspore.mint.scatter
  if (call.index.rank() == 0) return refuse("rank", "index has 0 dimensions, at least 1 is needed");
  const auto* updates = call.updates ? std::get_if<Tensor>(&*call.updates) : nullptr;
  // Rule src-has-dimension of: mindspore.mint.scatter
  if (updates && updates->rank() == 0)
    return refuse("rank", "updates have 0 dimensions, at least 1 is needed");
  return {};
}

Refusal check_off_axis(const KernelCall& call, const Tensor& data, const Tensor& index, std::size_t axis) {
  for (std::size_t d = 0; d < data.rank(); ++d) {
    if (d == axis) continue;
    const std::int64_t have = data.shape()[d];
    const std::int64_t want = index.shape()[d];
    // Rule index-within-input of: mindspore.mint.gather, torch.gather
    // Rule index-within-self of: torch.Tensor.scatter_, torch.Tensor.scatter_.value,
    // torch.Tensor.scatter_add_,
    // torch.Tensor.scatter_reduce_
    // Rule indices-broadcast of: numpy.put_along_axis, numpy.take_along_axis
    if (call.broadcast ? want != have && want != 1 && have != 1 : want > have)
      return refuse("shape", "index has size {} in dimension {}, data has {}", want, d, have);
    if (call.index_equals_data && want != have)
      return refuse("shape", "index has size {} in dimension {}, but must have data's {}", want, d, have);
  }
  return {};
}

Shape elements_space(const KernelCall& call, const Tensor& data, const Tensor& index, std::size_t axis) {
  Shape space = index.shape();
  for (std::size_t d = 0; call.broadcast && d < space.size(); ++d)
    if (d != axis && space[d] == 1) space[d] = data.shape()[d];
  return space;
}

Refusal check_rows(const KernelCall& call) {
  // Rule x-has-dimension of: mindspore.Tensor.index_add
  if (call.data.rank() == 0) return refuse("rank", "data has 0 dimensions, at least 1 is needed");
  if (auto no = check_axis(call.axis, call.data.rank())) return no;
  return check_dtypes(call);
}

Shape rows_space(const KernelCall& call, std::size_t axis) {
  const Shape& sizes = call.data.shape();
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(axis);
  Shape space(sizes.begin(), at);
  space.insert(space.end(), call.index.shape().begin(), call.index.shape().end());
  space.insert(space.end(), at + 1, sizes.end());
  return space;
}

Refusal check_updates_shape(const Tensor& updates, const Shape& wanted, bool broadcast) {
  const Shape& shape = updates.shape();
  // Rule index-vector of: mindspore.mint.index_add, torch.Tensor.index_add_, torch.Tensor.index_copy_,
  // torch.Tensor.index_reduce_
  // Rule indices-vector of: mindspore.Tensor.index_add
  // Rule same-rank of: mindspore.Tensor.index_add, mindspore.mint.index_add, torch.Tensor.index_add_,
  // torch.Tensor.index_copy_, torch.Tensor.index_reduce_
  if (!broadcast && shape.size() != wanted.size())
    return refuse("rank", "updates have {} dimensions, {} are needed", shape.size(), wanted.size());
  if (shape.size() > wanted.size())
    return refuse("rank", "updates have {} dimensions, at most {} fit", shape.size(), wanted.size());
  const std::size_t ahead = wanted.size() - shape.size();
  for (std::size_t d = 0; d < shape.size(); ++d)
    // Rule source-fits-input of: mindspore.mint.index_add
    // Rule y-fits-x of: mindspore.Tensor.index_add
    // Rule y-per-index of: mindspore.Tensor.index_add
    // Rule source-fits-self of: torch.Tensor.index_add_, torch.Tensor.index_copy_,
    // torch.Tensor.index_reduce_
    // Rule source-per-index of: mindspore.mint.index_add, torch.Tensor.index_add_,
    // torch.Tensor.index_copy_, torch.Tensor.index_reduce_
    // Rule same-shape of: torch.scatter_reduce.v1_11
    if (shape[d] != wanted[ahead + d] && !(broadcast && shape[d] == 1))
      return refuse("shape", "updates have sizes {}, {} are needed", spec::to_string(shape),
                    spec::to_string(wanted));
  return {};
}

Refusal check_result_shape(const Shape& shape) {
  if (shape.size() > spec::max_rank)
    return refuse("value", "the result would have {} dimensions, at most {} are possible", shape.size(),
                  spec::max_rank);
  const auto elements = spec::checked_numel(shape);
  if (!elements || *elements > spec::max_numel)
    return refuse("value", "a result of sizes {} is too large", spec::to_string(shape));
  return {};
}

std::int64_t index_at(const Tensor& index, const Coords& at, std::int64_t size) {
  return from_front(spec::load_integer(index, index.position(span_of(at))), size);
}

Tensor at_least_vector(const Tensor& tensor) {
  if (tensor.rank() > 0) return tensor;
  return *Tensor::view(tensor.dtype(), {1}, {1}, tensor.offset(), tensor.shared_storage());
}

Stretched::Stretched(const Tensor& tensor) : tensor_(tensor) {
  for (std::size_t d = 0; d < tensor.rank(); ++d)
    steps_.push_back(tensor.shape()[d] == 1 ? 0 : tensor.strides()[d]);
}

std::int64_t Stretched::position(const Coords& p) const {
  const std::size_t ahead = p.size() - steps_.size();
  std::int64_t position = tensor_.offset();
  for (std::size_t d = 0; d < steps_.size(); ++d) position += p[ahead + d] * steps_[d];
  return position;
}

Updates::Updates(const KernelCall& call) {
  if (const auto* tensor = std::get_if<Tensor>(&*call.updates))
    tensor_.emplace(*tensor);
  else
    scalar_ = spec::convert(std::get<spec::Scalar>(*call.updates), call.data.dtype());
}

}  // namespace scatterproof::engines::reference
