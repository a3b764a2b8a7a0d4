// SPDX-License-Identifier: Apache-2.0
// What the verbs of the command line share. A verb is a file cli/<verb>.cpp that defines add_<verb>, and its
// name in the list of runner/cli/CMakeLists.txt.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/reports/reporter.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/family/comparison.hpp"

namespace scatterproof::runner::cli {

/// Exit codes (docs/use/exit-codes.md); a contract.
enum Exit {
  as_expected = 0,
  unexpected = 1,
  interrupted = 2,
  our_bug = 3,
  usage = 4,
  nothing_ran = 5,
  engine_missing = 7,
  incomplete = 7,  ///< of the shards of a run
};

struct Context {
  std::string program;                 ///< argv[0], for reproduce lines
  std::vector<std::string> arguments;  ///< the rest of argv
  std::string command_line;            ///< all of argv, for the header
  std::string revision;                ///< of git, for --version
  engines::Places places;
  std::string color = "auto";  ///< --color
  std::string config;          ///< --config
  std::string profile;         ///< --profile
  std::string show_config;     ///< --show-config; empty: not given
  int exit_code = as_expected;
};

/// Builds the tree of verbs, parses argv and runs the verb: the exit code.
int run_program(int argc, char** argv, const char* revision);

/// Parses a command of a verb without subcommands, without executing it, and passes its options to `check`.
/// Returns the errors of either.
spec::Errors check_command(std::vector<std::string> words, const Context& context,
                           const std::function<spec::Errors(const CLI::App& verb)>& check);

/// Prints a line on stderr. Unlike fmt::print it does not throw where stderr cannot be written.
void say(const std::string& line);
/// Prints errors on stderr.
void print_errors(const spec::Errors& errors);
/// The same, for errors that end the program: gives Exit::usage.
int usage_error(const spec::Errors& errors);

/// Writes a file that the user asked for, with what `make` returns. For an empty path nothing is made or
/// written. The error, if it cannot be written.
spec::Errors write_file(const std::string& path, const std::function<std::string()>& make);

/// Every release of a framework that is installed, the newest of each framework first.
std::vector<engines::EngineListing> installed_releases(const engines::Places& places);
/// The installed frameworks, each in its newest release, for verbs that are not about this program's own
/// engines.
std::vector<std::string> installed_frameworks(const engines::Places& places);

/// How to print on stdout: the width (COLUMNS, if it is set; 80 where there is no terminal), and colour as
/// decided by --color, NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR and TERM.
reports::Style terminal_style(const Context& context);

/// The engine that a user means by this name, not started yet; an unknown name gets a suggestion.
spec::Result<std::unique_ptr<engines::Engine>> find_engine(const std::string& name,
                                                           const spec::SpecLibrary& specs,
                                                           const engines::Places& places);

/// Says it where an engine that a user names is not the framework of the user's own interpreter.
void note_interpreter(const std::string& engine, const engines::Places& places);

/// The shipped families.
spec::Result<spec::FamilyLibrary> load_families(const engines::Places& places);
/// How the members of a family are compared. `families`, to which `family` belongs, must outlive the result.
spec::Result<spec::FamilyComparison> load_comparison(const engines::Places& places,
                                                     const spec::FamilyLibrary& families,
                                                     const spec::Family& family);

/// Of all families, in their order.
spec::Result<std::vector<spec::FamilyComparison>> load_comparisons(const engines::Places& places,
                                                                   const spec::FamilyLibrary& families);

/// One line of the help: a command and what it does.
struct Example {
  std::string command;
  std::string what;
};

/// A verb as its help shows it: add_verb is the one place where verbs are made.
struct VerbText {
  std::string name;
  std::string purpose;  ///< one sentence in the imperative, no full stop
  std::vector<Example> examples;
  std::string group = "Commands";  ///< under which the help lists it
};
CLI::App* add_verb(CLI::App& parent, Context& context, const VerbText& text);
/// The examples that add_verb was given.
std::vector<Example> examples_of(const CLI::App& verb);

}  // namespace scatterproof::runner::cli
