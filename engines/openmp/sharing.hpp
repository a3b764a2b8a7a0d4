// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scatter.hpp"
#include "team.hpp"

namespace scatterproof::engines::openmp {

/// What the passes of one scatter share. Everything it refers to must outlive it.
struct Scatter {
  const Lookups& lookups;
  const ScatterKernels& kernels;
  std::int64_t cells;  ///< elements of the table
  int threads;
  Limits limits;
  bool exact_order;  ///< contributions to a cell must be combined in row-major order
};

/// One line of lookups and nothing else: the 1-D call, or one row for each lookup.
bool is_line(const Nest& nest);

/// Runs a scatter's nest: hands out the work to threads, and to each its method, so that no cell has two
/// writers.
void run_shared(const Scatter& scatter, const Nest& nest);

}  // namespace scatterproof::engines::openmp
