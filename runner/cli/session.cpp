// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "options.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/runner/run/proofs.hpp"
#include "scatterproof/runner/trial/started_ahead.hpp"
#include "scatterproof/spec/core/shell_word.hpp"

namespace scatterproof::runner::cli {
namespace fs = std::filesystem;
namespace {

std::atomic<bool> working_flag{false};  // before: specs are read and engines start, which may take a minute
std::atomic<bool> watched_flag{false};  // a thread ends the run in order if it is interrupted before
std::atomic<bool> interrupted_flag{false};

constexpr std::string_view too_early = "interrupted before the first verdict";

/// The first signal ends the run in order, and a second Ctrl-C ends the process as usual. SIGTERM often comes
/// twice, as from timeout(1), which sends it to the process and to its group.
void on_interrupt(int signal) {
  if (!working_flag && !watched_flag) {
    [[maybe_unused]] const auto written =
        write(STDERR_FILENO, too_early.data(), too_early.size()) + write(STDERR_FILENO, "\n", 1);
    _exit(interrupted);  // workers die with their parent
  }
  interrupted_flag = true;
  if (signal == SIGINT) std::signal(signal, SIG_DFL);
}

/// What a user's own engine can be asked, first what is of the framework of that API.
std::string offer_of(const engines::EngineInfo& engine, const std::string& api) {
  constexpr std::size_t most_named = 5;
  std::vector<std::string> apis = engine.apis;
  std::ranges::stable_partition(apis, [framework = api.substr(0, api.find('.') + 1)](const auto& one) {
    return one.starts_with(framework);
  });
  const std::size_t more = apis.size() - std::min(apis.size(), most_named);
  apis.resize(apis.size() - more);
  return fmt::format("{} offers {}{}: scatterproof run --engine {}", engine.name, fmt::join(apis, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "", spec::shell_word(engine.name));
}

/// The stream that no one asked for: without it only --resume is lost.
void warn_that_no_stream_is_kept(const spec::Errors& errors) {
  const spec::Error& first = errors.front();
  say(fmt::format("warning: the stream of this run is not kept: {}: {}", first.file, first.what));
}

}  // namespace

void handle_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  // A terminal that is gone; nohup(1) has it ignored.
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}
void work_begins() { working_flag = true; }
const std::atomic<bool>& was_interrupted() { return interrupted_flag; }

Exit exit_code(const Ending& ending) {
  if (ending.errors) return usage;
  if (was_interrupted()) return interrupted;
  if (ending.unexpected) return unexpected;
  return ending.anything ? as_expected : nothing_ran;
}

void stop(std::span<const std::unique_ptr<engines::Engine>> engines) {
  for (const auto& engine : engines)
    if (const std::string words = engine->stop(); !words.empty()) say("warning: " + words);
}

// Records that scroll by on a terminal are progress enough.
RunSession::RunSession(const SessionFlags& flags, const Context& context)
    : flags_(flags),
      context_(context),
      baseline_(utc_now().substr(0, 10)),
      progress_(flags.verbosity == 0 || !isatty(STDOUT_FILENO)) {
  progress_.doing("reading specs and cases ...");
}

void add_execution(CLI::App& verb, SessionFlags& flags, const std::string& usual_engines) {
  constexpr double a_day = 86400;
  add_engine(verb, flags.engines, usual_engines);
  add_duration(verb, "--timeout", flags.timeout, a_day, "Longest time that one call may take")
      ->default_str("10s")
      ->group(group::execute);
}

void add_session(CLI::App& verb, SessionFlags& flags) {
  add_execution(verb, flags, "all that are installed");
  auto* baseline =
      verb.add_option("--baseline", flags.baselines,
                      "File of expected failures, in addition to those of the installed engines; repeatable")
          ->type_name("FILE")
          ->allow_extra_args(false)
          ->check(existing_path())
          ->group(group::judge);
  verb.add_flag("--no-baseline", flags.no_baseline, "Expect no failure: leave out the engines' baselines too")
      ->excludes(baseline)
      ->group(group::judge);
  add_reports(verb, flags.reports, flags.verbosity);
}

int RunSession::load_baselines() {
  if (flags_.no_baseline) return as_expected;
  std::vector<std::string> files = flags_.baselines;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(context_.places.data + "/engines/workers", ignored))
    if (fs::exists(entry.path() / "baseline.yaml"))
      files.push_back((entry.path() / "baseline.yaml").string());
  spec::Errors errors;
  for (const std::string& file : files)
    for (spec::Error& error : baseline_.add(file)) errors.push_back(std::move(error));
  return errors.empty() ? static_cast<int>(as_expected) : usage_error(errors);
}

