// SPDX-License-Identifier: Apache-2.0
// How fast calls are judged through a worker, compared with the same calls in a bare loop of the framework's
// own.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::bench {

/// Calls of one API, as one batch: generated, and answered rightly by the engine.
struct WorkerBatch {
  const spec::OpSpec* op = nullptr;
  std::vector<spec::Call> calls;
};

/// Seconds a call, one for each repetition; the two were measured in turn.
struct WorkerSpeed {
  std::string engine;
  std::string version;
  std::vector<std::string> apis = {};
  std::size_t calls = 0;            ///< different ones
  std::vector<double> judged = {};  ///< executed through the worker and judged
  std::vector<double> bare = {};    ///< in the bare loop; empty: the worker has none
  std::string note = {};            ///< why something is empty
};

struct WorkerRequest {
  const spec::SpecLibrary* specs = nullptr;
  int repetitions = 10;
  std::uint64_t seed = 0;
  const std::atomic<bool>* interrupted = nullptr;
};

/// Times an engine on small valid calls of some of its APIs, one of each family that has a kernel.
WorkerSpeed time_worker(engines::Engine& engine, const WorkerRequest& request);

/// The speeds as one JSON document.
std::string to_json(const std::vector<WorkerSpeed>& speeds);

}  // namespace scatterproof::runner::bench
