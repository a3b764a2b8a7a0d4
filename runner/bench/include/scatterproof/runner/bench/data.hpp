// SPDX-License-Identifier: Apache-2.0
// A row with its tensors filled: calls that engines can execute.
#pragma once

#include <cstdint>
#include <vector>

#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/runner/bench/rows.hpp"
#include "scatterproof/spec/core/gradient.hpp"

namespace scatterproof::runner::bench {

/// Calls over the same tensors. They share storage, which must not be written to.
struct RowData {
  spec::Call call;
  std::vector<spec::Call> peers;  ///< parallel to BenchmarkRow::peers
  engines::KernelCall kernel;     ///< what is timed, in kernel terms: `call`, or the operation that its
                                  ///< gradient is
  // of a gradient
  spec::Tensor differentiated = {};  ///< what the calls gather or add, with the storage that they share
  spec::Tensor cotangent = {};       ///< of the result's shape and dtype

  /// What is asked about `call` or a peer: the gradient by `differentiated`.
  spec::GradientQuestion question(const spec::Call& one) const;
};

/// Makes the row's tensors and calls, with no size above `largest`. The data are integers so small that every
/// order of combining them gives the same bits: for each cell, start and contributions together stay within
/// 2^p in magnitude, where p is the dtype's precision. If very many contributions meet in one cell, most of
/// them are therefore 0. The value that an assignment writes depends on the cell alone, so it does not matter
/// which of several writes comes last. An error when the call is refused: rows hold calls that succeed.
spec::Result<RowData> make_data(const BenchmarkRow& row, const spec::SpecLibrary& specs, std::uint64_t seed,
                                std::int64_t largest = whole);

/// Those of these rows that have a gradient to time, each as a row of its own: that of a gather by its data,
/// which is a scatter_add, and that of a scatter_add by its updates, which is a gather. Of floats only.
std::vector<BenchmarkRow> gradient_rows(const std::vector<BenchmarkRow>& rows,
                                        const spec::SpecLibrary& specs);

}  // namespace scatterproof::runner::bench
