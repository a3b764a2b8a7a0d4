// SPDX-License-Identifier: Apache-2.0
// The engine thrust-tbb: Thrust's device system over oneTBB.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB
#define THRUST_CUB_WRAPPED_NAMESPACE scatterproof_thrust_tbb
#define SCATTERPROOF_THRUST_SYSTEM thrust_tbb
#include "cpu_system.hpp"
// kernels.hpp is written in its terms.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "kernels.hpp"
#include "scatterproof/engines/thrust/thrust.hpp"

namespace scatterproof::engines {

bool run_thrust_tbb(const Walk& walk, std::byte* result, const KernelSettings& settings) {
  const auto execute = [&] {
    return thrust_tbb::execute(walk, {walk.index, walk.table, walk.stream, result}, settings.deterministic);
  };
  if (settings.threads <= 0) return execute();
  // An arena alone cannot have more threads than the machine.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(settings.threads));
  return tbb::task_arena(settings.threads).execute(execute);
}

}  // namespace scatterproof::engines
