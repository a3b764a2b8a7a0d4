// SPDX-License-Identifier: Apache-2.0
// What a verb is doing, on stderr, for whoever waits: a line that rewrites itself on a terminal, else a line
// now and then. Quick work says nothing. Thread-safe.
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
  /// Not `wanted`: it says nothing, as beside records that scroll by.
  explicit Progress(bool wanted = true);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// "reading specs and cases"; empty: nothing to speak of.
  void doing(std::string what);
  /// A start may take a minute, so it is announced on a pipe too.
  void starting(const std::string& engine);

  /// From now on calls are counted; 0 when nobody knows how many.
  void judging(std::uint64_t total);
  void judged(const std::string& engine);
  void so_far(std::uint64_t done, std::uint64_t failed);
  /// What is between these for long without a judged call is named.
  void begins(const std::string& engine);
  void ends(const std::string& engine);

  /// Wipes the line. Nothing is said any more.
  void finish();
  /// What else is printed on a terminal begins on a line of its own.
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
