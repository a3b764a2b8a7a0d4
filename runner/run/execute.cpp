// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/run/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "race_search.hpp"
#include "recast.hpp"
#include "saved_call.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/out_of_memory.hpp"
#include "scatterproof/spec/core/shell_word.hpp"

namespace scatterproof::runner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t first_batch = 8;  // before the engine's speed is known
constexpr double longest_batch = 1.0;   // seconds

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the engine threads share, behind one mutex.
struct Shared {
  Baseline& baseline;
  const ExecuteOptions& options;
  Whose whose = Whose::ours;  ///< the cases
  std::mutex mutex = {};
  std::atomic<bool> stop = false;
  RunResult result = {};
  std::set<std::string> disputed = {};  ///< ids of cases that contradict their spec
  std::exception_ptr thrown = nullptr;  ///< by the first thread that threw

  void fail() {
    const std::scoped_lock lock(mutex);
    if (!thrown) thrown = std::current_exception();
    stop = true;
  }
  bool stopping() const { return stop || (options.interrupted && *options.interrupted); }

  void answered(const spec::Case& one, const spec::Outcome& outcome) {
    if (!options.answered) return;
    const std::scoped_lock lock(mutex);
    options.answered(one, outcome);
  }

  /// The record of the first engine that shows that a case is disputed stands for all engines, and is about
  /// none of them.
  bool stands_for_all(spec::Record& record) {
    const std::scoped_lock lock(mutex);
    if (options.done && options.done(record.id, case_engine_name)) return false;
    record.engine = case_engine_name;
    record.version = tool_version();
    record.device = "cpu";
    return disputed.insert(record.id).second;
  }

  /// Whether it is a failure of an engine that no baseline entry excuses.
  bool is_unexpected(const spec::Record& record, const spec::Call& call) const {
    return is_failure(record.verdict) && record.verdict != spec::Verdict::disputed &&
           baseline.place_of(record, call, whose).empty();
  }

  void hand_over(spec::Record record, const spec::Call& call) {
    const std::scoped_lock lock(mutex);
    baseline.reconcile(record, &call, whose);
    if (options.stop_at_first && fails(record.disposition)) stop = true;
    options.judged(record);
  }
};

/// One engine's way through its cases.
class EngineRun {
 public:
  EngineRun(const Catalogue& catalogue, engines::Engine& engine, Shared& shared)
      : catalogue_(catalogue), engine_(engine), shared_(shared) {}

  void run() {
    std::vector<const spec::Case*> cases = cases_for(catalogue_, engine_);
    std::erase_if(cases, [&](const spec::Case* one) {
      return shared_.options.done && shared_.options.done(one->id, engine_.info().name);
    });
    if (shared_.options.seed != 0)
      std::sort(cases.begin(), cases.end(), [&](const spec::Case* a, const spec::Case* b) {
        return stable_hash(a->id, shared_.options.seed) < stable_hash(b->id, shared_.options.seed);
      });
    if (shared_.options.progress) shared_.options.progress->begins(engine_.info().name);
    // Batches as large as the engine prefers, but at most one second long: Ctrl-C waits that long.
    std::size_t most = first_batch;
    std::span<const spec::Case* const> left = cases;
    for (std::optional<Batch> batch = begin(left, most); batch && !shared_.stopping();) {
      const std::vector<spec::Outcome> outcomes = outcomes_of(*batch);
      const double a_call = std::max(seconds_since(batch->begun) / static_cast<double>(batch->cases), 1e-6);
      most = std::clamp<std::size_t>(static_cast<std::size_t>(longest_batch / a_call), 1,
                                     std::max<std::size_t>(engine_.batch_size(), 1));
      std::optional<Batch> next;
      const bool asks_more = races_.may_race() || shared_.options.gradients;
      if (!asks_more) next = begin(left, most);  // a worker has it while this one is judged
      judge(*batch, outcomes);
      if (shared_.options.gradients) differentiate(*batch);
      batch = asks_more ? begin(left, most) : std::move(next);
    }
    if (shared_.options.progress) shared_.options.progress->ends(engine_.info().name);
    const std::scoped_lock lock(shared_.mutex);
    for (const auto& [api, calls] : skipped_)
      shared_.result.skipped.push_back({.engine = engine_.info().name, .api = api, .calls = calls});
  }

