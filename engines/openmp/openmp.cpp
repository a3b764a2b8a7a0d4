// SPDX-License-Identifier: Apache-2.0
// The engines `openmp` and `openmp-deterministic`.
#include "openmp.hpp"

#include <omp.h>

#include "lookups.hpp"
#include "operations.hpp"
#include "parallel.hpp"
#include "scatterproof/engines/native/built_in.hpp"

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

std::vector<BuiltInEngine> openmp_engines() {
  return {
      {.name = "openmp",
       .description = "several cores, the quickest method for each call",
       .runs =
           [](const spec::SpecLibrary& specs) {
             return make_walk_engine("openmp", "cpu", run_openmp, {}, specs);
           }},
      {.name = "openmp-deterministic",
       .description = "several cores, the same bits for any number of them",
       .runs =
           [](const spec::SpecLibrary& specs) {
             return make_walk_engine("openmp-deterministic", "cpu", run_openmp, {.deterministic = true},
                                     specs);
           }},
  };
}

}  // namespace scatterproof::engines
