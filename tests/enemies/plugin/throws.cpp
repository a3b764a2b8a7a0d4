// SPDX-License-Identifier: Apache-2.0
// A bad library: an exception leaves its kernel. It also includes dlpack.h before the header of the ABI.
#include <dlpack/dlpack.h>
#include <scatterproof/kernel_abi.h>

#include <stdexcept>

namespace {

const char* describe(char*, std::size_t) {
  return R"({"name": "throws", "version": "1", "device": "cpu", "kernels": [
    {"operation": "scatter_elements", "combine": ["sum"], "dtypes": ["f32"], "index_dtypes": ["i64"],
     "layout": "strided", "wrap_negative": false, "checks": []}]})";
}

scatterproof_status run(const char*, const char*, const DLTensor*, std::int32_t, DLTensor*, std::int32_t,
                        char*, std::size_t) {
  throw std::runtime_error("not my day");
}

}  // namespace

extern "C" const scatterproof_kernels* scatterproof_kernels_v1() {
  static const scatterproof_kernels kernels = {
      SCATTERPROOF_KERNEL_ABI_VERSION, sizeof(scatterproof_kernels), describe, run, nullptr, nullptr};
  return &kernels;
}