 private:
  struct Sent {
    const spec::Case* one;
    std::string dtype = {};  ///< of a case that was recast
  };
  /// Cases that the engine is asked about, and those that it is not.
  struct Batch {
    std::size_t cases = 0;  ///< both
    std::vector<Sent> sent = {};
    std::deque<spec::Case> recast = {};  ///< some of those sent are these
    std::vector<std::pair<const spec::Case*, std::string>> unsupported = {};  ///< with reasons
    Clock::time_point begun = Clock::now();
    std::future<std::vector<spec::Outcome>> outcomes = {};
  };

  /// Takes the next cases out of those left and hands them to the engine. Empty: none are left, or the run is
  /// to stop.
  std::optional<Batch> begin(std::span<const spec::Case* const>& left, std::size_t most) {
    if (left.empty() || shared_.stopping()) return std::nullopt;
    Batch batch{.cases = std::min(most, left.size())};
    std::vector<engines::CallRequest> requests;
    for (const spec::Case* one : left.first(batch.cases)) {
      const engines::Support support =
          one->unsupported.empty() ? engine_.supports(one->call) : engines::Support{false, one->unsupported};
      if (support.yes)
        batch.sent.push_back({one});
      else if (auto other = recast(*one, *catalogue_.specs.find(one->call.api), engine_))
        batch.sent.push_back({&batch.recast.emplace_back(std::move(other->made)), std::move(other->dtype)});
      else
        batch.unsupported.emplace_back(one, support.reason);
    }
    for (const Sent& sent : batch.sent)
      requests.push_back({.call = &sent.one->call,
                          .timeout = shared_.options.timeout,
                          .hang_limit = hang_limit_of(*sent.one)});
    left = left.subspan(batch.cases);
    batch.outcomes = engine_.begin(std::move(requests));
    return batch;
  }

  /// Of the calls of the API; null for a call that is expected to time out, which skips no other.
  engines::HangLimit* hang_limit_of(const spec::Case& one) {
    spec::Record record = record_of(one);
    record.verdict = spec::Verdict::timeout;
    record.diagnosis.kind = spec::DiagnosisKind::timeout;
    return shared_.is_unexpected(record, one.call) ? &hang_limits_[one.call.api] : nullptr;
  }

  /// Takes the skipped calls out of the batch and counts them.
  std::vector<spec::Outcome> outcomes_of(Batch& batch) {
    std::vector<spec::Outcome> outcomes = spec::or_out_of_memory(
        [&] { return fmt::format("while running {} on {}", span_of(batch.sent), engine_.info().name); },
        [&] { return batch.outcomes.get(); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (engines::is_skipped(outcomes[i])) {
        ++skipped_[batch.sent[i].one->call.api];
        continue;
      }
      if (kept != i) batch.sent[kept] = std::move(batch.sent[i]), outcomes[kept] = std::move(outcomes[i]);
      ++kept;
    }
    batch.sent.resize(kept);
    outcomes.resize(kept);
    return outcomes;
  }

  void judge(const Batch& batch, const std::vector<spec::Outcome>& outcomes) {
    for (const auto& [one, reason] : batch.unsupported) {
      const spec::Outcome outcome{spec::Unsupported{reason}, 0};
      if (one->unsupported.empty())
        shared_.answered(*one, outcome);  // else there is no call to ask the engine about
      judge(*one, outcome, "");
    }
    const std::vector<Sent>& sent = batch.sent;
    for (std::size_t i = 0; i < outcomes.size(); ++i) shared_.answered(*sent[i].one, outcomes[i]);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (shared_.stop) return;  // -x: what comes after the first failure is not reported
      const auto& [one, dtype] = sent[i];
      spec::or_out_of_memory(
          [&one = one] { return fmt::format("while judging {} ({})", one->id, one->file); },
          [&, &one = one, &dtype = dtype] { judge(*one, outcomes[i], dtype); });
    }
  }

