// SPDX-License-Identifier: Apache-2.0
// The form that all six canonical operations share: a walk over positions that moves elements between a
// table, addressed through the index, and a stream, addressed by the position alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/spec/core/dtype.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::engines {

inline constexpr int max_walk_rank = 2 * static_cast<int>(spec::max_rank);
inline constexpr int max_depth = static_cast<int>(spec::max_rank);

/// A checked call as strides. For each position p of `shape`, row-major (the documents' order), with
///   row(p)    = sum over j < depth of  i_j * step[j],   i_j = index[sum(p * index_stride) + j * index_step],
///               where an i_j below 0 counts from size[j]
///   table(p)  = sum(p * table_stride) + row(p)
///   stream(p) = sum(p * stream_stride)
/// a scatter does  out[table(p)] (+)= updates[stream(p)],  a gather  out[stream(p)] = data[table(p)]. All
/// strides are in elements and relative to the pointers, which point into the call's tensors: the call must
/// outlive the walk. A walk is not copied (it contains a scalar update). Dimensions of size 1 are removed,
/// and neighbours with the same step in all three operands are merged: a contiguous 1-D call has rank 1; rows
/// of K elements have a last dimension of K with an index_stride of 0.
struct Walk {
  int rank = 0;
  std::int64_t shape[max_walk_rank];
  std::int64_t index_stride[max_walk_rank];
  std::int64_t table_stride[max_walk_rank];
  std::int64_t stream_stride[max_walk_rank];
  std::int64_t count = 1;  ///< positions: the product of shape

  int depth = 1;  ///< numbers in one index; 0 for tuples of length 0, which name the whole table
  std::int64_t index_step = 0;
  std::int64_t
      size[max_depth];  ///< each i_j lies in [0, size[j]), or [-size[j], size[j]) when negatives wrap
  std::int64_t step[max_depth];
  bool wrap_negative = false;

  bool scatter = false;
  const std::byte* index = nullptr;
  const std::byte* table = nullptr;   ///< gathers: data. Scatters: null, the table is the result
  const std::byte* stream = nullptr;  ///< scatters: updates. Gathers: null, the stream is the result
  alignas(16) std::byte scalar[16];   ///< what `stream` points to when the updates are one number

  spec::DType dtype = spec::DType::f32;
  spec::DType index_dtype = spec::DType::i64;
  spec::Combiner combine = spec::Combiner::assign;
  bool include_start = true;
  spec::IntegerMean integer_mean = spec::IntegerMean::floor;

  int result_rank = 0;  ///< of the result, which is contiguous
  std::int64_t result_shape[spec::max_rank];
  std::int64_t result_numel = 0;
  bool start_from_data = true;  ///< scatters: the result starts as data, else as `fill` everywhere

  Walk() = default;
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
};

/// Checks everything about the call except the values of its index, and fills in `walk`. Empty, or a Refused
/// of the same kind as the reference's. Allocates nothing unless it refuses, converts a scalar update, or
/// must find the largest index (scatters whose result has no size of its own). `call` must outlive `walk`.
std::optional<spec::Outcome> make_walk(const KernelCall& call, Walk& walk);

/// The refusal for the first value of the call's index, in row-major order, that is out of range; empty when
/// all are in range. A plain loop: engines detect the error fast by themselves, and call this for the
/// message.
std::optional<spec::Outcome> refuse_index(const KernelCall& call, const Walk& walk);

/// A tensor of the result's shape: a scatter's start values, or zeros.
spec::Tensor make_result(const KernelCall& call, const Walk& walk);

}  // namespace scatterproof::engines
