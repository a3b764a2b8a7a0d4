// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>

#include "proofs.hpp"
#include "state.hpp"
#include "version.hpp"

namespace scatterproof::runner::cli {
namespace fs = std::filesystem;
namespace {

std::atomic<bool> judging_flag{false};  // a start may take a minute
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

}  // namespace

void handle_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}
void judging_begins() { judging_flag = true; }
const std::atomic<bool>& was_interrupted() { return interrupted_flag; }

void add_session(CLI::App& verb, SessionFlags& flags) {
  verb.add_option(
          "-e,--engine", flags.engines,
          "reference, torch, torch@2.13.0, so:./libmine.so, cmd:./my-worker; repeatable; all installed "
          "when left out")
      ->type_name("ENGINE")
      ->take_all()
      ->allow_extra_args(false);
  verb.add_option("--baseline", flags.baselines, "A file of known deviations; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  verb.add_option("--report", flags.reports,
                  fmt::format("KIND=PATH, repeatable: {}; - is stdout", fmt::join(reports::kinds(), ", ")))
      ->type_name("KIND=PATH")
      ->allow_extra_args(false);
  verb.add_option("--timeout", flags.timeout, "Seconds a call may take")->check(CLI::Range(0.001, 86400.0));
  verb.add_flag("-v", flags.verbosity, "Every record, not only failures");
}

// Records that scroll by on a terminal are progress enough.
Session::Session(const SessionFlags& flags, const Context& context)
    : flags_(flags), context_(context), progress_(flags.verbosity == 0 || !isatty(STDOUT_FILENO)) {
  progress_.doing("reading specs and cases ...");
}

int Session::load_baselines() {
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

int Session::open_engines(const spec::SpecLibrary& specs, bool proofs) {
  std::vector<std::string> names = flags_.engines;
  if (names.empty()) {
    if (proofs) names.push_back(proof_engine_name);
    for (const engines::EngineListing& listing : engines::list_engines(context_.places))
      if (listing.installed)
        names.push_back(listing.name);
      else
        absent_.push_back({listing.name, "", "", "unavailable: " + listing.state});
  }
  spec::Errors errors;
  for (const std::string& name : names) {
    if (proofs && name == proof_engine_name) {
      proofs_ = true;
      continue;
    }
    progress_.starting(name);
    auto engine = engines::make_engine(name, specs, context_.places);
    if (!engine)
      errors.insert(errors.end(), engine.errors().begin(), engine.errors().end());
    else if (const std::string reason = (*engine)->start(); !reason.empty())
      absent_.push_back({name, "", "", "unavailable: " + reason});
    else if (!is_open((*engine)->info().name))  // `torch` and `torch@2.13.0` may be the same one
      engines_.push_back(std::move(engine).value());
  }
  progress_.doing("");
  if (!errors.empty()) return report_errors(errors);
  if (!flags_.engines.empty() && !absent_.empty()) {
    for (const spec::EngineSummary& engine : absent_)
      fmt::print(stderr, "error: {} is {}\n", engine.name, engine.state);
    return engine_missing;
  }
  return as_expected;
}

int Session::open_again(const spec::SpecLibrary& specs,
                        std::vector<std::unique_ptr<engines::Engine>>& again) const {
  for (const auto& open : engines_) {
    const std::string& name = open->info().name;
    progress_.starting(name);
    auto engine = engines::make_engine(name, specs, context_.places);
    const std::string reason = engine ? (*engine)->start() : engine.errors().front().what;
    if (!reason.empty()) {
      progress_.doing("");
      fmt::print(stderr, "error: {} started once, but not once more for another job: {}\n", name, reason);
      return engine_missing;
    }
    again.push_back(std::move(engine).value());
  }
  return as_expected;
}

bool Session::is_open(const std::string& name) const {
  return std::any_of(engines_.begin(), engines_.end(),
                     [&](const auto& engine) { return engine->info().name == name; });
}

int Session::open_reports(const std::string& earlier_stream) {
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
  if (!earlier_stream.empty() && fs::exists(stream_path_) && fs::equivalent(earlier_stream, stream_path_))
    fs::rename(earlier_stream, kept_ = earlier_stream + ".before");
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

void Session::forget_kept() const {
  if (!kept_.empty()) fs::remove(kept_);
}

spec::Header Session::header() const {
  spec::Header header;
  header.tool_version = tool_version();
  header.started = utc_now();
  header.command_line = context_.command_line;
  header.machine = machine();
  header.host = host_name();
  header.seed = flags_.seed;
  header.libraries = libraries();
  if (proofs_) header.engines.push_back({proof_engine_name, tool_version(), "cpu", "ready"});
  for (const auto& engine : engines_)
    header.engines.push_back({engine->info().name, engine->info().version, engine->info().device, "ready"});
  header.engines.insert(header.engines.end(), absent_.begin(), absent_.end());
  return header;
}

std::string Session::repeated_flags() const {
  std::string flags;
  if (!flags_.specs.empty()) flags += " --specs " + shell_word(flags_.specs);
  for (const std::string& file : flags_.baselines) flags += " --baseline " + shell_word(file);
  if (flags_.timeout != SessionFlags{}.timeout) flags += fmt::format(" --timeout {}", flags_.timeout);
  return flags;
}

ExecuteOptions Session::execute_options() const {
  ExecuteOptions options;
  options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(flags_.timeout * 1000));
  options.jobs = flags_.jobs;
  options.seed = flags_.seed;
  options.program = context_.program;
  options.flags = repeated_flags();
  options.interrupted = &was_interrupted();
  options.progress = &progress_;
  return options;
}

}  // namespace scatterproof::runner::cli
