// SPDX-License-Identifier: Apache-2.0
// What Thrust's three systems for CPUs have in common. For a translation unit that has defined
// SCATTERPROOF_THRUST_SYSTEM; kernels.hpp says what a System is.
#pragma once

#include <thrust/execution_policy.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

struct System {
  static auto policy() { return THRUST_NS_QUALIFIER::device; }
  static void* allocate(std::size_t bytes) { return ::operator new(bytes); }
  static void release(void* memory) { ::operator delete(memory); }
  static void fetch(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  static constexpr int lanes = 16;
  static constexpr int moved_lanes = 4096;
  static constexpr int run = 64;
  static constexpr bool always_runs = true;
  static constexpr bool sorts = false;
  static constexpr std::uint32_t sampled_from = 4096;
};

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
