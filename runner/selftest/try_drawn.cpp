// SPDX-License-Identifier: Apache-2.0
// All drawn faults of an API at once: a call is made and its expectation found once; then every fault that is
// still alive and whose condition the call meets executes it.
#include "scatterproof/runner/selftest/try_drawn.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/runner/selftest/rounds.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/core/stable_hash.hpp"
#include "tried_call.hpp"

namespace scatterproof::runner::selftest {
namespace {

/// One call in this many is also executed as the first of a process. `fuzz` does that with at most one call
/// of a batch of 64, and with fewer where a process takes long to start.
constexpr std::uint64_t first_call_share = 256;

/// Calls work(0) to work(count - 1) on `jobs` threads, each next one where a thread is free.
template <class Work>
void share_out(std::size_t count, int jobs, const Work& work) {
  std::atomic<std::size_t> next = 0;
  in_parallel(static_cast<std::size_t>(jobs), [&](std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  });
}

/// In an order that the fault's name decides.
std::vector<const spec::OpSpec*> candidates(const engines::DrawnFault& fault,
                                            const spec::SpecLibrary& specs) {
  std::vector<const spec::OpSpec*> apis = tried_specs(specs);
  spec::Dice dice(spec::stable_hash(fault.name), 0);
  for (std::size_t left = apis.size(); left > 1; --left)
    std::swap(apis[left - 1], apis[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(left)))]);
  return apis;
}

std::optional<TellingCall> find_api(const engines::DrawnFault& fault, const spec::SpecLibrary& specs,
                                    const Options& options) {
  for (const spec::OpSpec* op : candidates(fault, specs)) {
    if (options.stopped()) return std::nullopt;
    if (auto shown = find_showing_call(fault, *op, specs)) return shown;
  }
  return std::nullopt;
}

/// The faults in one API's kernel: all of gradients, or none.
void kill(const spec::OpSpec& op, const std::vector<TriedDrawn*>& tried, const spec::SpecLibrary& specs,
          const Options& options) {
  std::vector<engines::DrawnFault> faults;
  std::vector<std::size_t> alive;
  for (const TriedDrawn* one : tried) {
    alive.push_back(faults.size());
    faults.push_back(one->fault);
  }
  const bool gradients = engines::is_of_gradients(faults.front());
  engines::DrawnEngines faulty(faults, specs), new_process(faults, specs);
  const auto reference = engines::make_reference(specs);
  const Calls calls = (gradients ? options.gradient_calls : options.calls)(op);
  for (std::uint64_t n = 0; n < options.cases && !alive.empty() && !options.stopped(); ++n) {
    const auto call = calls(n);
    const auto question = call ? TriedCall::make(op, *call, *reference, gradients) : std::nullopt;
    if (!question) continue;
    const auto take = [&](std::size_t fault, const spec::Outcome& outcome) {
      ++tried[fault]->struck;
      if (question->failure(outcome).empty()) return;
      if (question->failure(reference->run_one(question->request())).empty()) tried[fault]->killed = n + 1;
    };
    faulty.run(*call, alive, take, question->gradient());
    if (n % first_call_share == 0) {
      new_process.restart();
      new_process.run(*call, alive, take, question->gradient());
    }
    std::erase_if(alive, [&](std::size_t fault) { return tried[fault]->killed.has_value(); });
  }
}

}  // namespace

std::vector<TriedDrawn> try_drawn(const spec::SpecLibrary& specs, std::uint64_t seed, std::uint64_t count,
                                  const Options& options, bool gradients) {
  std::vector<TriedDrawn> tried;
  for (std::uint64_t n = 0; n < count; ++n)
    tried.push_back({.fault = engines::draw_fault(seed, n, gradients)});
  std::mutex mutex;
  const auto say = [&](const std::string& what) {
    const std::scoped_lock lock(mutex);
    options.tried(what);
  };
  share_out(count, options.jobs, [&](std::size_t i) {
    say("where the fault " + tried[i].fault.name + " shows");
    tried[i].shown = find_api(tried[i].fault, specs, options);
  });

  std::map<std::string, std::vector<TriedDrawn*>> by_api;
  for (TriedDrawn& one : tried)
    if (one.shown) by_api[one.shown->call.api].push_back(&one);
  const std::vector<std::pair<std::string, std::vector<TriedDrawn*>>> apis(by_api.begin(), by_api.end());
  share_out(apis.size(), options.jobs, [&](std::size_t i) {
    say("drawn faults in " + apis[i].first);
    kill(*specs.find(apis[i].first), apis[i].second, specs, options);
  });
  return tried;
}

}  // namespace scatterproof::runner::selftest
