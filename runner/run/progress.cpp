// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "scatterproof/spec/core/text.hpp"

namespace scatterproof::runner {
namespace {

using namespace std::chrono_literals;

constexpr auto a_tick = 100ms;
constexpr auto a_blink = 200ms;      // shorter work is not shown
constexpr auto between_lines = 10s;  // where lines cannot be rewritten
constexpr auto a_long_wait = 1s;     // without a judged call from an engine

std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(bool wanted) : terminal_(isatty(STDERR_FILENO) != 0) {
  if (wanted) ticker_ = std::jthread([this](std::stop_token stop) { tick(std::move(stop)); });
}

void Progress::doing(std::string what) {
  const std::scoped_lock lock(mutex_);
  what_ = std::move(what);
  announced_ = false;
  since_ = Clock::now();
  if (what_.empty() && !shown_.empty()) {
    wipe_line();
    shown_.clear();
  }
}

void Progress::starting(const std::string& engine) {
  doing(fmt::format("starting {} ...", engine));
  const std::scoped_lock lock(mutex_);
  announced_ = true;
}

void Progress::judging(std::uint64_t total) {
  doing("");
  const std::scoped_lock lock(mutex_);
  judging_ = true;
  total_ = total;
}

void Progress::judged(const std::string& engine) {
  const std::scoped_lock lock(mutex_);
  ++done_;
  if (const auto at = at_work_.find(engine); at != at_work_.end()) at->second = Clock::now();
}

void Progress::so_far(std::uint64_t done, std::uint64_t total, std::uint64_t failed) {
  const std::scoped_lock lock(mutex_);
  done_ = done;
  if (total_ > 0) total_ = total;
  failed_ = failed;
}

void Progress::begins(const std::string& engine) {
  const std::scoped_lock lock(mutex_);
  at_work_[engine] = Clock::now();
}

void Progress::ends(const std::string& engine) {
  const std::scoped_lock lock(mutex_);
  at_work_.erase(engine);
}

void Progress::finish() {
  if (!ticker_.joinable()) return;
  ticker_.request_stop();
  ticker_.join();
  if (!shown_.empty()) wipe_line();
}

void Progress::wipe_line() {
  if (isatty(STDERR_FILENO)) std::fputs("\r\033[K", stderr);
}

void Progress::tick(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, a_tick, [&] { return stop.stop_requested(); })) {
    try {
      if (Clock::now() >= next_line()) write_now();
    } catch (const std::bad_alloc&) {  // the thread that does the work reports it; here a line is left out
    }
  }
}

Progress::Clock::time_point Progress::next_line() const {
  if (terminal_) return start_ + a_blink;
  if (last_line_ != start_) return last_line_ + between_lines;
  return announced_ ? since_ + a_blink : start_ + between_lines;
}

void Progress::write_now() {
  std::string text = spec::one_line(line());
  if (text.empty() || (terminal_ && text == shown_)) return;
  if (terminal_) {
    if (text.size() >= columns()) text.resize(columns() - 1);
    std::fputs(("\r\033[K" + text).c_str(), stderr);
    shown_ = std::move(text);
  } else {
    std::fputs((text + '\n').c_str(), stderr);
  }
  std::fflush(stderr);
  last_line_ = Clock::now();
}

std::string Progress::line() const {
  if (!what_.empty()) return what_;
  return judging_ ? calls() + engines_at_work() : "";
}

/// `1234/9633 calls, 620/s, 2 failed`
std::string Progress::calls() const {
  const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
  std::string text = total_ > 0 ? fmt::format("{}/{} calls", done_, total_) : fmt::format("{} calls", done_);
  text += fmt::format(", {:.0f}/s", static_cast<double>(done_) / std::max(seconds, 0.1));
  if (failed_ > 0) text += fmt::format(", {} failed", failed_);
  return text;
}

/// The engine that has been silent for long, or all.
std::string Progress::engines_at_work() const {
  if (at_work_.empty()) return "";
  const auto slowest = std::ranges::min_element(at_work_, {}, [](const auto& one) { return one.second; });
  const auto silent = Clock::now() - slowest->second;
  if (silent >= a_long_wait)
    return fmt::format(", waiting for {} ({} s)", slowest->first,
                       std::chrono::duration_cast<std::chrono::seconds>(silent).count());
  std::string names;
  for (const auto& [engine, since] : at_work_) names += ", " + engine;
  return names;
}

}  // namespace scatterproof::runner
