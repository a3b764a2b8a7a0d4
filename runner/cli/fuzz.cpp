// SPDX-License-Identifier: Apache-2.0
// `fuzz`: generated calls on engines, judged by the spec; failures shrunk, saved and shown.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "execute.hpp"
#include "fuzz/driver.hpp"
#include "fuzz/findings.hpp"
#include "fuzz/statistics.hpp"
#include "session.hpp"
#include "version.hpp"

namespace scatterproof::runner::cli {
namespace {

using fuzz::Wishes;

constexpr std::uint64_t default_calls = 20'000;

struct FuzzFlags {
  SessionFlags session;
  std::vector<std::string> apis;
  bool all = false;
  std::uint64_t calls = 0;
  std::string time;
  std::string shard;
  bool valid = false;
  bool broken = false;
  std::string rule;
  bool statistics = false;
  bool relations = false;
  std::string save;
  std::string from;
};

/// `60`, `60s`, `5m`, `1h`: seconds; 0 when it is none of these.
double read_time(const std::string& text) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    return 0;
  }
  const std::string unit = text.substr(used);
  const double seconds = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  return value > 0 ? value * seconds : 0;
}

spec::Error flag_error(std::string what, std::string hint = {}) {
  return {"", {}, std::move(what), std::move(hint), ""};
}

class FuzzCommand {
 public:
  FuzzCommand(const FuzzFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    if (const int code = load(); code != as_expected) return code;
    if (const int code = session_.load_baselines(); code != as_expected) return code;
    if (const int code = open_engines(); code != as_expected) return code;
    if (const int code = session_.open_reports(""); code != as_expected) return code;
    header_ = session_.header();
    session_.sinks().run_started(header_);
    findings_.emplace(fuzz::Findings::Setting{.specs = *specs_,
                                              .families = campaign_.families,
                                              .places = context_.places,
                                              .folder = folder(),
                                              .timeout = campaign_.timeout,
                                              .interrupted = campaign_.interrupted});
    judging_begins();
    if (const int code = replay_known(); code != as_expected) return code;
    return finish(fuzz_all());
  }

 private:
  int load() {
    auto specs = load_specs(flags_.session.specs, context_.places);
    if (!specs) return report_errors(specs.errors());
    specs_ = std::make_unique<spec::SpecLibrary>(std::move(specs).value());
    spec::Errors errors;
    if (flags_.relations) {
      auto families = spec::FamilyLibrary::load(context_.places.data + "/spec/families");
      if (!families) return report_errors(families.errors());
      families_ = std::make_unique<spec::FamilyLibrary>(std::move(families).value());
      campaign_.families = families_.get();
      campaign_.specs = specs_.get();
    }
    if (!flags_.from.empty()) {
      if (const int code = choose_case(); code != as_expected) return code;
    } else {
      choose_apis(errors);
    }
    choose_calls(errors);
    return errors.empty() ? static_cast<int>(as_expected) : report_errors(errors);
  }

  /// The API of the case, and calls that are much like it.
  int choose_case() {
    Selection selection;
    selection.what = {flags_.from};
    selection.specs = flags_.session.specs;
    const auto catalogue = load_catalogue(selection, context_.places);
    if (!catalogue) return report_errors(catalogue.errors());
    if (catalogue->cases.size() != 1)
      return report_errors({flag_error(fmt::format("'{}' is {} cases", flags_.from, catalogue->cases.size()),
                                       "--from takes the id or the file of one")});
    const spec::Call& call = catalogue->cases.front().call;
    campaign_.apis = {specs_->find(call.api)};
    from_ = std::make_shared<const spec::Call>(call);
    return as_expected;
  }

  void choose_apis(spec::Errors& errors) {
    std::vector<std::string> known;
    for (const spec::OpSpec& op : specs_->all()) known.push_back(op.api);
    if (flags_.apis.empty() && !flags_.all)
      errors.push_back(flag_error("fuzz what?", "--api GLOB (as in --api 'torch.*'), --from ID, or --all"));
    for (spec::Error& error : unmatched(flags_.apis, known, "no API matches '{}'", "'spec list' names them"))
      errors.push_back(std::move(error));
    for (const spec::OpSpec& op : specs_->all())
      if (flags_.all || std::any_of(flags_.apis.begin(), flags_.apis.end(),
                                    [&](const std::string& glob) { return matches_glob(glob, op.api); }))
        campaign_.apis.push_back(&op);
  }

