// SPDX-License-Identifier: Apache-2.0
// Fork and exec, with everything that must be done in between.
#include "spawn.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <future>
#include <mutex>
#include <queue>
#include <stop_token>
#include <string_view>
#include <thread>

#include "rights.hpp"
#include "strays.hpp"

namespace scatterproof::engines::protocol {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const auto& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

void limit(int resource, rlim_t value) {
  const rlimit bounds{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &bounds);
}

/// The channel on its descriptor, output on the pipes, no input, and no other descriptor of this program.
void arrange_descriptors(const Launch& what) {
  // Above every descriptor number that is about to be used, whatever this process started with.
  const int above = channel_number + 1;
  const int channel = fcntl(what.channel, F_DUPFD, above);
  const int out = fcntl(what.out, F_DUPFD, above);
  const int err = fcntl(what.err, F_DUPFD, above);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  dup2(channel, channel_number);
  close_range(above, ~0U, 0);
}

/// Makes only calls that are safe after a threaded program forks.
[[noreturn]] void become(const Launch& what, char* const* arguments, char* const* environment, pid_t parent) {
  setpgid(0, 0);
  give_up_capabilities(worker_capabilities);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);     // whatever it starts remains its descendant as long as it lives
  if (getppid() != parent) _exit(127);  // it died before the line above
  if (!what.folder.empty() && chdir(what.folder.c_str()) != 0) _exit(127);
  arrange_descriptors(what);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  if (what.address_space != 0) limit(RLIMIT_AS, what.address_space);
  execve(arguments[0], arguments, environment);
  constexpr std::string_view failed = "the program cannot be executed: ";
  const char* why = errno == ENOENT   ? "no such file\n"
                    : errno == EACCES ? "permission denied\n"
                                      : "exec failed\n";
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, failed.data(), failed.size());
  written = ::write(STDERR_FILENO, why, std::string_view(why).size());
  _exit(127);
}

Forked fork_and_exec(const Launch& what) {
  const auto arguments = pointers(what.arguments);
  const auto environment = pointers(what.environment);
  Forked forked;
  if (namespace_refusal().empty()) {
    const pid_t parent = 0;  // it is not in the namespace
    forked = fork_into_namespace([&] { become(what, arguments.data(), environment.data(), parent); });
  } else {
    const pid_t parent = getpid();
    forked.worker = own([&] {
      const pid_t child = fork();
      if (child == 0) become(what, arguments.data(), environment.data(), parent);
      return child;
    });
  }
  if (forked.worker > 0)
    setpgid(forked.worker, forked.worker);  // also here, so that the group exists when this returns
  return forked;
}

/// One thread that does every fork and runs as long as the program: a child gets its death signal when the
/// *thread* that forked it ends, and callers' threads come and go.
class Forker {
 public:
  Forker() {
    refuse_tracers();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  static Forker& instance() {
    static Forker forker;
    return forker;
  }

  Forked run(const Launch& what, int& error) {
    std::packaged_task<std::pair<Forked, int>()> task([&what] {
      const Forked forked = fork_and_exec(what);
      return std::pair(forked, errno);
    });
    auto done = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push(std::move(task));
    }
    wake_.notify_one();
    const auto [forked, number] = done.get();
    error = number;
    return forked;
  }

 private:
  void loop(const std::stop_token& stop) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);  // signals are for the program's own threads
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !tasks_.empty(); })) {
      auto task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::queue<std::packaged_task<std::pair<Forked, int>()>> tasks_;
  std::jthread thread_{[this](const std::stop_token& stop) { loop(stop); }};
};

}  // namespace

Forked launch(const Launch& what) {
  int error = 0;
  const Forked forked = Forker::instance().run(what, error);
  errno = error;
  return forked;
}

}  // namespace scatterproof::engines::protocol
