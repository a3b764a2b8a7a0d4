// SPDX-License-Identifier: Apache-2.0
// Calls that hang cost their whole time limit each, and those that crash a new process: after a few, or the
// first where one is enough, similar calls are skipped.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <variant>

#include "scatterproof/spec/core/outcome.hpp"

namespace scatterproof::engines {

/// Of the calls of one API, say, on one engine. Thread-safe.
class HangLimit {
 public:
  static constexpr int most_timeouts = 3;

  /// `one_is_enough`: of time-outs and crashes; otherwise only time-outs count.
  explicit HangLimit(bool one_is_enough = false) : one_is_enough_(one_is_enough) {}

  bool reached() const { return seen_ >= (one_is_enough_ ? 1 : most_timeouts); }
  void saw(const spec::Outcome& outcome) {
    if (std::holds_alternative<spec::TimedOut>(outcome.what) ||
        (one_is_enough_ && std::holds_alternative<spec::Crashed>(outcome.what)))
      ++seen_;
  }

 private:
  bool one_is_enough_;
  std::atomic<int> seen_{0};
};

/// The outcome of a call that is not executed because its limit is reached.
inline spec::Outcome skipped_outcome() {
  return {spec::Unavailable{"skipped after " + std::to_string(HangLimit::most_timeouts) + " time-outs"}, 0};
}
inline bool is_skipped(const spec::Outcome& outcome) {
  const auto* unavailable = std::get_if<spec::Unavailable>(&outcome.what);
  return unavailable && unavailable->reason == std::get<spec::Unavailable>(skipped_outcome().what).reason;
}

}  // namespace scatterproof::engines