  void choose_calls(spec::Errors& errors) {
    if (!flags_.rule.empty() && std::none_of(campaign_.apis.begin(), campaign_.apis.end(),
                                             [&](const auto* op) { return op->rule(flags_.rule); }))
      errors.push_back(flag_error(fmt::format("no chosen API has a rule '{}'", flags_.rule),
                                  "'spec show API' lists them"));
    std::erase_if(campaign_.apis,
                  [&](const auto* op) { return !flags_.rule.empty() && !op->rule(flags_.rule); });
    campaign_.wishes = {flags_.valid    ? Wishes::Sides::valid
                        : flags_.broken ? Wishes::Sides::broken
                                        : Wishes::Sides::both,
                        flags_.rule, from_};
    campaign_.calls = flags_.calls;
    if (!flags_.time.empty() && (campaign_.seconds = read_time(flags_.time)) == 0)
      errors.push_back(flag_error(fmt::format("'{}' is no time", flags_.time), "as in 60s, 5m, 1h"));
    if (campaign_.calls == 0 && flags_.time.empty()) campaign_.calls = default_calls;
    if (!flags_.shard.empty()) {
      auto shard = Shard::parse(flags_.shard);
      if (shard)
        campaign_.shard = *shard;
      else
        errors.insert(errors.end(), shard.errors().begin(), shard.errors().end());
    }
    const ExecuteOptions options = session_.execute_options();
    campaign_.seed = options.seed;
    campaign_.timeout = options.timeout;
    campaign_.interrupted = options.interrupted;
    campaign_.known = [this](const fuzz::Kind& kind, const fuzz::Failure& failure) {
      return session_.baseline().place_of(record_of(kind, failure.judgement), failure.made.call);
    };
  }

  /// The session's, and further ones for every job but one.
  int open_engines() {
    if (const int code = session_.open_engines(*specs_, false); code != as_expected) return code;
    further_.resize(static_cast<std::size_t>(session_.execute_options().jobs - 1));
    for (fuzz::Engines& engines : further_)
      if (const int code = session_.open_again(*specs_, engines); code != as_expected) return code;
    return as_expected;
  }

  fuzz::Fuzzed fuzz_all() {
    const bool visible = isatty(STDERR_FILENO);
    const auto progress = [visible](std::uint64_t judged, std::uint64_t failed) {
      if (visible) fmt::print(stderr, "\r\033[K{} calls judged, {} failed", judged, failed);
    };
    fuzz::CallObserver observer;
    if (flags_.statistics)
      observer = [this](const spec::OpSpec& op, const fuzz::Generated& generated) {
        statistics_[op.api].see(fuzz::traits_of(op, generated));
      };
    std::vector<const fuzz::Engines*> jobs{&session_.engines()};
    for (const fuzz::Engines& engines : further_) jobs.push_back(&engines);
    fuzz::Fuzzed fuzzed =
        fuzz::fuzz(campaign_, jobs, progress, observer,
                   [this](const fuzz::Kind& kind, const fuzz::Failure& failure) { keep(kind, failure); });
    if (visible) fmt::print(stderr, "\r\033[K");
    return fuzzed;
  }

  std::string folder() const {
    return flags_.save.empty() ? context_.places.data + "/cases/regressions" : flags_.save;
  }

  /// Calls that failed in earlier runs, before any new ones.
  int replay_known() {
    if (!std::filesystem::exists(folder()) || std::filesystem::is_empty(folder()) || campaign_.families)
      return as_expected;
    Selection selection;
    selection.what = {folder()};
    selection.specs = flags_.session.specs;
    auto loaded = load_catalogue(selection, context_.places);
    if (!loaded) return report_errors(loaded.errors());
    Catalogue known = std::move(loaded).value();
    std::erase_if(known.cases, [&](const spec::Case& one) {
      return std::none_of(campaign_.apis.begin(), campaign_.apis.end(),
                          [&](const auto* op) { return op->api == one.call.api; });
    });
    ExecuteOptions options = session_.execute_options();
    options.judged = [this](const spec::Record& record) { take(record); };
    const Executed executed = runner::execute(known, session_.engines(), session_.baseline(), options);
    return executed.errors.empty() ? static_cast<int>(as_expected) : report_errors(executed.errors);
  }

  void take(const spec::Record& record) {
    unexpected_ += record.disposition == spec::Disposition::unexpected;
    ++records_;
    session_.sinks().call_judged(record);
  }

  engines::Engine& engine_of(const std::string& name) {
    return **std::find_if(session_.engines().begin(), session_.engines().end(),
                          [&](const auto& engine) { return engine->info().name == name; });
  }

  /// What a baseline entry can speak of.
  spec::Record record_of(const fuzz::Kind& kind, const spec::Judgement& judgement) const {
    // What engines said of themselves when they were opened: by now a job may be at work with them.
    const spec::EngineSummary& engine =
        *std::ranges::find(header_.engines, kind.engine, &spec::EngineSummary::name);
    spec::Record record;
    record.id = kind.relation.empty()
                    ? fmt::format("{}/fuzz/{}", kind.api, kind.rule.empty() ? "valid" : kind.rule)
                    : fmt::format("{}/relation/{}", kind.api, kind.relation);
    record.api = kind.api;
    record.engine = kind.engine;
    record.version = engine.version;
    record.device = engine.device;
    record.verdict = kind.verdict;
    record.diagnosis = kind.diagnosis;
    record.explanation = judgement.explanation;
    record.message = judgement.message;
    return record;
  }

  /// Saves a failure that nothing excuses as soon as it is found.
  void keep(const fuzz::Kind& kind, const fuzz::Failure& failure) {
    if (kind.known.empty()) findings_->keep(kind, failure);
  }

