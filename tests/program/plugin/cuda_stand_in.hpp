// SPDX-License-Identifier: Apache-2.0
// As much of CUDA's runtime as the scaffold uses, on the CPU: its device memory is memory that only copies
// and kernels can reach, its threads run one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define __device__
#define __global__

struct StandInIndex {
  unsigned x = 0;
};
inline StandInIndex blockIdx, threadIdx, blockDim, gridDim;

/// Goes through all threads of a launch: `for (StandInLaunch l(blocks, threads); l.next();) kernel(...)`.
class StandInLaunch {
 public:
  StandInLaunch(int blocks, int threads) {
    gridDim.x = static_cast<unsigned>(blocks);
    blockDim.x = static_cast<unsigned>(threads);
  }
  bool next() {
    blockIdx.x = at_ / blockDim.x;
    threadIdx.x = at_++ % blockDim.x;
    return blockIdx.x < gridDim.x;
  }

 private:
  unsigned at_ = 0;
};

template <class T>
void atomicAdd(T* cell, T value) {
  *cell += value;
}

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

/// No address of the CPU's has this bit and not those above it: what forgets where it is, crashes.
constexpr std::uintptr_t stand_in_bit = std::uintptr_t{1} << 62;

template <class T>
T* on_device(T* pointer) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) | stand_in_bit);
}
/// Where a pointer of the device's really points to.
template <class T>
T* reached(T* pointer) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) & ~stand_in_bit);
}

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  *memory = on_device(static_cast<T*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256)));
  return cudaSuccess;
}
inline void cudaFree(void* memory) { std::free(reached(memory)); }
inline cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  std::memset(reached(memory), value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost) to = reached(to);
  if (kind != cudaMemcpyHostToDevice) from = reached(from);
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t) { return "an error of the stand-in"; }
