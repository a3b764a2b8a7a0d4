// SPDX-License-Identifier: Apache-2.0
// Engines at the other end of the worker protocol (docs/formats/worker-protocol.md), and the supervision of
// their processes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// How to start a worker, and its limits.
struct WorkerOptions {
  EngineInfo info;  ///< what is known before it starts; `name` stays, the rest is what it declares
  std::vector<std::string> command;                              ///< the first is a path; it is not looked up
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to this process's own
  bool in_scratch =
      false;  ///< its working directory is its TMPDIR, so that what it writes there goes when it ends;
              ///< else it is this process's
  std::chrono::milliseconds start_timeout{
      60'000};  ///< importing a framework from a cold disk takes this long
  std::uint64_t address_space = std::uint64_t{16} << 30;  ///< 0: no limit
  std::chrono::seconds cpu_per_batch{600};  ///< a batch may use this much processor time; 0: no limit
  /// A worker is replaced between batches when its age is this multiple of the time that its start took: so
  /// first calls happen often, and restarts cost a negligible share of the time.
  double life_in_starts = 50;
  const spec::SpecLibrary* specs =
      nullptr;  ///< to tell which calls a declared kernel covers; must outlive the engine
  /// A worker that runs already answers on this descriptor, which stays open. No process is started, limited
  /// or ended: `command`, `environment` and the limits mean nothing, and it has no twin. -1: none does.
  int channel = -1;
  /// For preparing a timed call (with up to a GiB of data), and for each request to repeat it.
  std::chrono::milliseconds timing_timeout{300'000};
};

/// The engine that a worker process offers. The process starts on first use (`info` and `supports` are uses),
/// in its own process group, and is replaced when it misbehaves or is old. A call's misbehaviour becomes that
/// call's outcome; every other call of the batch gets the outcome that it would have had without it. If the
/// process cannot be started, every outcome is Unavailable with the reason. The destructor leaves no process
/// behind.
///
/// `prepare` asks the worker, also for calls beyond `apis` that it only takes for timing. It is Unsupported
/// if the worker has no timed calls or the call has more than a GiB of tensors. If something goes wrong while
/// a call is prepared or repeated, that is its outcome, and the worker is replaced.
std::unique_ptr<Engine> make_worker_engine(WorkerOptions options);

/// Why, on this system, workers share this process's process numbers and can signal it; empty: each has a
/// process namespace of its own. Tried once, in a few milliseconds.
const std::string& why_workers_are_not_apart();

}  // namespace scatterproof::engines