  void show(const fuzz::Kind& kind, const fuzz::Failure& failure, spec::Record& record) {
    fuzz::Finding finding = findings_->finding_of(engine_of(kind.engine), kind, failure);
    record.explanation = std::move(finding.explanation);
    record.message = std::move(finding.message);
    record.snippet = std::move(finding.snippet);
    record.reproduce = finding.saved ? fmt::format("{} replay {} --engine {}{}", shell_word(context_.program),
                                                   shell_word(*finding.saved), shell_word(kind.engine),
                                                   session_.repeated_flags())
                                     : "(it could not be saved: " + finding.saved.errors().front().what + ")";
  }

  int finish(const fuzz::Fuzzed& fuzzed) {
    for (const auto& [kind, tally] : fuzzed.kinds) {
      spec::Record record = record_of(
          kind, tally.first ? tally.first->judgement
                            : spec::Judgement{.verdict = kind.verdict, .explanation = tally.reason});
      record.rung = tally.rung;
      record.count = tally.count;
      record.seed = campaign_.seed;
      session_.baseline().reconcile(record, tally.first ? &tally.first->made.call : nullptr);
      if (tally.first && record.disposition == spec::Disposition::unexpected)
        show(kind, *tally.first, record);
      take(record);
    }
    spec::Trailer trailer;
    trailer.ended = utc_now();
    trailer.interrupted = was_interrupted();
    trailer.records = records_;
    trailer.exit_code = !fuzzed.errors.empty() ? usage
                        : was_interrupted()    ? interrupted
                        : unexpected_ > 0      ? unexpected
                        : records_ == 0        ? nothing_ran
                                               : as_expected;
    session_.sinks().run_finished(trailer);
    for (const auto& [api, statistics] : statistics_)
      fmt::print("\n{}: {} calls\n{}", api, statistics.calls(), statistics.table());
    fmt::print(stderr, "{} calls made, {} judged, seed {}, digest {:016x}\n", fuzzed.made, fuzzed.judged,
               campaign_.seed, fuzzed.digest);
    if (!fuzzed.errors.empty()) return report_errors(fuzzed.errors);
    if (const std::string failed = session_.sinks().failed(); !failed.empty())
      return report_errors({{"", {}, failed, "", ""}});
    return trailer.exit_code;
  }

  const FuzzFlags& flags_;
  const Context& context_;
  Session session_;
  std::unique_ptr<spec::SpecLibrary> specs_;
  fuzz::Campaign campaign_;
  spec::Header header_;
  std::vector<fuzz::Engines> further_;  ///< of every job but the first, which has the session's
  std::shared_ptr<const spec::Call> from_;
  std::unique_ptr<spec::FamilyLibrary> families_;
  std::map<std::string, fuzz::Statistics> statistics_;  ///< by API
  std::optional<fuzz::Findings> findings_;
  std::size_t records_ = 0;
  std::size_t unexpected_ = 0;
};

}  // namespace

void add_fuzz(CLI::App& app, Context& context) {
  CLI::App* verb =
      app.add_subcommand("fuzz", "Makes calls from the specs' rules, and judges engines by them");
  auto flags = std::make_shared<FuzzFlags>();
  auto* apis = verb->add_option("--api", flags->apis, "APIs to make calls of; repeatable")
                   ->type_name("GLOB")
                   ->allow_extra_args(false);
  auto* all = verb->add_flag("--all", flags->all, "Every API there is a spec of");
  verb->add_option("--from", flags->from, "Calls that are much like this case's")
      ->type_name("ID|FILE")
      ->excludes(apis)
      ->excludes(all);
  add_session(*verb, flags->session);
  auto* cases = verb->add_option("--cases", flags->calls, "How many calls to make, over all APIs")
                    ->check(CLI::PositiveNumber);
  verb->add_option("--time", flags->time, "How long to make calls: 60s, 5m, 1h")->excludes(cases);
  verb->add_option("--seed", flags->session.seed, "The same seed makes the same calls")
      ->check(CLI::NonNegativeNumber);
  add_jobs(*verb, flags->session.jobs, "Threads, each with engines of its own");
  verb->add_option("--shard", flags->shard, "Makes part I of N of the calls")->type_name("I/N");
  auto* valid = verb->add_flag("--valid", flags->valid, "Only calls that obey every rule");
  auto* broken = verb->add_flag("--broken", flags->broken, "Only calls that break a rule");
  auto* rule = verb->add_option("--rule", flags->rule, "Only calls that break this rule")->type_name("ID");
  verb->add_flag("--statistics", flags->statistics, "Says what the calls were like, API by API");
  verb->add_flag("--relations", flags->relations,
                 "Instead of by the specs, judges by what must hold between calls (spec/families)");
  verb->add_option("--save", flags->save, "Where failing calls are saved; cases/regressions when left out")
      ->type_name("FOLDER");
  broken->excludes(valid);
  rule->excludes(valid)->excludes(broken);
  verb->add_option("--specs", flags->session.specs, "Another folder of specs")->type_name("FOLDER");
  verb->callback([flags, &context] { context.exit_code = FuzzCommand(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
