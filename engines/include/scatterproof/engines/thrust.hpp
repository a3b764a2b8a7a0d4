// SPDX-License-Identifier: Apache-2.0
// The engines written with Thrust: one source, compiled once for each of Thrust's device systems.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "scatterproof/engines/native.hpp"

namespace scatterproof::engines {

/// The engines called `thrust-cpp` (one thread), `thrust-omp` and `thrust-tbb`: contributions are sorted by
/// destination and combined in the documents' order. `thrust-cuda` is a program of its own.
std::unique_ptr<Engine> make_thrust_cpp(const spec::SpecLibrary& specs);
std::unique_ptr<Engine> make_thrust_omp(const spec::SpecLibrary& specs);
std::unique_ptr<Engine> make_thrust_tbb(const spec::SpecLibrary& specs);

/// WalkFunctions. Without settings.deterministic contributions are combined atomically, in any order.
bool run_thrust_cpp(const Walk& walk, std::byte* result, const KernelSettings& settings);
bool run_thrust_omp(const Walk& walk, std::byte* result, const KernelSettings& settings);
bool run_thrust_tbb(const Walk& walk, std::byte* result, const KernelSettings& settings);

/// Which Thrust they were compiled with, and whose: `3.0.1 (CUDA toolkit)`.
std::string thrust_version();

}  // namespace scatterproof::engines
