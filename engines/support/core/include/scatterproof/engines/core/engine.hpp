// SPDX-License-Identifier: Apache-2.0
// An engine executes calls. It never sees an expected value.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/engines/core/hang_limit.hpp"
#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/gradient.hpp"
#include "scatterproof/spec/core/outcome.hpp"

namespace scatterproof::engines {

struct EngineInfo {
  std::string name;                 ///< as in records and on the command line: `reference`, `torch@2.13.0`
  std::string framework;            ///< `torch`, by whose documents it is judged; empty for a native engine
  std::string version;              ///< printed in every record
  std::string device;               ///< `cpu`
  std::vector<std::string> apis;    ///< spec names it offers
  std::vector<std::string> dtypes;  ///< dtype names it takes
  std::string varies = {};          ///< what its makers say may differ from one execution to the next;
                                    ///< empty: nothing
  std::string declared = {};        ///< the name that a worker gives itself; empty: it has none but `name`
  /// JSON: a call must be covered by one of these kernels (kernel_abi.h, "Describing"); empty: the engine
  /// takes any call of these APIs and dtypes.
  std::string kernels = {};
  bool threads = false;    ///< it obeys CallRequest::threads
  bool gradients = false;  ///< it answers CallRequest::gradient in reverse mode
  bool tangents = false;   ///< and in forward mode
  bool second_order = false;
  bool offers(std::string_view api) const { return std::ranges::find(apis, api) != apis.end(); }
  bool answers(const spec::GradientQuestion& question) const {
    return question.second_order ? second_order : question.forward() ? tangents : gradients;
  }
  double signature_seconds =
      0;  ///< what the first call of a signature costs (all but the values of its tensors), where
          ///< that is many times what the next ones do
  double gradient_signature_seconds = 0;  ///< the same of calls with gradients
};

/// Yes, or no with a reason fit for a report.
struct Support {
  bool yes = true;
  std::string reason;
};

/// One call, the longest it may take, and how many threads it may use.
struct CallRequest {
  const spec::Call* call = nullptr;
  std::chrono::milliseconds timeout{10'000};
  int threads = 0;                  ///< 0: as many as the engine finds good
  HangLimit* hang_limit = nullptr;  ///< of the calls like this one; null: it is never skipped
  const spec::GradientQuestion* gradient = nullptr;  ///< null: none is asked for
  bool is_over_limit() const { return hang_limit && hang_limit->reached(); }
};

/// How a call is timed. Its result is allocated beforehand either way.
struct TimingOptions {
  int threads = 1;       ///< the engine may use this many
  bool in_place = true;  ///< every scatter writes to the same tensor; false: the start values are
                         ///< copied into the result first, each time. No difference for gathers.
  /// Not null: what is timed is this gradient, in reverse mode, and the outcome has it. The forward call is
  /// timed with it only where the engine cannot keep what it left.
  const spec::GradientQuestion* gradient = nullptr;
};

/// A document's text, or why there is none, worded for a report.
struct DocumentText {
  std::string text;
  std::string missing;  ///< empty: `text` is it
};

/// A call prepared for repeated execution, without overhead.
class TimedCall {
 public:
  virtual ~TimedCall() = default;
  /// Executes the call `times` times, back to back. Seconds for all of them together, measured next to the
  /// call, or why there are none.
  virtual std::variant<double, spec::Outcome> repeat(std::int64_t times) = 0;
};

/// A call that was executed once and can be repeated.
struct PreparedCall {
  spec::Outcome outcome;             ///< of that first execution: to be judged before anything is timed
  std::unique_ptr<TimedCall> timed;  ///< null unless the outcome is Produced. Lives no longer than its engine
};

/// Public functions are non-virtual, virtual ones private: what holds for every engine is done once, here
/// (inputs are copied before the call and compared after it).
class Engine {
 public:
  virtual ~Engine() = default;

  /// Starts the engine and makes info() final. Empty, or why it is unavailable, worded for a report. A run
  /// calls it once, before anything else; engines in this process need no start.
  virtual std::string start() { return {}; }

  /// Ends what the engine keeps running; it must not be used again. Empty, or what it did wrong besides its
  /// calls, as a sentence for a warning.
  virtual std::string stop() { return {}; }