int RunSession::open_engines(const spec::SpecLibrary& specs, bool proofs) {
  std::vector<std::string> installed;
  if (flags_.engines.empty()) {
    proofs_ = proofs;
    for (const engines::EngineListing& listing : engines::list_engines(context_.places))
      if (listing.installed)
        installed.push_back(listing.name);
      else
        absent_.push_back(
            {.name = listing.name, .version = "", .device = "", .state = "unavailable: " + listing.state});
    return open(specs, installed);
  }
  std::vector<std::string> named = flags_.engines;
  if (proofs) proofs_ = std::erase(named, proof_engine_name) > 0;
  return open(specs, named);
}

int RunSession::open_engines(const spec::SpecLibrary& specs, const std::vector<std::string>& usual) {
  return open(specs, flags_.engines.empty() ? usual : flags_.engines);
}

void RunSession::note_unoffered(std::span<const std::string> apis) const {
  std::vector<std::string> unoffered;
  for (const std::string& api : apis)
    if (api.find_first_of("*?[") == std::string::npos &&
        std::ranges::none_of(engines_, [&](const auto& engine) { return engine->info().offers(api); }))
      unoffered.push_back(api);
  if (!unoffered.empty() && unoffered.size() < apis.size())
    say(fmt::format("note: no selected engine offers {}", fmt::join(unoffered, ", ")));
}

int RunSession::open(const spec::SpecLibrary& specs, const std::vector<std::string>& names) {
  const bool asked_for = !flags_.engines.empty();
  spec::Errors errors;
  std::vector<spec::Result<std::unique_ptr<engines::Engine>>> found;
  for (const std::string& name : names) found.push_back(find_engine(name, specs, context_.places));
  std::vector<engines::Engine*> to_start;
  for (auto& engine : found) to_start.push_back(engine ? engine->get() : nullptr);
  StartedAhead started(std::move(to_start));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    auto& engine = found[i];
    if (!engine && asked_for) {
      errors.insert(errors.end(), engine.errors().begin(), engine.errors().end());
      continue;
    }
    if (asked_for) note_interpreter(name, context_.places);
    progress_.starting(name);
    const std::string reason = engine ? started.reason(i) : engine.errors().front().what;
    if (!reason.empty())
      absent_.push_back({.name = name, .version = "", .device = "", .state = "unavailable: " + reason});
    else if (!is_open((*engine)->info().name))  // `torch` and `torch@2.13.0` may be the same one
      engines_.push_back(std::move(engine).value());
  }
  progress_.doing("");
  if (!errors.empty()) return usage_error(errors);
  if (!asked_for || absent_.empty()) return as_expected;
  for (const spec::EngineSummary& engine : absent_)
    print_errors({{.what = fmt::format("{} is {}", engine.name, engine.state)}});
  return engine_missing;
}

int RunSession::open_again(const spec::SpecLibrary& specs,
                           std::vector<std::unique_ptr<engines::Engine>>& again) const {
  for (const auto& open : engines_) {
    const std::string& name = open->info().name;
    progress_.starting(name);
    auto engine = find_engine(name, specs, context_.places);
    const std::string reason = engine ? (*engine)->start() : engine.errors().front().what;
    if (!reason.empty()) {
      progress_.doing("");
      say(fmt::format("error: {} started once but did not start again for another job: {}", name, reason));
      return engine_missing;
    }
    again.push_back(std::move(engine).value());
  }
  return as_expected;
}

std::unique_ptr<engines::Engine> RunSession::open_fresh(const spec::SpecLibrary& specs,
                                                        const std::string& name) const {
  auto engine = find_engine(name, specs, context_.places);
  const std::string reason = engine ? (*engine)->start() : engine.errors().front().what;
  if (reason.empty()) return std::move(engine).value();
  say(fmt::format("warning: {} did not start again to retry a call: {}", name, reason));
  return nullptr;
}

