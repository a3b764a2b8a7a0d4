// SPDX-License-Identifier: Apache-2.0
// How values that collide in a cell are combined, and what a document may leave free about it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scatterproof::spec {

/// No kernel has those from quotient on. A quotient is the start divided by each of the values, a sum over a
/// root is divided by the square root of the number of values, the others are those of the bits of integers.
enum class Combiner : std::uint8_t {
  assign,
  sum,
  prod,
  mean,
  amax,
  amin,
  quotient,
  sum_over_root,
  bit_and,
  bit_or,
  bit_xor
};
inline constexpr std::array all_combiners = {Combiner::assign,   Combiner::sum,           Combiner::prod,
                                             Combiner::mean,     Combiner::amax,          Combiner::amin,
                                             Combiner::quotient, Combiner::sum_over_root, Combiner::bit_and,
                                             Combiner::bit_or,   Combiner::bit_xor};
inline constexpr bool is_bitwise(Combiner combiner) { return combiner >= Combiner::bit_and; }
std::optional<Combiner> parse_combiner(std::string_view word);
std::string_view name(Combiner combiner);

/// What the document says about several values assigned to one cell.
enum class Collisions : std::uint8_t {
  any,        ///< any one of them may win
  last,       ///< the last in iteration order wins
  forbidden,  ///< the caller must not do it: the result of such a cell is undefined
};
/// The type in which sums, products and means are accumulated.
enum class Accumulate : std::uint8_t {
  any,    ///< the document is silent: the result's dtype or anything wider
  wider,  ///< documented to be wider than a 16-bit dtype (at least f32)
};
enum class IntegerMean : std::uint8_t { floor, truncate, open };
/// How a quotient of integers is rounded.
enum class IntegerQuotient : std::uint8_t { floor, open };
enum class NanPolicy : std::uint8_t {
  propagate,  ///< a NaN among the values gives NaN in amax/amin
  ignore,     ///< NaN is passed over unless all are NaN
  open        ///< the document is silent: a comparison with a NaN leaves either side
};

}  // namespace scatterproof::spec
