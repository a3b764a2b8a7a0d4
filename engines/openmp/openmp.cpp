// SPDX-License-Identifier: Apache-2.0
// The engines `openmp` and `openmp-deterministic`.
#include "scatterproof/engines/openmp.hpp"

#include <omp.h>

#include "lookups.hpp"
#include "operations.hpp"
#include "parallel.hpp"

namespace scatterproof::engines {

bool openmp::run(const Walk& walk, std::byte* result, const Team& team) {
  Lookups lookups;
  if (!check_lookups(walk, team, lookups)) return false;
  if (walk.scatter)
    scatter(walk, lookups, result, team);
  else
    gather(walk, lookups, result, team);
  return true;
}

bool run_openmp(const Walk& walk, std::byte* result, const KernelSettings& settings) {
  const int threads = settings.threads > 0 ? settings.threads : omp_get_max_threads();
  return openmp::run(walk, result, {threads, settings.deterministic, {}});
}

std::unique_ptr<Engine> make_openmp(const spec::SpecLibrary& specs) {
  return make_walk_engine("openmp", "cpu", run_openmp, {}, specs);
}

std::unique_ptr<Engine> make_openmp_deterministic(const spec::SpecLibrary& specs) {
  return make_walk_engine("openmp-deterministic", "cpu", run_openmp, {.threads = 0, .deterministic = true},
                          specs);
}

}  // namespace scatterproof::engines
