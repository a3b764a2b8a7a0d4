// SPDX-License-Identifier: Apache-2.0
// A threaded process cannot enter a user namespace. So a process between the tool and the two that are wanted
// enters it, makes them its siblings, and ends:
//
//   tool -+- middle (ends)
//         +- keeper   number 1 in the namespace
//         +- worker
//
// As the worker is the tool's own child, it is waited for, signalled and measured like any other.
#include "namespace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
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

/// Maps ids for a process in a new user namespace: all of them to themselves, which only root may do;
/// otherwise its own.
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

/// Waits for the end of the lifeline. It is another program, so that it holds none of the tool's memory, and
/// reaps nothing itself: a process that ignores the signal has no zombies. It keeps a capability that workers
/// do not have, so no worker can trace it (ptrace(2)), and the signals of its own namespace do not reach the
/// first process (pid_namespaces(7)).
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

/// Mounts the namespace's /proc over that of the machine: its numbers are those by which processes here know
/// each other.
bool mount_proc() { return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0; }

/// Where the system allows it, the next process of this namespace has this number (proc_sys_kernel(5)).
void number_from(pid_t number) {
  const int file = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
  std::array<char, 16> text{};
  const auto end = std::to_chars(text.begin(), text.end(), number - 1).ptr;
  [[maybe_unused]] const ssize_t written =
      ::write(file, text.data(), static_cast<std::size_t>(end - text.begin()));
  close(file);
}

/// What the middle process and its siblings have in common until they execute a program.
struct Plan {
  const std::function<void()>& become;
  int lifeline;
  pid_t number;  ///< of the worker in its namespace
  int error;     ///< of the keeper
};

int be_keeper(void* argument) {
  auto& plan = *static_cast<Plan*>(argument);
  if (!mount_proc()) {
    plan.error = errno;
    return EXIT_FAILURE;
  }
  number_from(plan.number);
  keep(plan.lifeline);
}

int be_worker(void* argument) {
  static_cast<Plan*>(argument)->become();
  return EXIT_FAILURE;
}

/// Forks a sibling, and returns when it has executed a program or ended. Until then it shares this process's
/// memory, which is not copied: that may be the tool's gigabyte. The sanitizers do not know of such a
/// process, nor of its stack.
pid_t fork_sibling(int (*begin)(void*), Plan& plan, [[maybe_unused]] std::span<std::byte> stack) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  const auto pid =
      static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | CLONE_VFORK, nullptr, nullptr, nullptr, nullptr));
  if (pid == 0) _exit(begin(&plan));
  return pid;
#else
  return clone(begin, stack.data() + stack.size(), CLONE_PARENT | CLONE_VFORK | CLONE_VM, &plan);
#endif
}

Word fork_both(const std::function<void()>& become, std::span<std::byte> stack) {
  // Files are named after process numbers: two workers must not have the same one. This process's own is free
  // when it ends.
  Plan plan{.become = become, .lifeline = lifeline(), .number = getpid(), .error = 0};
  const pid_t keeper = fork_sibling(be_keeper, plan, stack);
  if (keeper < 0) return {errno, {}};
  if (plan.error != 0) return {plan.error, {-1, keeper}};
  const pid_t worker = fork_sibling(be_worker, plan, stack);
  return {worker < 0 ? errno : 0, {worker, keeper}};
}

/// The middle process. It holds the tool's memory. It is open to tracers, and its files in /proc belong to
/// its user, only while the tool writes the maps.
[[noreturn]] void enter_and_fork(int tool, const std::function<void()>& become, std::span<std::byte> stack) {
  Word word;
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) != 0) word.error = errno;
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  bool mapped = false;
  const bool asked = send(tool, &word, sizeof word, MSG_NOSIGNAL) == sizeof word &&
                     recv(tool, &mapped, sizeof mapped, 0) == sizeof mapped;
  refuse_tracers();
  if (!asked || !mapped) _exit(EXIT_FAILURE);
  word = fork_both(become, stack);
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

void reap(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string try_namespace() {
  if (access(waits_for_the_end, X_OK) != 0) return fmt::format("{} is missing", waits_for_the_end);
  const Forked tried = fork_into_namespace([] { _exit(EXIT_SUCCESS); });
  if (tried.worker < 0) return std::strerror(errno);
  reap(tried.worker);
  kill(tried.keeper, SIGKILL);
  reap(tried.keeper);
  return "";
}

}  // namespace

Forked fork_into_namespace(const std::function<void()>& become) {
  std::array<int, 2> ends{};
  if (lifeline() < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
  Descriptor ours(ends[0]), theirs(ends[1]);
  constexpr std::size_t stack_size = std::size_t{256} << 10;
  std::vector<std::max_align_t> stack(stack_size / sizeof(std::max_align_t));
  const pid_t middle = fork();
  if (middle < 0) return {};
  if (middle == 0) {
    ours.reset();
    enter_and_fork(theirs.get(), become, std::as_writable_bytes(std::span(stack)));
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
