// SPDX-License-Identifier: Apache-2.0
// The engine around a kernel function, and the one around a walk.
#include "scatterproof/engines/native/native.hpp"

#include <chrono>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "lowering.hpp"

namespace scatterproof::engines {
namespace {

using spec::Outcome;

class NativeEngine : public InProcessEngine {
 public:
  NativeEngine(std::string name, std::string device, const spec::SpecLibrary& specs) : specs_(specs) {
    info_ = {.name = std::move(name),
             .framework = "",
             .version = SCATTERPROOF_VERSION,
             .device = std::move(device),
             .apis = {},
             .dtypes = {}};
    for (const spec::OpSpec& spec : specs.all()) {
      lowerings_.emplace_back(spec);
      if (!spec.kernel.op.empty()) info_.apis.push_back(spec.api);
    }
    for (spec::DType dtype : spec::all_dtypes) info_.dtypes.emplace_back(spec::name(dtype));
  }

  const EngineInfo& info() const override { return info_; }

  Support supports(const spec::Call& call) const override {
    const auto kernel_call = lowered(call);
    if (const auto* answer = std::get_if<Outcome>(&kernel_call))
      if (const auto* unsupported = std::get_if<spec::Unsupported>(&answer->what))
        return {false, unsupported->reason};
    return {};
  }

 protected:
  /// The call in kernel terms, or why there is none.
  std::variant<KernelCall, Outcome> lowered(const spec::Call& call) const {
    const spec::OpSpec* spec = specs_.find(call.api);
    if (!spec) return Outcome{spec::Unsupported{"no spec of this name"}, 0};
    if (spec->kernel.op.empty()) return Outcome{spec::Unsupported{"the spec names no kernel"}, 0};
    return lowerings_[static_cast<std::size_t>(spec - specs_.all().data())](call);
  }
  /// The argument that a call of this spec gives as `data` or `updates`; empty: none.
  std::string given_as(const spec::Call& call, std::string_view field) const {
    const spec::OpSpec* spec = specs_.find(call.api);
    const spec::LoweredValue* value = spec ? spec->kernel.find(field) : nullptr;
    return value ? value->argument : std::string();
  }
  EngineInfo info_;

 private:
  virtual Outcome run_kernel(const KernelCall& call, int threads) = 0;

  Outcome do_call(const spec::Call& call, int threads) override {
    auto kernel_call = lowered(call);
    if (auto* refusal = std::get_if<Outcome>(&kernel_call)) return *std::move(refusal);
    return run_kernel(std::get<KernelCall>(kernel_call), threads);
  }

  const spec::SpecLibrary& specs_;
  std::vector<Lowering> lowerings_;  ///< of specs_.all(), in their order
};

class KernelEngine final : public NativeEngine {
 public:
  KernelEngine(std::string name, std::string device, KernelFunction kernel, const spec::SpecLibrary& specs,
               KernelDerivatives derivatives)
      : NativeEngine(std::move(name), std::move(device), specs),
        kernel_(std::move(kernel)),
        derivatives_(std::move(derivatives)) {
    info_.gradients = static_cast<bool>(derivatives_.gradients);
    info_.tangents = static_cast<bool>(derivatives_.tangent);
  }

 private:
  Outcome run_kernel(const KernelCall& call, int) override { return kernel_(call); }

  Outcome do_gradients(const CallRequest& request, spec::Produced produced) override {
    const auto kernel_call = std::get<KernelCall>(lowered(*request.call));
    produced.gradients = request.gradient->forward()
                             ? std::vector{tangent(kernel_call, request, produced.tensors.front().shape())}
                             : gradients(kernel_call, request);
    return {std::move(produced), 0};
  }

  static spec::GradientAnswer shaped(const spec::Tensor& flat, const spec::Shape& shape) {
    return *spec::Tensor::view(flat.dtype(), shape, spec::contiguous_strides(shape), 0,
                               flat.shared_storage());
  }

  /// An argument that is given as both is updates: as data it would only say how large the result is.
  std::vector<spec::GradientAnswer> gradients(const KernelCall& kernel_call,
                                              const CallRequest& request) const {
    const spec::Call& call = *request.call;
    const KernelGradients made = derivatives_.gradients(kernel_call, request.gradient->cotangent);
    std::vector<spec::GradientAnswer> answers;
    for (const std::string& name : request.gradient->of) {
      const spec::Shape& shape = std::get<spec::Tensor>(*call.find(name)).shape();
      if (name == given_as(call, "updates"))
        answers.push_back(shaped(made.updates, shape));
      else if (name == given_as(call, "data"))
        answers.push_back(shaped(made.data, shape));
      else
        answers.emplace_back(spec::NotConnected{});
    }
    return answers;
  }

