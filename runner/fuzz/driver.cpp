// SPDX-License-Identifier: Apache-2.0
// A job takes tasks in turn: calls that an engine executes. It judges the outcomes.
#include "scatterproof/runner/fuzz/driver.hpp"

#include <fmt/format.h>

#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "foreign_memory.hpp"
#include "repetition.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/judge/judge.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "shared_by_jobs.hpp"
#include "tallies.hpp"
#include "tasks.hpp"

namespace scatterproof::runner::fuzz {
namespace {

// one in this many of the calls that break a rule is examined closely
constexpr std::uint64_t open_share = 8;
// of one in this many of the calls that obey every rule, the gradients are judged too
constexpr std::uint64_t gradient_share = 16;
/// Elements of a call whose practice is examined. To explain a result, the oracle executes some twenty calls.
constexpr std::int64_t largest_open = 4096;

class JobRun {
 public:
  JobRun(SharedByJobs& shared, const Engines& engines)
      : shared_(shared), tasks_(shared, engines), tallies_(shared) {}

  void run() {
    try {
      const spec::WorkLimit limit(shared_.campaign.interrupted), time(shared_.end());
      run_tasks();
    } catch (const spec::LimitReached& why) {
      if (why.why() != spec::LimitReached::Why::interrupted) throw;
      shared_.stop = true;
      tallies_.hand_over();
    }
  }

 private:
  /// While a worker has one task, the one before it is judged and the calls of the next block are made. The
  /// worker gets the next task before it is done, so that it need not wait until its answers have been read.
  /// A task of a block whose judging has not begun when the run is over counts for nothing, except the very
  /// first where calls have a time of grace: they may have hung until then.
  void run_tasks() {
    std::optional<Task> task = tasks_.begin_next();
    bool is_due = shared_.campaign.grace.count() > 0;
    while (task && (std::exchange(is_due, false) || !(task->first && shared_.over()))) {
      tasks_.make_ahead();
      std::optional<Task> next = tasks_.are_ahead() ? tasks_.begin_next() : std::nullopt;
      const std::vector<spec::Outcome> outcomes = tasks_.outcomes_of(*task);
      work_on(*task->calls, [&] { judge(*task, outcomes, next ? &*next : nullptr); });
      tasks_.charge(*task->calls);
      if (task->last)
        shared_.schedule.done(task->calls->block,
                              {.making = task->calls->making,
                               .seconds = task->calls->seconds,
                               .in_vain = task->calls->made.empty()},
                              tallies_.hand_over());
      task = tasks_.are_ahead() ? std::move(next) : tasks_.begin_next();
    }
    if (task) tasks_.outcomes_of(*task);  // they are not judged, but the worker has them
  }

  /// `next`: what an engine has meanwhile; null: nothing.
  void judge(Task& task, const std::vector<spec::Outcome>& outcomes, const Task* next) {
    CallsOfBlock& calls = *task.calls;
    if (task.first) tallies_.begun(calls);
    if (task.engine && shared_.campaign.relations)
      relate(calls.op, *task.engine, calls.made);
    else if (task.engine && shared_.campaign.gradients)
      differentiate(calls.op, *task.engine, calls.made);
    else if (task.engine)
      judge_outcomes(task, outcomes, next);
  }

  /// Checks every relation of the API's families on every call.
  void relate(const spec::OpSpec& op, engines::Engine& engine, const std::vector<BlockCall>& calls) {
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
      tallies_.count(op, engine, calls[of[q]], judgement_of(answers[q]), questions[q].relation);
  }

  /// Judges the gradients of every call that has any.
  void differentiate(const spec::OpSpec& op, engines::Engine& engine, const std::vector<BlockCall>& calls) {
    std::vector<const spec::Call*> asked;
    for (const BlockCall& one : calls) asked.push_back(&one.generated.call);
    auto judgements = judge_gradients(op, engine, asked, shared_.campaign.timeout);
    for (std::size_t i = 0; i < judgements.size(); ++i)
      if (judgements[i]) tallies_.count(op, engine, calls[i], *std::move(judgements[i]), nullptr, {}, true);
  }

