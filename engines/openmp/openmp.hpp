// SPDX-License-Identifier: Apache-2.0
// The engine for CPUs with several cores: chooses among the methods of this folder by the call's properties.
#pragma once

#include <cstddef>

#include "scatterproof/engines/native/native.hpp"

namespace scatterproof::engines {

/// A WalkFunction. Without settings.deterministic contributions are combined in whatever order is quickest;
/// with it in the documents' order, so that the bits are the same for any number of threads.
bool run_openmp(const Walk& walk, std::byte* result, const KernelSettings& settings);

}  // namespace scatterproof::engines
