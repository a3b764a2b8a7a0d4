// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/work_limit.hpp"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace scatterproof::spec {

using Clock = std::chrono::steady_clock;

constinit thread_local const WorkLimit* WorkLimit::innermost_ = nullptr;
constinit thread_local std::uint32_t WorkLimit::steps_to_check_ = WorkLimit::steps_between_checks;

WorkLimit::WorkLimit(std::string work, std::chrono::milliseconds longest)
    : outer_(std::exchange(innermost_, this)),
      work_(std::move(work)),
      longest_(longest),
      start_(Clock::now()) {}

WorkLimit::WorkLimit(const std::atomic<bool>* interrupted)
    : outer_(std::exchange(innermost_, this)), interrupted_(interrupted) {}

WorkLimit::WorkLimit(Clock::time_point end) : outer_(std::exchange(innermost_, this)), end_(end) {}

WorkLimit::WorkLimit(const WorkLimit* of_another_thread)
    : outer_(std::exchange(innermost_, of_another_thread)) {
  assert(!outer_);  // else the limits that this thread had would not hold
}

WorkLimit::~WorkLimit() { innermost_ = outer_; }

void WorkLimit::check() {
  steps_to_check_ = steps_between_checks;
  for (const WorkLimit* limit = innermost_; limit; limit = limit->outer_) limit->check_this();
}

void WorkLimit::check_this() const {
  if (interrupted_ && *interrupted_) throw LimitReached(LimitReached::Why::interrupted, "interrupted");
  if (end_ != Clock::time_point::max() && Clock::now() > end_)
    throw LimitReached(LimitReached::Why::interrupted, "the time is over");
  if (longest_.count() > 0 && Clock::now() - start_ > longest_)
    throw LimitReached(
        LimitReached::Why::too_long,
        fmt::format("{} took longer than {} s", work_, std::chrono::duration<double>(longest_).count()));
}

}  // namespace scatterproof::spec
