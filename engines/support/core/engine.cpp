// SPDX-License-Identifier: Apache-2.0
// What holds for every engine: as many outcomes as requests, no exceptions, and the caller's tensors stay
// untouched.
#include "scatterproof/engines/core/engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::engines {
namespace {

using spec::Garbled;
using spec::Outcome;
using spec::Produced;
using spec::Tensor;

Outcome garbled(std::string what) { return Outcome{Garbled{std::move(what), {}}, 0}; }

/// Compares with memcmp: comparing vectors of bytes is a loop.
bool same_bytes(const Tensor::Storage& a, const Tensor::Storage& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// Names of the arguments whose storage differs between the two calls, which have the same arguments.
std::vector<std::string> changed_arguments(const spec::Call& before, const spec::Call& after) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < before.arguments.size(); ++i) {
    const auto* original = std::get_if<Tensor>(&before.arguments[i].second);
    const auto* handed_over = std::get_if<Tensor>(&after.arguments[i].second);
    if (original && handed_over && !same_bytes(original->storage(), handed_over->storage()))
      names.push_back(before.arguments[i].first);
  }
  return names;
}

/// Adds arguments to those that the outcome already says were written.
void note_changes(const std::vector<std::string>& names, Outcome& outcome) {
  std::vector<std::string>* written = nullptr;
  if (auto* produced = std::get_if<Produced>(&outcome.what)) written = &produced->inputs_written;
  if (auto* refused = std::get_if<spec::Refused>(&outcome.what)) written = &refused->arguments_written;
  if (!written) return;
  for (const std::string& name : names)
    if (std::ranges::find(*written, name) == written->end()) written->push_back(name);
}

/// As many outcomes as there are requests, whatever `execute` does.
template <class Execute>
std::vector<Outcome> outcomes_of(std::span<const CallRequest> requests, Execute execute) {
  std::vector<Outcome> outcomes;
  try {
    outcomes = execute();
  } catch (const spec::LimitReached&) {  // not the engine's doing: the run is interrupted
    throw;
  } catch (const std::exception& error) {
    outcomes.assign(requests.size(), garbled(std::string("the engine threw: ") + error.what()));
  } catch (...) {
    outcomes.assign(requests.size(), garbled("the engine threw something that is not an exception"));
  }
  if (outcomes.size() != requests.size())
    outcomes.assign(requests.size(), garbled("the engine gave " + std::to_string(outcomes.size()) +
                                             " outcomes for " + std::to_string(requests.size()) + " calls"));
  return outcomes;
}

}  // namespace

std::vector<Outcome> Engine::run(std::span<const CallRequest> requests) {
  return outcomes_of(requests, [&] { return do_run(requests); });
}

std::future<std::vector<Outcome>> Engine::begin(std::vector<CallRequest> requests) {
  std::unique_ptr<PendingCalls> begun = do_begin(requests);
  return std::async(std::launch::deferred, [this, requests = std::move(requests), begun = std::move(begun)] {
    return outcomes_of(requests, [&] { return begun ? begun->finish() : do_run(requests); });
  });
}

std::unique_ptr<Engine> Engine::twin(std::uint8_t) const { return nullptr; }

PreparedCall Engine::prepare(const spec::Call&, const TimingOptions&) {
  return {Outcome{spec::Unsupported{info().name + " has no timed calls"}, 0}, nullptr};
}

std::variant<double, Outcome> Engine::bare_loop(std::span<const CallRequest>, std::int64_t) {
  return Outcome{spec::Unsupported{info().name + " has no bare loop"}, 0};
}

DocumentText Engine::document(const std::string&) {
  return {.text = {}, .missing = info().name + " has no documents"};
}

Outcome InProcessEngine::do_gradients(const CallRequest&, Produced produced) {
  return {std::move(produced), 0};
}

Outcome InProcessEngine::call_once(const CallRequest& request, const spec::Call& handed_over) {
  Outcome outcome = do_call(handed_over, request.threads);
  auto* produced = std::get_if<Produced>(&outcome.what);
  if (!produced || !request.gradient || !info().gradients) return outcome;
  const spec::Call again = spec::clone(*request.call);
  CallRequest with_copy = request;
  with_copy.call = &again;
  outcome = do_gradients(with_copy, *std::move(produced));
  note_changes(changed_arguments(*request.call, again), outcome);
  return outcome;
}

std::vector<Outcome> InProcessEngine::do_run(std::span<const CallRequest> requests) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(requests.size());
  for (const CallRequest& request : requests) {
    spec::WorkLimit::check();
    const spec::Call handed_over = spec::clone(*request.call);
    const auto begin = std::chrono::steady_clock::now();
    Outcome outcome;
    try {
      outcome = call_once(request, handed_over);
    } catch (const std::exception& error) {
      outcome = garbled(std::string("the engine threw: ") + error.what());
    } catch (...) {
      outcome = garbled("the engine threw something that is not an exception");
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    note_changes(changed_arguments(*request.call, handed_over), outcome);
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace scatterproof::engines
