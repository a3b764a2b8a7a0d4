// SPDX-License-Identifier: Apache-2.0
// `run`: cases on engines, judged.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "cli.hpp"
#include "execute.hpp"
#include "proofs.hpp"
#include "sinks.hpp"
#include "state.hpp"
#include "version.hpp"

namespace scatterproof::runner::cli {
namespace fs = std::filesystem;
namespace {

std::atomic<bool> judging_flag{false};  // before that there is nothing to keep, and a start may take a minute
std::atomic<bool> interrupted_flag{false};

/// The first Ctrl-C ends the run in order; a second one ends the process as usual.
void on_interrupt(int signal) {
  if (!judging_flag) {
    constexpr std::string_view message = "interrupted before anything ran\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
    _exit(interrupted);  // workers die with their parent
  }
  interrupted_flag = true;
  std::signal(signal, SIG_DFL);
}

struct RunFlags {
  Selection selection;
  std::vector<std::string> engines;
  std::vector<std::string> baselines;
  std::vector<std::string> reports;
  std::string resume;
  double timeout = 10;
  int jobs = 0;
  bool stop_at_first = false;
  int verbosity = 0;
  std::uint64_t seed = 0;
};

/// Progress on stderr, only for a person who looks at it.
class Progress {
 public:
  explicit Progress(std::size_t planned) : planned_(planned), visible_(isatty(STDERR_FILENO)) {}
  void step(const std::string& engine) {
    ++done_;
    if (visible_ && done_ % 16 == 0) fmt::print(stderr, "\r\033[K{}/{}  {}", done_, planned_, engine);
  }
  void clear() const {
    if (visible_) fmt::print(stderr, "\r\033[K");
  }

 private:
  std::size_t planned_;
  std::size_t done_ = 0;
  bool visible_;
};

/// One `run` from flags to exit code, in the order a reader would expect.
class RunCommand {
 public:
  RunCommand(const RunFlags& flags, const Context& context) : flags_(flags), context_(context) {}

  int execute() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    for (int (RunCommand::*step)() :
         {&RunCommand::load, &RunCommand::open_engines, &RunCommand::open_reports})
      if (const int code = (this->*step)(); code != as_expected) return code;
    judging_flag = true;
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
    return load_baselines();
  }

  int load_baselines() {
    std::vector<std::string> files = flags_.baselines;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(context_.places.data + "/engines/workers", ignored))
      if (fs::exists(entry.path() / "baseline.yaml"))
        files.push_back((entry.path() / "baseline.yaml").string());
    spec::Errors errors;
    for (const std::string& file : files)
      for (spec::Error& error : baseline_.add(file)) errors.push_back(std::move(error));
    return errors.empty() ? static_cast<int>(as_expected) : report_errors(errors);
  }

  /// The engines named, or all there are: then one that is not installed is only mentioned.
  int open_engines() {
    std::vector<std::string> names = flags_.engines;
    if (names.empty()) {
      names.push_back(proof_engine_name);
      for (const engines::EngineListing& listing : engines::list_engines(context_.places))
        if (listing.installed)
          names.push_back(listing.name);
        else
          absent_.push_back({listing.name, "", "", "unavailable: " + listing.state});
    }
    spec::Errors errors;
    for (const std::string& name : names) {
      if (name == proof_engine_name) {
        proofs_ = true;
        continue;
      }
      auto engine = engines::make_engine(name, catalogue_->specs, context_.places);
      if (!engine)
        errors.insert(errors.end(), engine.errors().begin(), engine.errors().end());
      else if (const std::string reason = (*engine)->start(); !reason.empty())
        absent_.push_back({name, "", "", "unavailable: " + reason});
      else if (!is_open((*engine)->info().name))  // `torch` and `torch@2.13.0` may be the same one
        engines_.push_back(std::move(engine).value());
    }
    if (!errors.empty()) return report_errors(errors);
    if (!flags_.engines.empty() && !absent_.empty()) {
      for (const spec::EngineSummary& engine : absent_)
        fmt::print(stderr, "error: {} is {}\n", engine.name, engine.state);
      return engine_missing;
    }
    return as_expected;
  }

