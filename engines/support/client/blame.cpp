// SPDX-License-Identifier: Apache-2.0
#include "blame.hpp"

#include <fmt/format.h>

namespace scatterproof::engines::protocol {

void Blame::settle(std::span<const CallRequest> requests, std::size_t at, Breach breach,
                   const std::string& before, std::span<spec::Outcome> outcomes) {
  if (breach.certain) {
    outcomes[at] = std::move(breach.outcome);
    return;
  }
  Trial alone = trial(requests.subspan(at, 1));
  if (alone.fault) {
    outcomes[at] = *std::move(alone.fault);
    return;
  }
  outcomes[at] = std::move(alone.outcomes.front());
  // Too slow in the batch but in time alone: its own answer is the better evidence.
  if (std::holds_alternative<spec::TimedOut>(breach.outcome.what) || breach.stale) return;
  if (breach.repeated) {  // it is unknown which of its two answers is right
    outcomes[*breach.repeated] = std::move(breach.outcome);
    return;
  }
  if (settle_earlier(requests.first(at + 1), outcomes)) return;
  const std::string note =
      fmt::format("in a batch, after {} other calls; no call does it alone{}", at,
                  before.empty() ? "" : "; before it, the process had answered " + before);
  if (auto* crash = std::get_if<spec::Crashed>(&breach.outcome.what)) {
    crash->established = note;
    crash->of_no_call_alone = true;
  } else if (auto* garbled = std::get_if<spec::Garbled>(&breach.outcome.what)) {
    garbled->what += " (" + note + ")";
  }
  outcomes[at] = std::move(breach.outcome);
}

/// Bisects the calls down to one that misbehaves with no other before it, if there is one.
bool Blame::settle_earlier(std::span<const CallRequest> requests, std::span<spec::Outcome> outcomes) {
  std::size_t first = 0;
  std::size_t count = requests.size();
  std::optional<spec::Outcome> fault;
  while (count > 1) {
    const std::size_t half = count / 2;
    fault = trial(requests.subspan(first, half)).fault;
    if (!fault) {
      first += half;
      count -= half;
      fault = trial(requests.subspan(first, count)).fault;
      if (!fault) return false;
    } else {
      count = half;
    }
  }
  if (!fault) return false;
  outcomes[first] = *std::move(fault);
  return true;
}

Blame::Trial Blame::trial(std::span<const CallRequest> requests) {
  auto started = new_session(options_);
  if (auto* reason = std::get_if<std::string>(&started))
    return {{}, spec::Outcome{spec::Unavailable{*reason}, 0}};
  auto& session = *std::get<std::unique_ptr<Session>>(started);
  Answers answers = session.run(requests);
  Trial trial{std::move(answers.outcomes), {}};
  if (answers.breach) {
    trial.fault = std::move(answers.breach->outcome);
    auto* crash = std::get_if<spec::Crashed>(&trial.fault->what);
    if (crash != nullptr && crash->misbehaviour.empty())
      crash->established = "when the call ran alone in a fresh process";
  } else if (answers.ended) {
    // it will not answer to stop
  } else if (const Leave leave = session.stop(); !leave.fault.empty()) {
    trial.fault = spec::Outcome{spec::Garbled{leave.fault, session.last_words()}, 0};
  }
  for (std::string& stray : session.end()) strays_.push_back(std::move(stray));
  return trial;
}

}  // namespace scatterproof::engines::protocol
