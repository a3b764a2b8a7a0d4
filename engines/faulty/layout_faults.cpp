// SPDX-License-Identifier: Apache-2.0
// Faults in finding an element of a tensor: strides, offsets, widths of numbers.
#include <cstdlib>
#include <numeric>

#include "fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

/// A tensor's elements found by other strides and another offset. Positions outside the storage wrap around
/// into it.
Tensor found_by(const Tensor& tensor, const Shape& strides, std::int64_t offset, std::int64_t bits = 63) {
  if (tensor.numel() == 0) return tensor;
  const auto held = static_cast<std::int64_t>(tensor.storage().size() / spec::size_of(tensor.dtype()));
  std::vector<Scalar> values;
  spec::Coords at(tensor.rank(), 0);
  do {
    const std::int64_t place = std::inner_product(at.begin(), at.end(), strides.begin(), offset);
    const auto kept =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(place) & (~std::uint64_t{0} >> (64 - bits)));
    values.push_back(tensor.at_position((kept % held + held) % held));
  } while (spec::next(at, tensor.shape()));
  return Tensor(tensor.dtype(), tensor.shape(), values);
}

Tensor without_strides(const Tensor& tensor) {
  return found_by(tensor, spec::contiguous_strides(tensor.shape()), tensor.offset());
}
Tensor without_offset(const Tensor& tensor) { return found_by(tensor, tensor.strides(), 0); }

Tensor with_positive_strides(const Tensor& tensor) {
  Shape strides = tensor.strides();
  for (std::int64_t& stride : strides) stride = std::abs(stride);
  return found_by(tensor, strides, tensor.offset());
}

Tensor with_last_stride_of_one(const Tensor& tensor) {
  Shape strides = tensor.strides();
  if (!strides.empty()) strides.back() = 1;
  return found_by(tensor, strides, tensor.offset());
}

Tensor column_major(const Tensor& tensor) {
  Shape strides(tensor.rank());
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    strides[d] = stride;
    stride *= tensor.shape()[d];
  }
  return found_by(tensor.contiguous(), strides, 0);
}

/// Positions in 4 bits, as if a tensor of 16 elements were one of 2^32.
Tensor with_narrow_positions(const Tensor& tensor) {
  const Tensor whole = tensor.contiguous();
  return found_by(whole, whole.strides(), 0, 4);
}

Tensor dense_where(bool taken_for_dense, const Tensor& tensor) {
  return taken_for_dense ? without_strides(tensor) : tensor;
}

Tensor with_dense_rows_joined(const Tensor& tensor) {
  return dense_where(tensor.rank() > 0 && tensor.strides().back() == 1, tensor);
}

Tensor with_first_stride_trusted(const Tensor& tensor) {
  const Shape dense = spec::contiguous_strides(tensor.shape());
  return dense_where(tensor.rank() > 1 && tensor.strides().front() == dense.front(), tensor);
}

Tensor without_zero_strides(const Tensor& tensor) {
  Shape strides = tensor.strides();
  const Shape dense = spec::contiguous_strides(tensor.shape());
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (strides[d] == 0) strides[d] = dense[d];
  return found_by(tensor, strides, tensor.offset());
}

Tensor with_axes_of_one_merged(const Tensor& tensor) {
  Shape strides = tensor.strides();
  for (std::size_t d = 1; d < strides.size(); ++d)
    if (tensor.shape()[d] == 1) strides[d - 1] = strides[d];
  return found_by(tensor, strides, tensor.offset());
}

Tensor from_aligned_offset(const Tensor& tensor) {
  return found_by(tensor, tensor.strides(), tensor.offset() / 4 * 4);
}

/// Does something to data, index and updates.
void each_tensor(Reading& reading, Tensor (*change)(const Tensor&)) {
  reading.call.data = change(reading.call.data);
  reading.call.index = change(reading.call.index);
  if (Tensor* updates = update_tensor(reading.call)) *updates = change(*updates);
}

void updates_only(Reading& reading, Tensor (*change)(const Tensor&)) {
  if (Tensor* updates = update_tensor(reading.call)) *updates = change(*updates);
}

