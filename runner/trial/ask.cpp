// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/ask.hpp"

#include <algorithm>

namespace scatterproof::runner {
namespace {

bool killed_by_no_call(const spec::Outcome& outcome) {
  const auto* crash = std::get_if<spec::Crashed>(&outcome.what);
  return crash != nullptr && crash->of_no_call_alone;
}

}  // namespace

std::vector<spec::Outcome> ask(engines::Engine& engine, std::span<const spec::Call* const> calls,
                               std::chrono::milliseconds timeout,
                               std::span<const spec::GradientQuestion* const> gradients) {
  std::vector<spec::Outcome> outcomes(calls.size());
  std::vector<engines::CallRequest> requests;
  std::vector<std::size_t> sent;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (engines::Support support = engine.supports(*calls[i]); support.yes) {
      requests.push_back(
          {.call = calls[i], .timeout = timeout, .gradient = gradients.empty() ? nullptr : gradients[i]});
      sent.push_back(i);
    } else {
      outcomes[i] = {spec::Unsupported{std::move(support.reason)}, 0};
    }
  const std::size_t most = std::max<std::size_t>(engine.batch_size(), 1);
  for (std::size_t begin = 0; begin < requests.size(); begin += most) {
    const auto batch = std::span(requests).subspan(begin, std::min(most, requests.size() - begin));
    std::vector<spec::Outcome> answers = engine.run(batch);
    for (std::size_t k = 0; k < answers.size(); ++k) outcomes[sent[begin + k]] = std::move(answers[k]);
  }
  for (std::size_t k = 0; k < requests.size(); ++k)
    if (killed_by_no_call(outcomes[sent[k]])) outcomes[sent[k]] = engine.run_one(requests[k]);
  return outcomes;
}

std::unique_ptr<engines::Engine> in_new_process(const engines::Engine& engine) {
  constexpr std::uint8_t memory_pattern = 0x5a;
  return engine.twin(memory_pattern);
}

}  // namespace scatterproof::runner
