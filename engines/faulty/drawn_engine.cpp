// SPDX-License-Identifier: Apache-2.0
// Engines with drawn faults: one that stands alone, and many on the same calls.
#include <utility>

#include "drawn.hpp"
#include "scatterproof/engines/native/native.hpp"

namespace scatterproof::engines {
namespace {

using faulty::Facts;
using faulty::Memory;
using faulty::Stages;
using spec::Tensor;

/// What goes wrong in a call that meets the condition.
Stages stages_of(const DrawnFault& fault, const Memory& memory) {
  const auto* state = faulty::find_state_fault(fault.effect);
  if (!state) return faulty::stages_of(*faulty::find_fault(fault.effect));
  return memory.previous ? state->stages(memory) : Stages{};
}

faulty::GradientStages gradient_stages_of(const DrawnFault& fault, const Memory& memory) {
  const auto* state = faulty::find_gradient_state_fault(fault.effect);
  if (!state) return faulty::stages_of(*faulty::find_gradient_fault(fault.effect));
  return memory.gradients ? state->stages(memory) : faulty::GradientStages{};
}

std::unique_ptr<Engine> make_drawn_of_gradients(const DrawnFault& fault, const spec::SpecLibrary& specs) {
  auto memory = std::make_shared<Memory>();
  return faulty::make_gradient_engine(
      "faulty:" + fault.name, specs,
      [fault, memory](const KernelCall& call) {
        const bool strikes = Facts(call, *memory).hold(fault.condition);
        return strikes ? gradient_stages_of(fault, *memory) : faulty::GradientStages{};
      },
      [memory](const KernelCall& call, const Tensor& cotangent, KernelGradients made) {
        memory->remember(call, cotangent, std::move(made));
      });
}

}  // namespace

std::unique_ptr<Engine> make_drawn(const DrawnFault& fault, const spec::SpecLibrary& specs) {
  if (is_of_gradients(fault)) return make_drawn_of_gradients(fault, specs);
  return make_native_engine(
      "faulty:" + fault.name, "cpu",
      [fault, memory = std::make_shared<Memory>()](const KernelCall& call) {
        const bool strikes = Facts(call, *memory).hold(fault.condition);
        spec::Outcome outcome = faulty::execute(call, strikes ? stages_of(fault, *memory) : Stages{});
        memory->remember(call, outcome);
        return outcome;
      },
      specs);
}

struct DrawnEngines::Impl {
  Impl(const std::vector<DrawnFault>& drawn, const spec::SpecLibrary& specs) : faults(drawn) {
    for (const DrawnFault& fault : faults) engines.push_back(make(fault, specs));
    // Executes a call without a fault, and finds which of those asked for it meets.
    probe = make_native_engine("faulty:none", "cpu",
                               [this](const KernelCall& call) {
                                 Facts facts(call, memory);
                                 for (const std::size_t fault : asked)
                                   if (facts.hold(faults[fault].condition)) met.push_back(fault);
                                 spec::Outcome outcome = faulty::execute(call, {});
                                 before = call;
                                 return outcome;
                               },
                               specs, {.gradients = [this](const KernelCall& call, const Tensor& cotangent) {
                                 KernelGradients made = faulty::gradients(call, cotangent, {});
                                 gradients_before = {cotangent, made};
                                 return made;
                               }});
  }

  std::unique_ptr<Engine> make(const DrawnFault& fault, const spec::SpecLibrary& specs) {
    if (is_of_gradients(fault))
      return faulty::make_gradient_engine("faulty:" + fault.name, specs, [this, &fault](const KernelCall&) {
        return gradient_stages_of(fault, memory);
      });
    return make_native_engine(
        "faulty:" + fault.name, "cpu",
        [this, &fault](const KernelCall& call) { return faulty::execute(call, stages_of(fault, memory)); },
        specs);
  }

  const std::vector<DrawnFault> faults;
  std::vector<std::unique_ptr<Engine>> engines;
  std::unique_ptr<Engine> probe;
  Memory memory;
  std::span<const std::size_t> asked;
  std::vector<std::size_t> met;
  std::optional<KernelCall> before;  ///< the call as the probe saw it; empty if it was refused earlier
  std::optional<std::pair<Tensor, KernelGradients>> gradients_before;
};

DrawnEngines::DrawnEngines(const std::vector<DrawnFault>& faults, const spec::SpecLibrary& specs)
    : impl_(std::make_unique<Impl>(faults, specs)) {}
DrawnEngines::~DrawnEngines() = default;

void DrawnEngines::restart() { impl_->memory = {}; }

void DrawnEngines::run(const spec::Call& call, std::span<const std::size_t> faults,
                       const std::function<void(std::size_t, spec::Outcome)>& take,
                       const spec::GradientQuestion* question) {
  impl_->asked = faults;
  impl_->met.clear();
  impl_->before.reset();
  impl_->gradients_before.reset();
  const CallRequest request{.call = &call, .gradient = question};
  const spec::Outcome plain = impl_->probe->run_one(request);
  for (const std::size_t fault : impl_->met) take(fault, impl_->engines[fault]->run_one(request));
  if (impl_->gradients_before)
    impl_->memory.remember(*impl_->before, std::move(impl_->gradients_before->first),
                           std::move(impl_->gradients_before->second));
  else if (impl_->before)
    impl_->memory.remember(*impl_->before, plain);
}

}  // namespace scatterproof::engines