bool RunSession::is_open(const std::string& name) const {
  return std::any_of(engines_.begin(), engines_.end(),
                     [&](const auto& engine) { return engine->info().name == name; });
}

void RunSession::watch_the_start(const std::string& resumed) {
  constexpr std::chrono::milliseconds between_looks{20};
  watched_flag = true;
  watch_ = std::jthread([this, between_looks, resumed](const std::stop_token& stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(between_looks))
      if (interrupted_flag) std::_Exit(end_at_the_start(resumed));  // workers die with their parent
  });
}

/// On the watching thread, while the main one may be starting an engine.
int RunSession::end_at_the_start(const std::string& resumed) {
  progress_.finish();
  say(std::string(too_early));
  if (!resumed.empty()) return interrupted;  // nothing is to take the place of its stream
  auto sinks = requested_sinks();
  if (!sinks) return usage_error(sinks.errors());
  (*sinks)->run_started(header_without_engines(0));
  spec::Trailer trailer;
  trailer.ended = utc_now();
  trailer.interrupted = true;
  trailer.exit_code = interrupted;
  (*sinks)->run_finished(trailer);
  const std::string failed = (*sinks)->failed();
  return failed.empty() ? static_cast<int>(interrupted) : usage_error({{.what = failed}});
}

spec::Result<std::unique_ptr<Sinks>> RunSession::requested_sinks() {
  auto style = terminal_style(context_);
  style.verbosity = flags_.verbosity;
  const auto to_stdout = [](const std::string& want) {
    return want.find('=') == std::string::npos || want.ends_with("=-");
  };
  const auto is_console = [](const std::string& want) { return want.starts_with("console"); };
  const bool none_on_stdout = std::ranges::none_of(flags_.reports, to_stdout);
  console_ = none_on_stdout || std::ranges::any_of(flags_.reports, is_console);
  return Sinks::open(flags_.reports, none_on_stdout, style);
}

int RunSession::open_reports(const std::string& earlier_stream) {
  work_begins();
  watch_ = {};  // it has ended, or ends the process
  const std::vector<std::string>& wanted = flags_.reports;
  const auto writes_stream = [](const std::string& want) { return want.starts_with("jsonl="); };
  const auto stream = std::find_if(wanted.begin(), wanted.end(), writes_stream);
  if (stream != wanted.end()) {
    stream_path_ = stream->substr(6);
  } else {
    auto path = new_stream_path();
    if (path)
      stream_path_ = std::move(path).value();
    else
      warn_that_no_stream_is_kept(path.errors());
  }
  // The old stream stays whole until the new one holds everything it held.
  std::error_code failed;
  if (!earlier_stream.empty() && fs::equivalent(earlier_stream, stream_path_, failed)) {
    fs::rename(earlier_stream, kept_ = earlier_stream + ".before", failed);
    if (failed)
      return usage_error({{.file = earlier_stream,
                           .what = fmt::format("cannot set the stream aside: {}", failed.message()),
                           .hint = "write the new one to another file: --report jsonl=PATH"}});
  }
  auto sinks = requested_sinks();
  if (!sinks) return usage_error(sinks.errors());
  sinks_ = std::move(sinks).value();
  if (stream == wanted.end() && !stream_path_.empty())
    if (const spec::Errors errors = sinks_->keep_stream(stream_path_); !errors.empty()) {
      warn_that_no_stream_is_kept(errors);
      stream_path_.clear();
    }
  return as_expected;
}

void RunSession::forget_kept() const {
  std::error_code ignored;
  if (!kept_.empty()) fs::remove(kept_, ignored);
}

spec::Header RunSession::header_without_engines(std::size_t planned) const {
  spec::Header header;
  header.tool_version = tool_version();
  header.run = to_string(boost::uuids::random_generator()());
  header.started = utc_now();
  header.command_line = context_.command_line;
  header.machine = machine();
  header.host = host_name();
  header.seed = flags_.seed;
  header.libraries = libraries();
  header.planned = planned;
  header.allow_fixed = flags_.allow_fixed;
  header.fail_on_flaky = flags_.fail_on_flaky;
  header.jobs = flags_.jobs;
  header.shard = flags_.shard;
  return header;
}

