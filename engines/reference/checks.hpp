// SPDX-License-Identifier: Apache-2.0
// What the six kernels check before they write anything, and the walk they share.
//
// A comment `Rule ID of: API, ...` stands at the check that enforces this rule of spec/data/ops for native
// engines.
#pragma once

#include <fmt/format.h>

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::engines::reference {

using spec::Outcome;
using spec::Shape;
using spec::Tensor;

/// A position of an iteration space. Walks are long and positions short, so positions are not allocated.
using Coords = boost::container::static_vector<std::int64_t, 2 * spec::max_rank>;
inline std::span<const std::int64_t> span_of(const Coords& at) { return {at.data(), at.size()}; }

/// Why a kernel refuses; empty when a check passes.
using Refusal = std::optional<Outcome>;

/// A refusal of one of the kinds of docs/understand/terms.md, with one sentence that names the numbers.
template <class... Args>
Outcome refuse(const char* kind, fmt::format_string<Args...> sentence, Args&&... args) {
  return Outcome{spec::Refused{{kind}, fmt::format(sentence, std::forward<Args>(args)...)}, 0};
}

/// Refuses an axis outside [-rank, rank).
Refusal check_axis(std::int64_t axis, std::size_t rank);
/// The axis counted from the front. Precondition: check_axis passed.
std::size_t from_front(std::int64_t axis, std::size_t rank);

/// Refuses an index dtype that is not accepted, updates of another dtype than data, and a combiner that the
/// dtype has no meaning for.
Refusal check_dtypes(const KernelCall& call);

/// Refuses a value of `index` outside [0, size), or outside [-size, size) when negative ones wrap.
Refusal check_index(const Tensor& index, std::int64_t size, bool wrap_negative);
/// Same for the tuples in the last dimension of `index`: coordinate j indexes `sizes[j]`.
Refusal check_index_tuples(const Tensor& index, std::span<const std::int64_t> sizes, bool wrap_negative);

/// Elementwise operations: refuses tensors without dimensions where the document requires dimensions.
Refusal check_dimensions(const KernelCall& call);
/// Elementwise operations: refuses sizes of index that do not go with data's off the axis. Both have the same
/// rank.
Refusal check_off_axis(const KernelCall& call, const Tensor& data, const Tensor& index, std::size_t axis);
/// The positions they run over: the index's sizes, those of 1 off the axis stretched to data's when
/// broadcasting.
Shape elements_space(const KernelCall& call, const Tensor& data, const Tensor& index, std::size_t axis);

/// Operations on rows: refuses data without dimensions, and what check_axis and check_dtypes refuse.
Refusal check_rows(const KernelCall& call);
/// The positions they run over: data's sizes with those of index in the axis's place.
Shape rows_space(const KernelCall& call, std::size_t axis);

/// Refuses updates whose shape is not `wanted`, or, with `broadcast`, cannot be stretched to it.
Refusal check_updates_shape(const Tensor& updates, const Shape& wanted, bool broadcast);

/// Refuses a result of too many dimensions or elements.
Refusal check_result_shape(const Shape& shape);

/// An index value counted from the front.
inline std::int64_t from_front(std::int64_t index, std::int64_t size) {
  return index < 0 ? index + size : index;
}
/// One index value, counted from the front.
std::int64_t index_at(const Tensor& index, const Coords& at, std::int64_t size);

/// A tensor without dimensions as a vector of length 1; others as they are.
Tensor at_least_vector(const Tensor& tensor);

/// A tensor stretched to an iteration space: its dimensions are the last ones, coordinate 0 where its size is
/// 1.
class Stretched {
 public:
  /// The tensor must outlive it.
  explicit Stretched(const Tensor& tensor);
  spec::Scalar at(const Coords& p) const { return tensor_.at_position(position(p)); }
  /// Of a tensor of integers.
  std::int64_t integer_at(const Coords& p) const { return spec::load_integer(tensor_, position(p)); }
  /// In the storage.
  std::int64_t position(const Coords& p) const;
  /// The same with another coordinate along an axis. Precondition: as many dimensions as `p` has.
  std::int64_t position(const Coords& p, std::size_t axis, std::int64_t coordinate) const {
    return position(p) + (coordinate - p[axis]) * steps_[axis];
  }

 private:
  const Tensor& tensor_;
  Coords steps_;  ///< the strides, 0 where the size is 1
};

/// The updates of a call at the positions of the iteration space; a scalar is the same everywhere.
class Updates {
 public:
  explicit Updates(const KernelCall& call);
  spec::Scalar at(const Coords& p) const { return tensor_ ? tensor_->at(p) : scalar_; }

 private:
  std::optional<Stretched> tensor_;
  spec::Scalar scalar_;
};

/// Calls `visit` with each position of a shape, row-major.
template <class Visit>
void for_each_position(const Shape& shape, Visit visit) {
  if (spec::numel(shape) == 0) return;
  Coords at(shape.size(), 0);
  for (std::size_t d = shape.size();;) {
    visit(std::as_const(at));
    for (d = shape.size(); d > 0 && ++at[d - 1] == shape[d - 1]; --d) at[d - 1] = 0;
    if (d == 0) return;
  }
}

}  // namespace scatterproof::engines::reference
