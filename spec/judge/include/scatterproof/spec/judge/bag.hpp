// SPDX-License-Identifier: Apache-2.0
// The result of executing a document's formula: for each cell, a start value, the contributions that land
// there, and how they combine. Expected values, allowed sets and explanations all come from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scatterproof/spec/core/combiner.hpp"
#include "scatterproof/spec/core/dtype.hpp"
#include "scatterproof/spec/core/scalar.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec {

/// Where a contribution came from, for explanations: `src[3,0]`, or the scalar `value`.
struct Origin {
  std::int32_t argument = -1;  ///< index into Bag::origins; -1: a constant of the formula
  std::int64_t coords = -1;    ///< flat row-major position in that argument; -1: a scalar argument
};

struct Contribution {
  Scalar value;  ///< already of the result's dtype
  Origin origin;
  std::int64_t group = 0;  ///< position in the outermost loop: contributions of one row update share it
};

/// A bag of contributions for every cell of the result, in compressed rows: the contributions of cell c
/// (row-major) are list[offsets[c] .. offsets[c + 1]), in the document's iteration order.
struct Bag {
  DType dtype = DType::f32;
  Shape shape;
  Combiner combine = Combiner::assign;
  bool start_counts = true;  ///< start takes part in touched cells; untouched cells keep it always
  std::optional<std::vector<Scalar>> start;  ///< row-major, one per cell; absent: every cell must be written
  std::string start_name;                    ///< `self`, or `0`: for explanations
  std::vector<std::int64_t> offsets;         ///< numel(shape) + 1 entries
  std::vector<Contribution> list;
  std::vector<std::pair<std::string, Shape>> origins;  ///< argument names and shapes
  bool rows = false;                   ///< written by row updates (an outer and an inner loop)
  std::vector<std::string> may_write;  ///< arguments the engine may overwrite (in-place APIs)

  // what the document leaves free
  Collisions collisions = Collisions::any;
  Accumulate accumulate = Accumulate::any;
  IntegerMean integer_mean = IntegerMean::open;
  IntegerQuotient integer_quotient = IntegerQuotient::open;
  NanPolicy nan = NanPolicy::propagate;
};

}  // namespace scatterproof::spec
