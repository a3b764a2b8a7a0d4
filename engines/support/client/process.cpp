// SPDX-License-Identifier: Apache-2.0
// A worker's process: started with limits in its own process group, read without blocking, and always ended.
#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "scatterproof/engines/client/watchdog.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "spawn.hpp"

namespace scatterproof::engines::protocol {
namespace {

constexpr std::size_t tail_size = 16u << 10;
constexpr std::size_t longest_line = 8u << 20;  // an error message may be long, but not this long
constexpr std::size_t chunk_size = 64u << 10;
constexpr int room = 1 << 20;  // bytes of a channel, each way
// How often to check, while the channel is silent, whether the process has ended and a child of its own holds
// the channel open.
constexpr std::chrono::milliseconds glance{50};
constexpr int most_rounds = 500;  // of killing what a worker leaves behind: a second at least

std::vector<std::string> environment_of(const WorkerOptions& options, const std::string& scratch) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (const auto equals = text.find('='); equals != text.npos)
      variables[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : options.environment) variables[name] = value;
  variables["SCATTERPROOF_WORKER_FD"] = std::to_string(channel_number);
  variables["TMPDIR"] = scratch;
  variables.insert_or_assign(watched_variable().first, watched_variable().second);
  std::vector<std::string> result;
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  return result;
}

bool make_pipe(Descriptor& mine, Descriptor& theirs) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  mine = Descriptor(ends[0]);
  theirs = Descriptor(ends[1]);
  fcntl(mine.get(), F_SETFL, O_NONBLOCK);
  return true;
}

/// Room for whole batches and their answers, so that neither end waits for the other to read. A system may
/// give less.
bool make_channel(Descriptor& mine, Descriptor& theirs) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
  for (const int end : ends) setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  mine = Descriptor(ends[0]);
  theirs = Descriptor(ends[1]);
  return true;
}

std::string why(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

}  // namespace

void Tail::append(std::string_view text) {
  text_ += text;
  if (text_.size() > 4 * tail_size) text_.erase(0, text_.size() - tail_size);
}

std::string Tail::text() const {
  return text_.size() <= tail_size ? text_ : text_.substr(text_.size() - tail_size);
}

std::variant<std::unique_ptr<WorkerProcess>, std::string> WorkerProcess::spawn(const WorkerOptions& options) {
  std::unique_ptr<WorkerProcess> process(new WorkerProcess);
  std::error_code error;
  std::string scratch = (std::filesystem::temp_directory_path(error) / "scatterproof-XXXXXX").string();
  if (mkdtemp(scratch.data()) == nullptr) return why("cannot make a folder for temporary files");
  process->scratch_ = scratch;
  Descriptor channel, out, err;
  if (!make_channel(process->channel_, channel) || !make_pipe(process->out_, out) ||
      !make_pipe(process->err_, err))
    return why("cannot make the worker's channel");
  const Forked forked =
      launch({options.command, environment_of(options, scratch), options.in_scratch ? scratch : "",
              channel.get(), out.get(), err.get(), options.address_space});
  if (forked.worker < 0) return why("cannot start a process");
  process->pid_ = forked.worker;
  process->keeper_ = forked.keeper;
  return process;
}

std::variant<std::unique_ptr<WorkerProcess>, std::string> WorkerProcess::attach(int channel) {
  std::unique_ptr<WorkerProcess> process(new WorkerProcess);
  process->channel_ = Descriptor(fcntl(channel, F_DUPFD_CLOEXEC, 0));
  if (process->channel_.get() < 0) return why("cannot use the worker's channel");
  return process;
}

WorkerProcess::~WorkerProcess() {
  end();
  std::error_code ignored;
  if (!scratch_.empty()) std::filesystem::remove_all(scratch_, ignored);
}

std::vector<std::string> WorkerProcess::end() {
  if (!is_own()) return {};
  find_strays();
  // As long as the leader is not reaped, its number cannot come to mean another process or group.
  kill(-pid_, SIGKILL);
  std::set<std::string> left;
  for (int round = 0; round < most_rounds && !strays_.empty(); ++round) {
    const std::vector<Stray> found = std::exchange(strays_, {});
    for (const Stray& stray : found)
      if (stray.kill()) left.insert(stray.name);
    poll(nullptr, 0, 2);
    for (const Stray& stray : found) stray.reap();
    find_strays();  // what a stray started before it died
  }
  if (keeper_ > 0)
    kill(keeper_, SIGKILL);  // and the system kills all that are left in the worker's namespace
  reap_group();
  return {left.begin(), left.end()};
}

