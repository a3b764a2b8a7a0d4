// SPDX-License-Identifier: Apache-2.0
// The canonical operations that every documented API lowers to, and the lowering.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/combiner.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

enum class KernelOp : std::uint8_t {
  scatter_elements,  ///< out[p with axis = index[p]] (+)= updates[p]
  scatter_rows,      ///< out[a ++ index[i] ++ b] (+)= updates[a ++ i ++ b] along axis; index of any rank
  scatter_nd,        ///< out[index[q, :] ++ t] (+)= updates[q ++ t]
  gather_elements,   ///< out[p] = data[p with axis = index[p]]
  gather_rows,       ///< out[a ++ i ++ b] = data[a ++ index[i] ++ b]; index of any rank
  gather_nd          ///< out[q ++ t] = data[q[:batch] ++ index[q, :] ++ t]
};

/// `scatter_elements` and so on, as specs and kernel libraries write it.
std::string_view name(KernelOp op);
std::optional<KernelOp> parse_kernel_op(std::string_view word);
bool is_scatter(KernelOp op);

/// A call in the kernels' terms: everything an engine needs, arguments resolved, policies spelled out.
struct KernelCall {
  KernelOp op = KernelOp::gather_elements;
  spec::Tensor data;  ///< what is scattered into or gathered from
  spec::Tensor index;
  std::optional<std::variant<spec::Tensor, spec::Scalar>>
      updates;                  ///< scatter only; a scalar stands for a full tensor
  std::int64_t axis = 0;        ///< may be negative: counts from the end
  std::int64_t batch_dims = 0;  ///< gather_nd
  spec::Combiner combine = spec::Combiner::assign;
  bool include_start = true;  ///< false: touched cells combine the contributions alone (sums from +0)
  bool start_from_data =
      true;  ///< false: result starts as `fill`, of size `output_size` along axis (torch 1.11)
  spec::Scalar fill;
  std::optional<std::int64_t> output_size;  ///< with start_from_data == false; absent: max(index) + 1
  bool wrap_negative = false;               ///< index in [-s, -1] counts from the end
  bool index_equals_updates = false;  ///< updates' sizes must equal the index's (else: index within updates)
  bool index_equals_data = false;     ///< off-axis sizes of index must equal data's (else: within)
  bool broadcast = false;        ///< numpy: off-axis sizes of 1 in index (and updates, data) are stretched
  bool surplus_updates = false;  ///< scatter_rows: more update rows than indices are ignored
  spec::IntegerMean integer_mean = spec::IntegerMean::floor;
  bool needs_dimensions = false;          ///< elementwise: rank 0 is refused (else: a vector of length 1)
  bool empty_index_unchecked = false;     ///< an index without elements: no check of ranks and sizes
  std::vector<spec::DType> index_dtypes;  ///< accepted index dtypes; empty: i32 and i64
};

/// The call in kernel terms, or why not: a Refused{value} when an argument has no kernel meaning, an
/// Unsupported when the spec names no operation.
std::variant<KernelCall, spec::Outcome> lower(const spec::OpSpec& spec, const spec::Call& call);

}  // namespace scatterproof::engines
