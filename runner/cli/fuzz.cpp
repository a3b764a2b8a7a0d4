// SPDX-License-Identifier: Apache-2.0
// `fuzz`: generated calls on engines, judged by the spec; failures shrunk, saved and shown.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "fuzz_flags.hpp"
#include "fuzz_saved.hpp"
#include "fuzz_sides.hpp"
#include "fuzz_totals.hpp"
#include "options.hpp"
#include "run.hpp"
#include "scatterproof/engines/registry/python_function.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/fuzz/common_globs.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"
#include "scatterproof/runner/fuzz/findings.hpp"
#include "scatterproof/runner/fuzz/form_store.hpp"
#include "scatterproof/runner/fuzz/schedule.hpp"
#include "scatterproof/runner/fuzz/statistics.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/run/recorder.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/spec/core/shell_word.hpp"
#include "session.hpp"

namespace scatterproof::runner::cli {
namespace {

constexpr std::size_t always_shrunk = 3;  // failures, although --time is over
constexpr double least_shrink_seconds = 1;
using Clock = std::chrono::steady_clock;
using fuzz::GenerationOptions;

class FuzzCommand {
 public:
  FuzzCommand(const FuzzFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    session_.watch_the_start("");
    if (const int code = load(); code != as_expected) return code;
    if (const int code = session_.load_baselines(); code != as_expected) return code;
    if (const int code = open_engines(); code != as_expected) return code;
    if (const int code = open_corpus(); code != as_expected) return code;
    if (const int code = session_.open_reports(""); code != as_expected) return code;
    session_.begin(0);
    findings_.emplace(fuzz::Findings::Setting{.specs = *specs_,
                                              .families = families_.get(),
                                              .places = context_.places,
                                              .folder = flags_.save,
                                              .timeout = campaign_.timeout,
                                              .shrink_seconds = flags_.shrink_seconds,
                                              .interrupted = campaign_.interrupted,
                                              .known = campaign_.known});
    if (const int code = replay_known(); code != as_expected) return code;
    return finish(fuzz_all());
  }

 private:
  int load() {
    auto specs = load_specs(flags_.session.specs, context_.places);
    if (!specs) return usage_error(specs.errors());
    specs_ = std::make_unique<spec::SpecLibrary>(std::move(specs).value());
    spec::Errors errors;
    auto families = load_families(context_.places);
    if (!families) return usage_error(families.errors());
    families_ = std::make_unique<spec::FamilyLibrary>(std::move(families).value());
    campaign_.families = families_.get();
    campaign_.relations = flags_.relations;
    campaign_.gradients = flags_.session.gradients;
    campaign_.specs = specs_.get();
    if (!flags_.from.empty()) {
      if (const int code = choose_case(); code != as_expected) return code;
    } else {
      choose_apis(errors);
    }
    choose_calls(errors);
    return errors.empty() ? static_cast<int>(as_expected) : usage_error(errors);
  }

  /// The API of the case, and calls that are much like it.
  int choose_case() {
    auto loaded = load_call(flags_.from, "--from", flags_.session.specs, context_.places);
    if (!loaded) return usage_error(loaded.errors());
    spec::Call call = std::move(loaded).value();
    call.omitted.clear();
    campaign_.apis = {specs_->find(call.api)};
    from_ = std::make_shared<const spec::Call>(std::move(call));
    return as_expected;
  }

  void choose_apis(spec::Errors& errors) {
    const std::vector<std::string>& engines = flags_.session.engines;
    const bool own = !engines.empty() && std::ranges::all_of(engines, engines::is_users_own);
    const bool all = flags_.all || (own && flags_.apis.empty());  // of a kernel: those that it offers
    if (flags_.apis.empty() && !all)
      errors.push_back({.what = "no API was chosen", .hint = "use --api GLOB, --from ID or --all"});
    for (spec::Error& error : unmatched_apis(flags_.apis, *specs_)) errors.push_back(std::move(error));
    for (const spec::OpSpec& op : specs_->all())
      if (all || std::any_of(flags_.apis.begin(), flags_.apis.end(),
                             [&](const std::string& glob) { return matches_glob(glob, op.api); }))
        campaign_.apis.push_back(&op);
    campaign_.apis = fuzz::in_turns(std::move(campaign_.apis));
  }

  std::vector<std::string> rules_of_chosen() const {
    std::vector<std::string> rules;
    for (const spec::OpSpec* op : campaign_.apis)
      for (const spec::Rule& rule : op->rules) rules.push_back(rule.id);
    return rules;
  }

