// SPDX-License-Identifier: Apache-2.0
// One run from flags to exit code: interrupts, baselines, engines, reports, tally, trailer. `run` and
// `fuzz` use all of it; `bench` its engines, interrupts and exit code; `selftest` the last two.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gates.hpp"
#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/runner/baseline/baseline.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/run/progress.hpp"
#include "scatterproof/runner/run/sinks.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::runner::cli {

struct SessionFlags {
  std::vector<std::string> engines;
  std::vector<std::string> baselines;
  bool no_baseline = false;
  std::vector<std::string> reports;
  std::string specs;    ///< another folder of op specs, to be repeated in reproduce lines
  double timeout = 10;  ///< seconds
  int jobs = 1;
  int verbosity = 0;
  std::uint64_t seed = 0;
  std::string shard;  ///< I/N; empty: everything
  bool allow_fixed = false;
  bool fail_on_flaky = false;
  bool gradients = false;  ///< to be repeated in reproduce lines
  GateFlags gates;
};

/// `--engine` and `--timeout`. `usual_engines` says in the help which engines run when none is named.
void add_execution(CLI::App& verb, SessionFlags& flags, const std::string& usual_engines);
/// Those, and what judges and reports: `--baseline`, `--no-baseline`, `--report`, `-v`.
void add_session(CLI::App& verb, SessionFlags& flags);

/// From work_begins() on, the first Ctrl-C or SIGTERM ends a run in order and a second Ctrl-C ends the
/// process. Before that there is nothing to keep, and the first ends the process.
void handle_interrupts();
void work_begins();
const std::atomic<bool>& was_interrupted();

/// Stops engines, and warns of what they did wrong besides their calls.
void stop(std::span<const std::unique_ptr<engines::Engine>> engines);

/// What an exit code follows from (docs/use/exit-codes.md).
struct Ending {
  bool errors = false;      ///< in a file or a spec
  bool unexpected = false;  ///< verdicts, findings, stale baseline entries
  bool anything = true;     ///< something ran
};
Exit exit_code(const Ending& ending);

class RunSession {
 public:
  RunSession(const SessionFlags& flags, const Context& context);

  /// From here to open_reports(), Ctrl-C and SIGTERM end the process, with reports that say so: but none that
  /// could take the place of the stream of a run that is `resumed`.
  void watch_the_start(const std::string& resumed);

  /// Each gives as_expected, or the exit code after having said why.
  int load_baselines();
  /// The engines named, or all that are installed: then one that does not start is only mentioned. With
  /// `proofs`, the name `formula` is taken too.
  int open_engines(const spec::SpecLibrary& specs, bool proofs);
  /// The engines named, or these.
  int open_engines(const spec::SpecLibrary& specs, const std::vector<std::string>& usual);
  /// The same engines once more, in the same order, for a job that runs alongside others. An engine that
  /// started for the session and does not start again counts as missing, whether the user named it or not: a
  /// job without it would judge less.
  int open_again(const spec::SpecLibrary& specs, std::vector<std::unique_ptr<engines::Engine>>& again) const;
  /// An engine that started, once more in a process of its own; null, with the reason reported, if it does
  /// not start again.
  std::unique_ptr<engines::Engine> open_fresh(const spec::SpecLibrary& specs, const std::string& name) const;
  /// From here on Ctrl-C keeps what was judged. Without a report on stdout, the console's. The stream goes
  /// where asked, or among the program's own. The stream of an earlier run that has the same path is kept
  /// aside until forget_kept().
  int open_reports(const std::string& earlier_stream);
  void forget_kept() const;

  /// Names those of the chosen APIs that no open engine offers, unless that is all of them. Globs have none.
  void note_unoffered(std::span<const std::string> apis) const;

  /// Tells the reports that `planned` calls are to be judged (0: unknown).
  void begin(std::size_t planned);
  /// Counts a record and hands it to the reports.
  void take(const spec::Record& record);
  /// How the run ended: the last word to the reports, and the exit code.
  struct Last {
    spec::Errors errors = {};
    std::vector<spec::StaleEntry> stale = {};
    std::vector<spec::StaleEntry> unmatched = {};  ///< of a shard
    const SidesCovered* sides = nullptr;           ///< for --min-coverage
    bool resumed = false;                          ///< some of the calls were judged by an earlier run
    bool whole = false;                            ///< every case there is was judged
    std::string resume = {};                       ///< the command that resumes an interrupted run
    std::vector<spec::Reach> reach = {};           ///< engines that few calls reached
    std::string next = {};                         ///< the command that tests further; may be empty
    std::string nothing = {};                      ///< why nothing ran, if nothing did; may be empty
    std::string api = {};                          ///< one of those that were chosen; may be empty
    std::vector<spec::Skipped> skipped = {};
    std::vector<std::string> unreached = {};  ///< APIs
  };
  int finish(const Last& last);

  /// Engines that were looked for and did not start.
  const std::vector<spec::EngineSummary>& absent() const { return absent_; }
  const spec::Header& header() const { return header_; }
  /// Flags that change a verdict, for reproduce lines.
  std::string repeated_flags() const;
  /// How these flags want calls executed, until Ctrl-C. Whom to tell, and what to leave out, is the verb's.
  ExecuteOptions execute_options() const;

  Baseline& baseline() { return baseline_; }
  std::vector<std::unique_ptr<engines::Engine>>& engines() { return engines_; }
  const std::vector<std::unique_ptr<engines::Engine>>& engines() const { return engines_; }
  bool proofs() const { return proofs_; }
  Progress& progress() { return progress_; }
  const std::string& stream_path() const { return stream_path_; }

 private:
  /// Executed calls from begin() to now; 0: none.
  double calls_per_second() const;
  int open(const spec::SpecLibrary& specs, const std::vector<std::string>& names);
  bool is_open(const std::string& name) const;
  int end_at_the_start(const std::string& resumed);
  spec::Result<std::unique_ptr<Sinks>> requested_sinks();
  spec::Header make_header(std::size_t planned) const;
  spec::Header header_without_engines(std::size_t planned) const;

  const SessionFlags& flags_;
  const Context& context_;
  Baseline baseline_;
  std::vector<std::unique_ptr<engines::Engine>> engines_;
  std::vector<spec::EngineSummary> absent_;
  bool proofs_ = false;
  std::string stream_path_;
  std::string kept_;
  std::unique_ptr<Sinks> sinks_;
  mutable Progress progress_;  ///< const functions report theirs too
  spec::Header header_;
  bool console_ = false;  ///< there is a report for a person on stdout
  std::chrono::steady_clock::time_point begun_;
  std::uint64_t executed_ = 0;  ///< calls, not those that no engine supports
  std::size_t records_ = 0;
  std::size_t unexpected_ = 0;  ///< that fail the run
  std::jthread watch_;          ///< of the start
};

}  // namespace scatterproof::runner::cli
