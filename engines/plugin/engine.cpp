// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "gradients.hpp"
#include "scatterproof/spec/core/cores.hpp"
#include "staging.hpp"

namespace scatterproof::engines::plugin {
namespace {

using spec::Outcome;

Outcome unsupported(std::string reason) { return {spec::Unsupported{std::move(reason)}, 0}; }

EngineInfo describe(const Capabilities& library) {
  EngineInfo info{.name = library.name,
                  .framework = "",
                  .version = library.version,
                  .device = library.device,
                  .apis = {},
                  .dtypes = {},
                  .kernels = to_json(library.kernels),
                  .threads = true,
                  .gradients = std::ranges::any_of(library.kernels, &OfferedKernel::gradient)};
  for (const spec::DType dtype : spec::all_dtypes)
    if (std::any_of(library.kernels.begin(), library.kernels.end(), [&](const OfferedKernel& kernel) {
          return kernel.takes_index(dtype) ||
                 std::find(kernel.dtypes.begin(), kernel.dtypes.end(), dtype) != kernel.dtypes.end();
        }))
      info.dtypes.emplace_back(spec::name(dtype));
  return info;
}

class TimedKernel final : public TimedCall {
 public:
  TimedKernel(const Library& library, PlainCall call, bool in_place)
      : library_(library), staged_(library, std::move(call)), in_place_(in_place) {}

  std::variant<double, Outcome> repeat(std::int64_t times) override {
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Complaint> complaint;
    for (std::int64_t i = 0; i < times && !complaint; ++i) {
      if (!in_place_ && !staged_.restart())
        complaint = Complaint{SCATTERPROOF_FAILED, "the start values could not be copied"};
      else
        complaint = staged_.begin();
    }
    if (!complaint) complaint = library_.sync();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (complaint) return to_outcome(*complaint);
    if (auto words = staged_.damage(); !words.empty()) return Outcome{spec::Garbled{std::move(words), {}}, 0};
    return passed.count();
  }

 private:
  const Library& library_;
  StagedCall staged_;
  bool in_place_;
};

class PluginEngine final : public InProcessEngine {
 public:
  PluginEngine(Library library, FindSpec find)
      : library_(std::move(library)), find_(std::move(find)), info_(describe(library_.capabilities())) {}

  const EngineInfo& info() const override { return info_; }

  /// Whether a call is covered is found out when it is executed: the two share most of the work.
  Support supports(const spec::Call& call) const override {
    if (!find_(call.api)) return {false, "no spec of this name"};
    return {};
  }

  PreparedCall prepare(const spec::Call& call, const TimingOptions& options) override {
    auto plain = ask(call, options.threads);
    if (auto* outcome = std::get_if<Outcome>(&plain)) return {*std::move(outcome), nullptr};
    auto& ready = std::get<PlainCall>(plain);
    PreparedCall prepared{execute(ready, overwritten_by(call)), nullptr};
    if (options.gradient) return prepare_gradient(call, ready, *options.gradient, std::move(prepared));
    if (std::holds_alternative<spec::Produced>(prepared.outcome.what))
      prepared.timed = std::make_unique<TimedKernel>(library_, std::move(ready),
                                                     options.in_place || !is_scatter(ready.op));
    return prepared;
  }

 private:
  /// The call as the library gets it, or the outcome of a call that never reaches the library.
  std::variant<PlainCall, Outcome> ask(const spec::Call& call, int threads) const {
    if (const Support support = supports(call); !support.yes) return unsupported(support.reason);
    auto answer = plain_call(*find_(call.api), call, library_.capabilities().kernels, threads);
    if (auto* reason = std::get_if<std::string>(&answer)) return unsupported(std::move(*reason));
    library_.use_threads(threads);
    return std::get<PlainCall>(std::move(answer));
  }

  /// Precondition: the call is supported.
  const std::vector<std::string>& overwritten_by(const spec::Call& call) const {
    return find_(call.api)->meaning.in_place;
  }

  /// `overwritten`: the arguments for which the output of a scatter stands.
  Outcome execute(const PlainCall& call, const std::vector<std::string>& overwritten) try {
    StagedCall staged(library_, call);
    auto complaint = staged.begin();
    if (!complaint) complaint = library_.sync();
    Outcome outcome = staged.collect();  // checked even when refused: nothing may be written outside
    if (std::holds_alternative<spec::Garbled>(outcome.what)) return outcome;
    if (auto words = ended_.damage(); !words.empty()) return {spec::Garbled{std::move(words), {}}, 0};
    ended_.keep(staged.end());
    if (!complaint) return outcome;
    Outcome answer = to_outcome(*complaint);
    if (auto* refused = std::get_if<spec::Refused>(&answer.what); refused && staged.changed_output())
      refused->arguments_written = overwritten;
    return answer;
  } catch (const Block::OutOfMemory&) {
    return unsupported("there is not enough memory for the call's tensors");
  }

  Outcome do_call(const spec::Call& call, int threads) override {
    auto plain = ask(call, threads > 0 ? threads : spec::cores());
    if (auto* outcome = std::get_if<Outcome>(&plain)) return *std::move(outcome);
    return execute(std::get<PlainCall>(plain), overwritten_by(call));
  }

  Outcome do_gradients(const CallRequest& request, spec::Produced produced) override {
    auto plain = ask(*request.call, request.threads > 0 ? request.threads : spec::cores());
    if (auto* outcome = std::get_if<Outcome>(&plain)) return *std::move(outcome);
    return with_gradients(*request.call, std::get<PlainCall>(plain), *request.gradient, std::move(produced));
  }

  /// `forward`: the call as the library gets it. `produced`: what it gave for that.
  Outcome with_gradients(const spec::Call& call, const PlainCall& forward,
                         const spec::GradientQuestion& question, spec::Produced produced) {
    if (!forward.has_gradient)
      return unsupported(fmt::format("the library does not offer the gradient of {}", name(forward.op)));
    const Outcome outcome = execute(gradient_call(forward, produced.tensors.front(), question.cotangent), {});
    if (const auto* refused = std::get_if<spec::Refused>(&outcome.what)) {
      produced.gradients.assign(question.of.size(), *refused);
      return {std::move(produced), 0};
    }
    const auto* given = std::get_if<spec::Produced>(&outcome.what);
    if (!given) return outcome;
    produced.gradients = gradients_of_arguments(*find_(call.api), call, question,
                                                library_.capabilities().kernels, given->tensors);
    return {std::move(produced), 0};
  }

  /// `forward` and `plain` as there; the gradient's kernel alone is what is timed.
  PreparedCall prepare_gradient(const spec::Call& call, const PlainCall& forward,
                                const spec::GradientQuestion& question, PreparedCall plain) {
    auto* produced = std::get_if<spec::Produced>(&plain.outcome.what);
    if (!produced) return plain;
    const spec::Tensor result = produced->tensors.front();
    PreparedCall prepared{with_gradients(call, forward, question, std::move(*produced)), nullptr};
    if (std::holds_alternative<spec::Produced>(prepared.outcome.what))
      prepared.timed =
          std::make_unique<TimedKernel>(library_, gradient_call(forward, result, question.cotangent), true);
    return prepared;
  }

  Library library_;
  FindSpec find_;
  EngineInfo info_;
  EndedCalls ended_;
};

}  // namespace

std::unique_ptr<Engine> make_plugin_engine(Library library, FindSpec find) {
  return std::make_unique<PluginEngine>(std::move(library), std::move(find));
}

}  // namespace scatterproof::engines::plugin
