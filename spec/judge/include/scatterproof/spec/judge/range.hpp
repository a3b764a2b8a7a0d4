// SPDX-License-Identifier: Apache-2.0
// What a document allows a cell to hold, as the least and the greatest number: for arrays of bounds. Between
// the two there may be numbers that are not allowed; the judge looks at the set itself.
#pragma once

#include <vector>

#include "scatterproof/spec/core/scalar.hpp"
#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::spec {

struct Range {
  /// Numbers of the result's dtype that the judge accepts; both NaN if it accepts no number. Of complex
  /// numbers the real and imaginary parts, each alone.
  Scalar least, greatest;
  bool nan = false;   ///< NaN is allowed too
  bool free = false;  ///< the document says nothing about this cell: the range is that of the dtype
};

/// One per cell, row-major. Precondition: the bag is sound, as the oracle makes it.
std::vector<Range> ranges_of(const Bag& bag);

}  // namespace scatterproof::spec
