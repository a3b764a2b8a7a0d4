// SPDX-License-Identifier: Apache-2.0
// `run`: cases on engines, judged.
#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "options.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/files/file_lock.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/run/proofs.hpp"
#include "scatterproof/runner/run/reach.hpp"
#include "scatterproof/runner/run/recorder.hpp"
#include "scatterproof/spec/core/shell_word.hpp"
#include "streams.hpp"

namespace scatterproof::runner::cli {
namespace {

/// One `run` from flags to exit code, in the order a reader would expect.
class RunCommand {
 public:
  RunCommand(const RunFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    session_.watch_the_start(flags_.resume);
    if (const int code = load(); code != as_expected) return code;
    if (const int code = session_.open_engines(catalogue_->specs, true); code != as_expected) return code;
    session_.note_unoffered(flags_.selection.apis);
    if (const int code = open_recording(); code != as_expected) return code;
    if (const int code = session_.open_reports(flags_.resume); code != as_expected) return code;
    return judge_everything();
  }

 private:
  int load() {
    auto catalogue = load_catalogue(flags_.selection, context_.places, &bad_cases_);
    if (!catalogue) return usage_error(catalogue.errors());
    catalogue_ = std::make_unique<Catalogue>(std::move(catalogue).value());
    reach_.emplace(*catalogue_);
    if (flags_.last_failed || flags_.failed_first) prefer_failed();
    if (!flags_.resume.empty()) {
      auto lock = FileLock::take(flags_.resume);  // its run may still be at work
      if (!lock) return usage_error(lock.errors());
      resumed_ = std::move(lock).value();
      auto before = spec::read_stream(flags_.resume);
      if (!before) return usage_error(before.errors());
      before_ = std::move(before).value();
    }
    return session_.load_baselines();
  }

  /// Keeps the cases that failed when they last ran, or moves them to the front.
  void prefer_failed() {
    const std::set<std::string> failed = ids_that_failed_last();
    const auto has_failed = [&](const auto& one) { return failed.contains(one.id); };
    if (flags_.failed_first) {
      std::ranges::stable_partition(catalogue_->cases, has_failed);
      return;
    }
    std::erase_if(catalogue_->cases, std::not_fn(has_failed));
    std::erase_if(catalogue_->formulas, std::not_fn(has_failed));
    catalogue_->whole = false;
  }

  int open_recording() {
    if (flags_.record.empty()) return as_expected;
    if (session_.engines().size() != 1)
      return usage_error(
          {{.what = fmt::format("a recording is of one engine, not of {}", session_.engines().size()),
            .hint = "name one with --engine"}});
    auto recorder = Recorder::open(flags_.record, session_.engines().front()->info());
    if (!recorder) return usage_error(recorder.errors());
    recorder_ = std::move(recorder).value();
    return as_expected;
  }

  /// Whether the engine of an earlier record takes part, in the same version.
  bool is_open(const spec::Record& record) const {
    if (record.engine == proof_engine_name) return session_.proofs() && record.version == tool_version();
    if (record.engine == case_engine_name) return record.version == tool_version();
    return std::ranges::any_of(session_.engines(), [&](const auto& engine) {
      return engine->info().name == record.engine && engine->info().version == record.version;
    });
  }

  bool is_selected(const spec::Record& record) const {
    const auto has_id = [&](const auto& one) { return one.id == record.id; };
    return record.engine == proof_engine_name ? std::ranges::any_of(catalogue_->formulas, has_id)
                                              : std::ranges::any_of(catalogue_->cases, has_id);
  }

  /// Takes the records of an earlier run that this run is about too, and says what it leaves.
  void reuse() {
    std::size_t reused = 0, of_other_cases = 0;
    std::map<std::string, std::size_t> of_other_engines;
    for (spec::Record record : before_.records) {
      if (!is_open(record)) {
        ++of_other_engines[fmt::format("{} {}", record.engine, record.version)];
      } else if (!is_selected(record)) {
        ++of_other_cases;
      } else {
        ++reused;
        done_.insert({record.id, record.engine});
        session_.baseline().reconcile(record);
        take(record);
      }
    }
    if (reused < before_.records.size())
      say(fmt::format("note: {} of the {} records in {} are reused", reused, before_.records.size(),
                      flags_.resume));
    for (const auto& [engine, calls] : of_other_engines)
      say(fmt::format("note: not reused: {} calls of {}, which does not take part in this run", calls,
                      engine));
    if (of_other_cases > 0)
      say(fmt::format("note: not reused: {} calls of cases that are not selected", of_other_cases));
    if (!before_.records.empty() && before_.header.seed != flags_.session.seed)
      say(fmt::format("note: the stream has seed {}, this run {}: the other calls run in this run's order",
                      before_.header.seed, flags_.session.seed));
  }