  void choose_calls(spec::Errors& errors) {
    if (!flags_.rule.empty() && std::none_of(campaign_.apis.begin(), campaign_.apis.end(),
                                             [&](const auto* op) { return op->rule(flags_.rule); }))
      errors.push_back({.what = fmt::format("no chosen API has a rule '{}'", flags_.rule),
                        .hint = did_you_mean(flags_.rule, rules_of_chosen(),
                                             "`scatterproof spec show API` prints the rules")});
    std::erase_if(campaign_.apis,
                  [&](const auto* op) { return !flags_.rule.empty() && !op->rule(flags_.rule); });
    const bool valid = flags_.valid || campaign_.gradients;
    campaign_.wishes = {valid           ? GenerationOptions::Sides::valid
                        : flags_.broken ? GenerationOptions::Sides::broken
                                        : GenerationOptions::Sides::both,
                        flags_.rule, from_};
    campaign_.wishes.large = flags_.large;
    campaign_.wishes.gradients = campaign_.gradients;
    campaign_.wishes.practice = flags_.practice;
    campaign_.wishes.store = fuzz::FormStore::of_user();
    campaign_.calls = flags_.calls;
    campaign_.seconds = flags_.seconds;
    if (campaign_.calls == 0 && campaign_.seconds == 0) campaign_.calls = default_calls;
    if (!flags_.shard.empty()) {
      auto shard = Shard::parse(flags_.shard);
      if (shard)
        campaign_.shard = *shard;
      else
        errors.insert(errors.end(), shard.errors().begin(), shard.errors().end());
    }
    const ExecuteOptions options = session_.execute_options();
    campaign_.seed = options.seed;
    campaign_.timeout = timeout_within(options.timeout);
    campaign_.interrupted = options.interrupted;
    campaign_.stop_at_first = flags_.stop_at_first;
    campaign_.known = [this](const fuzz::Kind& kind, const fuzz::Failure& failure) {
      return session_.baseline().place_of(record_of(kind, failure.judgement), failure.made.call);
    };
  }

  /// A call of a library that hangs is to be found in a short run too. Other engines may compile in a call.
  std::chrono::milliseconds timeout_within(std::chrono::milliseconds usual) const {
    constexpr std::int64_t calls_that_hang = 5, least = 1000;
    const bool is_chosen = flags_.session.timeout != SessionFlags{}.timeout;
    const bool of_libraries = std::ranges::all_of(
        flags_.session.engines, [](const std::string& name) { return name.starts_with("so:"); });
    if (is_chosen || campaign_.seconds == 0 || flags_.session.engines.empty() || !of_libraries) return usual;
    const auto share = static_cast<std::int64_t>(campaign_.seconds * 1000) / calls_that_hang;
    return std::min(usual, std::chrono::milliseconds(std::max(share, least)));
  }

  /// Engines that declare gradients. A function of torch's or jax's arrays has not: that its framework can
  /// differentiate it does not follow from its arrays. Compiled forms would compile for seconds.
  void choose_differentiated() {
    if (campaign_.gradients || campaign_.relations) return;
    for (const auto& engine : session_.engines())
      if (const engines::EngineInfo& info = engine->info();
          info.gradients && info.signature_seconds == 0 && !engines::is_function(info.name))
        campaign_.differentiated.insert(info.name);
  }

  /// The session's, and further ones for every job but one.
  int open_engines() {
    if (const int code = session_.open_engines(*specs_, false); code != as_expected) return code;
    further_.resize(static_cast<std::size_t>(session_.execute_options().jobs - 1));
    for (fuzz::Engines& engines : further_)
      if (const int code = session_.open_again(*specs_, engines); code != as_expected) return code;
    for (const auto& engine : session_.engines())
      campaign_.shrink_seconds =
          std::max(campaign_.shrink_seconds,
                   flags_.shrink_seconds.value_or(fuzz::usual_shrink_seconds(engine->info().name)));
    session_.note_unoffered(flags_.apis);
    // Calls of an API that no engine offers would be made for nothing.
    std::erase_if(campaign_.apis, [&](const spec::OpSpec* op) {
      return std::ranges::none_of(session_.engines(), [&](const auto& engine) {
        if (campaign_.gradients && !engine->info().gradients) return false;
        return engine->info().offers(op->api);
      });
    });
    campaign_.wishes.offered = [this](const spec::Call& call) {
      if (campaign_.gradients && !may_have_gradients(*specs_->find(call.api), call)) return false;
      return std::ranges::any_of(session_.engines(),
                                 [&](const auto& engine) { return engine->supports(call).yes; });
    };
    choose_differentiated();
    campaign_.wishes.few = std::ranges::any_of(
        session_.engines(), [](const auto& engine) { return !engine->info().kernels.empty(); });
    if (std::ranges::any_of(session_.engines(), [&](const auto& engine) {
          const engines::EngineInfo& info = engine->info();
          return info.signature_seconds > 0 || (campaign_.gradients && info.gradient_signature_seconds > 0);
        }))
      campaign_.wishes.calls_in_a_row = fuzz::Schedule::of_one_signature;
    return as_expected;
  }

