// SPDX-License-Identifier: Apache-2.0
// The two halves of the engine, each behind a checked index.
#pragma once

#include <cstddef>

#include "lookups.hpp"
#include "nest.hpp"
#include "scatter.hpp"
#include "team.hpp"

namespace scatterproof::engines::openmp {

/// A WalkFunction with a team as its setting.
bool run(const Walk& walk, std::byte* result, const Team& team);

void gather(const Walk& walk, const Lookups& lookups, std::byte* result, const Team& team);
void scatter(const Walk& walk, const Lookups& lookups, std::byte* result, const Team& team);

/// Assignments of any dtype of this size.
const ScatterKernels& assignment_kernels(spec::DType dtype);

}  // namespace scatterproof::engines::openmp
