// SPDX-License-Identifier: Apache-2.0
// What a job does before it judges: it takes blocks of calls from the schedule, makes them, and hands them to
// its engines.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "deadly_calls.hpp"
#include "scatterproof/runner/fuzz/campaign.hpp"
#include "scatterproof/spec/core/out_of_memory.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "shared_by_jobs.hpp"

namespace scatterproof::runner::fuzz {

struct BlockCall {
  std::uint64_t number;
  std::uint64_t hash;
  GeneratedCall generated;
};
/// What the spec says about each call, shared by engines with the same release and device.
struct Asked {
  spec::Target target;
  std::vector<std::shared_ptr<const spec::Expectation>> answers;  ///< by call; null: not asked for yet
};
/// The calls of a block, and their outcomes.
struct CallsOfBlock {
  Block block;
  const spec::OpSpec& op;
  std::vector<BlockCall> made;
  std::uint64_t fruitless = 0;
  std::vector<Asked> asked;
  double making = 0;   ///< seconds until they were made
  double seconds = 0;  ///< that this thread has spent on them
  /// By engine, of calls that stayed open: what it answered.
  std::map<engines::Engine*, std::map<std::size_t, spec::Outcome>> open_answers = {};
};
/// What one engine is asked of a block: some of its calls.
struct Task {
  std::shared_ptr<CallsOfBlock> calls;
  engines::Engine* engine = nullptr;  ///< null: no engine offers the API
  bool first = true, last = true;     ///< of the block's
  std::vector<std::size_t> sent;
  std::vector<std::pair<std::size_t, std::string>> unsupported;  ///< with reasons
  std::uint64_t left_out = 0;
  std::uint64_t skipped = 0;  ///< of those sent: others like them had timed out
  std::future<std::vector<spec::Outcome>> outcomes = {};
};

/// Does a part of the work on the calls of a block.
template <class Work>
std::invoke_result_t<Work> work_on(const CallsOfBlock& calls, Work work) {
  return spec::or_out_of_memory(
      [&] {
        return fmt::format("while judging calls of {} from number {}", calls.op.api, calls.block.first);
      },
      work);
}

/// The tasks of one job, in turn. Engines that work in processes of their own have the next task while this
/// one is judged.
class Tasks {
 public:
  Tasks(SharedByJobs& shared, const Engines& engines);

  /// The next engine that offers the API of the block, or the first one of the next block. Empty: there is no
  /// such block.
  std::optional<Task> begin_next();
  /// Whether a task is to be begun before the one before it is judged: an engine works in another process.
  bool are_ahead() const { return ahead_; }
  /// Makes the calls of the next block, if they are not made already.
  void make_ahead();

  /// Waits for them. Calls that were skipped are no longer among those sent.
  std::vector<spec::Outcome> outcomes_of(Task& task);
  /// An engine can do one thing at a time: waits for its outcomes of the next task before the engine is asked
  /// more about this one.
  void await(const Task& next, const Task& task);
  /// Whether another form of the engine is asked too.
  bool has_forms(const engines::Engine& engine) const;
  /// Takes note of the outcome of a call.
  void saw(const engines::Engine& engine, const GeneratedCall& made, const spec::Outcome& outcome) {
    deadly_[&engine].saw(made, outcome);
  }
  /// The time since this was called last was spent on these calls.
  void charge(CallsOfBlock& calls);

 private:
  std::shared_ptr<CallsOfBlock> make_next();
  void make(CallsOfBlock& calls);
  void begin(Task& task);
  void mix_some(std::uint64_t number, std::vector<std::size_t>& sent) const;

  SharedByJobs& shared_;
  const Engines& engines_;
  const bool ahead_;
  std::shared_ptr<CallsOfBlock> made_;        ///< the calls of the next block, if they are made already
  std::shared_ptr<CallsOfBlock> calls_;       ///< those that engines are being asked about
  std::deque<engines::Engine*> to_ask_ = {};  ///< engines that are still to be asked about them
  std::chrono::steady_clock::time_point charged_ = std::chrono::steady_clock::now();
  std::map<const engines::Engine*, DeadlyCalls> deadly_;
};

}  // namespace scatterproof::runner::fuzz
