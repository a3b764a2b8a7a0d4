// SPDX-License-Identifier: Apache-2.0
// A worker's process: started with limits in its own process group, read without blocking, and always ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "descriptor.hpp"
#include "scatterproof/engines/client/worker.hpp"
#include "scatterproof/engines/protocol/wire.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "strays.hpp"

namespace scatterproof::engines::protocol {

using Clock = std::chrono::steady_clock;

/// The last 16 KiB of what a process printed.
class Tail {
 public:
  void append(std::string_view text);
  std::string text() const;

 private:
  std::string text_;
};

/// How a process ended: by a signal, or else with an exit status.
struct ProcessEnd {
  int signal = 0;
  int exit_status = 0;
};

/// The result of waiting for the worker's reply.
enum class WaitResult : std::uint8_t {
  ready,    ///< what was waited for is in the inbox
  closed,   ///< the channel is closed, or the process has ended, and nothing more will come
  late,     ///< the deadline passed
  overlong  ///< a line longer than the protocol allows
};

class WorkerProcess {
 public:
  /// A running process, or why there is none. If the program could not be executed, that shows only later.
  static std::variant<std::unique_ptr<WorkerProcess>, std::string> spawn(const WorkerOptions& options);
  /// The process at the other end of a channel, which is not this one's to end or to watch.
  static std::variant<std::unique_ptr<WorkerProcess>, std::string> attach(int channel);

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  /// Ends it, and removes its folder of temporary files.
  ~WorkerProcess();

  /// Whether this process has started it, and so ends it.
  bool is_own() const { return pid_ > 0; }

  /// Looks for processes that have left the worker's group, while the worker lives and they can be
  /// distinguished from others.
  void find_strays();
  /// Kills the whole group and the strays, and reaps the process. The names of the strays that still ran.
  std::vector<std::string> end();

  /// From now on waiting does not end when a limit of this thread is passed.
  void outwait_limits() { outwaits_limits_ = true; }

  /// Queues bytes for the worker; they are sent while waiting for its answers.
  void post(Parcel parcel) { outbox_.append(std::move(parcel)); }
  /// Sends what the channel takes now, without waiting.
  void send_at_once();

  /// With a `pause`, lines may gather so long before this thread is woken by one.
  WaitResult await_line(Clock::time_point deadline, std::chrono::microseconds pause = {});
  /// Fills `bytes` with what comes next; `came` is the number received.
  WaitResult await_bytes(std::span<std::byte> bytes, std::size_t& came, Clock::time_point deadline);
  /// Removes and returns the first line of the inbox, without its newline. Precondition: await_line was
  /// ready.
  std::string take_line();
  /// What has already arrived and is not taken, without waiting. Holds until more is read.
  std::string_view inbox();
  /// True when nothing more will come: the channel is closed, or the process has ended.
  bool closed() const { return closed_; }

  /// Waits up to this long for the process to end by itself.
  std::optional<ProcessEnd> await_end(std::chrono::milliseconds grace);
  /// What it printed last: on stderr, or, if there is nothing, on stdout.
  std::string last_words();
  /// Allows this much processor time from now on.
  void allow_cpu(std::chrono::seconds more);

 private:
  WorkerProcess() = default;
  void check_limits() const {
    if (!outwaits_limits_) spec::WorkLimit::check();
  }
  std::string_view unread() const { return std::string_view(inbox_).substr(read_); }
  bool pump(Clock::time_point deadline);
  std::size_t receive(void* to, std::size_t size);
  bool receive_some();
  bool send_some();
  void drain_output();
  void reap_group();
  std::optional<ProcessEnd> ended() const;

  pid_t pid_ = -1;    // of a process that is this one's; else not positive
  pid_t keeper_ = 0;  // of the worker's namespace, if it has one
  Descriptor channel_;
  Descriptor out_;
  Descriptor err_;
  Tail out_tail_;
  Tail err_tail_;
  Parcel outbox_;
  std::string inbox_;
  std::size_t read_ = 0;          // bytes of the inbox that were taken
  std::span<std::byte> awaited_;  // receives bytes instead of the inbox, as long as there is room
  std::string scratch_;           // the worker's TMPDIR
  std::vector<Stray> strays_;
  bool closed_ = false;
  bool outwaits_limits_ = false;
};

}  // namespace scatterproof::engines::protocol