  bool is_open(const std::string& name) const {
    return std::any_of(engines_.begin(), engines_.end(),
                       [&](const auto& engine) { return engine->info().name == name; });
  }

  /// Whether this run is about the record of an earlier one: same engines, same selection.
  bool is_planned(const spec::Record& record) const {
    const auto has_id = [&](const auto& one) { return one.id == record.id; };
    if (record.engine == proof_engine_name)
      return proofs_ && std::any_of(catalogue_->formulas.begin(), catalogue_->formulas.end(), has_id);
    return is_open(record.engine) && std::any_of(catalogue_->cases.begin(), catalogue_->cases.end(), has_id);
  }

  int open_reports() {
    std::vector<std::string> wanted = flags_.reports;
    const auto writes_stream = [](const std::string& want) { return want.starts_with("jsonl="); };
    const auto stream = std::find_if(wanted.begin(), wanted.end(), writes_stream);
    if (stream != wanted.end()) {
      stream_path_ = stream->substr(6);
    } else {
      stream_path_ = new_stream_path();
      if (!stream_path_.empty()) wanted.push_back("jsonl=" + stream_path_);
    }
    // The old stream stays whole until the new one holds everything it held.
    if (!flags_.resume.empty() && fs::exists(stream_path_) && fs::equivalent(flags_.resume, stream_path_))
      fs::rename(flags_.resume, kept_ = flags_.resume + ".before");
    auto style = terminal_style();
    style.verbosity = flags_.verbosity;
    const auto to_stdout = [](const std::string& want) {
      return want.find('=') == std::string::npos || want.ends_with("=-");
    };
    auto sinks = Sinks::open(wanted, std::none_of(wanted.begin(), wanted.end(), to_stdout), style);
    if (!sinks) return report_errors(sinks.errors());
    sinks_ = std::move(sinks).value();
    return as_expected;
  }

  spec::Header header() {
    spec::Header header;
    header.tool_version = tool_version();
    header.started = utc_now();
    header.command_line = context_.command_line;
    header.machine = machine();
    header.host = host_name();
    header.seed = flags_.seed;
    header.libraries = libraries();
    for (const auto& engine : engines_) {
      header.planned += plan(*catalogue_, *engine).size();
      header.engines.push_back({engine->info().name, engine->info().version, engine->info().device, "ready"});
    }
    if (proofs_) {
      header.planned += catalogue_->formulas.size();
      header.engines.insert(header.engines.begin(), {proof_engine_name, tool_version(), "cpu", "ready"});
    }
    header.engines.insert(header.engines.end(), absent_.begin(), absent_.end());
    return header;
  }

