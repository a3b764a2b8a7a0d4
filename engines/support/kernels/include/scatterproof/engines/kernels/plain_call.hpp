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

/// A call as a kernel gets it, or the question for its gradients.
struct PlainCall {
  KernelOp op = KernelOp::gather_elements;
  bool gradient = false;   ///< it asks for gradients
  std::string attributes;  ///< JSON
  std::vector<spec::Tensor>
      inputs;            ///< views into the call's own tensors where these have the values; any layout
  bool strided = false;  ///< the inputs are handed over as they are laid out, else contiguous
  /// A call has one, a scatter's with its start values: contiguous, unless the kernel takes any layout. A
  /// question for gradients has those of the kernel's data, then of its updates if there are any.
  std::vector<spec::Tensor> outputs;
  std::vector<spec::Shape> result_shapes;  ///< of what the API gives, with as many elements as the outputs
  bool has_gradient = false;               ///< the kernel that takes the call computes its gradients too
};

/// The call as the kernels get it, or why they do not get it: none of them covers the call, or the call
/// breaks a rule and the kernel leaves rules of this kind to its caller.
std::variant<PlainCall, std::string> plain_call(const KernelCall& call, const OfferedKernels& kernels,
                                                int threads);
/// The question for the gradients of a call that gave a result (`result`: as the API gives it).
PlainCall gradient_call(const PlainCall& forward, const spec::Tensor& result, const spec::Tensor& cotangent);

/// The same as the first for a call of the API that `spec` documents.
std::variant<PlainCall, std::string> plain_call(const spec::OpSpec& spec, const spec::Call& call,
                                                const OfferedKernels& kernels, int threads);

/// The APIs whose specs lower to an operation that one of the kernels has.
std::vector<std::string> apis_of(const OfferedKernels& kernels, const spec::SpecLibrary& specs);

}  // namespace scatterproof::engines
