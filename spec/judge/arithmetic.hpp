// SPDX-License-Identifier: Apache-2.0
// What one floating-point operation of an engine may get wrong, as exact numbers: the constants of every
// bound.
#pragma once

#include "dyadic.hpp"
#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::spec::judging {

/// The format an engine accumulates in, and the one it delivers in. They are the same unless the document
/// promises a wider accumulator: an engine that uses a wider one unasked errs less, so the narrow bounds hold
/// for it too.
struct Arithmetic {
  double step;       ///< relative error of one operation in the accumulator
  double last_step;  ///< relative error of rounding into the result's dtype
  Dyadic tiny;       ///< absolute error of an operation whose result is below the smallest normal number
  Dyadic smallest_normal;  ///< of the result's dtype: the accumulator's is not larger
  Dyadic largest_partial;  ///< of the accumulator: beyond it a partial result may be infinite
  Dyadic largest_result;   ///< of the result's dtype
  int smallest_exponent;   ///< smallest_normal == 2^smallest_exponent
  int lowest_safe;         ///< sums of values with no bit below 2^lowest_safe never underflow
  int precision;           ///< of the result's dtype
};
const Arithmetic& arithmetic(DType dtype, Accumulate accumulate);

/// At least (1 + step)^operations - 1.
Dyadic growth(double step, std::size_t operations);

}  // namespace scatterproof::spec::judging