  spec::GradientAnswer tangent(const KernelCall& kernel_call, const CallRequest& request,
                               const spec::Shape& shape) const {
    const spec::Tensor *of_data = nullptr, *of_updates = nullptr;
    for (std::size_t i = 0; i < request.gradient->of.size(); ++i) {
      const std::string& name = request.gradient->of[i];
      if (name == given_as(*request.call, "updates"))
        of_updates = &request.gradient->tangents[i];
      else if (name == given_as(*request.call, "data"))
        of_data = &request.gradient->tangents[i];
    }
    return shaped(derivatives_.tangent(kernel_call, of_data, of_updates), shape);
  }

  KernelFunction kernel_;
  KernelDerivatives derivatives_;
};

Outcome run_walk(const KernelCall& call, WalkFunction execute, const KernelSettings& settings) {
  Walk walk;
  if (auto refusal = make_walk(call, walk)) return *std::move(refusal);
  // Without positions nothing reads the index, but its values may still break a rule.
  if (walk.count == 0)
    if (auto refusal = refuse_index(call, walk)) return *std::move(refusal);
  spec::Tensor result = make_result(call, walk);
  if (walk.count > 0 && !execute(walk, result.storage().data(), settings))
    return refuse_index(call, walk).value();
  return {spec::Produced{{std::move(result)}, {}}, 0};
}

/// What is timed is what a caller of the kernel waits for: checks, plan and loops.
class TimedWalk final : public TimedCall {
 public:
  TimedWalk(KernelCall call, spec::Tensor result, WalkFunction execute, KernelSettings settings,
            bool in_place)
      : call_(std::move(call)),
        result_(std::move(result)),
        execute_(execute),
        settings_(settings),
        start_(in_place ? spec::Tensor() : result_.clone()) {}

  std::variant<double, Outcome> repeat(std::int64_t times) override {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < times; ++i) {
      if (!start_.storage().empty()) parallel_copy();
      Walk walk;
      if (auto refusal = make_walk(call_, walk)) return *std::move(refusal);
      if (walk.count > 0) execute_(walk, result_.storage().data(), settings_);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  /// The start values into the result, as one gather of a single row: by the kernel's own threads.
  void parallel_copy() {
    std::memcpy(result_.storage().data(), start_.storage().data(), start_.storage().size());
  }

  KernelCall call_;
  spec::Tensor result_;
  WalkFunction execute_;
  KernelSettings settings_;
  spec::Tensor start_;  ///< out of place: what the result starts from
};

class WalkEngine final : public NativeEngine {
 public:
  WalkEngine(std::string name, std::string device, WalkFunction execute, KernelSettings settings,
             const spec::SpecLibrary& specs)
      : NativeEngine(std::move(name), std::move(device), specs), execute_(execute), settings_(settings) {
    info_.threads = true;
    if (!settings.deterministic)
      info_.varies = "the order in which values of one cell are combined, and which of several is kept";
  }

  PreparedCall prepare(const spec::Call& call, const TimingOptions& options) override {
    if (options.gradient) return {{spec::Unsupported{"it does not time gradients"}, 0}, nullptr};
    auto kernel_call = lowered(call);
    if (auto* refusal = std::get_if<Outcome>(&kernel_call)) return {*std::move(refusal), nullptr};
    const KernelSettings settings = with_threads(options.threads);
    auto& ready = std::get<KernelCall>(kernel_call);
    Outcome outcome = run_walk(ready, execute_, settings);
    PreparedCall prepared{std::move(outcome), nullptr};
    if (!std::holds_alternative<spec::Produced>(prepared.outcome.what)) return prepared;
    Walk walk;
    make_walk(ready, walk);
    spec::Tensor result = make_result(ready, walk);
    prepared.timed = std::make_unique<TimedWalk>(std::move(ready), std::move(result), execute_, settings,
                                                 options.in_place || !walk.scatter);
    return prepared;
  }

 private:
  Outcome run_kernel(const KernelCall& call, int threads) override {
    return run_walk(call, execute_, with_threads(threads));
  }
  KernelSettings with_threads(int threads) const {
    KernelSettings settings = settings_;
    if (threads > 0) settings.threads = threads;
    return settings;
  }

  WalkFunction execute_;
  KernelSettings settings_;
};

}  // namespace

std::unique_ptr<Engine> make_native_engine(std::string name, std::string device, KernelFunction kernel,
                                           const spec::SpecLibrary& specs, KernelDerivatives derivatives) {
  return std::make_unique<KernelEngine>(std::move(name), std::move(device), std::move(kernel), specs,
                                        std::move(derivatives));
}

std::unique_ptr<Engine> make_walk_engine(std::string name, std::string device, WalkFunction execute,
                                         KernelSettings settings, const spec::SpecLibrary& specs) {
  return std::make_unique<WalkEngine>(std::move(name), std::move(device), execute, settings, specs);
}

}  // namespace scatterproof::engines
