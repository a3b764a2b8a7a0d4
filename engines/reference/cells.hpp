// SPDX-License-Identifier: Apache-2.0
// The cells of a scatter's result while contributions arrive, one at a time, in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::engines::reference {

class Cells {
 public:
  /// `start`: contiguous, with storage of its own; becomes the result.
  Cells(spec::Tensor start, const KernelCall& call);

  void receive(std::span<const std::int64_t> at, const spec::Scalar& value);
  /// The result. Call once, after the last contribution.
  spec::Tensor finish();

 private:
  spec::Tensor cells_;
  std::vector<std::int64_t> received_;  ///< contributions so far, one count a cell
  spec::Combiner combine_;
  bool include_start_;
  spec::IntegerMean integer_mean_;
};

}  // namespace scatterproof::engines::reference
