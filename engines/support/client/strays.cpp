// SPDX-License-Identifier: Apache-2.0
#include "strays.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
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

/// The children that this process started and has not disowned.
class Children {
 public:
  static Children& instance() {
    static Children children;
    return children;
  }

  pid_t add(const std::function<pid_t()>& fork) {
    const std::lock_guard lock(mutex_);  // held meanwhile, so that none is seen before it is known
    const pid_t child = fork();
    if (child > 0) known_.insert(child);
    return child;
  }

  void remove(pid_t child) {
    const std::lock_guard lock(mutex_);
    known_.erase(child);
  }

  std::set<pid_t> known() {
    const std::lock_guard lock(mutex_);
    return known_;
  }

 private:
  std::mutex mutex_;
  std::set<pid_t> known_;
};

/// Other children of this process are in its own group: they run a command and are waited for.
bool is_adopted(const Process& process, const std::set<pid_t>& own) {
  return process.parent == getpid() && process.group != getpgrp() && !own.contains(process.group);
}

}  // namespace

bool Stray::kill() const { return syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0) == 0; }

void Stray::reap() const {
  siginfo_t unused{};
  waitid(P_PIDFD, static_cast<id_t>(process.get()), &unused, WEXITED | WNOHANG);
}

std::vector<Stray> strays_of(pid_t worker, pid_t keeper, std::string_view mark) {
  const auto all = all_processes(mark);
  const std::set<pid_t> own = Children::instance().known();
  const auto descends = [&](pid_t pid) {
    for (auto at = all.find(pid); at != all.end(); at = all.find(at->second.parent))
      if (at->second.parent == worker ||
          (keeper > 0 ? at->second.parent == keeper : is_adopted(at->second, own)))
        return true;
    return false;
  };
  std::vector<Stray> strays;
  for (const auto& [pid, process] : all) {
    if (process.group == worker || !(process.marked || descends(pid))) continue;
    if (const auto fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); fd >= 0)
      strays.push_back({fmt::format("{} (process {})", process.name, pid), Descriptor(fd)});
  }
  return strays;
}

pid_t own(const std::function<pid_t()>& fork) { return Children::instance().add(fork); }
void disown(pid_t child) { Children::instance().remove(child); }

}  // namespace scatterproof::engines::protocol
