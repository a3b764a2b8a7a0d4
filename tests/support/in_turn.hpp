// SPDX-License-Identifier: Apache-2.0
// What takes too long for every day is tested in shares, another one each day, and completely in the nightly
// preset.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace scatterproof {

/// Whether the item with this number is in today's share (days of UTC), of `shares`; or all are tested today.
inline bool is_in_turn(std::uint64_t number, std::uint64_t shares) {
  constexpr std::uint64_t seconds_of_a_day = 86'400, nightly_trials = 1'000'000;
  const char* trials = std::getenv("SCATTERPROOF_TRIALS");
  if (trials && std::strtoull(trials, nullptr, 10) >= nightly_trials) return true;
  const std::uint64_t day = static_cast<std::uint64_t>(std::time(nullptr)) / seconds_of_a_day;
  // Shifted after each round of an even number of shares, so that a test that runs every second day meets all
  // of them.
  const std::uint64_t shift = shares % 2 == 0 ? day / shares : 0;
  return number % shares == (day + shift) % shares;
}

}  // namespace scatterproof