  int open_corpus() {
    if (flags_.corpus.empty()) return as_expected;
    auto recorder = Recorder::open(flags_.corpus, {"corpus", "", tool_version(), "cpu", {}, {}});
    if (!recorder) return usage_error(recorder.errors());
    corpus_ = std::move(recorder).value();
    return as_expected;
  }

  void keep_in_corpus(const spec::OpSpec& op, const fuzz::GeneratedCall& generated) {
    spec::Case one;
    one.id =
        fmt::format("{}/fuzz/{}/{}", op.api, generated.broken ? generated.broken->id : "valid", ++in_corpus_);
    one.call = generated.call;
    corpus_->answered(one, {spec::Unavailable{"a corpus holds calls, not answers"}, 0});
  }

  /// 0: as many as the time allows.
  std::uint64_t calls_of_run() const { return campaign_.calls / campaign_.shard.total; }

  fuzz::FuzzResult fuzz_all() {
    if (campaign_.apis.empty()) return {};
    session_.progress().judging(calls_of_run());
    begun_ = Clock::now();
    if (flags_.session.gates.min_coverage) sides_ = GeneratedSides(campaign_.apis, session_.engines());
    fuzz::CallObserver observer;
    if (flags_.statistics || corpus_ || flags_.session.gates.min_coverage)
      observer = [this](const spec::OpSpec& op, const fuzz::GeneratedCall& generated) {
        if (flags_.session.gates.min_coverage && !generated.broken) sides_.obeyed(op, generated.call);
        if (flags_.statistics) note(op, generated);
        if (corpus_) keep_in_corpus(op, generated);
      };
    std::vector<const fuzz::Engines*> jobs{&session_.engines()};
    for (const fuzz::Engines& engines : further_) jobs.push_back(&engines);
    fuzz::FuzzResult fuzzed = fuzz::fuzz(
        campaign_, jobs,
        [this](const fuzz::FuzzResult& so_far) {
          const std::uint64_t in_vain = std::min(so_far.fruitless, calls_of_run());
          const std::size_t before = replayed_.size();
          session_.progress().so_far(before + so_far.made,
                                     before + std::max(so_far.made, calls_of_run() - in_vain),
                                     replay_counts_.failed + so_far.failed);
        },
        observer, [this](const fuzz::Kind& kind, const fuzz::Failure& failure) { keep(kind, failure); });
    session_.progress().finish();
    return fuzzed;
  }

  void note(const spec::OpSpec& op, const fuzz::GeneratedCall& generated) {
    fuzz::Traits traits = fuzz::traits_of(op, generated);
    if (campaign_.gradients)
      std::ranges::move(fuzz::gradient_traits_of(op, generated.call), std::back_inserter(traits));
    statistics_[op.api].see(traits);
  }

  /// Calls that failed in earlier runs, before any new ones: those in the folder that this run saves in, and
  /// the shipped ones.
  int replay_known() {
    if (campaign_.relations || campaign_.gradients) return as_expected;
    std::set<std::string> replayed;
    if (const int code = replay_folder(flags_.save, replayed, &damaged_); code != as_expected) return code;
    return replay_folder(context_.places.data + "/cases/regressions", replayed, nullptr);
  }

