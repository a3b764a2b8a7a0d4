// SPDX-License-Identifier: Apache-2.0
// The engines `openmp` and `openmp-deterministic`.
#include "scatterproof/engines/openmp.hpp"

#include <omp.h>

#include "lookups.hpp"
#include "operations.hpp"
#include "parallel.hpp"

namespace scatterproof::engines {

int openmp::team_size(const KernelSettings& settings) {
  return settings.threads > 0 ? settings.threads : omp_get_max_threads();
}

bool run_openmp(const Walk& walk, std::byte* result, const KernelSettings& settings) {
  openmp::Lookups lookups;
  if (!openmp::check_lookups(walk, openmp::team_size(settings), lookups)) return false;
  if (walk.scatter)
    openmp::scatter(walk, lookups, result, settings);
  else
    openmp::gather(walk, lookups, result, settings);
  return true;
}

std::unique_ptr<Engine> make_openmp(const spec::SpecLibrary& specs) {
  return make_walk_engine("openmp", "cpu", run_openmp, {}, specs);
}

std::unique_ptr<Engine> make_openmp_deterministic(const spec::SpecLibrary& specs) {
  return make_walk_engine("openmp-deterministic", "cpu", run_openmp, {.threads = 0, .deterministic = true},
                          specs);
}

}  // namespace scatterproof::engines
