// SPDX-License-Identifier: Apache-2.0
// From a documented API's call in kernel terms to what a user's kernel gets: the same call after everything
// that a kernel's caller does (scatterproof/kernel_abi.h, "Shapes").
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scatterproof/engines/kernels/capabilities.hpp"
#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// A call as a kernel gets it.
struct PlainCall {
  KernelOp op = KernelOp::gather_elements;
  std::string attributes;  ///< JSON
  std::vector<spec::Tensor>
      inputs;                ///< views into the call's own tensors where these have the values; any layout
  bool strided = false;      ///< the inputs are handed over as they are laid out, else contiguous
  spec::Tensor output;       ///< a scatter's start values; contiguous, unless the kernel takes any layout
  spec::Shape result_shape;  ///< of the API's result, with as many elements as `output`
};

/// The call as the kernels get it, or why they do not get it: none of them covers the call, or the call
/// breaks a rule and the kernel leaves rules of this kind to its caller.
std::variant<PlainCall, std::string> plain_call(const KernelCall& call, const OfferedKernels& kernels,
                                                int threads);
/// The same for a call of the API that `spec` documents.
std::variant<PlainCall, std::string> plain_call(const spec::OpSpec& spec, const spec::Call& call,
                                                const OfferedKernels& kernels, int threads);

}  // namespace scatterproof::engines
