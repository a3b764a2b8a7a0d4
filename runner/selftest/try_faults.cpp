// SPDX-License-Identifier: Apache-2.0
// All faults at once: a call is made and its expectation found once, then every fault still alive executes
// it.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/selftest/rounds.hpp"
#include "tried_call.hpp"
#include "verdicts.hpp"

namespace scatterproof::runner::selftest {
namespace {

/// Calls that a thread tries before the others learn what it killed.
constexpr std::uint64_t block = 256;

/// By place in the list of faults.
using Kills = std::map<std::size_t, Kill>;

/// One thread's engines.
class Hunter {
 public:
  Hunter(const spec::SpecLibrary& specs, const std::vector<SelftestResult>& faults,
         const std::vector<ApiCalls>& sources, bool gradients)
      : specs_(specs), sources_(sources), gradients_(gradients), reference_(engines::make_reference(specs)) {
    for (const SelftestResult& fault : faults)
      engines_.push_back(std::move(engines::make_engine(fault.name, specs, {}).value()));
  }

  /// Executes the calls [first, last) with the faults that are alive; the first kill of each.
  Kills hunt(std::uint64_t first, std::uint64_t last, std::vector<std::size_t> alive) {
    Kills kills;
    for (std::uint64_t n = first; n < last && !alive.empty(); ++n) {
      const auto& [op, calls] = sources_[n % sources_.size()];
      const auto call = calls(n / sources_.size());
      const auto question = call ? TriedCall::make(*op, *call, *reference_, gradients_) : std::nullopt;
      if (!question) continue;
      std::erase_if(alive, [&](std::size_t fault) {
        const std::string verdict = question->failure(engines_[fault]->run_one(question->request()));
        if (verdict.empty() || !question->failure(reference_->run_one(question->request())).empty())
          return false;
        kills[fault] = {n + 1, verdict, *call};
        return true;
      });
    }
    return kills;
  }

  /// The kill with the smallest call that shows it.
  Kill shrunk(std::size_t fault, Kill kill) {
    const spec::OpSpec& op = *specs_.find(kill.witness.api);
    kill.witness = smallest(op, kill.witness, [&](const spec::Call& call) {
      const auto question = TriedCall::make(op, call, *reference_, gradients_);
      return question && question->failure(engines_[fault]->run_one(question->request())) == kill.verdict &&
             question->failure(reference_->run_one(question->request())).empty();
    });
    return kill;
  }

 private:
  const spec::SpecLibrary& specs_;
  const std::vector<ApiCalls>& sources_;
  const bool gradients_;
  std::vector<std::unique_ptr<engines::Engine>> engines_;
  std::unique_ptr<engines::Engine> reference_;
};

std::vector<SelftestResult> try_those(bool of_gradients, const spec::SpecLibrary& specs,
                                      const Options& options) {
  std::vector<SelftestResult> faults;
  for (const engines::FaultListing& fault : engines::list_faults())
    if (const std::string name = "faulty:" + std::string(fault.name);
        fault.of_gradients == of_gradients && options.wanted(name))
      faults.push_back({name, std::string(fault.says), {}});
  if (faults.empty()) return faults;

  const std::vector<ApiCalls> sources =
      calls_of_kernels(specs, of_gradients ? options.gradient_calls : options.calls);
  const auto jobs = static_cast<std::size_t>(options.jobs);
  std::vector<std::unique_ptr<Hunter>> hunters(jobs);
  in_parallel(jobs, [&](std::size_t i) {
    hunters[i] = std::make_unique<Hunter>(specs, faults, sources, of_gradients);
  });

  // Kills of a round are merged by the number of their call, so any number of threads gives the same result.
  for (std::uint64_t first = 0; first < options.cases; first += block * jobs) {
    std::vector<std::size_t> alive;
    for (std::size_t i = 0; i < faults.size(); ++i)
      if (!faults[i].kill) alive.push_back(i);
    if (alive.empty()) break;
    if (options.stopped()) {
      std::erase_if(faults, [](const SelftestResult& one) { return !one.kill; });
      return faults;
    }
    std::vector<Kills> kills(jobs);
    in_parallel(jobs, [&](std::size_t i) {
      const std::uint64_t from = first + i * block;
      kills[i] = hunters[i]->hunt(from, std::min(from + block, options.cases), alive);
    });
    for (const Kills& some : kills)
      for (const auto& [fault, kill] : some)
        if (!faults[fault].kill) faults[fault].kill = kill;
    options.tried("calls of engine faults up to " + std::to_string(first + block * jobs));
  }
  in_parallel(jobs, [&](std::size_t i) {
    for (std::size_t f = i; f < faults.size(); f += jobs)
      if (faults[f].kill) faults[f].kill = hunters[i]->shrunk(f, *std::move(faults[f].kill));
  });
  return faults;
}

}  // namespace

std::vector<SelftestResult> try_faults(const spec::SpecLibrary& specs, const Options& options) {
  std::vector<SelftestResult> tried = try_those(false, specs, options);
  std::ranges::move(try_those(true, specs, options), std::back_inserter(tried));
  return tried;
}

}  // namespace scatterproof::runner::selftest
