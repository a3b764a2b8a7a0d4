// SPDX-License-Identifier: Apache-2.0
// The search for the call that is to blame when a batch goes wrong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "session.hpp"

namespace scatterproof::engines::protocol {

class Blame {
 public:
  /// Both must outlive it. `strays` gets the processes that its workers moved out of their group and left
  /// running.
  Blame(const WorkerOptions& options, std::vector<std::string>& strays)
      : options_(options), strays_(strays) {}

  /// The worker broke off while the call `at` was due, and has been ended. The cause may be elsewhere: an
  /// earlier call may have damaged the process. So calls are tried in workers of their own until one
  /// misbehaves there. Writes the outcome of the call `at`, and that of an earlier call which is to blame.
  /// `before`: what its process had answered.
  void settle(std::span<const CallRequest> requests, std::size_t at, Breach breach, const std::string& before,
              std::span<spec::Outcome> outcomes);

 private:
  /// What a call, or a group of calls, did in its own worker.
  struct Trial {
    std::vector<spec::Outcome> outcomes;
    /// The worker died, hung or sent a wrong reply, now or when it was told to stop.
    std::optional<spec::Outcome> fault;
  };

  bool settle_earlier(std::span<const CallRequest> requests, std::span<spec::Outcome> outcomes);
  Trial trial(std::span<const CallRequest> requests);

  const WorkerOptions& options_;
  std::vector<std::string>& strays_;
};

}  // namespace scatterproof::engines::protocol