  void take(const spec::Record& record) {
    if (record.verdict != spec::Verdict::unsupported && record.verdict != spec::Verdict::infra)
      answered_.insert(record.id);
    reach_->add(record);
    session_.take(record);
  }

  std::size_t planned() {
    std::size_t calls = session_.proofs() ? catalogue_->formulas.size() : 0;
    for (const auto& engine : session_.engines()) calls += cases_for(*catalogue_, *engine).size();
    return calls;
  }

  int judge_everything() {
    session_.begin(planned());
    ExecuteOptions options = session_.execute_options();
    options.stop_at_first = flags_.stop_at_first;
    options.retries = flags_.retries;
    options.fresh = [this](const std::string& name) { return session_.open_fresh(catalogue_->specs, name); };
    options.done = [this](const std::string& id, const std::string& engine) {
      return done_.contains({id, engine});
    };
    if (recorder_)
      options.answered = [this](const spec::Case& one, const spec::Outcome& outcome) {
        recorder_->answered(one, outcome);
      };
    options.judged = [this](const spec::Record& record) { take(record); };
    std::optional<spec::FamilyLibrary> families;
    if (std::ranges::any_of(session_.engines(),
                            [](const auto& one) { return engines::is_users_own(one->info().name); })) {
      auto loaded = load_families(context_.places);
      if (!loaded) return usage_error(loaded.errors());
      options.families = &families.emplace(std::move(loaded).value());
    }
    reuse();
    session_.forget_kept();
    bool stopped = false;
    if (session_.proofs()) stopped = prove_formulas(*catalogue_, session_.baseline(), options);
    RunResult executed;
    if (!stopped) executed = runner::execute(*catalogue_, session_.engines(), session_.baseline(), options);
    executed.stopped |= stopped;
    return finish(executed);
  }

  int finish(const RunResult& executed) {
    const bool stopped = executed.stopped, whole = catalogue_->whole && executed.skipped.empty();
    RunSession::Last last{.errors = executed.errors, .skipped = executed.skipped};
    last.errors.insert(last.errors.end(), bad_cases_.begin(), bad_cases_.end());
    if (recorder_) std::ranges::move(recorder_->failed(), std::back_inserter(last.errors));
    last.whole = whole && !stopped;
    last.resumed = !flags_.resume.empty();
    SidesCovered sides;
    if (flags_.session.gates.min_coverage) {
      sides = sides_covered(*catalogue_, session_.engines(), answered_);
      last.sides = &sides;
    }
    const bool is_shard = !flags_.selection.shard.empty();
    if (!stopped) last.stale = session_.baseline().stale(whole, session_.header().engines, is_shard);
    if (!stopped && is_shard) last.unmatched = session_.baseline().unmatched(session_.header().engines);
    if (!session_.stream_path().empty()) last.resume = resume_line();
    last.reach = reach_->poor();
    last.next = fuzz_line();
    if (!catalogue_->cases.empty()) last.api = catalogue_->cases.front().call.api;
    last.nothing =
        catalogue_->cases.empty() && catalogue_->formulas.empty()
            ? flags_.last_failed ? "no selected case failed in the kept runs" : "no case was selected"
            : "no selected engine offers the selected cases";
    const int code = session_.finish(last);
    for (const std::string& note : executed.notes) say("note: " + note);
    return code;
  }

  /// Cases are few. For the one kernel of a user: generated calls of the APIs that were judged.
  std::string fuzz_line() const {
    if (session_.engines().size() != 1) return "";
    const std::string& engine = session_.engines().front()->info().name;
    if (!engines::is_users_own(engine)) return "";
    std::set<std::string> apis;
    for (const spec::Case* one : cases_for(*catalogue_, *session_.engines().front()))
      if (answered_.contains(one->id)) apis.insert(one->call.api);
    std::string line = spec::shell_word(context_.program) + " fuzz --engine " + spec::shell_word(engine);
    if (apis.size() == 1) line += " --api " + spec::shell_word(*apis.begin());
    for (const std::string& file : flags_.session.baselines) line += " --baseline " + spec::shell_word(file);
    return line + " --time 10s";
  }

