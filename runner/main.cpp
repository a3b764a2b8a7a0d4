// SPDX-License-Identifier: Apache-2.0
// The program: the verbs of cli/, and the handling of unexpected exceptions.
#include <cxxabi.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <typeinfo>

#include "revision.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/spec/core/out_of_memory.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace {

using namespace scatterproof;
using namespace scatterproof::runner;

/// If the caller closed descriptor 0, 1 or 2, the next file opened would get its number, and output for
/// stdout would end in that file.
void open_standard_descriptors() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(standard, F_GETFD) < 0) open("/dev/null", O_RDWR);  // takes the lowest number that is free
}

/// A file that grows beyond `ulimit -f` cannot be written, which every writer reports. The signal is caught,
/// not ignored: programs that this one starts then get its default action.
void outlive_file_size_limits() {
  struct sigaction before {};
  if (sigaction(SIGXFSZ, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
    std::signal(SIGXFSZ, [](int) {});
}

/// As of `scatterproof list | head` once head has ended. Then SIGPIPE ends this program, unless its caller
/// ignores that signal.
bool nobody_reads_stdout() {
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

int stdout_failed() {
  if (nobody_reads_stdout()) return 128 + SIGPIPE;  // as a shell says it
  std::fputs("error: stdout could not be written completely\n", stderr);
  return cli::usage;
}

int out_of_memory(const char* doing) {
  std::fprintf(stderr, "error: out of memory%s%s\n", *doing ? " " : "", doing);
  return cli::our_bug;
}

int internal_error(const char* what, int argc, char** argv) {
  std::fprintf(stderr,
               "scatterproof: internal error: %s\nThis is a bug in scatterproof, not in your files; the "
               "command was:\n",
               what);
  for (int i = 0; i < argc; ++i) std::fprintf(stderr, "%s%s", i ? " " : "  ", argv[i]);
  std::fputc('\n', stderr);
  return cli::our_bug;
}

/// Z3 throws an exception of its own where nothing can catch it: while it frees what it has. Any other is a
/// bug, which is named before the process ends.
[[noreturn]] void nothing_catches() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type && std::strstr(type->name(), "out_of_memory_error")) std::_Exit(out_of_memory("while solving"));
  std::fprintf(stderr, "scatterproof: internal error: %s\n",
               type ? type->name() : "a thread that was not joined, or an exception during another one");
  try {
    if (type) throw;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  outlive_file_size_limits();
  std::set_terminate(nothing_catches);
  try {
    const int code = cli::run_program(argc, argv, revision());
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    const int failed = stdout_failed();
    return code == cli::as_expected ? failed : code;
  } catch (const spec::LimitReached& why) {
    std::fprintf(stderr, "error: %s\n", why.what());
    return why.why() == spec::LimitReached::Why::interrupted ? cli::interrupted : cli::usage;
  } catch (const std::bad_alloc&) {
    return out_of_memory("");
  } catch (const spec::OutOfMemory& error) {
    return out_of_memory(error.what());
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again)
      return out_of_memory("or processes, while starting a thread");
    // fmt::print throws when stdout is full.
    return std::ferror(stdout) ? stdout_failed() : internal_error(error.what(), argc, argv);
  } catch (const std::exception& error) {
    return internal_error(error.what(), argc, argv);
  }
}
