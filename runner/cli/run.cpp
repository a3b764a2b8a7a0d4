// SPDX-License-Identifier: Apache-2.0
// `run`: cases on engines, judged.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <set>

#include "cli.hpp"
#include "execute.hpp"
#include "proofs.hpp"
#include "session.hpp"
#include "version.hpp"

namespace scatterproof::runner::cli {
namespace fs = std::filesystem;
namespace {

struct RunFlags {
  Selection selection;
  SessionFlags session;
  std::string resume;
  bool stop_at_first = false;
};

/// One `run` from flags to exit code, in the order a reader would expect.
class RunCommand {
 public:
  RunCommand(const RunFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    if (const int code = load(); code != as_expected) return code;
    if (const int code = session_.open_engines(catalogue_->specs, true); code != as_expected) return code;
    if (const int code = session_.open_reports(flags_.resume); code != as_expected) return code;
    judging_begins();
    return judge_everything();
  }

 private:
  int load() {
    auto catalogue = load_catalogue(flags_.selection, context_.places);
    if (!catalogue) return report_errors(catalogue.errors());
    catalogue_ = std::make_unique<Catalogue>(std::move(catalogue).value());
    if (!flags_.resume.empty()) {
      auto before = spec::read_stream(flags_.resume);
      if (!before) return report_errors(before.errors());
      before_ = std::move(before).value();
      for (const spec::Record& record : before_.records) done_.insert({record.id, record.engine});
    }
    return session_.load_baselines();
  }

  bool is_open(const std::string& name) {
    return std::any_of(session_.engines().begin(), session_.engines().end(),
                       [&](const auto& engine) { return engine->info().name == name; });
  }

  /// Whether this run is about the record of an earlier one: same engines, same selection.
  bool is_planned(const spec::Record& record) {
    const auto has_id = [&](const auto& one) { return one.id == record.id; };
    if (record.engine == proof_engine_name)
      return session_.proofs() &&
             std::any_of(catalogue_->formulas.begin(), catalogue_->formulas.end(), has_id);
    return is_open(record.engine) && std::any_of(catalogue_->cases.begin(), catalogue_->cases.end(), has_id);
  }

  spec::Header header() {
    spec::Header header = session_.header();
    for (const auto& engine : session_.engines()) header.planned += cases_for(*catalogue_, *engine).size();
    if (session_.proofs()) header.planned += catalogue_->formulas.size();
    return header;
  }

  int judge_everything() {
    const spec::Header head = header();
    session_.sinks().run_started(head);
    session_.progress().judging(head.planned);
    ExecuteOptions options = session_.execute_options();
    options.stop_at_first = flags_.stop_at_first;
    options.done = [this](const std::string& id, const std::string& engine) {
      return done_.contains({id, engine});
    };
    options.judged = [this](const spec::Record& record) { take(record); };
    for (spec::Record record : before_.records) {
      if (!is_planned(record)) continue;
      session_.baseline().reconcile(record);
      take(record);
    }
    session_.forget_kept();
    bool stopped = false;
    if (session_.proofs()) stopped = prove_formulas(*catalogue_, session_.baseline(), options);
    Executed executed;
    if (!stopped) executed = runner::execute(*catalogue_, session_.engines(), session_.baseline(), options);
    session_.progress().finish();
    return finish(head, stopped || executed.stopped, executed.errors);
  }

  void take(const spec::Record& record) {
    ++records_;
    session_.progress().judged(record.engine);
    unexpected_ += record.disposition == spec::Disposition::unexpected;
    session_.sinks().call_judged(record);
  }

  int finish(const spec::Header& head, bool stopped, const spec::Errors& errors) {
    spec::Trailer trailer;
    trailer.ended = utc_now();
    trailer.interrupted = was_interrupted();
    trailer.records = records_;
    if (!stopped) trailer.stale = session_.baseline().stale(catalogue_->whole, head.engines);
    if (was_interrupted() && !session_.stream_path().empty()) trailer.resume = resume_line();
    trailer.exit_code = !errors.empty()                             ? usage
                        : was_interrupted()                         ? interrupted
                        : unexpected_ > 0 || !trailer.stale.empty() ? unexpected
                        : records_ == 0                             ? nothing_ran
                                                                    : as_expected;
    session_.sinks().run_finished(trailer);
    if (!errors.empty()) return report_errors(errors);
    if (records_ == 0)
      fmt::print(stderr, "error: nothing ran: {}\n",
                 catalogue_->cases.empty() && catalogue_->formulas.empty()
                     ? "no case was selected"
                     : "no selected case is offered by the selected engines");
    if (const std::string failed = session_.sinks().failed(); !failed.empty())
      return report_errors({{"", {}, failed, "", ""}});
    return trailer.exit_code;
  }

  /// The command as it was given, resuming from this run's stream instead of an earlier one's.
  std::string resume_line() const {
    std::string line = shell_word(context_.program);
    for (std::size_t i = 0; i < context_.arguments.size(); ++i) {
      const std::string& word = context_.arguments[i];
      if (word == "--resume")
        ++i;
      else if (!word.starts_with("--resume="))
        line += ' ' + shell_word(word);
    }
    return line + " --resume " + shell_word(session_.stream_path());
  }

  const RunFlags& flags_;
  const Context& context_;
  Session session_;
  std::unique_ptr<Catalogue> catalogue_;
  spec::Run before_;
  std::set<std::pair<std::string, std::string>> done_;
  std::size_t records_ = 0;
  std::size_t unexpected_ = 0;
};

}  // namespace

void add_run(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("run", "Runs cases on engines and judges every result by the document");
  auto flags = std::make_shared<RunFlags>();
  add_selection(*verb, flags->selection);
  add_session(*verb, flags->session);
  verb->add_option("--resume", flags->resume, "Goes on where the run of this stream stopped")
      ->type_name("STREAM");
  add_jobs(*verb, flags->session.jobs, "Engines at work at once");
  verb->add_option("--seed", flags->session.seed, "Shuffles the order of the calls; 0 keeps the order of ids")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("-x,--exitfirst", flags->stop_at_first, "Stops at the first unexpected verdict");
  verb->callback([flags, &context] {
    flags->session.specs = flags->selection.specs;
    context.exit_code = RunCommand(*flags, context).execute();
  });
}

void add_replay(CLI::App& app, Context& context) {
  CLI::App* verb =
      app.add_subcommand("replay", "Runs one call again, such as fuzz saved, and says all about it");
  auto flags = std::make_shared<RunFlags>();
  verb->add_option("what", flags->selection.what, "Its file or its id")
      ->required()
      ->expected(1)
      ->type_name("FILE|ID");
  verb->add_option("--specs", flags->selection.specs, "Another folder of specs")->type_name("FOLDER");
  add_session(*verb, flags->session);
  verb->callback([flags, &context] {
    flags->session.specs = flags->selection.specs;
    flags->session.verbosity = 1;
    context.exit_code = RunCommand(*flags, context).execute();
  });
}

}  // namespace scatterproof::runner::cli