/// The worker, and those of its group that this process adopted when it died; then the keeper, which ends
/// last.
void WorkerProcess::reap_group() {
  const auto reaped_all = [this] {
    pid_t reaped = 0;
    while ((reaped = waitpid(-pid_, nullptr, WNOHANG)) > 0) {
    }
    return reaped < 0;
  };
  for (int round = 0; round < most_rounds && !reaped_all(); ++round) {
    kill(-pid_, SIGKILL);  // again: others may join a group
    poll(nullptr, 0, 1);
  }
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  while (keeper_ > 0 && waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  disown(pid_);
  pid_ = -1;
}

void WorkerProcess::find_strays() {
  if (!is_own()) return;
  for (Stray& stray : strays_of(pid_, keeper_, "TMPDIR=" + scratch_)) strays_.push_back(std::move(stray));
}

WaitResult WorkerProcess::await_line(Clock::time_point deadline, std::chrono::microseconds pause) {
  std::size_t searched = 0;
  while (true) {
    const std::string_view here = unread();
    const auto newline = here.find('\n', searched);
    if (newline != std::string_view::npos && newline <= longest_line) return WaitResult::ready;
    if (here.size() > longest_line) return WaitResult::overlong;
    searched = here.size();
    if (closed_) return WaitResult::closed;
    if (pause.count() > 0 && outbox_.empty()) std::this_thread::sleep_for(pause);
    if (!pump(deadline)) return WaitResult::late;
    check_limits();
  }
}

WaitResult WorkerProcess::await_bytes(std::span<std::byte> bytes, std::size_t& came,
                                      Clock::time_point deadline) {
  const std::size_t here = std::min(bytes.size(), unread().size());
  if (here > 0) std::memcpy(bytes.data(), unread().data(), here);
  read_ += here;
  awaited_ = bytes.subspan(here);
  WaitResult got = WaitResult::ready;
  while (!awaited_.empty() && got == WaitResult::ready) {
    if (closed_)
      got = WaitResult::closed;
    else if (!pump(deadline))
      got = WaitResult::late;
    if (is_own()) check_limits();  // else the channel would be in the middle of a payload
  }
  came = bytes.size() - awaited_.size();
  awaited_ = {};
  return got;
}

std::string WorkerProcess::take_line() {
  std::string line(unread().substr(0, unread().find('\n')));
  read_ += line.size() + 1;
  return line;
}

std::string_view WorkerProcess::inbox() {
  pump(Clock::now());
  return unread();
}

/// One round of moving bytes in every direction; false when nothing moved and the deadline has passed.
bool WorkerProcess::pump(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const auto wait = std::clamp(left, std::chrono::milliseconds{0}, glance);
  const short wanted = static_cast<short>(outbox_.empty() ? POLLIN : POLLIN | POLLOUT);
  std::array<pollfd, 3> watched{pollfd{closed_ ? -1 : channel_.get(), wanted, 0},
                                pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0}};
  const int moving = poll(watched.data(), watched.size(), static_cast<int>(wait.count()));
  if (moving <= 0) {
    if (!closed_ && ended()) {
      while (receive_some()) {
      }
      closed_ = true;
    }
    return left.count() > 0 || closed_;
  }
  if (watched[1].revents != 0 || watched[2].revents != 0) drain_output();
  if ((watched[0].revents & POLLOUT) != 0) send_some();
  if ((watched[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
    return receive_some() || closed_ || left.count() > 0;
  return left.count() > 0;
}

/// How many bytes came; none when nothing is there (yet, or any more: then closed_).
std::size_t WorkerProcess::receive(void* to, std::size_t size) {
  const ssize_t count = recv(channel_.get(), to, size, MSG_DONTWAIT);
  if (count > 0) return static_cast<std::size_t>(count);
  if (count == 0 || (errno != EAGAIN && errno != EINTR)) closed_ = true;
  return 0;
}

bool WorkerProcess::receive_some() {
  if (!awaited_.empty()) {
    const std::size_t count = receive(awaited_.data(), awaited_.size());
    awaited_ = awaited_.subspan(count);
    return count > 0;
  }
  std::array<char, chunk_size> chunk;
  const std::size_t count = receive(chunk.data(), chunk.size());
  inbox_.erase(0, std::exchange(read_, 0));
  inbox_.append(chunk.data(), count);
  return count > 0;
}

void WorkerProcess::send_at_once() {
  while (!outbox_.empty() && send_some()) {
  }
}

/// Whether any bytes went.
bool WorkerProcess::send_some() {
  const std::string_view next = outbox_.front();
  const ssize_t count = send(channel_.get(), next.data(), next.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0) outbox_.drop(static_cast<std::size_t>(count));
  const bool nobody_reads =
      count < 0 && errno != EAGAIN && errno != EINTR;  // receiving will show what happened to the reader
  if (nobody_reads) outbox_ = Parcel();
  return count > 0;
}

/// Reads a bounded amount, so that a flood does not block anything else.
void WorkerProcess::drain_output() {
  std::array<char, chunk_size> chunk;
  for (auto [pipe, tail] : {std::pair(&out_, &out_tail_), std::pair(&err_, &err_tail_)}) {
    if (pipe->get() < 0) continue;
    const ssize_t count = read(pipe->get(), chunk.data(), chunk.size());
    if (count > 0)
      tail->append({chunk.data(), static_cast<std::size_t>(count)});
    else if (count == 0)
      pipe->reset();
  }
}

std::optional<ProcessEnd> WorkerProcess::ended() const {
  if (!is_own()) return {};
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return {};
  if (info.si_code == CLD_EXITED) return ProcessEnd{0, info.si_status};
  return ProcessEnd{info.si_status, 0};
}

std::optional<ProcessEnd> WorkerProcess::await_end(std::chrono::milliseconds grace) {
  if (!is_own()) return {};
  const auto deadline = Clock::now() + grace;
  while (true) {
    if (const auto status = ended()) return status;
    if (Clock::now() >= deadline) return {};
    drain_output();
    poll(nullptr, 0, 2);
  }
}

std::string WorkerProcess::last_words() {
  for (int round = 0; round < 4; ++round) drain_output();
  const std::string errors = err_tail_.text();
  return errors.empty() ? out_tail_.text() : errors;
}

void WorkerProcess::allow_cpu(std::chrono::seconds more) {
  if (!is_own()) return;
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return;
  const rlimit bounds{static_cast<rlim_t>(used.tv_sec + more.count()), RLIM_INFINITY};
  prlimit(pid_, RLIMIT_CPU, &bounds, nullptr);
}

}  // namespace scatterproof::engines::protocol
