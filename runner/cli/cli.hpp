// SPDX-License-Identifier: Apache-2.0
// What the verbs of the command line share. One file a verb; main.cpp puts them together.
#pragma once

#include <CLI/App.hpp>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "catalogue.hpp"
#include "scatterproof/engines/registry.hpp"
#include "scatterproof/reports/reporter.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::runner::cli {

/// Exit codes (docs/exit-codes.md); a contract.
enum Exit {
  as_expected = 0,
  unexpected = 1,
  interrupted = 2,
  our_bug = 3,
  usage = 4,
  nothing_ran = 5,
  engine_missing = 7,
};

struct Context {
  std::string program;                 ///< argv[0], for reproduce lines
  std::vector<std::string> arguments;  ///< the rest of argv
  std::string command_line;            ///< all of argv, for the header
  engines::Places places;
  int exit_code = as_expected;
};

/// Prints errors to stderr and gives Exit::usage.
int report_errors(const spec::Errors& errors);

/// stdout is a terminal that wants colour (NO_COLOR, CLICOLOR_FORCE, TERM=dumb respected), its width
/// (that of COLUMNS, if it is set; 80 where there is no terminal).
reports::Style terminal_style();

/// Flags that choose cases, shared by run, list and show.
void add_selection(CLI::App& verb, Selection& selection);

/// An error for each glob that matches none of the names: in a list of globs a slip would go unnoticed.
/// `what` says so of the glob put in place of {}; `hint` is for when no name is near.
spec::Errors unmatched(const std::vector<std::string>& globs, const std::vector<std::string>& names,
                       const std::string& what, const std::string& hint);

/// -j: how many at once; as many as there are cores when left out. `what` says of what.
void add_jobs(CLI::App& verb, int& jobs, const std::string& what);

void add_run(CLI::App& app, Context& context);
void add_fuzz(CLI::App& app, Context& context);
void add_replay(CLI::App& app, Context& context);
void add_list(CLI::App& app, Context& context);
void add_show(CLI::App& app, Context& context);
void add_spec(CLI::App& app, Context& context);
void add_engines(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);
void add_selftest(CLI::App& app, Context& context);

}  // namespace scatterproof::runner::cli
