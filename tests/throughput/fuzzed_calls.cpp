// SPDX-License-Identifier: Apache-2.0
// How fast generated calls are made, executed by one engine and judged, on one core; and each part's share.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>

#include "arbitrary.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "shipped_specs.hpp"

namespace {

using namespace scatterproof;
using runner::fuzz::GeneratedCall;
using runner::fuzz::Generator;

constexpr std::uint64_t numbers = 1 << 19;  // far enough in for forms to be used as often as in a long run

std::unique_ptr<engines::Engine> engine_named(const std::string& name) {
  auto made = engines::make_engine(name, shipped_specs(), engines::find_places());
  if (!made) throw std::runtime_error(spec::to_string(made.errors()));
  if (const std::string reason = (*made)->start(); !reason.empty()) throw std::runtime_error(reason);
  return std::move(made).value();
}

std::int64_t elements_of(const spec::Call& call) {
  std::int64_t elements = 0;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument)) elements += tensor->numel();
  return elements;
}

/// 64 calls at a time: made by `next`, executed, judged. items_per_second is judged calls a second.
template <class Next>
void judge_all(benchmark::State& state, const spec::OpSpec& op, engines::Engine& engine, Next next) {
  double elements = 0;
  std::int64_t judged = 0;
  for (auto _ : state) {
    std::vector<GeneratedCall> calls;
    std::vector<engines::CallRequest> requests;
    while (calls.size() < 64) calls.push_back(next());
    for (const GeneratedCall& one : calls) requests.push_back({&one.call});
    const auto outcomes = engine.run(requests);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto expectation = spec::expect(op, calls[i].call);
      benchmark::DoNotOptimize(
          runner::judge_by_spec(op, calls[i].call, *expectation, engine.info(), outcomes[i]));
      elements += static_cast<double>(elements_of(calls[i].call));
    }
    judged += 64;
  }
  state.SetItemsProcessed(judged);
  state.counters["elements"] = elements / static_cast<double>(judged);
}

void judge_generated(benchmark::State& state, const spec::OpSpec& op, Generator& generator,
                     const std::string& name) {
  const auto engine = engine_named(name);
  std::uint64_t number = numbers;
  judge_all(state, op, *engine, [&] {
    for (;;)
      if (auto made = generator.make(number++)) return *std::move(made);
  });
}

constexpr std::uint64_t page_of_calls = 7680;

/// Solves the forms of a long run, which a run of seconds would mostly consist of.
void solve_forms(Generator& generator) {
  for (std::uint64_t page = 0; page < 64; ++page) generator.make(numbers + page * page_of_calls);
}

void fuzzed_calls(benchmark::State& state, const std::string& api, const std::string& name) {
  const spec::OpSpec& op = *shipped_specs().find(api);
  Generator generator(op, 1);
  solve_forms(generator);
  judge_generated(state, op, generator, name);
}

/// Through a worker, which is timed with fewer calls than share a page's forms: those are solved beforehand.
void fuzzed_calls_by_worker(benchmark::State& state, const std::string& api, const std::string& name) {
  const spec::OpSpec& op = *shipped_specs().find(api);
  Generator generator(op, 1);
  generator.make(numbers);
  judge_generated(state, op, generator, name);
}

void fuzzed_calls_by_rapidcheck(benchmark::State& state, const std::string& api, const std::string& name) {
  const spec::OpSpec& op = *shipped_specs().find(api);
  const auto engine = engine_named(name);
  Generator generator(op, 1);
  const auto arbitrary = runner::fuzz::arbitrary_call(generator);
  rc::Random random(1);
  judge_all(state, op, *engine, [&] { return arbitrary(random.split(), 100).value(); });
}

void generation(benchmark::State& state, const std::string& api) {
  Generator generator(*shipped_specs().find(api), 1);
  solve_forms(generator);
  std::uint64_t number = numbers;
  for (auto _ : state) benchmark::DoNotOptimize(generator.make(number++));
  state.SetItemsProcessed(state.iterations());
}

bool is_small(const std::optional<GeneratedCall>& made) {
  const std::int64_t elements = made ? spec::largest_numel(made->call) : 0;
  return elements >= 8 && elements <= 32;
}

