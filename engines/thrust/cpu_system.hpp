// SPDX-License-Identifier: Apache-2.0
// What Thrust's three systems for CPUs have in common. For a translation unit that has defined
// SCATTERPROOF_THRUST_SYSTEM; kernels.hpp says what a System is.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cpp/execution_policy.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

struct System {
#if defined(__SANITIZE_THREAD__)
  // The thread sanitizer cannot see into libgomp and libtbb, and takes how threads fork and join there for
  // races. So under it our work items, where every race of ours would be, run on threads that it understands,
  // and Thrust's own algorithms on one.
  template <class Body>
  static void for_each(std::int64_t items, Body body) {
    constexpr std::int64_t parts = 3;
    std::vector<std::thread> threads;
    for (std::int64_t part = 0; part < parts; ++part)
      threads.emplace_back([=] {
        for (std::int64_t item = part; item < items; item += parts) body(item);
      });
    for (std::thread& thread : threads) thread.join();
  }
  static auto policy() { return THRUST_NS_QUALIFIER::cpp::par; }
#else
  template <class Body>
  static void for_each(std::int64_t items, Body body) {
    namespace thrust = THRUST_NS_QUALIFIER;
    thrust::for_each_n(thrust::device, thrust::counting_iterator<std::int64_t>(0), items, body);
  }
  static auto policy() { return THRUST_NS_QUALIFIER::device; }
#endif

  static void* allocate(std::size_t bytes) { return ::operator new(bytes); }
  static void release(void* memory) { ::operator delete(memory); }
  static void put(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  static void fetch(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  static constexpr int lanes = 16;
  static constexpr int moved_lanes = 4096;
  static constexpr std::uint32_t sampled_from = 4096;
};

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
