// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/ask.hpp"

namespace scatterproof::runner {
namespace {

bool killed_by_no_call(const spec::Outcome& outcome) {
  const auto* crash = std::get_if<spec::Crashed>(&outcome.what);
  return crash != nullptr && crash->of_no_call_alone;
}

}  // namespace

std::vector<spec::Outcome> ask(engines::Engine& engine, std::span<const spec::Call* const> calls,
                               std::chrono::milliseconds timeout) {
  std::vector<spec::Outcome> outcomes(calls.size());
  std::vector<engines::Job> jobs;
  std::vector<std::size_t> sent;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (engines::Support support = engine.supports(*calls[i]); support.yes) {
      jobs.push_back({calls[i], timeout});
      sent.push_back(i);
    } else {
      outcomes[i] = {spec::Unsupported{std::move(support.reason)}, 0};
    }
  std::vector<spec::Outcome> answers = engine.run(jobs);
  for (std::size_t k = 0; k < answers.size(); ++k)
    outcomes[sent[k]] = killed_by_no_call(answers[k]) ? engine.run_one(jobs[k]) : std::move(answers[k]);
  return outcomes;
}

}  // namespace scatterproof::runner
