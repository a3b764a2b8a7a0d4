// SPDX-License-Identifier: Apache-2.0
// The command line: verbs of cli/ put together, our own bugs caught once.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/cli.hpp"
#include "version.hpp"

namespace {

using namespace scatterproof::runner;

int run_command(int argc, char** argv) {
  CLI::App app{"Holds scatter/gather implementations against the documents that define them.",
               "scatterproof"};
  app.set_version_flag("--version", version_text(), "Versions of the program and of its libraries");
  app.require_subcommand(1);
  app.fallthrough(false);

  cli::Context context;
  context.program = argv[0];
  for (int i = 0; i < argc; ++i) context.command_line += (i ? " " : "") + std::string(argv[i]);
  context.places = scatterproof::engines::find_places();

  cli::add_run(app, context);
  cli::add_list(app, context);
  cli::add_show(app, context);
  cli::add_spec(app, context);
  cli::add_engines(app, context);
  cli::add_report(app, context);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::as_expected : cli::usage;
  }
  return context.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "scatterproof: internal error: %s\nThis is a bug of scatterproof, not of your files; the "
                 "command was:\n",
                 error.what());
    for (int i = 0; i < argc; ++i) std::fprintf(stderr, "%s%s", i ? " " : "  ", argv[i]);
    std::fputc('\n', stderr);
    return cli::our_bug;
  }
}
