// SPDX-License-Identifier: Apache-2.0
// What `doctor` looks at, one function each.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "scatterproof/runner/cli/cli.hpp"

namespace scatterproof::runner::cli {

/// One thing that was looked at.
struct DoctorFinding {
  enum class State {
    ok,
    note,    ///< not there or not usable, and `run` without options does without it
    missing  ///< `run` without options needs it
  } state = State::ok;
  std::string subject;    ///< `data`, `engine`
  std::string what;       ///< one sentence or a few words
  std::string hint = {};  ///< what to type or do; may be empty
};
using DoctorFindings = std::vector<DoctorFinding>;

DoctorFindings check_program(const Context& context);
/// Specs and cases are read, all of them.
DoctorFindings check_data(const Context& context);
/// That kept runs can be written, and how much space is left.
DoctorFindings check_state();
/// Every engine that exists. With `start`, the installed ones are started and stopped again, which takes
/// seconds each; a framework that does not start is `missing`.
DoctorFindings check_engines(const Context& context, bool start);
/// Whether workers, and with them kernels, can reach this program's process.
DoctorFindings check_workers();
DoctorFindings check_python();
DoctorFindings check_cuda();
/// A database on a server is asked only with `start`.
DoctorFindings check_history(bool start);
DoctorFindings check_settings(CLI::App& app, const Context& context);
/// The CI system, and which variable names a shard.
DoctorFindings check_ci();

}  // namespace scatterproof::runner::cli