  /// The command as it was given, resuming from this run's stream instead of an earlier one's.
  std::string resume_line() const {
    std::string line = spec::shell_word(context_.program);
    for (std::size_t i = 0; i < context_.arguments.size(); ++i) {
      const std::string& word = context_.arguments[i];
      if (word == "--resume")
        ++i;
      else if (!word.starts_with("--resume="))
        line += ' ' + spec::shell_word(word);
    }
    return line + " --resume " + spec::shell_word(session_.stream_path());
  }

  const RunFlags& flags_;
  const Context& context_;
  RunSession session_;
  std::unique_ptr<Catalogue> catalogue_;
  spec::Errors bad_cases_;  ///< of the user's own files: the others run, and these are reported at the end
  std::optional<ReachTally> reach_;
  std::optional<FileLock> resumed_;
  std::optional<Recorder> recorder_;
  spec::Run before_;
  std::set<std::pair<std::string, std::string>> done_;
  std::set<std::string> answered_;  ///< ids of cases that some engine answered
};

}  // namespace

int run_cases(RunFlags flags, const Context& context) {
  flags.session.specs = flags.selection.specs;  // for reproduce lines
  flags.session.shard = flags.selection.shard;
  return RunCommand(flags, context).execute();
}

void add_run(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "run",
       .purpose = "Run cases on engines and judge every result by the document",
       .examples = {{"scatterproof run 'torch.gather/*' --engine torch", "every case of one API on PyTorch"},
                    {"scatterproof run -e so:./libmine.so --report junit=results.xml",
                     "every case that your kernel offers, with a report for CI"}},
       .group = "Test"});
  auto flags = std::make_shared<RunFlags>();
  add_selection(*verb, flags->selection);
  add_session(*verb, flags->session);
  auto* resume =
      verb->add_option("--resume", flags->resume, "Resume an interrupted run: skip what its stream holds")
          ->type_name("STREAM")
          ->check(existing_path())
          ->group(group::execute);
  verb->add_option("--record", flags->record,
                   "Write every call and its outcome, for --engine recorded:FILE; of one engine")
      ->type_name("FILE")
      ->excludes(resume)
      ->group(group::execute);
  add_jobs(*verb, flags->session.jobs, "Engines at work at once");
  auto* seed = add_number(*verb, "--seed", flags->session.seed, 0,
                          "Shuffle the order of the calls; 0 is the order of ids")
                   ->default_str("0")
                   ->group(group::execute);
  verb->add_flag("-x,--exitfirst", flags->stop_at_first, "Stop at the first unexpected verdict")
      ->group(group::execute);
  add_number(*verb, "--retries", flags->retries, 0, 100,
             "Try an unexpected failure again up to N times, each on a freshly started engine; one that "
             "passes is flaky")
      ->default_str("0")
      ->group(group::execute);
  auto* last_failed =
      verb->add_flag("--last-failed", flags->last_failed,
                     "Only cases that failed on some engine when they last ran, in the kept runs")
          ->excludes(resume)
          ->group(group::select);
  verb->add_flag("--failed-first", flags->failed_first, "Run the cases that failed last before the others")
      ->excludes(last_failed)
      ->excludes(seed)
      ->group(group::execute);
  verb->add_flag("--fail-on-flaky", flags->session.fail_on_flaky, "Flaky calls fail the run")
      ->group(group::judge);
  verb->add_flag("--allow-fixed", flags->session.allow_fixed,
                 "Expected failures that no longer happen do not fail the run")
      ->group(group::judge);
  verb->add_flag("--gradients", flags->session.gradients,
                 "Judge gradients too, of engines that have them: a record more for each call that has any")
      ->excludes(resume)
      ->group(group::judge);
  add_gates(*verb, flags->session.gates)->excludes(verb->get_option("--shard"));
  verb->callback([flags, &context] { context.exit_code = run_cases(*flags, context); });
}

}  // namespace scatterproof::runner::cli
