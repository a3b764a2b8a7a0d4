// SPDX-License-Identifier: Apache-2.0
// All drawn faults at once: a call is made and its expectation found once, then every fault still alive whose condition
// the call meets executes it.
#include "try_drawn.hpp"

#include <algorithm>
#include <map>

#include "rounds.hpp"
#include "scatterproof/engines/reference.hpp"
#include "verdicts.hpp"

namespace scatterproof::runner::selftest {
namespace {

/// Calls of each API that an engine sees before it forgets them. More than a condition on the number of calls asks for.
constexpr std::uint64_t calls_in_sequence = 256;

/// The first kills within a block of calls, by place in the list of faults.
using FirstKills = std::map<std::size_t, std::uint64_t>;

class DrawnHunter {
 public:
  DrawnHunter(const spec::SpecLibrary& specs, const std::vector<engines::DrawnFault>& faults,
              const std::vector<ApiCalls>& sources)
      : sources_(sources), engines_(faults, specs), reference_(engines::make_reference(specs)) {}

  FirstKills hunt(std::uint64_t first, std::uint64_t last, std::vector<std::size_t> alive) {
    FirstKills kills;
    engines_.forget();
    for (std::uint64_t n = first; n < last && !alive.empty(); ++n) {
      const auto& [op, calls] = sources_[n % sources_.size()];
      const auto call = calls(n / sources_.size());
      if (!call) continue;
      const auto expectation = spec::expect(*op, *call);
      engines_.run(*call, alive, [&](std::size_t fault, const spec::Outcome& outcome) {
        if (failure(expectation, outcome).empty()) return;
        if (failure(expectation, reference_->run_one({&*call})).empty()) kills.emplace(fault, n + 1);
      });
      std::erase_if(alive, [&](std::size_t fault) { return kills.contains(fault); });
    }
    return kills;
  }

 private:
  const std::vector<ApiCalls>& sources_;
  engines::DrawnEngines engines_;
  std::unique_ptr<engines::Engine> reference_;
};

void kill(std::vector<TriedDrawn>& tried, const std::vector<ApiCalls>& sources,
          const spec::SpecLibrary& specs, const Options& options) {
  std::vector<engines::DrawnFault> faults;
  for (const TriedDrawn& one : tried) faults.push_back(one.fault);
  const auto jobs = static_cast<std::size_t>(options.jobs);
  std::vector<std::unique_ptr<DrawnHunter>> hunters(jobs);
  in_parallel(jobs,
              [&](std::size_t i) { hunters[i] = std::make_unique<DrawnHunter>(specs, faults, sources); });
  const std::uint64_t block = calls_in_sequence * sources.size();
  for (std::uint64_t first = 0; first < options.cases; first += block * jobs) {
    std::vector<std::size_t> alive;
    for (std::size_t i = 0; i < tried.size(); ++i)
      if (!tried[i].killed) alive.push_back(i);
    if (alive.empty() || options.stopped()) return;
    std::vector<FirstKills> kills(jobs);
    in_parallel(jobs, [&](std::size_t i) {
      const std::uint64_t from = first + i * block;
      kills[i] = hunters[i]->hunt(from, std::min(from + block, options.cases), alive);
    });
    for (const FirstKills& some : kills)
      for (const auto& [fault, calls] : some)
        if (!tried[fault].killed) tried[fault].killed = calls;
    options.tried("calls of drawn faults up to " + std::to_string(first + block * jobs));
  }
}

}  // namespace

std::vector<TriedDrawn> try_drawn(const spec::SpecLibrary& specs, std::uint64_t seed, std::uint64_t count,
                                  const Options& options) {
  std::vector<TriedDrawn> tried;
  for (std::uint64_t n = 0; n < count; ++n)
    tried.push_back({.fault = engines::draw_fault(seed, n), .killed = {}, .shown = {}});
  const std::vector<ApiCalls> sources = calls_of_kernels(specs, options);
  kill(tried, sources, specs, options);

  const auto jobs = static_cast<std::size_t>(options.jobs);
  in_parallel(jobs, [&](std::size_t i) {
    for (std::size_t f = i; f < tried.size(); f += jobs)
      if (!tried[f].killed && !options.stopped()) tried[f].shown = find_showing_call(tried[f].fault, specs);
  });
  return tried;
}

}  // namespace scatterproof::runner::selftest
