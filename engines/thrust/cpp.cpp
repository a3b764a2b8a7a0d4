// SPDX-License-Identifier: Apache-2.0
// The engine thrust-cpp: Thrust's device system for one thread.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#define THRUST_CUB_WRAPPED_NAMESPACE scatterproof_thrust_cpp
#define SCATTERPROOF_THRUST_SYSTEM thrust_cpp
#include "cpu_system.hpp"
// kernels.hpp is written in its terms.
#include <thrust/version.h>

#include "kernels.hpp"
#include "scatterproof/engines/thrust/thrust.hpp"

namespace scatterproof::engines {

bool run_thrust_cpp(const Walk& walk, std::byte* result, const KernelSettings& settings) {
  return thrust_cpp::execute(walk, {walk.index, walk.table, walk.stream, result}, settings.deterministic);
}

std::string thrust_version() {
  return std::to_string(THRUST_MAJOR_VERSION) + "." + std::to_string(THRUST_MINOR_VERSION) + "." +
         std::to_string(THRUST_SUBMINOR_VERSION) + " (" SCATTERPROOF_THRUST_ORIGIN ")";
}

}  // namespace scatterproof::engines
