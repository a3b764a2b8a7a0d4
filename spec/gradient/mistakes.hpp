// SPDX-License-Identifier: Apache-2.0
// Simple ways to derive gradients wrongly, so that an explanation can name the likely cause.
#pragma once

#include <cstdint>

#include "scatterproof/spec/gradient/expected_gradient.hpp"

namespace scatterproof::spec {

/// Where a mistake is made, a tie is shared evenly.
enum class Mistake : std::uint8_t {
  none,
  each_write_counts,       ///< each value assigned to a cell gets the cotangent
  start_is_kept,           ///< the start value of a cell that is written gets the cotangent
  start_counts,            ///< a start value that does not count is one of those that meet
  start_takes_share,       ///< the same, but what it is given is set to 0
  other_factors_left_out,  ///< of a product
  whole_product_divided,   ///< by the factor; what is then NaN or infinite is open
  each_of_tie_gets_all,
  none_of_tie_gets_any,
  counted_in_u8,  ///< the values of a mean, or of a tie
  counted_in_f16,
  counted_in_bf16
};

ExpectedGradients expect_by_mistake(const Dependences& of, const Tensor& cotangent, Mistake mistake);

}  // namespace scatterproof::spec
