// SPDX-License-Identifier: Apache-2.0
// What takes too long for every day is tested in shares, another one each time, and completely in the nightly
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
  // A test that takes its turn on one day of a round (tests/tree/plan) meets another share in each round.
  constexpr std::uint64_t days_of_a_round = 4;  // as TURNS of in_turn.py
  return number % shares == (day / days_of_a_round + day % days_of_a_round) % shares;
}

}  // namespace scatterproof
