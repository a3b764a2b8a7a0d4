// SPDX-License-Identifier: Apache-2.0
// One call many times in a row, with different numbers of threads: a race shows now and then.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner {

/// The threads of the n-th execution: twice as many as there are cores, and more, so that they are
/// interrupted in the middle, and meet where blocks do.
int threads_of(std::size_t execution);

/// Whether several values meet in a cell of what is expected, there are `least_contributions` values in all,
/// and a value that is lost shows.
bool could_race(const spec::Expectation& expectation, spec::ComparisonMode mode,
                std::size_t least_contributions);

/// Quick: results with the same bits, or refusals of the same classes. Where it says no, the judge decides.
bool same_result(const spec::Outcome& a, const spec::Outcome& b);

/// Whether an engine answered a call that the document leaves open in two ways. Results are compared only
/// where no two values can meet in a cell: elsewhere their order is free.
bool are_two_answers(const spec::OpSpec& op, const spec::Outcome& a, const spec::Outcome& b);

/// The judgement of such a call.
spec::Judgement judgement_of_two_answers(const spec::Outcome& a, const spec::Outcome& b);

/// How results of a call are judged that come after the first.
struct RepeatedCall {
  const spec::OpSpec& op;
  engines::Engine& engine;
  const spec::Call& call;
  const spec::Expectation& expectation;
  std::chrono::milliseconds timeout;

  /// The judgement of a failure, which says when it came: `one of 24 times in a row, with 2 threads`.
  /// Nothing: it is none.
  std::optional<spec::Judgement> failure(const spec::Outcome& outcome, int threads,
                                         const std::string& when) const;
  /// Executes it this often, back to back. `right` are results that were judged right, and gains those that
  /// differ from them, up to `most_judged`. A failure is called a race where that is settled.
  std::optional<spec::Judgement> in_a_row(std::size_t executions, std::vector<spec::Outcome>& right) const;
  /// As the first call of a process, if the engine has processes: what an engine sets up then may be missing.
  /// It is the last one too: memory that a call damaged may show when the process ends. That this call is
  /// slow says nothing.
  std::optional<spec::Judgement> first_of_a_process() const;
  /// Of a failure that may be due to threads: executes the call with several and with one, in random order.
  /// It is a race if it is right with one thread, however often, and fails with several. Where it is right at
  /// one execution with as many threads and fails at another, its result depends on the calls before it.
  void settle(spec::Judgement& failed) const;

  static constexpr std::size_t most_judged = 6;

 private:
  struct Tried;
  Tried tried_with_threads() const;
};

}  // namespace scatterproof::runner
