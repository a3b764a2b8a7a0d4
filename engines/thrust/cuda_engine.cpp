// SPDX-License-Identifier: Apache-2.0
#include "cuda_engine.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cuda_calls.hpp"

namespace scatterproof::engines {
namespace {

using spec::Outcome;

/// Tensors stay on the device; what is timed is plan, checks and kernels, until the device is done.
class TimedOnDevice final : public TimedCall {
 public:
  TimedOnDevice(KernelCall call, bool deterministic, bool in_place)
      : call_(std::move(call)), deterministic_(deterministic), in_place_(in_place) {
    Walk walk;
    make_walk(call_, walk);
    device_ = std::make_unique<CudaCall>(walk, make_result(call_, walk).storage().data(), !in_place);
  }

  std::variant<double, Outcome> repeat(std::int64_t times) override {
    device_->wait();
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < times; ++i) {
      if (!in_place_) device_->restart();
      Walk walk;
      if (auto refusal = make_walk(call_, walk)) return *std::move(refusal);
      if (walk.count > 0) device_->execute(walk, deterministic_);
    }
    device_->wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  KernelCall call_;
  bool deterministic_;
  bool in_place_;
  std::unique_ptr<CudaCall> device_;
};

class CudaEngine final : public Engine {
 public:
  CudaEngine(bool deterministic, const spec::SpecLibrary& specs)
      : engine_(make_walk_engine(deterministic ? "thrust-cuda-deterministic" : "thrust-cuda", "cuda",
                                 run_thrust_cuda, {.deterministic = deterministic}, specs)),
        deterministic_(deterministic),
        specs_(specs) {}

  std::string start() override { return start_cuda(); }
  const EngineInfo& info() const override { return engine_->info(); }
  Support supports(const spec::Call& call) const override { return engine_->supports(call); }

  PreparedCall prepare(const spec::Call& call, const TimingOptions& options) override {
    PreparedCall prepared = engine_->prepare(call, options);
    if (!prepared.timed) return prepared;
    auto lowered = lower(*specs_.find(call.api), call);
    auto& kernel_call = std::get<KernelCall>(lowered);
    const bool in_place = options.in_place || !kernel_call.updates;
    prepared.timed = std::make_unique<TimedOnDevice>(std::move(kernel_call), deterministic_, in_place);
    return prepared;
  }

 private:
  std::vector<Outcome> do_run(std::span<const CallRequest> requests) override {
    return engine_->run(requests);
  }

  std::unique_ptr<Engine> engine_;
  bool deterministic_;
  const spec::SpecLibrary& specs_;
};

}  // namespace

bool run_thrust_cuda(const Walk& walk, std::byte* result, const KernelSettings& settings) {
  CudaCall call(walk, result, false);
  if (!call.execute(walk, settings.deterministic)) return false;
  call.fetch_result(result);
  return true;
}

std::unique_ptr<Engine> make_thrust_cuda(bool deterministic, const spec::SpecLibrary& specs) {
  return std::make_unique<CudaEngine>(deterministic, specs);
}

}  // namespace scatterproof::engines
