// SPDX-License-Identifier: Apache-2.0
// A job takes the next block of calls of the schedule, runs it on its engines, judges and tallies.
#include "driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <type_traits>
#include <utility>

#include "../baseline.hpp"
#include "../call_hash.hpp"
#include "../judging.hpp"
#include "deadly_calls.hpp"
#include "foreign_memory.hpp"
#include "repetition.hpp"
#include "scatterproof/spec/core/out_of_memory.hpp"
#include "scatterproof/spec/judge/expectation.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "shared_by_jobs.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t mixed_share = 4;  // in one of so many blocks, the calls have another order
constexpr std::uint64_t open_share = 8;  // one in so many of the calls that break a rule is looked at closely
/// Elements of a call whose practice is looked at. To explain a result, the oracle executes some twenty calls.
constexpr std::int64_t largest_open = 4096;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What calls judged alike share; names are looked up when a block is handed over.
struct Alike {
  const spec::OpSpec* op;
  const engines::Engine* engine;
  const spec::Rule* broken;
  const spec::Relation* relation;
  spec::Verdict verdict;
  spec::Diagnosis diagnosis;
  spec::Diagnosis practice;
  std::string known;
  friend auto operator<=>(const Alike&, const Alike&) = default;
};

Kind kind_of(const Alike& alike) {
  return {.api = alike.op->api,
          .engine = alike.engine->info().name,
          .rule = alike.broken ? alike.broken->id : "",
          .relation = alike.relation ? alike.relation->id : "",
          .verdict = alike.verdict,
          .diagnosis = alike.diagnosis,
          .practice = alike.practice,
          .known = alike.known};
}

class JobRun {
 public:
  JobRun(SharedByJobs& shared, const Engines& engines)
      : shared_(shared),
        engines_(engines),
        ahead_(std::ranges::any_of(engines, [](const auto& one) { return one->works_elsewhere(); })) {}

  void run() {
    try {
      const spec::WorkLimit limit(shared_.campaign.interrupted), time(shared_.end());
      run_tasks();
    } catch (const spec::GivenUp& why) {
      if (why.why() != spec::GivenUp::Why::interrupted) throw;
      shared_.stop = true;
      hand_over();
    }
  }

 private:
  struct Made {
    std::uint64_t number;
    std::uint64_t hash;
    Generated generated;
  };
  /// What the spec says about each call, shared by engines with the same release and device.
  struct Asked {
    spec::Target target;
    std::vector<std::optional<spec::Expectation>> answers;
  };
  /// The calls of a block, and what became of them.
  struct Calls {
    Block block;
    const spec::OpSpec& op;
    std::vector<Made> made;
    std::uint64_t fruitless = 0;
    std::vector<Asked> asked;
    double seconds = 0;  ///< that this thread has spent on them
  };
  /// What one engine is asked of a block: some of its calls.
  struct Task {
    std::shared_ptr<Calls> calls;
    engines::Engine* engine = nullptr;  ///< null: no engine offers the API
    bool first = true, last = true;     ///< of the block's
    std::vector<std::size_t> sent;
    std::vector<std::pair<std::size_t, std::string>> unsupported;  ///< with reasons
    std::uint64_t left_out = 0;
    std::future<std::vector<spec::Outcome>> outcomes = {};
  };

  /// While a worker has one task, the one before it is judged and the calls of the next block are made. A task whose block
  /// nobody has begun to judge when the run is over counts for nothing.
  void run_tasks() {
    std::optional<Task> task = begin_next();
    while (task && !(task->first && shared_.over())) {
      if (ahead_ && !made_) made_ = make_next();
      const std::vector<spec::Outcome> outcomes = outcomes_of(*task);
      std::optional<Task> next = ahead_ ? begin_next() : std::nullopt;
      work_on(*task->calls, [&] { judge(*task, outcomes, next ? &*next : nullptr); });
      charge(*task->calls);
      if (task->last) shared_.schedule.done(task->calls->block, task->calls->seconds, hand_over());
      task = ahead_ ? std::move(next) : begin_next();
    }
  }

  /// Does a part of the work on the calls of a block.
  template <class Work>
  static std::invoke_result_t<Work> work_on(const Calls& calls, Work work) {
    return spec::or_out_of_memory(
        [&] {
          return fmt::format("while judging calls of {} from number {}", calls.op.api, calls.block.first);
        },
        work);
  }

  /// The time since this was called last was spent on these calls.
  void charge(Calls& calls) {
    calls.seconds += seconds_since(charged_);
    charged_ = Clock::now();
  }

