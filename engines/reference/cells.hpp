// SPDX-License-Identifier: Apache-2.0
// The cells of a scatter's result while contributions arrive, one at a time, in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::engines::reference {

/// What each cell has received, in order.
using ReceivedValues = std::vector<std::vector<spec::Scalar>>;

class Cells {
 public:
  /// `start`: contiguous, with storage of its own; becomes the result. `noted`: null, or made to hold what
  /// the cells receive.
  Cells(spec::Tensor start, const KernelCall& call, ReceivedValues* noted);

  std::int64_t position(std::span<const std::int64_t> at) const { return cells_.position(at); }
  /// Preconditions: `position` is that of a cell; `value` is one of their dtype.
  void receive(std::int64_t position, const spec::Scalar& value);
  /// The result. Call once, after the last contribution.
  spec::Tensor finish();

 private:
  spec::Tensor cells_;
  std::vector<std::int64_t> received_;  ///< contributions so far, one count a cell
  spec::Combiner combine_;
  bool include_start_;
  spec::IntegerMean integer_mean_;
  ReceivedValues* noted_;
};

}  // namespace scatterproof::engines::reference
