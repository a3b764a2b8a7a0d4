// SPDX-License-Identifier: Apache-2.0
// The engines that this folder offers.
#include "scatterproof/engines/native/built_in.hpp"
#include "scatterproof/engines/thrust/thrust.hpp"

namespace scatterproof::engines {
namespace {

constexpr const char* cuda_program = "scatterproof_thrust_cuda_host";
constexpr const char* no_cuda = "in a checkout, ./dev build --cuda makes it where there is a CUDA compiler";
constexpr KernelSettings deterministic = {.deterministic = true};

}  // namespace

std::vector<BuiltInEngine> thrust_engines() {
  return {
      {.name = "thrust-cpp",
       .description = "Thrust: sorted by destination, one thread",
       .runs =
           [](const spec::SpecLibrary& specs) {
             return make_walk_engine("thrust-cpp", "cpu", run_thrust_cpp, deterministic, specs);
           }},
      {.name = "thrust-omp",
       .description = "Thrust over OpenMP: sorted by destination",
       .runs =
           [](const spec::SpecLibrary& specs) {
             return make_walk_engine("thrust-omp", "cpu", run_thrust_omp, deterministic, specs);
           }},
      {.name = "thrust-tbb",
       .description = "Thrust over oneTBB: sorted by destination",
       .runs =
           [](const spec::SpecLibrary& specs) {
             return make_walk_engine("thrust-tbb", "cpu", run_thrust_tbb, deterministic, specs);
           }},
      {.name = "thrust-cuda",
       .description = "Thrust on a CUDA device, in a process of its own",
       .runs = HostProgram{.program = cuda_program, .argument = "", .why_missing = no_cuda}},
      {.name = "thrust-cuda-deterministic",
       .description = "the same, with the same bits every time",
       .runs = HostProgram{.program = cuda_program, .argument = "deterministic", .why_missing = no_cuda}},
  };
}

}  // namespace scatterproof::engines