  /// How its process ended that stop() told to end; nothing: as it should, or it has none.
  virtual std::optional<spec::Crashed> bad_end() const { return {}; }

  /// The same engine in another process, where memory that has not been written yet holds `pattern` (not 0)
  /// in every byte. Null: such a process cannot be made.
  virtual std::unique_ptr<Engine> twin(std::uint8_t pattern) const;

  virtual const EngineInfo& info() const = 0;
  /// Whether the engine takes a call, as far as it has declared. Once start() has returned, info() and
  /// supports() may be called from any thread, also while the engine runs calls.
  virtual Support supports(const spec::Call& call) const = 0;

  /// Executes the calls in order and returns one outcome for each. An engine that works in a process of its
  /// own skips calls whose hang limit is reached (skipped_outcome). Never throws because of what the engine
  /// did. Throws spec::LimitReached soon after a limit of this thread is passed (spec::WorkLimit), also while
  /// it waits for a call that a worker executes. Not safe to call from two threads at once.
  std::vector<spec::Outcome> run(std::span<const CallRequest> requests);
  /// The same for a single call.
  spec::Outcome run_one(const CallRequest& request) { return std::move(run({&request, 1}).front()); }

  /// The same for a caller that has other work meanwhile. An engine that works in a process of its own starts
  /// at once; another one executes the calls when their outcomes are asked for, on the thread that asks.
  /// Until then the calls and the limits of this thread must live, and the engine may only be used to begin
  /// another batch, whose outcomes are asked for after these. The future may be dropped unread.
  std::future<std::vector<spec::Outcome>> begin(std::vector<CallRequest> requests);
  /// Whether the engine works in a process of its own.
  virtual bool works_elsewhere() const { return false; }

  /// Prepares a call for timing; Unsupported, with the reason, when the engine cannot. As long as the timed
  /// call exists, its engine must not be used for anything else. `call` must outlive it.
  virtual PreparedCall prepare(const spec::Call& call, const TimingOptions& options);

  /// Executes all of these calls `rounds` times in a bare loop next to the framework: arguments are converted
  /// once, and nothing is sent, copied or compared meanwhile. Returns the seconds for all of them together,
  /// or why there are none; Unsupported, with the reason, when the engine has no such loop.
  virtual std::variant<double, spec::Outcome> bare_loop(std::span<const CallRequest> requests,
                                                        std::int64_t rounds);

  /// The text by which the framework documents something, such as an API's docstring in this release.
  virtual DocumentText document(const std::string& name);

  /// How many requests to hand over at once.
  virtual std::size_t batch_size() const { return 64; }

 protected:
  /// Calls that an engine has been handed and is working on. It may be dropped: then its outcomes are no
  /// longer wanted.
  class PendingCalls {
   public:
    virtual ~PendingCalls() = default;
    /// As do_run. Called once at most.
    virtual std::vector<spec::Outcome> finish() = 0;
  };

 private:
  virtual std::vector<spec::Outcome> do_run(std::span<const CallRequest> requests) = 0;
  /// For an engine that works elsewhere: hands it the calls without waiting for anything. Null: it works in
  /// this process. The requests live as long as the returned object.
  virtual std::unique_ptr<PendingCalls> do_begin(std::span<const CallRequest>) { return nullptr; }
};

/// For engines in this process: `do_call` is called for each call, with private copies of the inputs, which
/// are checked for writes afterwards (Produced::inputs_written, Refused::arguments_written), and with
/// CallRequest::threads.
class InProcessEngine : public Engine {
 private:
  std::vector<spec::Outcome> do_run(std::span<const CallRequest> requests) final;
  spec::Outcome call_once(const CallRequest& request, const spec::Call& handed_over);
  virtual spec::Outcome do_call(const spec::Call& call, int threads) = 0;
  /// Only asked if info() answers such questions, after the call has produced a result. The outcome: what was
  /// produced, with the gradients that `request` asks for, or why it has none. Its call is another copy.
  virtual spec::Outcome do_gradients(const CallRequest& request, spec::Produced produced);
};

}  // namespace scatterproof::engines