  /// The calls of the next block; null when there is none, or the run is over.
  std::shared_ptr<Calls> make_next() {
    if (shared_.over()) return nullptr;
    const std::optional<Block> block = shared_.schedule.next();
    if (!block) return nullptr;
    auto calls = std::make_shared<Calls>(*block, *shared_.campaign.apis[block->api]);
    work_on(*calls, [&] { make(*calls); });
    charge(*calls);
    return calls;
  }

  void make(Calls& calls) {
    const auto& [api, first, last] = calls.block;
    calls.made.reserve(last - first);
    for (std::uint64_t number = first; number < last; ++number) {
      if (auto generated = shared_.generators[api]->make(number)) {
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

  /// The next engine that offers the API of the block, or the first one of the next block. Empty: there is no such block.
  std::optional<Task> begin_next() {
    Task task;
    task.first = to_ask_.empty();
    if (task.first) {
      calls_ = made_ ? std::exchange(made_, nullptr) : make_next();
      if (!calls_) return std::nullopt;
      for (const auto& engine : engines_)
        if (std::ranges::find(engine->info().apis, calls_->op.api) != engine->info().apis.end())
          to_ask_.push_back(engine.get());
    }
    task.calls = calls_;
    if (!to_ask_.empty()) {
      task.engine = to_ask_.front();
      to_ask_.pop_front();
      if (!shared_.campaign.families) work_on(*calls_, [&] { begin(task); });
    }
    task.last = to_ask_.empty();
    return task;
  }

  /// Hands the calls that the engine takes over to it.
  void begin(Task& task) {
    const std::vector<Made>& calls = task.calls->made;
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
    std::vector<engines::Job> jobs;
    for (const std::size_t i : task.sent)
      jobs.push_back({&calls[i].generated.call, shared_.campaign.timeout});
    task.outcomes = task.engine->begin(std::move(jobs));
  }

  std::vector<spec::Outcome> outcomes_of(Task& task) {
    if (!task.outcomes.valid()) return {};
    std::vector<spec::Outcome> outcomes = work_on(*task.calls, [&] { return task.outcomes.get(); });
    charge(*task.calls);
    return outcomes;
  }

  /// An engine can do one thing at a time.
  void await(const Task& next, const Task& task) {
    charge(*task.calls);
    next.outcomes.wait();
    charge(*next.calls);
  }

  /// `next`: what an engine has meanwhile; null: nothing.
  void judge(Task& task, const std::vector<spec::Outcome>& outcomes, const Task* next) {
    Calls& calls = *task.calls;
    if (task.first) begin_to_judge(calls);
    if (task.engine && shared_.campaign.families)
      relate(calls.op, *task.engine, calls.made);
    else if (task.engine)
      judge_outcomes(task, outcomes, next);
  }

  void begin_to_judge(const Calls& calls) {
    own_.made += calls.made.size();
    own_.fruitless += calls.fruitless;
    if (!shared_.observer) return;
    const std::scoped_lock lock(shared_.mutex);
    for (const Made& one : calls.made) shared_.observer(calls.op, one.generated);
  }

  /// Checks every relation of the API's families on every call.
  void relate(const spec::OpSpec& op, engines::Engine& engine, const std::vector<Made>& calls) {
    const relations::Setting setting{*shared_.campaign.specs, *shared_.campaign.families, engine,
                                     shared_.campaign.timeout};
    std::vector<relations::Question> questions;
    std::vector<std::size_t> of;
    for (const spec::Relation* relation : relations::relations_of(op, *shared_.campaign.families))
      for (std::size_t i = 0; i < calls.size(); ++i) {
        questions.push_back({relation, &calls[i].generated.call});
        of.push_back(i);
      }
    const std::vector<relations::Answer> answers = relations::check_relations(setting, questions);
    for (std::size_t q = 0; q < answers.size(); ++q)
      count(op, engine, calls[of[q]], judgement_of(answers[q]), questions[q].relation);
  }

  static Asked& expectations(std::vector<Asked>& asked, const spec::Target& target, std::size_t calls) {
    for (Asked& one : asked)
      if (one.target.framework == target.framework && one.target.version == target.version &&
          one.target.device == target.device)
        return one;
    asked.push_back({target, std::vector<std::optional<spec::Expectation>>(calls)});
    return asked.back();
  }

  void judge_outcomes(const Task& task, const std::vector<spec::Outcome>& outcomes, const Task* next) {
    const spec::OpSpec& op = task.calls->op;
    engines::Engine& engine = *task.engine;
    const std::vector<Made>& calls = task.calls->made;
    const std::vector<std::size_t>& sent = task.sent;
    Asked& asked = expectations(task.calls->asked, target_of(op, engine.info()), calls.size());
    own_.left_out += task.left_out;
    for (const auto& [i, reason] : task.unsupported)
      count(op, engine, calls[i],
            {.verdict = spec::Verdict::unsupported,
             .diagnosis = {.kind = spec::DiagnosisKind::unsupported},
             .explanation = reason});
    std::vector<spec::Judgement> judgements;
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      const Made& one = calls[sent[k]];
      deadly_[&engine].saw(one.generated, outcomes[k]);
      auto judgement = within_limits(one.generated.call, [&]() -> std::optional<spec::Judgement> {
        const spec::Expectation* expectation = ask(op, one, asked, sent[k]);
        if (!expectation) return std::nullopt;
        return judge_by_spec(op, one.generated.call, *expectation, engine.info(), outcomes[k]);
      });
      if (!judgement) break;
      judgements.push_back(*std::move(judgement));
    }
    if (judgements.size() == outcomes.size()) {
      look_for_foreign_memory(engine, calls, sent, judgements);
      if (next && next->engine == &engine && next->outcomes.valid()) await(*next, task);
      repeat(op, engine, calls, sent, outcomes, asked, judgements);
    }
    for (std::size_t k = 0; k < judgements.size(); ++k) {
      const Made& one = calls[sent[k]];
      const std::optional<spec::Expectation>& expectation = asked.answers[sent[k]];
      spec::Diagnosis practice;
      if (one.generated.broken && expectation && is_chosen(one) &&
          spec::largest_numel(one.generated.call) <= largest_open) {
        practice =
            practice_of(op, one.generated.call, *expectation, engine.info(), outcomes[k], judgements[k]);
        if (judgements[k].verdict == spec::Verdict::open)
          practices_.saw({.op = &op, .engine = &engine.info(), .number = one.number, .made = &one.generated},
                         asked.target, outcomes[k], practice);
      }
      count(op, engine, one, std::move(judgements[k]), nullptr, without_numbers(practice));
    }
  }

  /// Whether this is one of the calls that are looked at closely. The call itself and its number choose it, so that it
  /// is the same for any number of jobs.
  static bool is_chosen(const Made& one) { return mix(one.hash, one.number) % open_share == 0; }

  /// In a share of the batches, calls come after others than those that have the numbers before theirs.
  void mix_some(std::uint64_t number, std::vector<std::size_t>& sent) const {
    const std::uint64_t chance = mix(shared_.campaign.seed, number);
    if (chance % mixed_share == 0) std::ranges::shuffle(sent, std::mt19937_64(chance));
  }

  /// Judges a share of the calls that the document leaves open by what their results depend on.
  void look_for_foreign_memory(const engines::Engine& engine, const std::vector<Made>& calls,
                               const std::vector<std::size_t>& sent,
                               std::vector<spec::Judgement>& judgements) {
    std::vector<std::size_t> chosen;
    std::vector<const spec::Call*> open;
    for (std::size_t k = 0; k < judgements.size(); ++k) {
      const Made& one = calls[sent[k]];
      if (judgements[k].verdict != spec::Verdict::open || !is_chosen(one)) continue;
      chosen.push_back(k);
      open.push_back(&one.generated.call);
    }
    ForeignMemory& memory = memories_.try_emplace(&engine, engine).first->second;
    const std::vector<std::string> words = memory.words(open, shared_.campaign.timeout);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (!words[i].empty()) judgements[chosen[i]] = judgement_of_foreign_memory(words[i]);
  }

  /// Executes calls again; those that fail then, or are answered in two ways, are judged anew.
  void repeat(const spec::OpSpec& op, engines::Engine& engine, const std::vector<Made>& calls,
              const std::vector<std::size_t>& sent, const std::vector<spec::Outcome>& outcomes,
              const Asked& asked, std::vector<spec::Judgement>& judgements) {
    std::vector<Judged> judged;
    for (std::size_t k = 0; k < judgements.size(); ++k) {
      const Made& one = calls[sent[k]];
      judged.push_back({.call = &one.generated.call,
                        .expectation = asked.answers[sent[k]] ? &*asked.answers[sent[k]] : nullptr,
                        .outcome = &outcomes[k],
                        .judgement = &judgements[k],
                        .hash = mix(one.hash, one.number)});
    }
    Repeater(op, engine, shared_.campaign.timeout, repetition_).repeat(std::move(judged));
  }

  const spec::Expectation* ask(const spec::OpSpec& op, const Made& one, Asked& asked, std::size_t at) {
    std::optional<spec::Expectation>& answer = asked.answers[at];
    if (!answer) {
      auto said = spec::expect(op, one.generated.call, asked.target);
      if (!said) {
        const std::scoped_lock lock(shared_.mutex);
        for (spec::Error error : said.errors()) {
          error.what += fmt::format("; for {}", spec::to_string(one.generated.call));
          shared_.result.errors.push_back(std::move(error));
        }
        shared_.stop = true;
        return nullptr;
      }
      answer = std::move(said).value();
    }
    return &*answer;
  }

  void count(const spec::OpSpec& op, const engines::Engine& engine, const Made& one,
             spec::Judgement judgement, const spec::Relation* relation = nullptr,
             spec::Diagnosis practice = {}) {
    const bool failed = is_failure(judgement.verdict);
    Alike alike{.op = &op,
                .engine = &engine,
                .broken = one.generated.broken,
                .relation = relation,
                .verdict = judgement.verdict,
                .diagnosis = {},
                .practice = {},
                .known = ""};
    const spec::Rung rung = judgement.rung;
    std::shared_ptr<Failure> failure;
    if (failed) {
      alike.diagnosis = without_numbers(judgement.diagnosis);
      failure = std::make_shared<Failure>(one.number, one.generated, std::move(judgement), relation);
      if (shared_.campaign.known) alike.known = shared_.campaign.known(kind_of(alike), *failure);
      if (shared_.campaign.stop_at_first && alike.known.empty()) {
        if (shared_.found_one.exchange(true)) return;
        shared_.stop = true;
      }
    } else {
      alike.practice = std::move(practice);
    }
    own_.digest += mix(one.hash, stable_hash(engine.info().name, static_cast<std::uint64_t>(alike.verdict)));
    ++(alike.verdict == spec::Verdict::unsupported ? own_.unsupported : own_.judged);
    own_.failed += failed;
    Tally& tally = tallies_[std::move(alike)];
    ++tally.count;
    tally.rung = std::max(tally.rung, rung);
    if (tally.count == 1) tally.reason = failure ? failure->judgement.explanation : judgement.explanation;
    if (failure && (!tally.first || one.number < tally.first->number)) tally.first = std::move(failure);
  }

  /// How many kinds nobody had seen before.
  std::uint64_t hand_over() {
    const std::scoped_lock lock(shared_.mutex);
    Fuzzed& all = shared_.result;
    const std::size_t before = all.kinds.size();
    for (const auto& [alike, own] : tallies_) {
      const Kind kind = kind_of(alike);
      Tally& tally = all.kinds[kind];
      if (own.first && !tally.first) {
        shared_.to_shrink += kind.known.empty();
        if (shared_.found) shared_.found(kind, *own.first);
      }
      if (own.first && (!tally.first || own.first->number < tally.first->number)) tally.first = own.first;
      if (tally.count == 0) tally.reason = own.reason;
      tally.count += own.count;
      tally.rung = std::max(tally.rung, own.rung);
    }
    all.made += own_.made;
    all.judged += own_.judged;
    all.unsupported += own_.unsupported;
    all.left_out += own_.left_out;
    all.failed += own_.failed;
    all.fruitless += own_.fruitless;
    all.digest += own_.digest;
    shared_.practices.take(std::exchange(practices_, {}));
    own_ = {};
    tallies_.clear();
    if (shared_.progress) shared_.progress(all);
    return all.kinds.size() - before;
  }

  SharedByJobs& shared_;
  const Engines& engines_;
  const bool ahead_;              ///< an engine works in another process: meanwhile there is other work
  std::shared_ptr<Calls> made_;   ///< the calls of the next block, if they are made already
  std::shared_ptr<Calls> calls_;  ///< those that engines are being asked about
  std::deque<engines::Engine*> to_ask_ = {};  ///< engines that are still to be asked about them
  Clock::time_point charged_ = Clock::now();
  Fuzzed own_;  ///< since the last handing over, without its kinds:
  std::map<Alike, Tally> tallies_;
  Practices practices_;
  std::map<const engines::Engine*, ForeignMemory> memories_;
  std::map<const engines::Engine*, DeadlyCalls> deadly_;
  Share repetition_;
};

}  // namespace

Fuzzed fuzz(const Campaign& campaign, std::span<const Engines* const> jobs, const Observer& progress,
            const CallObserver& observer, const Found& found) {
  std::optional<SharedByJobs> made;
  try {
    const spec::WorkLimit limit(campaign.interrupted);
    made.emplace(campaign, progress, observer, found);  // reads the rules of every API
  } catch (const spec::GivenUp&) {                      // interrupted
    return {};
  }
  SharedByJobs& shared = *made;
  const auto work = [&shared](const Engines& engines) {
    try {
      JobRun(shared, engines).run();
    } catch (...) {
      shared.fail();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (const Engines* engines : jobs.subspan(1)) threads.emplace_back([&work, engines] { work(*engines); });
    work(*jobs.front());
  }
  if (shared.thrown) std::rethrow_exception(shared.thrown);
  shared.add_mixed_practices();
  return std::move(shared.result);
}

}  // namespace scatterproof::runner::fuzz