  static Asked& expectations(std::vector<Asked>& asked, const spec::Target& target, std::size_t calls) {
    for (Asked& one : asked)
      if (one.target.framework == target.framework && one.target.version == target.version &&
          one.target.device == target.device)
        return one;
    asked.push_back({target, std::vector<std::shared_ptr<const spec::Expectation>>(calls)});
    return asked.back();
  }

  void judge_outcomes(const Task& task, const std::vector<spec::Outcome>& outcomes, const Task* next) {
    const spec::OpSpec& op = task.calls->op;
    engines::Engine& engine = *task.engine;
    const std::vector<BlockCall>& calls = task.calls->made;
    const std::vector<std::size_t>& sent = task.sent;
    Asked& asked = expectations(task.calls->asked, target_of(op, engine.info()), calls.size());
    tallies_.left_out(task.left_out);
    if (task.skipped > 0) tallies_.skipped(engine, op, task.skipped);
    for (const auto& [i, reason] : task.unsupported)
      tallies_.count(op, engine, calls[i],
                     {.verdict = spec::Verdict::unsupported,
                      .diagnosis = {.kind = spec::DiagnosisKind::unsupported},
                      .explanation = reason});
    std::vector<Trial> trials;
    std::vector<bool> gradient(outcomes.size());  // what fails is the gradients
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      const BlockCall& one = calls[sent[k]];
      const spec::Call& call = one.generated.call;
      tasks_.saw(engine, one.generated, outcomes[k]);
      auto judgement = within_limits(call, [&]() -> std::optional<spec::Judgement> {
        const spec::Expectation* expectation = promised(op, one, engine.info(), asked, sent[k]);
        if (!expectation) return std::nullopt;
        return judge_by_spec(op, call, *expectation, engine.info(), outcomes[k]);
      });
      if (!judgement) break;
      trials.push_back(
          {&op, &call, &engine.info(), &outcomes[k], asked.answers[sent[k]], *std::move(judgement)});
    }
    if (trials.size() == outcomes.size()) {
      look_for_foreign_memory(engine, calls, sent, trials);
      if (next && next->outcomes.valid() &&
          (next->engine == &engine || are_forms(next->engine->info(), engine.info())))
        tasks_.await(*next, task);
      repeat(task, trials);
      differentiate_some(task, trials, gradient);
    }
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const BlockCall& one = calls[sent[k]];
      spec::Diagnosis practice;
      if (one.generated.broken && trials[k].expectation && is_chosen(one) &&
          spec::largest_numel(one.generated.call) <= largest_open) {
        practice = practice_of(trials[k]);
        if (trials[k].judgement.verdict == spec::Verdict::open)
          tallies_.practised(
              {.op = &op, .engine = &engine.info(), .number = one.number, .made = &one.generated},
              asked.target, outcomes[k], practice);
      }
      if (const auto* refused = std::get_if<spec::Refused>(&outcomes[k].what);
          refused && !one.generated.broken && trials[k].judgement.verdict == spec::Verdict::unexpected_error)
        tallies_.refused_valid(op, engine, *refused);
      tallies_.count(op, engine, one, std::move(trials[k].judgement), nullptr, without_numbers(practice),
                     gradient[k]);
    }
  }

  /// Whether this is one of the calls that are examined closely. The call itself and its number choose it, so
  /// that it is the same for any number of jobs.
  static bool is_chosen(const BlockCall& one) { return mix(one.hash, one.number) % open_share == 0; }

