// SPDX-License-Identifier: Apache-2.0
// Random numbers by place: the same seed and position give the same number, in any order and on any machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <thread>
#include <vector>

namespace scatterproof::runner::bench {

/// splitmix64's output function (Steele, Lea, Flood, OOPSLA 2014) at a position of its sequence.
inline std::uint64_t random(std::uint64_t seed, std::uint64_t position) {
  std::uint64_t z = seed + (position + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// A random number made one below `bound` by multiplication, which is as even as 64 bits allow.
inline std::int64_t below(std::uint64_t random, std::int64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::int64_t>((Wide{random} * static_cast<std::uint64_t>(bound)) >> 64);
}

/// In [0, 1).
inline double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

/// A bijection of [0, size): each step is one of [0, 2^bits), and what falls outside is sent on.
class Bijection {
 public:
  Bijection(std::int64_t size, std::uint64_t seed)
      : size_(static_cast<std::uint64_t>(size)),
        bits_(std::max(2, static_cast<int>(std::bit_width(
                              static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1) - 1))))),
        factor_(random(seed, 0) | 1),
        offset_(random(seed, 1)) {}

  std::int64_t operator()(std::int64_t at) const {
    auto x = static_cast<std::uint64_t>(at);
    do x = step(x);
    while (x >= size_);
    return static_cast<std::int64_t>(x);
  }

 private:
  std::uint64_t step(std::uint64_t x) const {
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    for (int round = 0; round < 3; ++round) {
      x = (x * factor_ + offset_) & mask;
      x ^= x >> ((bits_ + 1) / 2);
    }
    return x;
  }

  std::uint64_t size_;
  int bits_;
  std::uint64_t factor_;
  std::uint64_t offset_;
};

/// Calls work(begin, end) for parts of [0, count), on all cores when there is enough to do.
template <class Work>
void in_parts(std::int64_t count, Work work) {
  constexpr std::int64_t enough = 1 << 16;
  const std::int64_t parts =
      count < enough ? 1 : std::max<std::int64_t>(1, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (std::int64_t part = 1; part < parts; ++part)
    threads.emplace_back([=] { work(count * part / parts, count * (part + 1) / parts); });
  work(0, count / parts);
}

}  // namespace scatterproof::runner::bench