spec::Header RunSession::make_header(std::size_t planned) const {
  spec::Header header = header_without_engines(planned);
  if (proofs_)
    header.engines.push_back(
        {.name = proof_engine_name, .version = tool_version(), .device = "cpu", .state = "ready"});
  for (const auto& engine : engines_) {
    const engines::EngineInfo& info = engine->info();
    header.engines.push_back({.name = info.name,
                              .version = info.version,
                              .device = info.device,
                              .state = "ready",
                              .declared = info.declared});
  }
  header.engines.insert(header.engines.end(), absent_.begin(), absent_.end());
  return header;
}

void RunSession::begin(std::size_t planned) {
  header_ = make_header(planned);
  sinks_->run_started(header_);
  progress_.judging(planned);
  begun_ = std::chrono::steady_clock::now();
}

void RunSession::take(const spec::Record& record) {
  ++records_;
  if (record.verdict != spec::Verdict::unsupported) executed_ += record.count;
  unexpected_ += fails(header_, record);
  if (!record.id.ends_with(spec::gradient_suffix)) progress_.judged(record.engine);  // one call, two records
  sinks_->call_judged(record);
}

double RunSession::calls_per_second() const {
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begun_;
  return gone.count() > 0 ? static_cast<double>(executed_) / gone.count() : 0;
}

int RunSession::finish(const Last& last) {
  progress_.finish();
  spec::Trailer trailer;
  trailer.ended = utc_now();
  trailer.interrupted = was_interrupted();
  trailer.records = records_;
  trailer.stale = last.stale;
  trailer.unmatched = last.unmatched;
  trailer.whole = last.whole;
  trailer.reach = last.reach;
  trailer.skipped = last.skipped;
  trailer.unreached = last.unreached;
  if (!last.resumed) trailer.calls_per_second = calls_per_second();
  trailer.gates = failed_gates(flags_.gates, header_, trailer, last.sides);
  if (const std::string lost = sinks_->failed_to_keep(); !lost.empty())
    say("warning: " + lost);
  else if (was_interrupted())
    trailer.resume = last.resume;
  const auto fails_it = [&](const spec::StaleEntry& entry) { return fails(header_, entry); };
  trailer.exit_code = exit_code(
      {.errors = !last.errors.empty(),
       .unexpected = unexpected_ > 0 || !trailer.gates.empty() || std::ranges::any_of(last.stale, fails_it),
       // of many shards some may be empty
       .anything = executed_ > 0 || !flags_.shard.empty()});
  if (trailer.exit_code == as_expected) trailer.next = last.next;
  sinks_->run_finished(trailer);
  if (!console_)
    for (const spec::FailedGate& gate : trailer.gates)
      say(fmt::format("error: gate {} failed: {}", gate.gate, gate.text));
  stop(engines_);
  if (!last.errors.empty()) return usage_error(last.errors);
  if (was_interrupted() && executed_ == 0) {
    say(std::string(too_early));
  } else if (executed_ == 0 && flags_.shard.empty() && !last.nothing.empty()) {
    say("error: nothing ran: " + last.nothing);
    for (const auto& engine : engines_)
      if (engines::is_users_own(engine->info().name) && !engine->info().apis.empty())
        say("  hint: " + offer_of(engine->info(), last.api));
  }
  if (const std::string failed = sinks_->failed(); !failed.empty()) return usage_error({{.what = failed}});
  return trailer.exit_code;
}

std::string RunSession::repeated_flags() const {
  std::string flags;
  if (!flags_.specs.empty()) flags += " --specs " + spec::shell_word(flags_.specs);
  for (const std::string& file : flags_.baselines) flags += " --baseline " + spec::shell_word(file);
  if (flags_.no_baseline) flags += " --no-baseline";
  if (flags_.timeout != SessionFlags{}.timeout) flags += fmt::format(" --timeout {}", flags_.timeout);
  if (flags_.gradients) flags += " --gradients";
  return flags;
}

ExecuteOptions RunSession::execute_options() const {
  ExecuteOptions options;
  options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(flags_.timeout * 1000));
  options.jobs = flags_.jobs;
  options.gradients = flags_.gradients;
  options.seed = flags_.seed;
  options.program = context_.program;
  options.flags = repeated_flags();
  options.interrupted = &was_interrupted();
  options.progress = &progress_;
  return options;
}

}  // namespace scatterproof::runner::cli
