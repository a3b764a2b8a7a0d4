// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/workers.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/solve/variations.hpp"

namespace scatterproof::runner::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_apis = 4;
constexpr std::size_t batch_size = 64;  // the most that one message carries
constexpr std::int64_t least_elements = 8, most_elements = 64;
constexpr std::uint64_t most_tried = 1 << 12;  // numbers of generated calls, until a batch is full
constexpr double repetition = 0.25;            // seconds, at least

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_small(const spec::Call& call) {
  const std::int64_t elements = spec::largest_numel(call);
  return least_elements <= elements && elements <= most_elements && !fuzz::has_zero_size(call);
}

std::vector<engines::CallRequest> requests_of(const WorkerBatch& batch) {
  std::vector<engines::CallRequest> requests;
  for (const spec::Call& call : batch.calls) requests.push_back({&call});
  return requests;
}

/// Whether each call of a batch is answered rightly.
std::vector<bool> judge(const engines::Engine& engine, const WorkerBatch& batch,
                        const std::vector<spec::Outcome>& outcomes) {
  std::vector<bool> right;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto trial = judge_call(*batch.op, batch.calls[i], engine.info(), outcomes[i]);
    right.push_back(trial && is_allowed(trial->judgement.verdict));
  }
  return right;
}

/// Up to 64 small valid calls that the engine answers correctly: an error takes a different time than a
/// result.
WorkerBatch make_batch(engines::Engine& engine, const spec::OpSpec& op, std::uint64_t seed) {
  fuzz::GenerationOptions wishes{.sides = fuzz::GenerationOptions::Sides::valid};
  wishes.offered = [&engine](const spec::Call& call) { return engine.supports(call).yes; };
  fuzz::Generator generator(op, seed, std::move(wishes));
  WorkerBatch found{&op, {}}, tried{&op, {}};
  for (std::uint64_t number = 0; number < most_tried && found.calls.size() < batch_size;) {
    tried.calls.clear();
    for (; number < most_tried && tried.calls.size() < batch_size - found.calls.size(); ++number)
      if (auto made = generator.make(number); made && is_small(made->call))
        tried.calls.push_back(std::move(made->call));
    const std::vector<bool> right = judge(engine, tried, engine.run(requests_of(tried)));
    for (std::size_t i = 0; i < right.size(); ++i)
      if (right[i]) found.calls.push_back(std::move(tried.calls[i]));
  }
  return found;
}

/// A batch for the first API of each family of kernels.
std::vector<WorkerBatch> make_batches(engines::Engine& engine, const WorkerRequest& request) {
  std::vector<WorkerBatch> batches;
  std::set<std::string> families;
  for (const std::string& api : engine.info().apis) {
    const spec::OpSpec* op = request.specs->find(api);
    if (batches.size() == most_apis) break;
    if (op == nullptr || op->kernel.op.empty() || families.contains(op->kernel.op)) continue;
    WorkerBatch batch = make_batch(engine, *op, request.seed);
    if (batch.calls.empty()) continue;
    families.insert(op->kernel.op);
    batches.push_back(std::move(batch));
  }
  return batches;
}

/// Seconds for each call through the worker, over as many rounds as last long enough. While the worker has
/// one batch, the one before it is judged, as in a run.
double time_judged(engines::Engine& engine, const std::vector<WorkerBatch>& batches) {
  std::size_t calls = 0;
  const auto start = Clock::now();
  auto outcomes = engine.begin(requests_of(batches.front()));
  for (std::size_t at = 0; at != 0 || calls == 0 || seconds_since(start) < repetition;) {
    const WorkerBatch& batch = batches[at];
    at = (at + 1) % batches.size();
    auto next = engine.begin(requests_of(batches[at]));
    judge(engine, batch, outcomes.get());
    outcomes = std::move(next);
    calls += batch.calls.size();
  }
  const double seconds = seconds_since(start);  // without the batch that is not judged
  outcomes.wait();
  return seconds / static_cast<double>(calls);
}

/// One batch in the engine's bare loop, `rounds` times. Empty, with the reason in `note`, if the engine has
/// no such loop.
std::optional<double> loop(engines::Engine& engine, const WorkerBatch& batch, std::int64_t rounds,
                           std::string& note) {
  const auto took = engine.bare_loop(requests_of(batch), rounds);
  if (const auto* outcome = std::get_if<spec::Outcome>(&took)) {
    note = spec::to_string(*outcome);
    return std::nullopt;
  }
  return std::get<double>(took);
}

/// The engine's bare loop over each batch, with rounds enough to last long enough.
class BareLoop {
 public:
  BareLoop(engines::Engine& engine, const std::vector<WorkerBatch>& batches)
      : engine_(engine), batches_(batches) {
    const double share = repetition / static_cast<double>(batches.size());
    for (const WorkerBatch& batch : batches) {
      const auto once = loop(engine, batch, 1, note_);
      if (!once) return;
      rounds_.push_back(1 + static_cast<std::int64_t>(share / std::max(*once, 1e-6)));
    }
  }

  /// Seconds for each call; weighted as in time_judged, each batch the same. Empty if the engine has no such
  /// loop.
  std::optional<double> time() {
    if (!note_.empty()) return std::nullopt;
    double seconds = 0;
    std::size_t calls = 0;
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      const auto took = loop(engine_, batches_[i], rounds_[i], note_);
      if (!took) return std::nullopt;
      seconds += *took / static_cast<double>(rounds_[i]);
      calls += batches_[i].calls.size();
    }
    return seconds / static_cast<double>(calls);
  }

  const std::string& note() const { return note_; }

 private:
  engines::Engine& engine_;
  const std::vector<WorkerBatch>& batches_;
  std::vector<std::int64_t> rounds_;
  std::string note_;
};

}  // namespace

WorkerSpeed time_worker(engines::Engine& engine, const WorkerRequest& request) {
  WorkerSpeed speed{.engine = engine.info().name, .version = engine.info().version};
  const std::vector<WorkerBatch> batches = make_batches(engine, request);
  for (const WorkerBatch& batch : batches) {
    speed.apis.push_back(batch.op->api);
    speed.calls += batch.calls.size();
  }
  if (batches.empty()) {
    speed.note = "none of the generated calls is answered rightly";
    return speed;
  }
  BareLoop bare(engine, batches);
  for (int i = 0; i < request.repetitions && !(request.interrupted && *request.interrupted); ++i) {
    speed.judged.push_back(time_judged(engine, batches));
    if (const auto seconds = bare.time()) speed.bare.push_back(*seconds);
  }
  speed.note = bare.note();
  return speed;
}

std::string to_json(const std::vector<WorkerSpeed>& speeds) {
  nlohmann::json workers = nlohmann::json::array();
  for (const WorkerSpeed& one : speeds)
    workers.push_back({{"engine", one.engine},
                       {"version", one.version},
                       {"apis", one.apis},
                       {"calls", one.calls},
                       {"judged_seconds", one.judged},
                       {"bare_seconds", one.bare},
                       {"note", one.note}});
  return nlohmann::json{{"workers", std::move(workers)}}.dump(1) + "\n";
}

}  // namespace scatterproof::runner::bench
