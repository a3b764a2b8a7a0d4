// SPDX-License-Identifier: Apache-2.0
// Progress on stderr: on a terminal one line that rewrites itself, otherwise a line now and then. Quick work
// prints nothing. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace scatterproof::runner {

class Progress {
 public:
  /// Not `wanted`: prints nothing, for example next to records that scroll by.
  explicit Progress(bool wanted = true);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// "reading specs and cases"; empty: nothing to show.
  void doing(std::string what);
  /// A start may take a minute, so it is announced on a pipe too.
  void starting(const std::string& engine);

  /// From now on calls are counted; 0 when the total is unknown.
  void judging(std::uint64_t total);
  void judged(const std::string& engine);
  /// Of a total that becomes known better.
  void so_far(std::uint64_t done, std::uint64_t total, std::uint64_t failed);
  /// An engine that stays between these for long without a judged call is named.
  void begins(const std::string& engine);
  void ends(const std::string& engine);

  /// Clears the line. Nothing more is printed.
  void finish();
  /// Clears the line, so that other terminal output starts on a new one.
  static void wipe_line();

 private:
  using Clock = std::chrono::steady_clock;

  void tick(std::stop_token stop);
  void write_now();
  Clock::time_point next_line() const;
  std::string line() const;
  std::string calls() const;
  std::string engines_at_work() const;

  std::mutex mutex_;
  std::condition_variable_any wake_;
  const bool terminal_;
  std::string what_;
  bool announced_ = false;  ///< what_ is worth a line on a pipe
  bool judging_ = false;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t failed_ = 0;
  std::map<std::string, Clock::time_point> at_work_;  ///< since when nothing came from them
  const Clock::time_point start_ = Clock::now();
  Clock::time_point since_ = start_;      ///< what_, or judging
  Clock::time_point last_line_ = start_;  ///< start_: none yet
  std::string shown_;
  std::jthread ticker_;
};

}  // namespace scatterproof::runner
