// SPDX-License-Identifier: Apache-2.0
// Helpers for filling large tensors: bijections of a range, and work spread over the cores.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <thread>
#include <vector>

#include "scatterproof/spec/core/random.hpp"

namespace scatterproof::runner::bench {

/// A bijection of [0, size): each step is a bijection of [0, 2^bits), repeated while the value is outside.
class Bijection {
 public:
  Bijection(std::int64_t size, std::uint64_t seed)
      : size_(static_cast<std::uint64_t>(size)),
        bits_(std::max(2, static_cast<int>(std::bit_width(
                              static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1) - 1))))),
        factor_(spec::random(seed, 0) | 1),
        offset_(spec::random(seed, 1)) {}

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