  /// Judges the gradients of those calls that have any.
  void differentiate(const Batch& batch) {
    for (const auto& [one, dtype] : batch.sent) {
      if (shared_.stop) return;
      const auto start = Clock::now();
      auto judgement = judgement_on_gradients(*one);
      if (!judgement) continue;
      spec::Record record = record_of(*one, dtype, *judgement);
      record.id += spec::gradient_suffix;
      if (shared_.is_unexpected(record, one->call))
        record.explanation += varying_gradient(*catalogue_.specs.find(one->call.api), engine_, one->call,
                                               shared_.options.timeout, cotangent_of(*one));
      record.judge_seconds = seconds_since(start);
      if (record.verdict == spec::Verdict::disputed && !shared_.stands_for_all(record)) continue;
      shared_.hand_over(std::move(record), one->call);
    }
  }

  std::optional<spec::Judgement> judgement_on_gradients(const spec::Case& one) {
    const spec::OpSpec& op = *catalogue_.specs.find(one.call.api);
    if (auto dispute = dispute_about_gradients(one, op, engine_.info())) return dispute;
    const spec::Call* const call = &one.call;
    return judge_gradients(op, engine_, {&call, 1}, shared_.options.timeout, cotangent_of(one)).front();
  }

  static const spec::Tensor* cotangent_of(const spec::Case& one) {
    return one.gradient ? &one.gradient->cotangent : nullptr;
  }

  /// `torch.gather/doc/a (a.yaml)`, or the first and the last of a batch.
  static std::string span_of(const std::vector<Sent>& cases) {
    const std::string first = fmt::format("{} ({})", cases.front().one->id, cases.front().one->file);
    return cases.size() == 1 ? first
                             : fmt::format("{} cases, {} to {}", cases.size(), first, cases.back().one->id);
  }

  /// `dtype`: of a case that was recast.
  void judge(const spec::Case& one, const spec::Outcome& outcome, const std::string& dtype) {
    const auto start = Clock::now();
    const spec::OpSpec& op = *catalogue_.specs.find(one.call.api);
    auto trial = judge_case(one, op, engine_.info(), outcome);
    if (!trial) {
      const std::scoped_lock lock(shared_.mutex);
      for (const spec::Error& error : trial.errors()) shared_.result.errors.push_back(error);
      shared_.stop = true;
      return;
    }
    races_.look(trial.value());
    if (const auto failed = fails_at_times(one))
      note(look_again(one, *failed, trial.value(), engine_, shared_.options.timeout));
    spec::Record record = record_of(one, dtype, trial->judgement);
    if (record.verdict != spec::Verdict::disputed) {  // such a record is about no engine
      put(outcome, record);
      put_practice(*trial, record);
    }
    record.call_seconds = outcome.seconds;
    record.judge_seconds = seconds_since(start);
    if (record.verdict == spec::Verdict::disputed && !shared_.stands_for_all(record)) return;
    if (shared_.is_unexpected(record, one.call)) record.retried = retried(one, op);
    shared_.hand_over(std::move(record), one.call);
  }

  void note(std::string words) {
    if (words.empty()) return;
    const std::scoped_lock lock(shared_.mutex);
    shared_.result.notes.push_back(std::move(words));
  }

  /// What is known before the call is executed.
  spec::Record record_of(const spec::Case& one) const {
    spec::Record record;
    record.id = one.id;
    record.api = one.call.api;
    record.operation = catalogue_.specs.find(one.call.api)->said().op;
    record.engine = engine_.info().name;
    record.version = engine_.info().version;
    record.device = engine_.info().device;
    return record;
  }

