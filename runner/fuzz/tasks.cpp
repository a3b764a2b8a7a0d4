// SPDX-License-Identifier: Apache-2.0
#include "tasks.hpp"

#include <algorithm>
#include <random>

#include "restated.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"

namespace scatterproof::runner::fuzz {
namespace {

constexpr std::uint64_t mixed_share = 4;  // in one block of this many, the calls have another order

}  // namespace

Tasks::Tasks(SharedByJobs& shared, const Engines& engines)
    : shared_(shared),
      engines_(engines),
      ahead_(std::ranges::any_of(engines, [](const auto& one) { return one->works_elsewhere(); })) {}

void Tasks::make_ahead() {
  if (ahead_ && !made_) made_ = make_next();
}

void Tasks::charge(CallsOfBlock& calls) {
  calls.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - charged_).count();
  charged_ = std::chrono::steady_clock::now();
}

/// The calls of the next block; null when there is none, or the run is over.
std::shared_ptr<CallsOfBlock> Tasks::make_next() {
  if (shared_.over()) return nullptr;
  const std::optional<Block> block = shared_.schedule.next();
  if (!block) return nullptr;
  auto calls = std::make_shared<CallsOfBlock>(*block, *shared_.campaign.apis[block->api]);
  work_on(*calls, [&] { make(*calls); });
  charge(*calls);
  calls->making = calls->seconds;
  return calls;
}

void Tasks::make(CallsOfBlock& calls) {
  const auto& [api, first, last] = calls.block;
  calls.made.reserve(last - first);
  Generator& generator = shared_.generator(api);
  for (std::uint64_t number = first; number < last; ++number) {
    if (auto generated = generator.make(number)) {
      const std::uint64_t hash = hash_of(generated->call);
      const std::uint64_t in_a_row = shared_.campaign.wishes.calls_in_a_row;
      generated->call.omitted =
          draw_omitted(calls.op, generated->call,
                       in_a_row > 1 ? mix(shared_.campaign.seed, number / in_a_row) : mix(hash, ~number));
      calls.made.push_back({number, hash, std::move(*generated)});
    } else {
      ++calls.fruitless;
    }
  }
}

std::optional<Task> Tasks::begin_next() {
  Task task;
  task.first = to_ask_.empty();
  if (task.first) {
    calls_ = made_ ? std::exchange(made_, nullptr) : make_next();
    if (!calls_) return std::nullopt;
    for (const auto& engine : engines_)
      if (engine->info().offers(calls_->op.api)) to_ask_.push_back(engine.get());
  }
  task.calls = calls_;
  if (!to_ask_.empty()) {
    task.engine = to_ask_.front();
    to_ask_.pop_front();
    if (!shared_.campaign.relations && !shared_.campaign.gradients) work_on(*calls_, [&] { begin(task); });
  }
  task.last = to_ask_.empty();
  return task;
}

/// Hands the calls that the engine takes over to it.
void Tasks::begin(Task& task) {
  const std::vector<BlockCall>& calls = task.calls->made;
  const DeadlyCalls& deadly = deadly_[task.engine];
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const engines::Support support = task.engine->supports(calls[i].generated.call);
    if (support.yes && shared_.campaign.calls == 0 && deadly.leave_out(calls[i].generated, calls[i].hash))
      ++task.left_out;
    else if (support.yes)
      task.sent.push_back(i);
    else
      task.unsupported.emplace_back(i, support.reason);
  }
  if (!task.sent.empty()) mix_some(calls.front().number, task.sent);
  std::vector<engines::CallRequest> requests;
  for (const std::size_t i : task.sent)
    requests.push_back({.call = &calls[i].generated.call,
                        .timeout = shared_.campaign.timeout,
                        .hang_limit = &shared_.hang_limit(task.engine->info().name, task.calls->op,
                                                          calls[i].generated.broken)});
  task.outcomes = task.engine->begin(std::move(requests));
}

std::vector<spec::Outcome> Tasks::outcomes_of(Task& task) {
  if (!task.outcomes.valid()) return {};
  std::vector<spec::Outcome> outcomes = work_on(*task.calls, [&] { return task.outcomes.get(); });
  charge(*task.calls);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (engines::is_skipped(outcomes[k])) continue;
    if (kept != k) task.sent[kept] = task.sent[k], outcomes[kept] = std::move(outcomes[k]);
    ++kept;
  }
  task.skipped = outcomes.size() - kept;
  task.sent.resize(kept);
  outcomes.resize(kept);
  return outcomes;
}

bool Tasks::has_forms(const engines::Engine& engine) const {
  return std::ranges::any_of(engines_,
                             [&](const auto& one) { return are_forms(one->info(), engine.info()); });
}

void Tasks::await(const Task& next, const Task& task) {
  charge(*task.calls);
  next.outcomes.wait();
  charge(*next.calls);
}

/// In a share of the batches, calls come after others than those that have the numbers before theirs.
void Tasks::mix_some(std::uint64_t number, std::vector<std::size_t>& sent) const {
  const std::uint64_t chance = mix(shared_.campaign.seed, number);
  if (chance % mixed_share == 0) std::ranges::shuffle(sent, std::mt19937_64(chance));
}

}  // namespace scatterproof::runner::fuzz
