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

#include "scatterproof/engines/wire.hpp"
#include "scatterproof/engines/worker.hpp"

namespace scatterproof::engines::protocol {

using Clock = std::chrono::steady_clock;

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  void reset();

 private:
  int fd_ = -1;
};

/// The last 16 KiB of what a process printed.
class Tail {
 public:
  void append(std::string_view text);
  std::string text() const;

 private:
  std::string text_;
};

/// How a process ended: by a signal, or else with an exit status.
struct Ended {
  int signal = 0;
  int exit_status = 0;
};

/// The result of waiting for the worker's reply.
enum class Got : std::uint8_t {
  ready,    ///< what was waited for is in the inbox
  closed,   ///< the channel is closed, or the process has ended, and nothing more will come
  late,     ///< the deadline passed
  overlong  ///< a line longer than the protocol allows
};

class WorkerProcess {
 public:
  /// A running process, or why there is none. If the program could not be executed, that shows only later.
  static std::variant<std::unique_ptr<WorkerProcess>, std::string> spawn(const WorkerOptions& options);

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  /// Kills the whole group, reaps the process and removes its folder of temporary files.
  ~WorkerProcess();

  /// Queues bytes for the worker; they are sent while waiting for its answers.
  void post(Parcel parcel) { outbox_.append(std::move(parcel)); }

  Got await_line(Clock::time_point deadline);
  /// Fills `bytes` with what comes next; `came` is the number received.
  Got await_bytes(std::span<std::byte> bytes, std::size_t& came, Clock::time_point deadline);
  /// Removes and returns the first line of the inbox, without its newline. Precondition: await_line was
  /// ready.
  std::string take_line();
  /// Reads what has already arrived, without waiting.
  std::string_view inbox();

  /// Waits up to this long for the process to end by itself.
  std::optional<Ended> await_end(std::chrono::milliseconds grace);
  /// What it printed last: on stderr, or, if there is nothing, on stdout.
  std::string last_words();
  /// Allows this much processor time from now on.
  void allow_cpu(std::chrono::seconds more);

 private:
  WorkerProcess() = default;
  bool pump(Clock::time_point deadline);
  std::size_t receive(void* to, std::size_t size);
  bool receive_some();
  void send_some();
  void drain_output();
  std::optional<Ended> ended() const;

  pid_t pid_ = -1;
  Descriptor channel_;
  Descriptor out_;
  Descriptor err_;
  Tail out_tail_;
  Tail err_tail_;
  Parcel outbox_;
  std::string inbox_;
  std::span<std::byte> awaited_;  // receives bytes in place of the inbox, as long as there is room
  std::string scratch_;           // the worker's TMPDIR
  bool closed_ = false;
};

}  // namespace scatterproof::engines::protocol