  /// Judges a share of the calls that the document leaves open by what their results depend on.
  void look_for_foreign_memory(const engines::Engine& engine, const std::vector<BlockCall>& calls,
                               const std::vector<std::size_t>& sent, std::vector<Trial>& trials) {
    std::vector<std::size_t> chosen;
    std::vector<const spec::Call*> open;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const BlockCall& one = calls[sent[k]];
      if (trials[k].judgement.verdict != spec::Verdict::open || !is_chosen(one)) continue;
      chosen.push_back(k);
      open.push_back(&one.generated.call);
    }
    ForeignMemory& memory = memories_.try_emplace(&engine, engine).first->second;
    const std::vector<std::string> words = memory.words(open, shared_.campaign.timeout);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (!words[i].empty()) trials[chosen[i]].judgement = judgement_of_foreign_memory(words[i]);
  }

  /// Judges the gradients of a share of the calls that were judged right. Those whose gradients are wrong are
  /// marked.
  void differentiate_some(const Task& task, std::vector<Trial>& trials, std::vector<bool>& gradient) {
    engines::Engine& engine = *task.engine;
    if (!shared_.campaign.differentiated.contains(engine.info().name)) return;
    std::vector<std::size_t> chosen;
    std::vector<const spec::Call*> asked;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const BlockCall& one = task.calls->made[task.sent[k]];
      if (mix(one.hash, ~one.number) % gradient_share != 0 || one.generated.broken ||
          trials[k].judgement.verdict != spec::Verdict::pass ||
          !may_have_gradients(task.calls->op, *trials[k].call))
        continue;
      chosen.push_back(k);
      asked.push_back(trials[k].call);
    }
    auto judgements = judge_gradients(task.calls->op, engine, asked, shared_.campaign.timeout);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (judgements[i] && is_failure(judgements[i]->verdict)) {
        trials[chosen[i]].judgement = *std::move(judgements[i]);
        gradient[chosen[i]] = true;
      }
  }

  /// Executes calls again; those that fail then, or are answered in two ways, are judged again.
  void repeat(const Task& task, std::vector<Trial>& trials) {
    std::vector<ExecutedCall> repeated;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      const BlockCall& one = task.calls->made[task.sent[k]];
      repeated.push_back({.trial = &trials[k], .hash = mix(one.hash, one.number)});
    }
    const spec::FamilyLibrary* families = shared_.campaign.families;
    Repeater repeater(task.calls->op, *task.engine, shared_.campaign.timeout, repetition_,
                      families ? families->said_in(task.calls->op) : nullptr);
    repeater.repeat(repeated);
    compare_forms(task, trials, repeater);
  }

  /// Compares calls that stayed open with what the forms of this engine answered that were asked before it.
  void compare_forms(const Task& task, std::vector<Trial>& trials, Repeater& repeater) {
    auto& answers = task.calls->open_answers;
    for (const auto& [form, answered] : answers) {
      if (!are_forms(form->info(), task.engine->info())) continue;
      std::vector<std::pair<Trial*, spec::Outcome>> both;
      for (std::size_t k = 0; k < trials.size(); ++k)
        if (const auto found = answered.find(task.sent[k]); found != answered.end())
          both.emplace_back(&trials[k], found->second);
      repeater.compare(*form, both);
    }
    if (!tasks_.has_forms(*task.engine)) return;
    for (std::size_t k = 0; k < trials.size(); ++k)
      if (trials[k].judgement.verdict == spec::Verdict::open &&
          spec::largest_numel(*trials[k].call) <= largest_open)
        answers[task.engine][task.sent[k]] = *trials[k].outcome;
  }

  /// What the documents promise of a call on an engine of the release and device of `asked`; null, having
  /// said why, if the spec cannot be executed.
  const spec::Expectation* promised(const spec::OpSpec& op, const BlockCall& one,
                                    const engines::EngineInfo& engine, Asked& asked, std::size_t at) {
    std::shared_ptr<const spec::Expectation>& answer = asked.answers[at];
    if (!answer) {
      auto said = expect(op, one.generated.call, engine);
      if (!said) {
        const std::scoped_lock lock(shared_.mutex);
        for (spec::Error error : said.errors()) {
          error.what += fmt::format("; for {}", spec::to_string(one.generated.call));
          shared_.result.errors.push_back(std::move(error));
        }
        shared_.stop = true;
        return nullptr;
      }
      answer = std::make_shared<const spec::Expectation>(std::move(said).value());
    }
    return answer.get();
  }

  SharedByJobs& shared_;
  Tasks tasks_;
  Tallies tallies_;
  std::map<const engines::Engine*, ForeignMemory> memories_;
  RepetitionState repetition_;
};

}  // namespace

FuzzResult fuzz(const Campaign& campaign, std::span<const Engines* const> jobs, const Observer& progress,
                const CallObserver& observer, const Found& found) {
  SharedByJobs shared(campaign, progress, observer, found);
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