  /// Of the folder that this run saves in with `damaged`: cases that cannot be read are left out, and what is
  /// wrong with them goes there; so are those of other engines.
  int replay_folder(const std::string& folder, std::set<std::string>& replayed, spec::Errors* damaged) {
    std::error_code missing;
    if (std::filesystem::is_empty(folder, missing) || missing) return as_expected;
    CaseSelection selection;
    selection.what = {folder};
    selection.shard = flags_.shard;
    selection.specs = flags_.session.specs;
    auto loaded = load_catalogue(selection, context_.places, damaged);
    if (!loaded && damaged) *damaged = loaded.errors();  // not one of them can be read
    if (!loaded) return damaged ? static_cast<int>(as_expected) : usage_error(loaded.errors());
    Catalogue known = std::move(loaded).value();
    std::erase_if(known.cases, [&](const spec::Case& one) {
      return std::ranges::find(campaign_.apis, one.call.api, &spec::OpSpec::api) == campaign_.apis.end();
    });
    if (damaged) {
      const auto left = leave_to_others(known.cases, session_.engines());
      if (left.calls > 0) notes_.push_back(words_of(left, folder, context_.program, session_.engines()));
    }
    std::erase_if(known.cases, [&](const spec::Case& one) { return !replayed.insert(one.id).second; });
    ExecuteOptions options = session_.execute_options();
    options.judged = [this](const spec::Record& record) {
      replayed_.insert(record.id);
      replay_counts_.add(record.verdict, record.disposition, record.count);
      session_.take(record);
    };
    RunResult executed = runner::execute(known, session_.engines(), session_.baseline(), options);
    std::ranges::move(executed.notes, std::back_inserter(notes_));
    return executed.errors.empty() ? static_cast<int>(as_expected) : usage_error(executed.errors);
  }

  engines::Engine& engine_of(const std::string& name) {
    return **std::find_if(session_.engines().begin(), session_.engines().end(),
                          [&](const auto& engine) { return engine->info().name == name; });
  }

  /// What a baseline entry can speak of.
  spec::Record record_of(const fuzz::Kind& kind, const spec::Judgement& judgement) const {
    // What engines said of themselves when they were opened: by now a job may be at work with them.
    const spec::EngineSummary& engine =
        *std::ranges::find(session_.header().engines, kind.engine, &spec::EngineSummary::name);
    spec::Record record;
    record.id = kind.gradient ? fmt::format("{}/fuzz/gradient", kind.api)
                : kind.relation.empty()
                    ? fmt::format("{}/fuzz/{}", kind.api, kind.rule.empty() ? "valid" : kind.rule)
                    : fmt::format("{}/relation/{}", kind.api, kind.relation);
    record.api = kind.api;
    record.operation = specs_->find(kind.api)->said().op;
    record.engine = kind.engine;
    record.version = engine.version;
    record.device = engine.device;
    record.verdict = kind.verdict;
    record.diagnosis = kind.diagnosis;
    if (!kind.rule.empty()) record.broken = {kind.rule};
    record.practice = kind.practice;
    record.explanation = judgement.explanation;
    record.causes = judgement.causes;
    record.message = judgement.message;
    return record;
  }

  /// Saves a failure that nothing excuses as soon as it is found.
  void keep(const fuzz::Kind& kind, const fuzz::Failure& failure) {
    if (kind.known.empty()) findings_->keep(kind, failure);
  }

  /// The part of --time that a failure to be shown may take when `left` of them are still to be shown. The
  /// first ones get some in any case: one small call says more than many large ones.
  double seconds_for_one_of(std::size_t left) {
    if (campaign_.seconds == 0) return std::numeric_limits<double>::infinity();
    const std::chrono::duration<double> gone = Clock::now() - begun_;
    const double share = (campaign_.seconds - gone.count()) / static_cast<double>(left);
    return shrunk_++ < always_shrunk ? std::max(share, least_shrink_seconds) : share;
  }

  /// Returns the call that is shown.
  spec::Call show(const fuzz::Kind& kind, const fuzz::Failure& failure, std::size_t left,
                  spec::Record& record) {
    fuzz::Finding finding =
        findings_->finding_of(engine_of(kind.engine), kind, failure, seconds_for_one_of(left));
    record.explanation = std::move(finding.explanation);
    if (!finding.shown_by.empty()) record.explanation += '\n' + finding.shown_by;
    record.causes = std::move(finding.causes);
    record.message = std::move(finding.message);
    record.snippet = std::move(finding.snippet);
    record.elements = finding.elements;
    record.reproduce = finding.saved
                           ? fmt::format("{} run {} --verbose --engine {}{}",
                                         spec::shell_word(context_.program), spec::shell_word(*finding.saved),
                                         spec::shell_word(kind.engine), session_.repeated_flags()) +
                                 (kind.gradient && !campaign_.gradients ? " --gradients" : "")
                           : "(it could not be saved: " + finding.saved.errors().front().what + ")";
    return std::move(finding.call);
  }

