// SPDX-License-Identifier: Apache-2.0
// One mutant after the other, some at once: each makes its calls and judges them.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "mutants.hpp"
#include "scatterproof/engines/registry.hpp"
#include "selftest.hpp"
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

std::optional<Kill> hunt(const Mutant& mutant, const spec::OpSpec& spec, engines::Engine& engine,
                         const Calls& kept, const Options& options) {
  const Calls own = options.calls(mutant.spec);
  const auto shows = [&](const spec::Call& call) {
    const std::string verdict = failure(mutant.spec, call, engine);
    return verdict.empty() || !failure(spec, call, engine).empty() ? "" : verdict;
  };
  for (std::uint64_t n = 0; n < options.cases; ++n) {
    const auto call = n % 2 == 0 ? own(n / 2) : kept(n / 2);
    if (!call) continue;
    const std::string verdict = shows(*call);
    if (verdict.empty()) continue;
    return Kill{n + 1, verdict, smallest(mutant.spec, *call, [&](const spec::Call& other) {
                  return shows(other) == verdict;
                })};
  }
  return {};
}

}  // namespace

std::vector<Tried> try_mutants(const spec::SpecLibrary& specs, const Options& options) {
  std::vector<Mutant> mutants;
  std::map<std::string, Calls> kept;  // by API
  for (const spec::OpSpec& op : specs.all()) {
    if (op.kernel.op.empty()) continue;
    kept[op.api] = options.calls(op);
    for (Mutant& mutant : mutants_of(op))
      if (options.wanted(mutant.name)) mutants.push_back(std::move(mutant));
  }
  std::vector<Tried> tried(mutants.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    Engines engines(specs);
    for (std::size_t i; (i = next++) < mutants.size();) {
      const Mutant& mutant = mutants[i];
      const std::string& api = mutant.spec.api;
      tried[i] = {mutant.name, mutant.says,
                  hunt(mutant, *specs.find(api), engines.get(mutant.engine), kept.at(api), options)};
      const std::scoped_lock lock(mutex);
      options.tried(mutant.name);
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 1; i < options.jobs; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return tried;
}

}  // namespace scatterproof::runner::selftest
