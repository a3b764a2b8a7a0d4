// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/bench/machine.hpp"

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "floor.hpp"
#include "parts.hpp"
#include "scatterproof/runner/about/version.hpp"

namespace scatterproof::runner::bench {
namespace {

constexpr std::size_t memory_bytes = std::size_t{512} << 20;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr int trials = 9;

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

Memory allocate() {
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(huge_page, memory_bytes)));
  if (!memory) throw std::bad_alloc();
  madvise(memory.get(), memory_bytes, MADV_HUGEPAGE);
  std::memset(memory.get(), 1, memory_bytes);
  return memory;
}

/// Seconds that `threads` threads, started together, need for work(thread): the minimum of several trials.
template <class Work>
double best_seconds(int threads, Work work) {
  double best = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::chrono::steady_clock::time_point begin;
    std::barrier start(threads, [&]() noexcept { begin = std::chrono::steady_clock::now(); });
    {
      std::vector<std::jthread> others;
      for (int t = 1; t < threads; ++t)
        others.emplace_back([&, t] {
          start.arrive_and_wait();
          work(t);
        });
      start.arrive_and_wait();
      work(0);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (trial == 0 || seconds < best) best = seconds;
  }
  return best;
}

void copy_through_cache(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t block = std::size_t{256}
                                << 10;  // below where C libraries turn to non-temporal stores
  for (std::size_t at = 0; at < bytes; at += block)
    std::memcpy(to + at, from + at, std::min(block, bytes - at));
}

void copy_past_cache(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
  for (std::size_t at = 0; at + 64 <= bytes; at += 64) {
    const auto* source = reinterpret_cast<const __m128i*>(from + at);
    auto* target = reinterpret_cast<__m128i*>(to + at);
    const __m128i a = _mm_load_si128(source), b = _mm_load_si128(source + 1);
    const __m128i c = _mm_load_si128(source + 2), d = _mm_load_si128(source + 3);
    _mm_stream_si128(target, a), _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c), _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

double copy_rate(std::byte* memory, int threads) {
  const std::size_t half = memory_bytes / 2;
  const std::size_t part = half / static_cast<std::size_t>(threads) / 64 * 64;
  const auto seconds = [&](auto copy) {
    return best_seconds(threads, [&](int t) {
      const std::size_t at = part * static_cast<std::size_t>(t);
      copy(memory + half + at, memory + at, part);
    });
  };
  const double best = std::min(seconds(copy_through_cache), seconds(copy_past_cache));
  return 2.0 * static_cast<double>(part) * threads / best;
}

constexpr std::size_t accesses = std::size_t{4} << 20;
/// The prefetch distance: far enough for memory to answer, near enough to stay in the first-level cache. The
/// best of 8, 16 ... 256 where it was measured.
constexpr std::size_t ahead = 128;

/// Fractions of the memory, as many as accesses and the ones prefetched beyond the last.
std::vector<std::uint32_t> random_places() {
  std::vector<std::uint32_t> places(accesses + ahead);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint32_t>(spec::random(0, i));
  return places;
}

/// Lines per second, counting those that miss a cache of `cache` bytes.
template <class Use>
double random_rate(std::byte* memory, const std::vector<std::uint32_t>& places, int threads, double cache,
                   Use use) {
  const std::uint64_t lines = memory_bytes / static_cast<std::size_t>(threads) / line_bytes;
  const double seconds = best_seconds(threads, [&](int t) {
    std::byte* const part = memory + lines * line_bytes * static_cast<std::uint64_t>(t);
    const auto at = [&](std::size_t i) { return part + (places[i] * lines >> 32) * line_bytes; };
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < accesses; ++i) {
      __builtin_prefetch(at(i + ahead));
      sum += use(at(i));
    }
    benchmark::DoNotOptimize(sum);
  });
  const double missed = 1 - std::min(1.0, cache / static_cast<double>(memory_bytes));
  return static_cast<double>(accesses) * threads * missed / seconds;
}

std::uint64_t read(const std::byte* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint64_t update(std::byte* at) {
  const std::uint64_t word = read(at) + 1;
  std::memcpy(at, &word, sizeof word);
  return word;
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

/// The largest cache that Linux reports; 32 MiB if it reports none.
std::int64_t last_level_cache() {
  std::int64_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::int64_t size = 0;
    char unit = 0;
    if (!(file >> size)) continue;
    file >> unit;
    largest = std::max(largest, size << (unit == 'K' ? 10 : unit == 'M' ? 20 : unit == 'G' ? 30 : 0));
  }
  return largest > 0 ? largest : std::int64_t{32} << 20;
}

}  // namespace

spec::MachineRecord measure_machine(std::span<const int> threads) {
  spec::MachineRecord machine;
  machine.when = utc_now();
  machine.cpu = processor();
  machine.cores = static_cast<int>(std::thread::hardware_concurrency());
  machine.cache_bytes = last_level_cache();
  const Memory memory = allocate();
  const std::vector<std::uint32_t> places = random_places();
  const auto cache = static_cast<double>(machine.cache_bytes);
  for (const int count : threads) {
    machine.copy_bytes_per_second[count] = copy_rate(memory.get(), count);
    machine.random_lines_per_second[count] = random_rate(memory.get(), places, count, cache, read);
    machine.random_updates_per_second[count] = random_rate(memory.get(), places, count, cache, update);
  }
  return machine;
}

}  // namespace scatterproof::runner::bench
