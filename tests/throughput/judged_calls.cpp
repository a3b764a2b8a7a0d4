// SPDX-License-Identifier: Apache-2.0
// How fast calls are judged: all shipped cases over and over, on one core; in this process and through
// workers.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/trial/trial.hpp"

namespace {

using namespace scatterproof;

const runner::Catalogue& catalogue() {
  static const runner::Catalogue loaded = [] {
    auto result = runner::load_catalogue({}, engines::find_places());
    if (!result) throw std::runtime_error(spec::to_string(result.errors()));
    return std::move(result).value();
  }();
  return loaded;
}

std::vector<const spec::Case*> supported(const engines::Engine& engine) {
  std::vector<const spec::Case*> cases;
  for (const spec::Case* one : runner::cases_for(catalogue(), engine))
    if (engine.supports(one->call).yes) cases.push_back(one);
  return cases;
}

void judge(const engines::Engine& engine, const spec::Case& one, const spec::Outcome& outcome) {
  benchmark::DoNotOptimize(
      runner::judge_case(one, *catalogue().specs.find(one.call.api), engine.info(), outcome));
}

/// Execute, judge; `batch` calls at a time. items_per_second is judged calls a second.
void judged_calls(benchmark::State& state, const std::string& name, std::size_t batch) {
  auto made = engines::make_engine(name, catalogue().specs, engines::find_places());
  const std::string reason = made ? (*made)->start() : spec::to_string(made.errors());
  if (!reason.empty()) return state.SkipWithError(reason.c_str());
  engines::Engine& engine = **made;
  const std::vector<const spec::Case*> cases = supported(engine);
  std::size_t at = 0;
  std::int64_t calls = 0;
  for (auto _ : state) {
    std::vector<engines::CallRequest> requests;
    std::vector<const spec::Case*> sent;
    for (std::size_t i = 0; i < batch; ++i, at = (at + 1) % cases.size()) {
      sent.push_back(cases[at]);
      requests.push_back({&cases[at]->call});
    }
    const auto outcomes = engine.run(requests);
    for (std::size_t i = 0; i < outcomes.size(); ++i) judge(engine, *sent[i], outcomes[i]);
    calls += static_cast<std::int64_t>(batch);
  }
  state.SetItemsProcessed(calls);
}

/// Shipped calls whose largest tensor has about a dozen elements, valid and broken ones: like what a fuzzer
/// makes.
const std::vector<spec::Call>& small_calls() {
  static const std::vector<spec::Call> calls = [] {
    std::vector<spec::Call> made;
    for (const spec::Case& one : catalogue().cases) {
      std::int64_t elements = 0;
      for (const auto& [name, argument] : one.call.arguments)
        if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
          elements = std::max(elements, tensor->numel());
      if (8 <= elements && elements <= 16) made.push_back(one.call);
    }
    return made;
  }();
  return calls;
}

/// Execute, expect, judge, call by call; what a case states itself is not judged.
void judged_small_calls(benchmark::State& state) {
  const auto made = engines::make_engine("reference", catalogue().specs, engines::find_places());
  if (!made) return state.SkipWithError(spec::to_string(made.errors()).c_str());
  const std::vector<spec::Call>& calls = small_calls();
  std::size_t at = 0;
  for (auto _ : state) {
    const spec::Call& call = calls[at];
    at = (at + 1) % calls.size();
    const spec::Outcome outcome = (*made)->run_one({&call});
    const auto expectation = spec::expect(*catalogue().specs.find(call.api), call);
    benchmark::DoNotOptimize(spec::judge(*expectation, outcome, true));
  }
  state.SetItemsProcessed(state.iterations());
}

/// One step of that alone.
template <class Step>
void small_calls_to(benchmark::State& state, const Step& step) {
  const std::vector<spec::Call>& calls = small_calls();
  std::size_t at = 0;
  for (auto _ : state) {
    const spec::Call& call = calls[at];
    at = (at + 1) % calls.size();
    step(*catalogue().specs.find(call.api), call);
  }
  state.SetItemsProcessed(state.iterations());
}

/// The oracle's share: rules and meaning executed, nothing compared.
void expectations(benchmark::State& state) {
  std::size_t at = 0;
  const auto& cases = catalogue().cases;
  for (auto _ : state) {
    const spec::Case& one = cases[at];
    benchmark::DoNotOptimize(spec::expect(*catalogue().specs.find(one.call.api), one.call));
    at = (at + 1) % cases.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void load_everything(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(runner::load_catalogue({}, engines::find_places()));
}

BENCHMARK(load_everything)->Unit(benchmark::kMillisecond);
BENCHMARK(expectations);
BENCHMARK_CAPTURE(small_calls_to, rules, [](const spec::OpSpec& spec, const spec::Call& call) {
  benchmark::DoNotOptimize(spec::rule_kinds(spec, call));
});
BENCHMARK_CAPTURE(small_calls_to, expect, [](const spec::OpSpec& spec, const spec::Call& call) {
  benchmark::DoNotOptimize(spec::expect(spec, call));
});
BENCHMARK(judged_small_calls);
BENCHMARK_CAPTURE(judged_calls, reference, std::string("reference"), std::size_t{1});
BENCHMARK_CAPTURE(judged_calls, numpy_batch_64, std::string("numpy"), std::size_t{64})->UseRealTime();
BENCHMARK_CAPTURE(judged_calls, torch_batch_64, std::string("torch"), std::size_t{64})->UseRealTime();
BENCHMARK_CAPTURE(judged_calls, onnxruntime_batch_64, std::string("onnxruntime"), std::size_t{64})
    ->UseRealTime();

}  // namespace
