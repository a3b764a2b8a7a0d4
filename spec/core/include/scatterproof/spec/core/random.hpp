// SPDX-License-Identifier: Apache-2.0
// Random numbers by position: the same seed and position give the same number, in any order, on any machine.
#pragma once

#include <cstdint>
#include <iterator>

namespace scatterproof::spec {

/// splitmix64's output function (Steele, Lea, Flood, OOPSLA 2014) at a position of its sequence.
inline std::uint64_t random(std::uint64_t seed, std::uint64_t position) {
  std::uint64_t z = seed + (position + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Maps a random number into [0, bound) by multiplication, as evenly as 64 bits allow.
inline std::int64_t below(std::uint64_t random, std::int64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::int64_t>((Wide{random} * static_cast<std::uint64_t>(bound)) >> 64);
}

/// In [0, 1).
inline double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

/// A sequence of random numbers determined by its seed and key alone: draws from other sequences do not
/// change it.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t key) : seed_(random(seed, key)) {}
  [[gnu::always_inline]] std::uint64_t bits() { return random(seed_, position_++); }
  /// In [0, bound). Precondition: bound > 0.
  std::int64_t below(std::int64_t bound) { return spec::below(bits(), bound); }
  /// In [low, high].
  std::int64_t in(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool one_in(std::int64_t count) { return below(count) == 0; }
  /// One of them. Precondition: there are some, and they outlive what is returned.
  template <class Choices>
  const auto& pick(const Choices& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(choices))))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t position_ = 0;
};

}  // namespace scatterproof::spec