  int judge_everything() {
    const spec::Header head = header();
    sinks_->run_started(head);
    Progress progress(head.planned);
    ExecuteOptions options;
    options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(flags_.timeout * 1000));
    options.jobs =
        flags_.jobs > 0 ? flags_.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    options.stop_at_first = flags_.stop_at_first;
    options.seed = flags_.seed;
    options.program = context_.program;
    options.flags = repeated_flags();
    options.interrupted = &interrupted_flag;
    options.done = [this](const std::string& id, const std::string& engine) {
      return done_.contains({id, engine});
    };
    options.judged = [&](const spec::Record& record) {
      progress.step(record.engine);
      take(record);
    };
    for (spec::Record record : before_.records) {
      if (!is_planned(record)) continue;
      baseline_.reconcile(record);
      take(record);
    }
    if (!kept_.empty()) fs::remove(kept_);
    bool stopped = false;
    if (proofs_) stopped = prove_formulas(*catalogue_, baseline_, options);
    Executed executed;
    if (!stopped) executed = runner::execute(*catalogue_, engines_, baseline_, options);
    progress.clear();
    return finish(head, stopped || executed.stopped, executed.errors);
  }

  void take(const spec::Record& record) {
    ++records_;
    unexpected_ += record.disposition == spec::Disposition::unexpected;
    sinks_->call_judged(record);
  }

  int finish(const spec::Header& head, bool stopped, const spec::Errors& errors) {
    spec::Trailer trailer;
    trailer.ended = utc_now();
    trailer.interrupted = interrupted_flag;
    trailer.records = records_;
    if (!stopped) trailer.stale = baseline_.stale(catalogue_->whole, head.engines);
    if (interrupted_flag && !stream_path_.empty()) trailer.resume = resume_line();
    trailer.exit_code = !errors.empty()                             ? usage
                        : interrupted_flag                          ? interrupted
                        : unexpected_ > 0 || !trailer.stale.empty() ? unexpected
                        : records_ == 0                             ? nothing_ran
                                                                    : as_expected;
    sinks_->run_finished(trailer);
    if (!errors.empty()) return report_errors(errors);
    if (records_ == 0)
      fmt::print(stderr, "error: nothing ran: {}\n",
                 catalogue_->cases.empty() && catalogue_->formulas.empty()
                     ? "no case was selected"
                     : "no selected case is offered by the selected engines");
    if (const std::string failed = sinks_->failed(); !failed.empty())
      return report_errors({{"", {}, failed, "", ""}});
    return trailer.exit_code;
  }

  /// Flags that change a verdict, for reproduce lines.
  std::string repeated_flags() const {
    std::string flags;
    if (!flags_.selection.specs.empty()) flags += " --specs " + shell_word(flags_.selection.specs);
    for (const std::string& file : flags_.baselines) flags += " --baseline " + shell_word(file);
    if (flags_.timeout != RunFlags{}.timeout) flags += fmt::format(" --timeout {}", flags_.timeout);
    return flags;
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
    return line + " --resume " + shell_word(stream_path_);
  }

  const RunFlags& flags_;
  const Context& context_;
  std::unique_ptr<Catalogue> catalogue_;
  Baseline baseline_;
  std::vector<std::unique_ptr<engines::Engine>> engines_;
  std::vector<spec::EngineSummary> absent_;
  bool proofs_ = false;
  spec::Run before_;
  std::set<std::pair<std::string, std::string>> done_;
  std::string stream_path_;
  std::string kept_;
  std::unique_ptr<Sinks> sinks_;
  std::size_t records_ = 0;
  std::size_t unexpected_ = 0;
};

}  // namespace

void add_run(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("run", "Runs cases on engines and judges every result by the document");
  auto flags = std::make_shared<RunFlags>();
  add_selection(*verb, flags->selection);
  verb->add_option("-e,--engine", flags->engines,
                   "reference, torch, torch@2.13.0, so:./libmine.so, cmd:./my-worker, formula; repeatable; "
                   "all installed when left out")
      ->type_name("ENGINE")
      ->take_all()
      ->allow_extra_args(false);
  verb->add_option("--baseline", flags->baselines, "A file of known deviations; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  verb->add_option("--report", flags->reports,
                   fmt::format("KIND=PATH, repeatable: {}; - is stdout", fmt::join(reports::kinds(), ", ")))
      ->type_name("KIND=PATH")
      ->allow_extra_args(false);
  verb->add_option("--resume", flags->resume, "Goes on where the run of this stream stopped")
      ->type_name("STREAM");
  verb->add_option("--timeout", flags->timeout, "Seconds a call may take")->check(CLI::Range(0.001, 86400.0));
  verb->add_option("-j,--jobs", flags->jobs, "Engines at work at once; all cores when left out")
      ->check(CLI::Range(1, 1024));
  verb->add_option("--seed", flags->seed, "Shuffles the order of the calls; 0 keeps the order of ids")
      ->check(CLI::NonNegativeNumber);
  verb->add_flag("-x,--exitfirst", flags->stop_at_first, "Stops at the first unexpected verdict");
  verb->add_flag("-v", flags->verbosity, "Every record, not only failures");
  verb->callback([flags, &context] { context.exit_code = RunCommand(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
