// SPDX-License-Identifier: Apache-2.0
// What verbs that judge have in common: baselines, engines, reports, Ctrl-C.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "baseline.hpp"
#include "cli.hpp"
#include "execute.hpp"
#include "progress.hpp"
#include "scatterproof/engines/engine.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "sinks.hpp"

namespace scatterproof::runner::cli {

struct SessionFlags {
  std::vector<std::string> engines;
  std::vector<std::string> baselines;
  std::vector<std::string> reports;
  std::string specs;  ///< another folder of op specs, to be repeated in reproduce lines
  double timeout = 10;
  int jobs = 1;
  int verbosity = 0;
  std::uint64_t seed = 0;
};

/// `--engine`, `--baseline`, `--report`, `--timeout`, `-v`.
void add_session(CLI::App& verb, SessionFlags& flags);

/// From the first call judged on, Ctrl-C ends a run in order; before that there is nothing to keep.
void handle_interrupts();
void judging_begins();
const std::atomic<bool>& was_interrupted();

class Session {
 public:
  Session(const SessionFlags& flags, const Context& context);

  /// Each gives as_expected, or the exit code after having said why.
  int load_baselines();
  /// The engines named, or all there are: then one that is not installed is only mentioned. With `proofs`,
  /// the name `formula` is taken too.
  int open_engines(const spec::SpecLibrary& specs, bool proofs);
  /// The same engines once more, in the same order, for a job beside others. One that started for the session
  /// and does not start again is missing, named by the user or not: a job without it would judge less.
  int open_again(const spec::SpecLibrary& specs, std::vector<std::unique_ptr<engines::Engine>>& again) const;
  /// Without a report on stdout, the console's. The stream goes where asked, or among the program's own. The
  /// stream of an earlier run that has the same path is kept aside until forget_kept().
  int open_reports(const std::string& earlier_stream);
  void forget_kept() const;

  /// Everything but `planned`.
  spec::Header header() const;
  /// Flags that change a verdict, for reproduce lines.
  std::string repeated_flags() const;
  /// How these flags want calls executed, until Ctrl-C. Whom to tell, and what to leave out, is the verb's.
  ExecuteOptions execute_options() const;

  Baseline& baseline() { return baseline_; }
  std::vector<std::unique_ptr<engines::Engine>>& engines() { return engines_; }
  bool proofs() const { return proofs_; }
  Sinks& sinks() { return *sinks_; }
  Progress& progress() { return progress_; }
  const std::string& stream_path() const { return stream_path_; }

 private:
  bool is_open(const std::string& name) const;

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
};

}  // namespace scatterproof::runner::cli
