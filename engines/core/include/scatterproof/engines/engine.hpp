// SPDX-License-Identifier: Apache-2.0
// A guest that executes calls. It never sees an expected value.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/outcome.hpp"

namespace scatterproof::engines {

struct EngineInfo {
  std::string name;                 ///< as in records and on the command line: `reference`, `torch@2.13.0`
  std::string framework;            ///< `torch`, whose documents it answers to; empty for a native engine
  std::string version;              ///< printed in every record
  std::string device;               ///< `cpu`
  std::vector<std::string> apis;    ///< spec names it offers
  std::vector<std::string> dtypes;  ///< dtype names it takes
  std::string varies = {};  ///< what of a result its makers say may differ from one execution to the next;
                            ///< empty: nothing
};

/// Yes, or no with a reason fit for a report.
struct Support {
  bool yes = true;
  std::string reason;
};

/// One call and the longest it may take.
struct Job {
  const spec::Call* call = nullptr;
  std::chrono::milliseconds timeout{10'000};
};

/// What is timed of a call. Its result is allocated beforehand either way.
struct TimingOptions {
  int threads = 1;       ///< the engine may use this many
  bool in_place = true;  ///< scatters go onto the same tensor again and again; false: the start values are
                         ///< copied into the result first, each time. Gathers know no difference.
};

/// A call made ready to be executed again and again, with nothing around it.
class TimedCall {
 public:
  virtual ~TimedCall() = default;
  /// Executes the call `times` times, back to back. Seconds for all of them together, measured beside the
  /// call, or why there are none.
  virtual std::variant<double, spec::Outcome> repeat(std::int64_t times) = 0;
};

/// A call executed once, and ready for more.
struct Prepared {
  spec::Outcome outcome;             ///< of that first execution: to be judged before anything is timed
  std::unique_ptr<TimedCall> timed;  ///< null unless the outcome is Produced. Lives no longer than its engine
};

/// Public non-virtual, private virtual: what holds for every engine is done once, here (inputs copied before
/// the call, compared after it).
class Engine {
 public:
  virtual ~Engine() = default;

  /// Makes the engine ready and info() final. Empty, or why it is unavailable, in words fit for a report. A
  /// run calls it once, before anything else; engines in this process are ready as they are.
  virtual std::string start() { return {}; }

  virtual const EngineInfo& info() const = 0;
  virtual Support supports(const spec::Call& call) const = 0;

  /// Executes the calls in order; one outcome each, always as many as jobs. Never throws for what the guest
  /// did. Not safe to call from two threads at once.
  std::vector<spec::Outcome> run(std::span<const Job> jobs);
  /// The same for a single call.
  spec::Outcome run_one(const Job& job) { return std::move(run({&job, 1}).front()); }

  /// Makes a call ready for timing. Engines that cannot give an Unsupported with the reason. While the timed
  /// call lives, nothing else may be asked of its engine. `call` must outlive it.
  virtual Prepared prepare(const spec::Call& call, const TimingOptions& options);

  /// How many jobs to hand over at once.
  virtual std::size_t batch_size() const { return 64; }

 private:
  virtual std::vector<spec::Outcome> do_run(std::span<const Job> jobs) = 0;
};

/// For engines in this process: `do_run` call by call, with inputs handed over as private copies and checked
/// for writes afterwards (Produced::inputs_written).
class InProcessEngine : public Engine {
 private:
  std::vector<spec::Outcome> do_run(std::span<const Job> jobs) final;
  virtual spec::Outcome do_call(const spec::Call& call) = 0;
};

}  // namespace scatterproof::engines
