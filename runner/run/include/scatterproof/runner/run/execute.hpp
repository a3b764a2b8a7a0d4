// SPDX-License-Identifier: Apache-2.0
// Cases times engines: batches out, outcomes in, verdicts and records to the listeners.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/run/progress.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::spec {
class FamilyLibrary;
}

namespace scatterproof::runner {

/// The engine name of the one record of a case that contradicts its spec: that is about no engine.
inline constexpr const char* case_engine_name = "case";

struct ExecuteOptions {
  std::chrono::milliseconds timeout{10'000};  ///< a call
  int jobs = 1;                               ///< engines at work at once
  bool stop_at_first = false;                 ///< -x
  int retries = 0;                            ///< how often an unexpected failure is tried again
  /// With `retries`: the engine of this name, freshly started; null if it does not start. Several threads may
  /// ask.
  std::function<std::unique_ptr<engines::Engine>(const std::string& name)> fresh;
  bool gradients = false;  ///< the gradients of the calls are judged too, with a record of their own
  std::uint64_t seed = 0;  ///< order of the calls; 0: by id
  std::string program;     ///< how the user started us, for reproduce lines
  std::string flags;       ///< flags that a reproduce line must repeat: ` --specs my-specs`
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;                   ///< notified of engines at work; may be null
  const spec::FamilyLibrary* families = nullptr;  ///< to crowd calls in which threads could race; may be null
  std::function<bool(const std::string& id, const std::string& engine)> done;  ///< judged in an earlier run
  /// Called with each answer before any of its batch is judged; may be empty. Never called by two threads at
  /// once.
  std::function<void(const spec::Case&, const spec::Outcome&)> answered;
  std::function<void(const spec::Record&)> judged;  ///< never called by two threads at once
};

/// The cases of a catalogue that concern an engine: those of the APIs it offers.
std::vector<const spec::Case*> cases_for(const Catalogue& catalogue, const engines::Engine& engine);

/// Runs and judges. Errors: specs that cannot be executed. Throws what a thread threw, spec::OutOfMemory
/// included.
struct RunResult {
  bool stopped = false;                     ///< interrupted, or by stop_at_first
  std::vector<spec::Skipped> skipped = {};  ///< by engine and API, in no order
  std::vector<std::string> notes = {};      ///< sentences for the user
  spec::Errors errors;
};
RunResult execute(const Catalogue& catalogue, std::vector<std::unique_ptr<engines::Engine>>& engines,
                  Baseline& baseline, const ExecuteOptions& options);

/// `scatterproof run 'torch.gather/doc/example-5' --engine torch@2.13.0`, with the user's own files where
/// needed.
std::string reproduce_line(const ExecuteOptions& options, const Catalogue& catalogue, const std::string& id,
                           const std::string& engine);

}  // namespace scatterproof::runner