constexpr Fault layout_table[] = {
    in_read("index-strides-ignored", "The index is read as if it were contiguous.",
            [](Reading& r) { r.call.index = without_strides(r.call.index); }),
    in_read("updates-strides-ignored", "The updates are read as if they were contiguous.",
            [](Reading& r) { updates_only(r, without_strides); }),
    in_read("data-strides-ignored", "The data is read as if it were contiguous.",
            [](Reading& r) { r.call.data = without_strides(r.call.data); }),
    in_read("index-offset-ignored",
            "The index is read from the beginning of its storage, not from its offset.",
            [](Reading& r) { r.call.index = without_offset(r.call.index); }),
    in_read("updates-offset-ignored", "The updates are read from the beginning of their storage.",
            [](Reading& r) { updates_only(r, without_offset); }),
    in_read("data-offset-ignored", "The data is read from the beginning of its storage.",
            [](Reading& r) { r.call.data = without_offset(r.call.data); }),
    in_read("negative-stride-positive", "A tensor laid out backwards is read forwards from where it begins.",
            [](Reading& r) { each_tensor(r, with_positive_strides); }),
    in_read("last-stride-one", "The last dimension of every tensor is taken to be contiguous.",
            [](Reading& r) { each_tensor(r, with_last_stride_of_one); }),
    in_read("index-column-major", "The index is read column by column.",
            [](Reading& r) { r.call.index = column_major(r.call.index); }),
    in_read("updates-column-major", "The updates are read column by column.",
            [](Reading& r) { updates_only(r, column_major); }),
    in_read("data-column-major", "The data is read column by column.",
            [](Reading& r) { r.call.data = column_major(r.call.data); }),
    in_read(
        "rows-taken-for-dense",
        "A tensor whose last stride is 1 is read as if it were contiguous, whatever lies between its rows.",
        [](Reading& r) { each_tensor(r, with_dense_rows_joined); }),
    in_read("first-stride-taken-for-dense",
            "A tensor whose first stride is that of a contiguous one is read as if it were one.",
            [](Reading& r) { each_tensor(r, with_first_stride_trusted); }),
    in_read("data-by-index-strides", "The data is read by the strides of an index of as many dimensions.",
            [](Reading& r) {
              if (r.call.data.rank() == r.call.index.rank())
                r.call.data = found_by(r.call.data, r.call.index.strides(), r.call.data.offset());
            }),
    in_read("updates-by-index-strides",
            "The updates are read by the strides of an index of as many dimensions.",
            [](Reading& r) {
              if (Tensor* u = update_tensor(r.call); u && u->rank() == r.call.index.rank())
                *u = found_by(*u, r.call.index.strides(), u->offset());
            }),
    in_read("updates-by-data-strides", "The updates are read by the strides of data of as many dimensions.",
            [](Reading& r) {
              if (Tensor* u = update_tensor(r.call); u && u->rank() == r.call.data.rank())
                *u = found_by(*u, r.call.data.strides(), u->offset());
            }),
    in_read("zero-stride-as-dense", "A stride of 0 is taken for that of a contiguous tensor.",
            [](Reading& r) { each_tensor(r, without_zero_strides); }),
    in_read("axis-of-one-merged",
            "An axis of one element is merged with the one before, and its stride serves for both.",
            [](Reading& r) { each_tensor(r, with_axes_of_one_merged); }),
    in_read("offset-aligned-down", "A tensor is read from the last multiple of 4 elements before its offset.",
            [](Reading& r) { each_tensor(r, from_aligned_offset); }),
    in_read("offset-overflow-updates",
            "The position of an update overflows; in 4 bits here, for the 32 of a kernel, so that small "
            "calls show it.",
            [](Reading& r) { updates_only(r, with_narrow_positions); }),
    in_read("offset-overflow-data", "The position of an element of the data overflows; in 4 bits here.",
            [](Reading& r) { r.call.data = with_narrow_positions(r.call.data); }),
    in_read("offset-overflow-index", "The position of an element of the index overflows; in 4 bits here.",
            [](Reading& r) { r.call.index = with_narrow_positions(r.call.index); }),
    in_move("offset-overflow-result", "The position of a cell of the result overflows; in 4 bits here.",
            [](Moving& m) {
              for (Move& move : m.moves) move.to &= 15;
            }),
};

}  // namespace

std::span<const Fault> layout_faults() { return layout_table; }

}  // namespace scatterproof::engines::faulty
