// A kernel of your own: scatter_elements with sum, for f32 and f64, on CUDA. It is complete; make it yours.
#include <scatterproof/kernel_abi.h>

#include <cstdint>
#include <cstdio>

namespace {

constexpr char description[] = R"({
  "name": "mine", "version": "0.1", "device": "cuda",
  "kernels": [{"operation": "scatter_elements", "combine": ["sum"], "dtypes": ["f32", "f64"],
               "index_dtypes": ["i64"], "layout": "contiguous", "wrap_negative": true, "checks": ["index"]}]
})";

scatterproof_status failed(cudaError_t error, char* words, std::size_t words_size) {
  std::snprintf(words, words_size, "%s", cudaGetErrorString(error));
  return SCATTERPROOF_FAILED;
}

/// The call, as threads see it.
struct Call {
  int ndim;
  int axis;
  bool wrap_negative;
  std::int64_t positions;
  std::int64_t sizes[8];    // of the index
  std::int64_t strides[8];  // of the output, 0 on the axis
  std::int64_t size;        // of the output on the axis
  std::int64_t stride;
};

Call describe_call(const char* attributes, const scatterproof_tensor& index,
                   const scatterproof_tensor& output) {
  Call call{};
  call.ndim = index.ndim;
  call.axis = static_cast<int>(scatterproof_integer(attributes, "axis"));
  call.wrap_negative = scatterproof_attribute(attributes, "wrap_negative")[0] == 't';
  call.positions = 1;
  for (int d = 0; d < index.ndim; ++d) {
    call.positions *= index.shape[d];
    call.sizes[d] = index.shape[d];
    call.strides[d] = d == call.axis ? 0 : output.strides[d];
  }
  call.size = output.shape[call.axis];
  call.stride = output.strides[call.axis];
  return call;
}

/// The place on the axis that an index names; -1 if there is none.
__device__ std::int64_t place(const Call& call, std::int64_t i) {
  if (call.wrap_negative && i < 0) i += call.size;
  return i >= 0 && i < call.size ? i : -1;
}

__device__ std::int64_t first_position() {
  return blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}
__device__ std::int64_t all_threads() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

__global__ void find_out_of_range(Call call, const std::int64_t* index, int* found) {
  for (std::int64_t k = first_position(); k < call.positions; k += all_threads())
    if (place(call, index[k]) < 0) *found = 1;
}

template <class T>
__global__ void scatter_sum(Call call, const std::int64_t* index, const T* updates, T* output) {
  for (std::int64_t k = first_position(); k < call.positions; k += all_threads()) {
    std::int64_t offset = call.stride * place(call, index[k]);
    std::int64_t rest = k;
    for (int d = call.ndim - 1; d >= 0; --d) {
      offset += rest % call.sizes[d] * call.strides[d];
      rest /= call.sizes[d];
    }
    atomicAdd(output + offset, updates[k]);
  }
}

/// Whether some index names no place. Waits for the device: everything is checked before anything is written.
cudaError_t check(const Call& call, const std::int64_t* index, int blocks, int threads, bool& out_of_range) {
  static int* found = nullptr;
  int host = 0;
  if (found == nullptr)
    if (const auto error = cudaMalloc(&found, sizeof host)) return error;
  if (const auto error = cudaMemset(found, 0, sizeof host)) return error;
  find_out_of_range<<<blocks, threads>>>(call, index, found);
  const auto error = cudaMemcpy(&host, found, sizeof host, cudaMemcpyDeviceToHost);
  out_of_range = host != 0;
  return error;
}

scatterproof_status run(const char*, const char* attributes, const scatterproof_tensor* inputs, std::int32_t,
                        scatterproof_tensor* outputs, std::int32_t, char* words, std::size_t words_size) {
  const Call call = describe_call(attributes, inputs[0], outputs[0]);
  if (call.positions == 0) return SCATTERPROOF_DONE;
  const int threads = 256;
  const std::int64_t wanted = (call.positions + threads - 1) / threads;
  const int blocks = static_cast<int>(wanted < 65535 ? wanted : 65535);
  const auto* index = static_cast<const std::int64_t*>(inputs[0].data);

  bool out_of_range = false;
  if (const auto error = check(call, index, blocks, threads, out_of_range))
    return failed(error, words, words_size);
  if (out_of_range) {
    std::snprintf(words, words_size, "an index is out of range for size %lld",
                  static_cast<long long>(call.size));
    return SCATTERPROOF_REFUSED_INDEX;
  }
  if (outputs[0].dtype.bits == 32)
    scatter_sum<<<blocks, threads>>>(call, index, static_cast<const float*>(inputs[1].data),
                                     static_cast<float*>(outputs[0].data));
  else
    scatter_sum<<<blocks, threads>>>(call, index, static_cast<const double*>(inputs[1].data),
                                     static_cast<double*>(outputs[0].data));
  if (const auto error = cudaGetLastError()) return failed(error, words, words_size);
  return SCATTERPROOF_DONE;
}

scatterproof_status sync(char* words, std::size_t words_size) {
  if (const auto error = cudaDeviceSynchronize()) return failed(error, words, words_size);
  return SCATTERPROOF_DONE;
}

/// Without a device there is nothing to offer, which is reported and harms nothing.
const char* describe(char* words, std::size_t words_size) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return description;
  std::snprintf(words, words_size, "no CUDA device");
  return nullptr;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  return cudaMalloc(&memory, bytes) == cudaSuccess ? memory : nullptr;
}

void release(void* memory) { cudaFree(memory); }

scatterproof_status copy(void* to, const void* from, std::size_t bytes, scatterproof_copy direction) {
  const auto kind = direction == SCATTERPROOF_TO_DEVICE ? cudaMemcpyHostToDevice
                    : direction == SCATTERPROOF_TO_HOST ? cudaMemcpyDeviceToHost
                                                        : cudaMemcpyDeviceToDevice;
  return cudaMemcpy(to, from, bytes, kind) == cudaSuccess ? SCATTERPROOF_DONE : SCATTERPROOF_FAILED;
}

constexpr int cuda_memory = 2;  // kDLCUDA

}  // namespace

extern "C" const scatterproof_kernels* scatterproof_kernels_v1() {
  static const scatterproof_memory memory = {cuda_memory, 0, allocate, release, copy};
  static const scatterproof_kernels kernels = {
      SCATTERPROOF_KERNEL_ABI_VERSION, sizeof(scatterproof_kernels), describe, run, sync, &memory,
  };
  return &kernels;
}
