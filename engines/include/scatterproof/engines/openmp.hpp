// SPDX-License-Identifier: Apache-2.0
// The engine for CPUs with several cores: each method of engines/openmp chosen by what the call is like.
#pragma once

#include <cstddef>
#include <memory>

#include "scatterproof/engines/native.hpp"

namespace scatterproof::engines {

/// The engine called `openmp`: any order of combining that is quickest.
std::unique_ptr<Engine> make_openmp(const spec::SpecLibrary& specs);
/// The engine called `openmp-deterministic`: contributions are combined in the documents' order, so that the
/// bits are the same for any number of threads.
std::unique_ptr<Engine> make_openmp_deterministic(const spec::SpecLibrary& specs);

/// A WalkFunction.
bool run_openmp(const Walk& walk, std::byte* result, const KernelSettings& settings);

}  // namespace scatterproof::engines
