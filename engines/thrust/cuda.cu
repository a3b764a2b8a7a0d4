// SPDX-License-Identifier: Apache-2.0
// The engine thrust-cuda, the part for the device: Thrust's device system over CUDA.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CUDA
#define THRUST_CUB_WRAPPED_NAMESPACE scatterproof_thrust_cuda
#define SCATTERPROOF_THRUST_SYSTEM thrust_cuda
#include "cuda_system.hpp"
// kernels.hpp is written in its terms.
#include <thrust/system_error.h>

#include <algorithm>

#include "cuda_calls.hpp"
#include "kernels.hpp"

namespace scatterproof::engines {
namespace {

using thrust_cuda::check;

/// Elements [low, high] of an operand, relative to its pointer, are all that a walk can touch.
struct Extent {
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool nothing = false;

  void step(std::int64_t size, std::int64_t stride) {
    nothing = nothing || size == 0;
    (stride < 0 ? low : high) += (size - 1) * stride;
  }
};

Extent extent_of(const Walk& walk, const std::int64_t* strides) {
  Extent extent;
  for (int d = 0; d < walk.rank; ++d) extent.step(walk.shape[d], strides[d]);
  return extent;
}

/// A copy of part of an operand in the device's memory, addressed as the operand is.
class Copy {
 public:
  Copy(const std::byte* operand, const Extent& extent, std::size_t element) {
    if (operand == nullptr || extent.nothing) return;
    const std::int64_t size = static_cast<std::int64_t>(element);
    const auto bytes = static_cast<std::size_t>(extent.high - extent.low + 1) * element;
    memory_ = thrust_cuda::allocate(bytes);
    check(cudaMemcpy(memory_, operand + extent.low * size, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    origin_ = static_cast<std::byte*>(memory_) - extent.low * size;
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  ~Copy() {
    if (memory_ != nullptr) thrust_cuda::release(memory_);
  }
  std::byte* operand() const { return origin_; }

 private:
  void* memory_ = nullptr;
  std::byte* origin_ = nullptr;
};

Extent index_extent(const Walk& walk) {
  Extent extent = extent_of(walk, walk.index_stride);
  extent.step(walk.depth, walk.index_step);
  return extent;
}

Extent table_extent(const Walk& walk) {
  Extent extent = extent_of(walk, walk.table_stride);
  for (int j = 0; j < walk.depth; ++j) extent.step(walk.size[j], walk.step[j]);
  return extent;
}

Extent result_extent(const Walk& walk) {
  Extent extent;
  extent.step(walk.result_numel, 1);
  return extent;
}

}  // namespace

struct CudaCall::Memory {
  Copy index;
  Copy table;
  Copy stream;
  Copy start;
  Copy result;
  std::size_t result_bytes;

  Memory(const Walk& walk, const std::byte* start_values, bool restarts)
      : index(walk.index, index_extent(walk), spec::size_of(walk.index_dtype)),
        table(walk.table, table_extent(walk), spec::size_of(walk.dtype)),
        stream(walk.stream, extent_of(walk, walk.stream_stride), spec::size_of(walk.dtype)),
        start(restarts ? start_values : nullptr, result_extent(walk), spec::size_of(walk.dtype)),
        result(start_values, result_extent(walk), spec::size_of(walk.dtype)),
        result_bytes(static_cast<std::size_t>(walk.result_numel) * spec::size_of(walk.dtype)) {}
};

std::string start_cuda() {
  int devices = 0;
  // Without a driver this fails, too; there is no device either way.
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return "no CUDA device";
  cudaMemPool_t pool = nullptr;
  std::uint64_t keep_all = UINT64_MAX;
  if (cudaSetDevice(0) != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, 0) != cudaSuccess ||
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_all) != cudaSuccess)
    return std::string("the CUDA device cannot be used: ") + cudaGetErrorString(cudaGetLastError());
  return {};
}

std::string cuda_device_name() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  return properties.name;
}

CudaCall::CudaCall(const Walk& walk, const std::byte* result, bool restarts)
    : memory_(std::make_unique<Memory>(walk, result, restarts)) {}
CudaCall::~CudaCall() = default;

bool CudaCall::execute(const Walk& walk, bool deterministic) try {
  return thrust_cuda::execute(walk,
                              {memory_->index.operand(), memory_->table.operand(), memory_->stream.operand(),
                               memory_->result.operand()},
                              deterministic);
} catch (const thrust_cuda::thrust::system_error& error) {
  thrust_cuda::end_process("Thrust", error.what());
}

void CudaCall::restart() {
  check(cudaMemcpyAsync(memory_->result.operand(), memory_->start.operand(), memory_->result_bytes,
                        cudaMemcpyDeviceToDevice, nullptr),
        "cudaMemcpyAsync");
}

void CudaCall::wait() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

void CudaCall::fetch_result(std::byte* to) {
  check(cudaMemcpy(to, memory_->result.operand(), memory_->result_bytes, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
}

}  // namespace scatterproof::engines
