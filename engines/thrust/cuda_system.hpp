// SPDX-License-Identifier: Apache-2.0
// What kernels.hpp needs of a CUDA device. Everything is on the default stream, in the order it is asked for.
#pragma once

#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM {

/// A device error sticks to the process, whatever is called next: it cannot continue.
[[noreturn]] inline void end_process(const char* what, const char* error) {
  std::fprintf(stderr, "CUDA error, the process ends: %s: %s\n", what, error);
  std::abort();
}
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // this one does not stick, but would be reported again
    throw std::bad_alloc();
  }
  end_process(what, cudaGetErrorString(status));
}

/// From the device's pool, which keeps what is released. In whole words, so that a byte can be exchanged with
/// the word around it.
inline void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, (bytes + 16) / 16 * 16, nullptr), "cudaMallocAsync");
  return memory;
}
inline void release(void* memory) { check(cudaFreeAsync(memory, nullptr), "cudaFreeAsync"); }

/// Thrust's own temporary memory from the same pool.
struct PoolAllocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(SCATTERPROOF_THRUST_SYSTEM::allocate(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t) { release(memory); }
};
inline PoolAllocator pool_allocator;

struct System {
  /// Does not wait where nothing is returned.
  static auto policy() { return THRUST_NS_QUALIFIER::cuda::par_nosync(pool_allocator); }
  template <class Body>
  static void for_each(std::int64_t items, Body body) {
    namespace thrust = THRUST_NS_QUALIFIER;
    thrust::for_each_n(policy(), thrust::counting_iterator<std::int64_t>(0), items, body);
  }
  static void* allocate(std::size_t bytes) { return SCATTERPROOF_THRUST_SYSTEM::allocate(bytes); }
  static void release(void* memory) { SCATTERPROOF_THRUST_SYSTEM::release(memory); }
  static void put(void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  static void fetch(void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
  static constexpr int lanes = 1;
  static constexpr int moved_lanes = 1;
  static constexpr std::uint32_t sampled_from = 1u << 18;
};

}  // namespace scatterproof::engines::SCATTERPROOF_THRUST_SYSTEM
