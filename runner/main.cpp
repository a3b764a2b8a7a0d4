// SPDX-License-Identifier: Apache-2.0
// The program: the verbs of cli/, with one handler for internal errors.
#include <cstdio>
#include <exception>

#include "cli/cli.hpp"
#include "revision.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

int main(int argc, char** argv) {
  using namespace scatterproof::runner;
  try {
    const int code = cli::run_program(argc, argv, revision());
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fputs("error: stdout could not be written completely\n", stderr);
    return code == cli::as_expected ? static_cast<int>(cli::usage) : code;
  } catch (const scatterproof::spec::GivenUp& why) {
    std::fprintf(stderr, "error: %s\n", why.what());
    return why.why() == scatterproof::spec::GivenUp::Why::interrupted ? cli::interrupted : cli::usage;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "scatterproof: internal error: %s\nThis is a bug in scatterproof, not in your files; the "
                 "command was:\n",
                 error.what());
    for (int i = 0; i < argc; ++i) std::fprintf(stderr, "%s%s", i ? " " : "  ", argv[i]);
    std::fputc('\n', stderr);
    return cli::our_bug;
  }
}
