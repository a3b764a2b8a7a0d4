// SPDX-License-Identifier: Apache-2.0
// The engine around the kernels: lowers a call by its spec's kernel entry and runs the operation it names.
#include "scatterproof/engines/reference.hpp"

#include <variant>

#include "kernels.hpp"

namespace scatterproof::engines {
namespace {

using spec::Outcome;

class Reference final : public InProcessEngine {
 public:
  explicit Reference(const spec::SpecLibrary& specs) : specs_(specs) {
    info_ = {.name = "reference",
             .framework = "",
             .version = SCATTERPROOF_VERSION,
             .device = "cpu",
             .apis = {},
             .dtypes = {}};
    for (const spec::OpSpec& spec : specs.all())
      if (!spec.kernel.op.empty()) info_.apis.push_back(spec.api);
    for (spec::DType dtype : spec::all_dtypes) info_.dtypes.emplace_back(spec::name(dtype));
  }

  const EngineInfo& info() const override { return info_; }

  Support supports(const spec::Call& call) const override {
    const spec::OpSpec* spec = specs_.find(call.api);
    if (!spec) return {false, "no spec of this name"};
    if (spec->kernel.op.empty()) return {false, "the spec names no kernel"};
    return {};
  }

 private:
  Outcome do_call(const spec::Call& call) override {
    if (const Support support = supports(call); !support.yes) return {spec::Unsupported{support.reason}, 0};
    auto lowered = lower(*specs_.find(call.api), call);
    if (auto* refusal = std::get_if<Outcome>(&lowered)) return *refusal;
    return run_reference_kernel(std::get<KernelCall>(lowered));
  }

  const spec::SpecLibrary& specs_;
  EngineInfo info_;
};

}  // namespace

std::unique_ptr<Engine> make_reference(const spec::SpecLibrary& specs) {
  return std::make_unique<Reference>(specs);
}

Outcome run_reference_kernel(const KernelCall& call) {
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
