// SPDX-License-Identifier: Apache-2.0
// The command line: verbs of cli/ put together, our own bugs caught once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "cli/cli.hpp"
#include "execute.hpp"
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
  context.arguments.assign(argv + 1, argv + argc);
  for (int i = 0; i < argc; ++i) context.command_line += (i ? " " : "") + shell_word(argv[i]);
  context.places = scatterproof::engines::find_places();

  cli::add_run(app, context);
  cli::add_fuzz(app, context);
  cli::add_replay(app, context);
  cli::add_list(app, context);
  cli::add_show(app, context);
  cli::add_spec(app, context);
  cli::add_engines(app, context);
  cli::add_report(app, context);
  cli::add_bench(app, context);
  cli::add_selftest(app, context);

  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(verbs.begin(), verbs.end(), argv[1]) == verbs.end()) {
    const auto near = scatterproof::spec::nearest(argv[1], verbs);
    return cli::report_errors({{"",
                                {},
                                fmt::format("there is no command '{}'", argv[1]),
                                near ? fmt::format("did you mean '{}'?", *near)
                                     : fmt::format("one of {}; --help tells more", fmt::join(verbs, ", ")),
                                ""}});
  }
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
    const int code = run_command(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fputs("scatterproof: stdout could not be written whole\n", stderr);
    return code == cli::as_expected ? static_cast<int>(cli::usage) : code;
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
