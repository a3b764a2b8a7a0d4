// SPDX-License-Identifier: Apache-2.0
// The reference engine: the operation that a call names, run as it stands.
#include "scatterproof/engines/reference/reference.hpp"

#include "gradients.hpp"
#include "kernels.hpp"
#include "scatterproof/engines/native/built_in.hpp"
#include "scatterproof/engines/native/native.hpp"

namespace scatterproof::engines {

std::vector<BuiltInEngine> reference_engines() {
  return {{.name = "reference",
           .description = "the scalar reference: one plain loop an operation",
           .runs = make_reference}};
}

std::unique_ptr<Engine> make_reference(const spec::SpecLibrary& specs) {
  return make_native_engine("reference", "cpu", run_reference_kernel, specs,
                            {reference::gradients, reference::tangent});
}

spec::Outcome run_reference_kernel(const KernelCall& call) {
  switch (call.op) {
    case KernelOp::scatter_elements:
      return reference::scatter_elements(call);
    case KernelOp::scatter_rows:
      return reference::scatter_rows(call);
    case KernelOp::scatter_nd:
      return reference::scatter_nd(call);
    case KernelOp::gather_elements:
      return reference::gather_elements(call);
    case KernelOp::gather_rows:
      return reference::gather_rows(call);
    case KernelOp::gather_nd:
      break;
  }
  return reference::gather_nd(call);
}

}  // namespace scatterproof::engines
