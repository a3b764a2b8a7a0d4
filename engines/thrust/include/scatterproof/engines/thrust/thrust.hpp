// SPDX-License-Identifier: Apache-2.0
// The engines written with Thrust: one source, compiled once for each of Thrust's device systems on CPUs. The
// engine for CUDA is in a program of its own.
#pragma once

#include <cstddef>
#include <string>

#include "scatterproof/engines/native/native.hpp"

namespace scatterproof::engines {

/// WalkFunctions. With settings.deterministic contributions are sorted by destination and combined in the
/// documents' order; without it they are combined atomically, in any order.
bool run_thrust_cpp(const Walk& walk, std::byte* result, const KernelSettings& settings);
bool run_thrust_omp(const Walk& walk, std::byte* result, const KernelSettings& settings);
bool run_thrust_tbb(const Walk& walk, std::byte* result, const KernelSettings& settings);

/// Which Thrust they were compiled with, and whose: `3.0.1 (CUDA toolkit)`.
std::string thrust_version();

}  // namespace scatterproof::engines
