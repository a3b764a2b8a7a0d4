// SPDX-License-Identifier: Apache-2.0
// A conversation with one worker process, from start to stop or to its first misbehaviour.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "message.hpp"
#include "process.hpp"

namespace scatterproof::engines::protocol {

/// Why a conversation broke off, as the outcome of the call at which it did.
struct Breach {
  spec::Outcome outcome;
  bool certain = false;                      ///< the call is certainly to blame: its own reply was wrong
  std::optional<std::size_t> repeated = {};  ///< the call of the batch that was answered once more
  bool stale = false;  ///< the bad reply is about an earlier batch: no call of this one is to blame
};

/// Answers up to the first breach, or up to the call after which the worker ended, as it said. If there is a
/// breach and an answer for every call, the worker misbehaved after the last.
struct Answers {
  std::vector<spec::Outcome> outcomes;
  std::optional<Breach> breach;
  bool ended = false;
};

/// How a worker ended.
struct Leave {
  std::string fault;                ///< what was wrong in its reply to stop, or after it; empty: nothing
  std::optional<ProcessEnd> ended;  ///< absent: it did not end in time
};

class Session {
 public:
  /// A started worker, or why there is none.
  static std::variant<std::unique_ptr<Session>, std::string> start(const WorkerOptions& options);

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { end(); }

  /// What the worker declared.
  const Greeting& greeting() const { return greeting_; }

  /// Runs a batch. After a breach, the session must not be used again.
  Answers run(std::span<const CallRequest> requests) { return answers(send(requests), requests); }
  /// The same in two steps. The first sends what the worker's channel takes at once: its number.
  std::int64_t send(std::span<const CallRequest> requests);
  /// The second waits for the answers to that batch, and sends the rest of it. Other batches may be sent
  /// after it meanwhile; their answers are waited for in the same order.
  Answers answers(std::int64_t seq, std::span<const CallRequest> requests);

  /// Prepares a call for repetition: the outcome of its first execution. After a breach, here and below,
  /// the session must not be used again.
  std::variant<spec::Outcome, Breach> prepare(const spec::Call& call, const TimingOptions& options,
                                              std::chrono::milliseconds timeout);
  /// Executes the prepared call this many times: seconds, or how it failed.
  std::variant<double, spec::Outcome, Breach> repeat(std::int64_t times, std::chrono::milliseconds timeout);
  /// Releases the prepared call.
  std::optional<Breach> forget(std::chrono::milliseconds timeout);

  /// Executes calls `rounds` times in a bare loop: seconds, or how one failed.
  std::variant<double, spec::Outcome, Breach> loop(std::span<const CallRequest> requests, std::int64_t rounds,
                                                   std::chrono::milliseconds timeout);

  /// The text of a document.
  std::variant<DocumentText, Breach> document(const std::string& name, std::chrono::milliseconds timeout);

  /// Ends the process at once, with all that it started. The names of those that had left its process group.
  /// From one that goes on, all that it still has to say is taken, so that the channel can be used again.
  std::vector<std::string> end();

  /// True when the worker, asked nothing, has sent something or has ended: it cannot be asked any more.
  bool broke_off() { return !process_->inbox().empty() || process_->closed(); }

  /// Asks the worker to end, and gives it this long for each step. The session must not be used again.
  Leave stop(std::chrono::milliseconds grace = std::chrono::milliseconds{1000});

  std::string last_words() { return process_->last_words(); }

  /// The calls that were answered, by API: `2 calls of torch.gather, 64 of torch.take`. Calls of the API that
  /// was asked last come first, and if there are many APIs only some are named.
  std::string answered_words() const;

 private:
  explicit Session(std::unique_ptr<WorkerProcess> process) : process_(std::move(process)) {}

  struct Received {
    Reply reply;
    Payload payload;
  };
  std::variant<Received, Breach> receive(Clock::time_point asked, std::chrono::milliseconds timeout,
                                         std::chrono::microseconds pause = {});
  std::variant<Received, Breach> receive_due(std::int64_t seq, Clock::time_point asked,
                                             std::chrono::milliseconds timeout);
  std::variant<double, spec::Outcome, Breach> receive_seconds(std::int64_t seq,
                                                              std::chrono::milliseconds timeout);
  Taken taken() const;
  std::variant<spec::Outcome, Breach> settled(std::variant<spec::Outcome, Fault> said);
  Breach ended_or_closed();
  Breach silence(std::chrono::milliseconds timeout);
  Breach garbled(std::string what);
  Breach out_of_turn(std::int64_t seq, std::int64_t due, std::int64_t run, std::int64_t last);

  void count_answer(const std::string& api);

  std::unique_ptr<WorkerProcess> process_;
  std::vector<std::pair<std::string, std::size_t>> answered_;  ///< calls by API, that of the last one last
  Greeting greeting_;
  std::int64_t next_seq_ = 0;
  std::chrono::seconds cpu_per_batch_{0};
  bool ended_ = false;
};

/// A failed start is tried once more: a call is not to blame for it.
std::variant<std::unique_ptr<Session>, std::string> new_session(const WorkerOptions& options);

}  // namespace scatterproof::engines::protocol
