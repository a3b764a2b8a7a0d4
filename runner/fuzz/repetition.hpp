// SPDX-License-Identifier: Apache-2.0
// Executes calls again: a race shows now and then, what an engine keeps between calls shows after other
// calls, and what it sets up once shows in a new process.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "restated.hpp"
#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/trial/repeated.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::fuzz {

/// A call that was executed once. Not owned.
struct ExecutedCall {
  Trial* trial = nullptr;
  std::uint64_t hash = 0;  ///< of the call and its number: chooses what is repeated
};

/// The time that one kind of repetition takes, as a share of the time since this was made: a tenth is small.
class Share {
 public:
  using Clock = std::chrono::steady_clock;
  bool is_small() const { return has_room_for({}); }
  /// Whether it stays small with something more that takes this long.
  bool has_room_for(Clock::duration time) const { return (spent_ + time) * most < Clock::now() - since_; }
  void add(Clock::duration time) { spent_ += time; }

 private:
  static constexpr int most = 10;
  Clock::time_point since_ = Clock::now();
  Clock::duration spent_{};
};

/// No kind of repetition takes another's time.
struct Shares {
  Share in_a_row;          ///< one call many times
  Share among_others;      ///< calls of a batch in another order
  Share in_new_processes;  ///< one call as the first of a process
};

/// What repetition keeps from one batch to the next.
struct RepetitionState {
  Shares shares;
  /// By engine: of the batch before, the call with the most dimensions among those that had a result.
  std::map<const engines::Engine*, spec::Call> earlier;
  /// By engine and API: the index dtypes with which a result was made.
  std::map<std::pair<const engines::Engine*, std::string>, std::set<std::string>> offered;
};

/// The calls of one API on one engine, repeated.
class Repeater {
 public:
  /// All must outlive it.
  /// `family`: which the API is of, for calls that say the same; null: none.
  Repeater(const spec::OpSpec& op, engines::Engine& engine, std::chrono::milliseconds timeout,
           RepetitionState& state, const spec::Family* family = nullptr)
      : op_(op), engine_(engine), timeout_(timeout), state_(state), shares_(state.shares), family_(family) {}

  /// Compares calls that stayed open with what another form of the engine answered to them.
  void compare(engines::Engine& form, const std::vector<std::pair<Trial*, spec::Outcome>>& answers);

  /// Executes a share of the calls again that were judged right, or that the document leaves open, as long as
  /// that takes a small share of the time. Those that fail then, or are answered in two ways, get another
  /// judgement.
  void repeat(const std::vector<ExecutedCall>& calls);

  /// How a call fails at one of many executions, with different numbers of threads, or, where a process
  /// starts quickly, as the first of one; nothing: it does not.
  std::optional<spec::Judgement> failure(const spec::Call& call);

 private:
  void in_a_row(const std::vector<ExecutedCall>& calls);
  void settle_races(const std::vector<ExecutedCall>& calls);
  void in_another_batch(const std::vector<ExecutedCall>& calls);
  std::optional<spec::Judgement> race(const spec::Call& call, const spec::Expectation& expectation,
                                      std::vector<spec::Outcome>& right);
  void among_others(const std::vector<ExecutedCall>& calls, const spec::Call* refused);
  const spec::Call* of_another_api() const;
  void remember(const std::vector<ExecutedCall>& calls);
  void ask_open(const std::vector<ExecutedCall>& calls);
  void ask_restated(const std::vector<ExecutedCall>& calls);
  void ask_both(Trial& trial, const Restated& other, const spec::Outcome& answer);
  void in_a_new_process(const std::vector<ExecutedCall>& calls);
  std::optional<spec::Judgement> first_of_a_process(const spec::Call& call,
                                                    const spec::Expectation& expectation);
  bool contradict(const spec::Outcome& a, const spec::Outcome& b) const;
  void ask_if_they_contradict(Trial& trial, const Restated& other, const spec::Outcome& answer);
  bool refuses_the_dtype(const engines::Engine& engine, const spec::Call& call,
                         const spec::Outcome& outcome) const;
  RepeatedCall repeated(const spec::Call& call, const spec::Expectation& expectation) const;

  const spec::OpSpec& op_;
  engines::Engine& engine_;
  std::chrono::milliseconds timeout_;
  RepetitionState& state_;
  Shares& shares_;
  const spec::Family* family_;
};

}  // namespace scatterproof::runner::fuzz
