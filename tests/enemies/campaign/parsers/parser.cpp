// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace scatterproof::parsers {

MemoryFile::MemoryFile(const std::uint8_t* data, std::size_t size) : fd_(memfd_create("input", MFD_CLOEXEC)) {
  if (fd_ < 0 || write(fd_, data, size) != static_cast<ssize_t>(size))
    throw std::runtime_error("no file in memory can be made");
}

MemoryFile::~MemoryFile() { close(fd_); }

TimeLimit::TimeLimit() {
  std::signal(SIGVTALRM, [](int) {
    constexpr char why[] = "more than a second of processor time\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, why, sizeof why - 1);
    std::abort();  // libFuzzer writes the input down
  });
  const itimerval one_second{{0, 0}, {1, 0}};
  setitimer(ITIMER_VIRTUAL, &one_second, nullptr);
}

TimeLimit::~TimeLimit() {
  const itimerval never{};
  setitimer(ITIMER_VIRTUAL, &never, nullptr);
}

}  // namespace scatterproof::parsers