  /// The record of a judged call, apart from what the engine did.
  spec::Record record_of(const spec::Case& one, const std::string& dtype,
                         const spec::Judgement& judgement) const {
    spec::Record record = record_of(one);
    record.recast = dtype;
    put(judgement, record);
    if (is_failure(record.verdict)) {
      record.explanation += "\nthe call: " + text_of(one.call);
      record.elements = elements_of(one.call);
    }
    record.reproduce = reproduce_line(shared_.options, catalogue_, one.id, record.engine);
    record.file = one.file;
    record.line = one.at.line;
    record.seed = shared_.options.seed;
    return record;
  }

  /// The verdicts of freshly started engines, until one is not a failure: a fresh worker is free of what
  /// earlier calls left behind.
  std::vector<spec::Verdict> retried(const spec::Case& one, const spec::OpSpec& op) {
    std::vector<spec::Verdict> verdicts;
    for (int i = 0; i < shared_.options.retries && !shared_.stopping(); ++i) {
      const auto engine = shared_.options.fresh(engine_.info().name);
      if (!engine) return verdicts.push_back(spec::Verdict::infra), verdicts;
      const spec::Outcome outcome = engine->run_one({&one.call, shared_.options.timeout});
      engine->stop();
      const auto trial = judge_case(one, op, engine->info(), outcome);
      verdicts.push_back(trial ? trial->judgement.verdict : spec::Verdict::infra);
      if (!is_failure(verdicts.back())) break;
    }
    return verdicts;
  }

  const Catalogue& catalogue_;
  engines::Engine& engine_;
  Shared& shared_;
  /// A kernel whose calls are executed again has no other calls meanwhile.
  RaceSearch races_{engine_, shared_.options.families, shared_.options.timeout};
  std::map<std::string, engines::HangLimit> hang_limits_;  ///< by API
  std::map<std::string, std::uint64_t> skipped_;           ///< calls, by API
};

}  // namespace

std::vector<const spec::Case*> cases_for(const Catalogue& catalogue, const engines::Engine& engine) {
  const std::vector<std::string>& apis = engine.info().apis;
  std::vector<const spec::Case*> planned;
  for (const spec::Case& one : catalogue.cases)
    if (std::find(apis.begin(), apis.end(), one.call.api) != apis.end()) planned.push_back(&one);
  return planned;
}

RunResult execute(const Catalogue& catalogue, std::vector<std::unique_ptr<engines::Engine>>& engines,
                  Baseline& baseline, const ExecuteOptions& options) {
  Shared shared{
      .baseline = baseline, .options = options, .whose = catalogue.shipped ? Whose::ours : Whose::users};
  std::atomic<std::size_t> next_engine{0};
  const auto work = [&] {
    try {
      const spec::WorkLimit limit(options.interrupted);
      for (std::size_t i; (i = next_engine++) < engines.size() && !shared.stopping();)
        EngineRun(catalogue, *engines[i], shared).run();
    } catch (const spec::LimitReached&) {  // interrupted: what was judged is kept
    } catch (...) {
      shared.fail();
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 1; i < std::min<int>(options.jobs, static_cast<int>(engines.size())); ++i)
    threads.emplace_back(work);
  work();
  threads.clear();
  if (shared.thrown) std::rethrow_exception(shared.thrown);
  shared.result.stopped = shared.stopping();
  return std::move(shared.result);
}

std::string reproduce_line(const ExecuteOptions& options, const Catalogue& catalogue, const std::string& id,
                           const std::string& engine) {
  std::string line = spec::shell_word(options.program) + " run";
  for (const std::string& file : catalogue.files) line += ' ' + spec::shell_word(file);
  return fmt::format("{} {} --engine {}{}", line, spec::shell_word(id), spec::shell_word(engine),
                     options.flags);
}

}  // namespace scatterproof::runner
