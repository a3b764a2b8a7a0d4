// SPDX-License-Identifier: Apache-2.0
// One mutant after the other, some at once: each makes its calls and judges them.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/selftest/mutants.hpp"
#include "scatterproof/runner/selftest/rounds.hpp"
#include "scatterproof/runner/selftest/selftest.hpp"
#include "verdicts.hpp"

namespace scatterproof::runner::selftest {
namespace {

/// One thread's engines.
class Engines {
 public:
  explicit Engines(const spec::SpecLibrary& specs) : specs_(specs) {}
  engines::Engine& get(const std::string& name) {
    auto& engine = made_[name];
    if (!engine) engine = std::move(engines::make_engine(name, specs_, {}).value());
    return *engine;
  }

 private:
  const spec::SpecLibrary& specs_;
  std::map<std::string, std::unique_ptr<engines::Engine>> made_;
};

/// The failure that the mutant wrongly finds in a correct engine: in this one, or in one that refuses
/// whatever the documents leave open or undefined. Empty: none.
std::string wrongly_found(const spec::OpSpec& wrong, const spec::OpSpec& spec, const spec::Call& call,
                          engines::Engine& engine) {
  const auto mutants = spec::expect(wrong, call);
  const auto right = spec::expect(spec, call);
  for (const spec::Outcome& outcome : {engine.run_one({&call}), spec::Outcome{spec::Refused{}, 0}})
    if (std::string verdict = failure(mutants, outcome); !verdict.empty() && failure(right, outcome).empty())
      return verdict;
  return {};
}

std::optional<Kill> hunt(const Mutant& mutant, const spec::OpSpec& spec, engines::Engine& engine,
                         const Calls& kept, const Options& options) {
  const spec::OpSpec wrong = mutated(spec, mutant);
  const Calls own = options.calls(wrong);
  const auto shows = [&](const spec::Call& call) { return wrongly_found(wrong, spec, call, engine); };
  for (std::uint64_t n = 0; n < options.cases; ++n) {
    const auto call = n % 2 == 0 ? own(n / 2) : kept(n / 2);
    if (options.stopped()) return {};
    if (!call) continue;
    const std::string verdict = shows(*call);
    if (verdict.empty()) continue;
    return Kill{n + 1, verdict,
                smallest(wrong, *call, [&](const spec::Call& other) { return shows(other) == verdict; })};
  }
  return {};
}

}  // namespace

std::vector<SelftestResult> try_mutants(const spec::SpecLibrary& specs, const Options& options) {
  std::vector<Mutant> mutants;
  std::vector<const spec::OpSpec*> specs_of;  // parallel to `mutants`
  std::map<std::string, Calls> kept;          // by API
  for (const spec::OpSpec* op : tried_specs(specs)) {
    kept[op->api] = options.calls(*op);
    for (Mutant& mutant : mutants_of(*op))
      if (options.wanted(mutant.name)) {
        mutants.push_back(std::move(mutant));
        specs_of.push_back(op);
      }
  }
  std::vector<SelftestResult> tried(mutants.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    Engines engines(specs);
    for (std::size_t i; (i = next++) < mutants.size();) {
      const Mutant& mutant = mutants[i];
      const spec::OpSpec& op = *specs_of[i];
      auto kill = hunt(mutant, op, engines.get(mutant.engine), kept.at(op.api), options);
      if (!kill && options.stopped()) return;
      tried[i] = {mutant.name, mutant.says, std::move(kill)};
      const std::scoped_lock lock(mutex);
      options.tried(mutant.name);
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 1; i < options.jobs; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  std::erase_if(tried, [](const SelftestResult& one) { return one.name.empty(); });
  return tried;
}

}  // namespace scatterproof::runner::selftest
