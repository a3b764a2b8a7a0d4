// SPDX-License-Identifier: Apache-2.0
#include "strays.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

namespace scatterproof::engines::protocol {
namespace {

/// Of a file in /proc. Reading throws when the process has ended since the file was opened.
std::string content(const std::filesystem::path& file) try {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
} catch (const std::ios_base::failure&) {
  return {};
}

struct Process {
  std::string name;
  pid_t parent = 0;
  pid_t group = 0;
  bool marked = false;
};

/// From /proc/PID/stat: `123 (name) S parent group ...`, where the name may hold anything.
std::optional<Process> read_process(const std::filesystem::path& folder) {
  const std::string stat = content(folder / "stat");
  const auto begin = stat.find('(');
  const auto end = stat.rfind(')');
  if (begin == stat.npos || end == stat.npos) return {};
  Process process;
  process.name = stat.substr(begin + 1, end - begin - 1);
  std::istringstream rest(stat.substr(end + 1));
  char state = 0;
  rest >> state >> process.parent >> process.group;
  if (!rest || state == 'Z' || state == 'X') return {};
  return process;
}

std::map<pid_t, Process> all_processes(std::string_view mark) {
  std::map<pid_t, Process> all;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string number = entry.path().filename().string();
    pid_t pid = 0;
    const char* end = number.data() + number.size();
    if (std::from_chars(number.data(), end, pid).ptr != end) continue;
    auto process = read_process(entry.path());
    if (!process) continue;
    process->marked = content(entry.path() / "environ").find(mark) != std::string::npos;
    all.emplace(pid, *std::move(process));
  }
  return all;
}

}  // namespace

bool Stray::kill() const { return syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0; }

std::vector<Stray> strays_of(pid_t leader, std::string_view mark) {
  const auto all = all_processes(mark);
  const auto descends = [&](pid_t pid) {
    for (auto at = all.find(pid); at != all.end(); at = all.find(at->second.parent))
      if (at->second.parent == leader) return true;
    return false;
  };
  std::vector<Stray> strays;
  for (const auto& [pid, process] : all) {
    if (process.group == leader || !(process.marked || descends(pid))) continue;
    if (const auto fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); fd >= 0)
      strays.push_back({fmt::format("{} (process {})", process.name, pid), Descriptor(fd)});
  }
  return strays;
}

}  // namespace scatterproof::engines::protocol