  int finish(const fuzz::FuzzResult& fuzzed) {
    auto left = static_cast<std::size_t>(std::ranges::count_if(
        fuzzed.kinds, [](const auto& kind) { return kind.second.first && kind.first.known.empty(); }));
    for (const auto& [kind, tally] : fuzzed.kinds) {
      spec::Record record = record_of(
          kind, tally.first ? tally.first->judgement
                            : spec::Judgement{.verdict = kind.verdict, .explanation = tally.reason});
      record.mode = tally.mode;
      record.count = tally.count;
      if (tally.first) record.number = tally.first->number;
      record.seed = campaign_.seed;
      session_.baseline().reconcile(record, tally.first ? &tally.first->made.call : nullptr);
      if (tally.first && fails(record.disposition)) {
        const spec::Call shown = show(kind, *tally.first, left > 1 ? left-- : 1, record);
        // The record stands for all calls of its kind.
        std::erase_if(record.causes, [&](const auto& cause) { return !names(tally.causes, cause); });
        say_common_globs(fuzzed, kind, shown, record);
      }
      session_.take(record);
    }
    for (const fuzz::Engines& engines : further_) stop(engines);
    spec::Errors errors = fuzzed.errors;
    std::ranges::copy(damaged_, std::back_inserter(errors));
    if (corpus_) std::ranges::move(corpus_->failed(), std::back_inserter(errors));
    const SidesCovered sides = sides_.covered(fuzzed);
    const bool too_short = !campaign_.apis.empty() && campaign_.seconds > 0;
    const int code = session_.finish({.errors = errors,
                                      .sides = &sides,
                                      .nothing = too_short ? "time ran out before any engine answered"
                                                 : campaign_.gradients
                                                     ? "no selected engine has gradients of the chosen APIs"
                                                     : "no selected engine offers the chosen APIs",
                                      .api = campaign_.apis.empty() ? "" : campaign_.apis.front()->api,
                                      .skipped = skipped_in(fuzzed),
                                      .unreached = unreached_by(fuzzed, campaign_)});
    for (const auto& [api, statistics] : statistics_)
      fmt::print("\n{}: {} calls\n{}", api, statistics.calls(), statistics.table());
    for (const std::string& note : notes_) say("note: " + note);
    say_totals(flags_, fuzzed, findings_->saved(), campaign_, {replayed_.size(), replay_counts_});
    return code;
  }

  const FuzzFlags& flags_;
  const Context& context_;
  RunSession session_;
  std::unique_ptr<spec::SpecLibrary> specs_;
  std::size_t shrunk_ = 0;  ///< failures
  fuzz::Campaign campaign_;
  std::vector<fuzz::Engines> further_;  ///< of every job but the first, which has the session's
  std::shared_ptr<const spec::Call> from_;
  std::unique_ptr<spec::FamilyLibrary> families_;
  std::map<std::string, fuzz::Statistics> statistics_;  ///< by API
  GeneratedSides sides_;
  std::optional<fuzz::Findings> findings_;
  std::optional<Recorder> corpus_;
  std::uint64_t in_corpus_ = 0;
  spec::Errors damaged_;            ///< of saved cases that were left out
  std::set<std::string> replayed_;  ///< ids of saved cases that some engine was asked about
  reports::CallCounts replay_counts_;
  std::vector<std::string> notes_;  ///< on saved cases
  Clock::time_point begun_;         ///< the first call
};

/// Judges the calls that an earlier run kept, each with a record of its own, so that runs on them can be
/// compared.
int judge_corpus(const FuzzFlags& flags, const Context& context) {
  say(fmt::format("note: the calls of {} are judged, and no new ones are made", flags.corpus));
  RunFlags run;
  run.selection.what = {flags.corpus};
  for (const std::string& api : flags.apis) run.selection.what.push_back(api + "/*");
  run.selection.specs = flags.session.specs;
  run.selection.shard = flags.shard;
  run.session = flags.session;
  run.session.seed = 0;
  run.stop_at_first = flags.stop_at_first;
  return run_cases(run, context);
}

}  // namespace

void add_fuzz(CLI::App& app, Context& context) {
  CLI::App* verb =
      add_verb(app, context,
               {.name = "fuzz",
                .purpose = "Generate calls from the specs' rules and judge engines on them",
                .examples = {{"scatterproof fuzz --api 'torch.*' -e torch --time 60s",
                              "a minute of generated calls of PyTorch's APIs"},
                             {"scatterproof fuzz --all -e so:./libmine.so --cases 100000 --seed 7",
                              "the same 100,000 calls every time, on your kernel"}},
                .group = "Test"});
  auto flags = std::make_shared<FuzzFlags>();
  add_fuzz_flags(*verb, *flags);
  verb->callback([flags, &context] {
    const bool kept = !flags->corpus.empty() && std::filesystem::exists(flags->corpus);
    flags->session.shard = flags->shard;
    context.exit_code = kept ? judge_corpus(*flags, context) : FuzzCommand(*flags, context).execute();
  });
}

}  // namespace scatterproof::runner::cli
