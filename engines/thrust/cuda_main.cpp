// SPDX-License-Identifier: Apache-2.0
// The program of the engines thrust-cuda and, with the argument `deterministic`, thrust-cuda-deterministic.
#include <string_view>

#include "cuda_engine.hpp"
#include "scatterproof/engines/server/serve.hpp"

int main(int count, char** arguments) {
  using namespace scatterproof;
  const auto specs = engines::shipped_specs();
  if (!specs) return engines::decline(to_string(specs.errors()));
  const bool deterministic = count > 1 && std::string_view(arguments[1]) == "deterministic";
  return engines::serve(*engines::make_thrust_cuda(deterministic, *specs));
}
