// SPDX-License-Identifier: Apache-2.0
// How the time of a comparison is shared by its parts. What a part leaves goes to those after it.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "scatterproof/runner/compare/compare.hpp"

namespace scatterproof::runner::compare {

/// The parts are, in order: drawing inputs, asking, making small calls that show differences, asking again.
/// Only drawing has no end.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  /// It begins now, as `now` says it each time.
  explicit Budget(const Plan& plan, std::function<Clock::time_point()> now = Clock::now)
      : end_(plan.seconds),
        starts_(plan.starts),
        shrinking_(plan.shrink_seconds),
        now_(std::move(now)),
        start_(now_()) {}

  /// Asking may take half of what drawing has left, and an engine that has not been asked about each class by
  /// then three quarters. The starts of engines for asking again are taken off before. A sixth of the time
  /// stays in any case, as drawing may be slow the first time, and two seconds.
  void begin_asking() {
    const double drawn = spent();
    const double left = std::max(whole() - starts_ - drawn, whole() / 6);
    enough_at_ = drawn + left / 2;
    asking_ends_ = drawn + std::max(left * 3 / 4, least_asking);
  }
  bool has_asked_enough() const { return end_ && spent() > enough_at_; }
  bool has_ended_asking() const { return end_ && spent() > asking_ends_; }

  /// Three quarters of what is left, and a sixth of the time in any case.
  void begin_differences() {
    differences_end_ = spent() + std::max((whole() - spent()) * 3 / 4, whole() / 6);
  }
  bool has_time_for_differences() const { return !end_ || spent() < differences_end_; }
  /// For one. Shrinking takes thirty times as long where the call is large: a twentieth of what is left.
  double to_shrink_one() const {
    return end_ ? std::clamp((differences_end_ - spent()) / 600, 0.0, shrinking_) : shrinking_;
  }

  /// A call takes a moment, and engines take one to stop.
  bool has_time_to_ask_again() const { return !end_ || spent() < whole() * asking_again_ends; }
  /// In engines that have yet to start.
  bool has_time_to_start_again() const { return !end_ || spent() + starts_ < whole() * asking_again_ends; }

 private:
  static constexpr double least_asking = 2;
  static constexpr double asking_again_ends = 0.95;

  double spent() const { return std::chrono::duration<double>(now_() - start_).count(); }
  double whole() const { return end_.value_or(0); }

  std::optional<double> end_;
  double starts_;
  double shrinking_;
  double enough_at_ = 0, asking_ends_ = 0, differences_end_ = 0;
  std::function<Clock::time_point()> now_;
  Clock::time_point start_;
};

}  // namespace scatterproof::runner::compare
