// SPDX-License-Identifier: Apache-2.0
// Bounds on long work: a time limit, or a request to stop. The function that starts the work sets a limit;
// loops that may run long ask whether they may go on. Results do not depend on it: work ends with its value,
// or with the exception LimitReached.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <string>

namespace scatterproof::spec {

/// Thrown out of work that is given up; caught by the function that set the limit.
class LimitReached : public std::exception {
 public:
  enum class Why : std::uint8_t { interrupted, too_long, too_large };

  LimitReached(Why why, std::string text) : why_(why), text_(std::move(text)) {}
  Why why() const { return why_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Why why_;
  std::string text_;
};

/// While it lives, the work of its thread is bounded. Limits may be nested: each of them counts.
class WorkLimit {
 public:
  /// `work` names what takes long: `judging`.
  WorkLimit(std::string work, std::chrono::milliseconds longest);
  /// Work stops soon after this became true. Null: never.
  explicit WorkLimit(const std::atomic<bool>* interrupted);
  /// Work stops soon after `end`, as if it were interrupted then.
  explicit WorkLimit(std::chrono::steady_clock::time_point end);
  /// The limits of another thread, which waits for this one's work: they must live until it is done. Null: no
  /// limits.
  explicit WorkLimit(const WorkLimit* of_another_thread);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  /// All limits of this thread, to hand to one that works for it. Null: there is none.
  static const WorkLimit* of_this_thread() { return innermost_; }

  /// Throws if a limit of this thread is passed. For steps of some microseconds or more.
  static void check();

  /// The same, looking at the clock only now and then. For steps that are shorter.
  static void step() {
    if (--steps_to_check_ == 0) [[unlikely]]
      check();
  }

 private:
  void check_this() const;

  const WorkLimit* outer_;
  const std::atomic<bool>* interrupted_ = nullptr;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
  std::string work_;
  std::chrono::milliseconds longest_{};
  std::chrono::steady_clock::time_point start_ = {};

  static constexpr std::uint32_t steps_between_checks = 1024;
  static constinit thread_local const WorkLimit* innermost_;
  static constinit thread_local std::uint32_t steps_to_check_;
};

}  // namespace scatterproof::spec
