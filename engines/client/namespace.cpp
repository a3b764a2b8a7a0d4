// SPDX-License-Identifier: Apache-2.0
// A threaded process can enter no user namespace. So a process between the tool and the two that are wanted enters it,
// makes them its siblings, and ends:
//
//   tool -+- middle (ends)
//         +- keeper   number 1 in the namespace
//         +- worker
//
// As the worker is the tool's own child, it is waited for, signalled and measured like any other.
#include "namespace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "descriptor.hpp"
#include "rights.hpp"

namespace scatterproof::engines::protocol {
namespace {

constexpr const char* waits_for_the_end = "/bin/cat";

/// What the middle process says when it is in the new namespaces, and when the others are there.
struct Word {
  int error = 0;
  Forked forked;
};

bool write_file(const std::string& path, const std::string& text) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.get() >= 0 &&
         ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// A map in which every id that this process knows means itself: of lines `inside outside count`.
std::string identity(const std::string& own_map) {
  std::ifstream lines(own_map);
  std::string map;
  for (std::uint64_t inside = 0, outside = 0, count = 0; lines >> inside >> outside >> count;)
    map += fmt::format("{0} {0} {1}\n", inside, count);
  return map;
}

/// Gives a process in a new user namespace its ids: all of them as they are, which only root may; else its own.
bool map_ids(pid_t child) {
  const std::string folder = fmt::format("/proc/{}/", child);
  if (write_file(folder + "uid_map", identity("/proc/self/uid_map")))
    return write_file(folder + "gid_map", identity("/proc/self/gid_map"));
  return write_file(folder + "uid_map", fmt::format("{0} {0} 1", geteuid())) &&
         write_file(folder + "setgroups", "deny") &&
         write_file(folder + "gid_map", fmt::format("{0} {0} 1", getegid()));
}

/// Held open by this process alone, from its first use on: a keeper reads its end when the other end is gone.
int lifeline() {
  static const int end = [] {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
    static const Descriptor held(ends[1]);
    return ends[0];
  }();
  return end;
}

/// Waits for the end of the lifeline. It is another program, so that it holds none of the tool's memory, and reaps
/// nothing itself: who ignores the signal has no zombies. As it keeps a capability that no worker has, no worker can trace
/// it (ptrace(2)), and the signals of its own namespace do not reach the first process (pid_namespaces(7)).
[[noreturn]] void keep(int lifeline) {
  signal(SIGCHLD, SIG_IGN);
  [[maybe_unused]] const int moved = chdir("/");
  dup2(lifeline, STDIN_FILENO);
  const int nothing = open("/dev/null", O_WRONLY);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);
  give_up_capabilities(worker_capabilities | capability(CAP_KILL));
  keep_over_exec(CAP_KILL);
  std::array<char, 4> name{"cat"};
  const std::array<char*, 2> arguments{name.data(), nullptr};
  const std::array<char*, 1> environment{nullptr};
  execve(waits_for_the_end, arguments.data(), environment.data());
  _exit(EXIT_FAILURE);
}

/// Forks a sibling. Where the system allows it, its number in the new namespace is `number`; 0: any.
pid_t fork_sibling(pid_t number) {
  clone_args how{};
  how.flags = CLONE_PARENT;
  if (number != 0) {
    how.set_tid = reinterpret_cast<std::uintptr_t>(&number);
    how.set_tid_size = 1;
  }
  const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &how, sizeof how));
  return pid < 0 && number != 0 ? fork_sibling(0) : pid;
}

/// The /proc of the namespace, over that of the machine: its numbers are those that processes here know each other by.
void mount_proc() {
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) _exit(EXIT_FAILURE);
}

Word fork_both(const std::function<void()>& become) {
  const pid_t keeper = fork_sibling(0);
  if (keeper == 0) keep(lifeline());
  if (keeper < 0) return {errno, {}};
  // Files are named by process numbers: two workers must not have the same one. This process's own is free when it ends.
  const pid_t worker = fork_sibling(getpid());
  if (worker == 0) {
    mount_proc();
    become();
    _exit(EXIT_FAILURE);
  }
  return {worker < 0 ? errno : 0, {worker, keeper}};
}

/// The middle process. It holds the tool's memory: it is open to tracers, whose files in /proc are its user's, only while the tool
/// writes the maps.
[[noreturn]] void enter_and_fork(int tool, const std::function<void()>& become) {
  Word word;
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) != 0) word.error = errno;
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  bool mapped = false;
  const bool asked = send(tool, &word, sizeof word, MSG_NOSIGNAL) == sizeof word &&
                     recv(tool, &mapped, sizeof mapped, 0) == sizeof mapped;
  refuse_tracers();
  if (!asked || !mapped) _exit(EXIT_FAILURE);
  word = fork_both(become);
  send(tool, &word, sizeof word, MSG_NOSIGNAL);
  _exit(EXIT_SUCCESS);
}

std::optional<Word> hear(int middle) {
  Word word;
  if (recv(middle, &word, sizeof word, 0) != sizeof word) return {};
  return word;
}

/// The tool's part of the talk.
Word guide(int middle, pid_t pid) {
  auto word = hear(middle);
  if (!word || word->error != 0) return word.value_or(Word{ECHILD, {}});
  const bool mapped = map_ids(pid);
  if (send(middle, &mapped, sizeof mapped, MSG_NOSIGNAL) != sizeof mapped || !mapped) return {EPERM, {}};
  return hear(middle).value_or(Word{ECHILD, {}});
}

/// How it ended, as waitpid(2) says.
int reap(pid_t pid) {
  int status = -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string try_namespace() {
  if (access(waits_for_the_end, X_OK) != 0) return fmt::format("{} is missing", waits_for_the_end);
  const Forked tried = fork_into_namespace([] { _exit(EXIT_SUCCESS); });
  if (tried.worker < 0) return std::strerror(errno);
  const int status = reap(tried.worker);
  kill(tried.keeper, SIGKILL);
  reap(tried.keeper);
  return status == 0 ? "" : "a /proc of its own cannot be mounted";
}

}  // namespace

Forked fork_into_namespace(const std::function<void()>& become) {
  std::array<int, 2> ends{};
  if (lifeline() < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
  Descriptor ours(ends[0]), theirs(ends[1]);
  const pid_t middle = fork();
  if (middle < 0) return {};
  if (middle == 0) {
    ours.reset();
    enter_and_fork(theirs.get(), become);
  }
  theirs.reset();
  const Word word = guide(ours.get(), middle);
  ours.reset();
  reap(middle);
  if (word.error == 0) return word.forked;
  if (word.forked.keeper > 0) {
    kill(word.forked.keeper, SIGKILL);
    reap(word.forked.keeper);
  }
  errno = word.error;
  return {};
}

const std::string& namespace_refusal() {
  static const std::string refusal = try_namespace();
  return refusal;
}

}  // namespace scatterproof::engines::protocol
