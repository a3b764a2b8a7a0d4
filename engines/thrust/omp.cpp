// SPDX-License-Identifier: Apache-2.0
// The engine thrust-omp: Thrust's device system over OpenMP.
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP
#define THRUST_CUB_WRAPPED_NAMESPACE scatterproof_thrust_omp
#define SCATTERPROOF_THRUST_SYSTEM thrust_omp
#include "cpu_system.hpp"
// kernels.hpp is written in its terms.
#include <omp.h>

#include "kernels.hpp"
#include "scatterproof/engines/thrust/thrust.hpp"

namespace scatterproof::engines {
namespace {

/// Thrust takes the number of threads from OpenMP's setting for the thread that calls it.
class Threads {
 public:
  explicit Threads(int threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

}  // namespace

bool run_thrust_omp(const Walk& walk, std::byte* result, const KernelSettings& settings) {
  const Threads threads(settings.threads);
  return thrust_omp::execute(walk, {walk.index, walk.table, walk.stream, result}, settings.deterministic);
}

}  // namespace scatterproof::engines
