// SPDX-License-Identifier: Apache-2.0
// Engines on the far side of the worker protocol (docs/worker-protocol.md), and how their processes are kept
// in check.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/engines/engine.hpp"

namespace scatterproof::engines {

/// How to start a worker, and the bounds it lives in.
struct WorkerOptions {
  EngineInfo info;  ///< what is known before it starts; `name` stays, the rest is what it declares
  std::vector<std::string> command;                              ///< the first is a path; it is not looked up
  std::vector<std::pair<std::string, std::string>> environment;  ///< laid over this process's own
  std::chrono::milliseconds start_timeout{
      60'000};  ///< importing a framework from a cold disk takes this long
  std::uint64_t address_space = std::uint64_t{16} << 30;  ///< 0: no limit
  std::chrono::seconds cpu_per_batch{600};  ///< a batch may use this much processor time; 0: no limit
  /// For making a call ready to be timed, data of a GiB and all, and for each number of repetitions.
  std::chrono::milliseconds timing_timeout{300'000};
};

/// The engine a worker process offers. The process is started on first use (`info` and `supports` are uses),
/// in a process group of its own, and replaced when it misbehaves; a call's misbehaviour is that call's
/// outcome, and every other call of its batch gets the outcome it would have had without it. When the process
/// cannot be started, every outcome is Unavailable with the reason. The destructor leaves no process behind.
///
/// `prepare` asks the worker, also for calls beyond `apis` that it takes for timing alone; one that has no
/// timed calls, and a call with more than a GiB of tensors, are Unsupported. What goes wrong while a call is
/// prepared or repeated is the outcome it ends with, and costs the worker.
std::unique_ptr<Engine> make_worker_engine(WorkerOptions options);

}  // namespace scatterproof::engines