/// Calls of a long run with the numbers that `choose` finds, in a circle. Their forms are solved, as in a
/// long run.
class ChosenCalls {
 public:
  using Numbers = std::vector<std::uint64_t>;
  ChosenCalls(const spec::OpSpec& op, const std::function<Numbers(Generator&)>& choose)
      : generator_(op, 1), chosen_(choose(generator_)) {}
  std::optional<GeneratedCall> next() {
    at_ = (at_ + 1) % chosen_.size();
    return generator_.make(chosen_[at_]);
  }

 private:
  Generator generator_;
  Numbers chosen_;
  std::size_t at_ = 0;
};

/// Of calls whose largest tensor has 8 to 32 elements, as most had before there were larger ones.
ChosenCalls::Numbers small_calls(Generator& generator) {
  ChosenCalls::Numbers small;
  for (std::uint64_t number = numbers; small.size() < 20'000; ++number)
    if (is_small(generator.make(number))) small.push_back(number);
  return small;
}

/// Of the calls of a long run that have 100 elements in the mean: all but the tenth with the most elements,
/// which has most elements of a run. Comparable with what was measured when all calls were as small.
ChosenCalls::Numbers calls_of_hundred(Generator& generator) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> made;
  for (std::uint64_t number = numbers; made.size() < 40'000; ++number)
    if (const auto call = generator.make(number)) made.emplace_back(elements_of(call->call), number);
  std::ranges::sort(made);
  ChosenCalls::Numbers chosen;
  std::int64_t elements = 0;
  for (const auto& [size, number] : made) {
    elements += size;
    if (elements > 100 * static_cast<std::int64_t>(chosen.size() + 1)) break;
    chosen.push_back(number);
  }
  std::ranges::sort(chosen);
  return chosen;
}

/// Of this thread, whatever else the machine does.
double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_for(Generator& generator, std::span<const std::uint64_t> numbers_to_make) {
  const double begin = seconds();
  for (const std::uint64_t number : numbers_to_make) benchmark::DoNotOptimize(generator.make(number));
  return seconds() - begin;
}

/// What a small call costs in a long run: making it, once its form is varied, and the share of the varying
/// that each call of the run has. The second is what making the small calls of some numbers takes longer the
/// first time, over all of these numbers. Forms are solved before.
void small_generation(benchmark::State& state, const std::string& api) {
  constexpr std::uint64_t numbers_at_once = page_of_calls;  // whose varied forms are kept
  const spec::OpSpec& op = *shipped_specs().find(api);
  Generator lister(op, 1), timed(op, 1);
  solve_forms(timed);
  std::uint64_t number = numbers + 64 * page_of_calls;
  std::int64_t made = 0;
  double making = 0, varying = 0, passes = 0;
  for (auto _ : state) {
    std::vector<std::uint64_t> small;
    for (const std::uint64_t end = number + numbers_at_once; number < end; ++number)
      if (is_small(lister.make(number))) small.push_back(number);
    const double first = seconds_for(timed, small), again = seconds_for(timed, small);
    making += again / static_cast<double>(small.size());
    varying += (first - again) / static_cast<double>(numbers_at_once);
    ++passes;
    made += static_cast<std::int64_t>(small.size());
    state.SetIterationTime(again + (first - again) * static_cast<double>(small.size()) / numbers_at_once);
  }
  state.SetItemsProcessed(made);
  state.counters["making_ns"] = 1e9 * making / passes;
  state.counters["varying_ns"] = 1e9 * varying / passes;
}

/// Executed by the reference and judged. Chosen once: a benchmark is called several times.
template <ChosenCalls::Numbers (*choose)(Generator&)>
void chosen_fuzzed_calls(benchmark::State& state, const std::string& api) {
  static std::map<std::string, ChosenCalls> chosen;
  const spec::OpSpec& op = *shipped_specs().find(api);
  ChosenCalls& calls = chosen.try_emplace(api, op, choose).first->second;
  const auto engine = engine_named("reference");
  judge_all(state, op, *engine, [&] { return *calls.next(); });
}

void small_fuzzed_calls(benchmark::State& state, const std::string& api) {
  chosen_fuzzed_calls<small_calls>(state, api);
}

void fuzzed_calls_of_hundred(benchmark::State& state, const std::string& api) {
  chosen_fuzzed_calls<calls_of_hundred>(state, api);
}

/// From reading the specs to the first verdicts of `fuzz --all` on two cores.
void first_verdicts(benchmark::State& state, const std::string& name) {
  for (auto _ : state) {
    const auto specs = runner::load_specs("", engines::find_places());
    std::array<runner::fuzz::Engines, 2> jobs;
    for (auto& engines : jobs)
      engines.push_back(engines::make_engine(name, *specs, engines::find_places()).value());
    std::atomic<bool> judged = false;
    runner::fuzz::Campaign campaign;
    campaign.calls = 1 << 20;
    campaign.interrupted = &judged;
    for (const spec::OpSpec& op : specs->all())
      if (std::ranges::count(jobs[0][0]->info().apis, op.api) > 0) campaign.apis.push_back(&op);
    const std::array<const runner::fuzz::Engines*, 2> all{&jobs[0], &jobs[1]};
    runner::fuzz::fuzz(campaign, all, [&](const runner::fuzz::FuzzResult& so_far) {
      if (so_far.judged + so_far.undecided > 0) judged = true;
    });
  }
}

BENCHMARK_CAPTURE(first_verdicts, openmp, std::string("openmp"))
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(small_generation, gather, std::string("torch.gather"))->UseManualTime();
BENCHMARK_CAPTURE(small_generation, scatter_add, std::string("torch.Tensor.scatter_add_"))->UseManualTime();
BENCHMARK_CAPTURE(small_generation, scatter_nd, std::string("onnx.ScatterND"))->UseManualTime();
BENCHMARK_CAPTURE(small_fuzzed_calls, gather, std::string("torch.gather"));
BENCHMARK_CAPTURE(small_fuzzed_calls, scatter_add, std::string("torch.Tensor.scatter_add_"));
BENCHMARK_CAPTURE(small_fuzzed_calls, scatter_nd, std::string("onnx.ScatterND"));
BENCHMARK_CAPTURE(fuzzed_calls_of_hundred, gather, std::string("torch.gather"));
BENCHMARK_CAPTURE(fuzzed_calls_of_hundred, scatter_add, std::string("torch.Tensor.scatter_add_"));
BENCHMARK_CAPTURE(generation, gather, std::string("torch.gather"));
BENCHMARK_CAPTURE(generation, scatter_add, std::string("torch.Tensor.scatter_add_"));
BENCHMARK_CAPTURE(fuzzed_calls, gather_reference, std::string("torch.gather"), std::string("reference"));
BENCHMARK_CAPTURE(fuzzed_calls, gather_openmp, std::string("torch.gather"), std::string("openmp"));
BENCHMARK_CAPTURE(fuzzed_calls, scatter_add_reference, std::string("torch.Tensor.scatter_add_"),
                  std::string("reference"));
BENCHMARK_CAPTURE(fuzzed_calls, scatter_nd_reference, std::string("onnx.ScatterND"),
                  std::string("reference"));
// A worker is another process: what counts is the time that passes.
BENCHMARK_CAPTURE(fuzzed_calls_by_worker, take_along_axis_numpy, std::string("numpy.take_along_axis"),
                  std::string("numpy"))
    ->UseRealTime();
BENCHMARK_CAPTURE(fuzzed_calls_by_worker, put_along_axis_numpy, std::string("numpy.put_along_axis"),
                  std::string("numpy"))
    ->UseRealTime();
BENCHMARK_CAPTURE(fuzzed_calls_by_worker, gather_torch, std::string("torch.gather"), std::string("torch"))
    ->UseRealTime();
BENCHMARK_CAPTURE(fuzzed_calls_by_worker, scatter_add_torch, std::string("torch.Tensor.scatter_add_"),
                  std::string("torch"))
    ->UseRealTime();
BENCHMARK_CAPTURE(fuzzed_calls_by_rapidcheck, gather_reference, std::string("torch.gather"),
                  std::string("reference"));

}  // namespace
