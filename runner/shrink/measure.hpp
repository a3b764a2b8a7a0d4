// SPDX-License-Identifier: Apache-2.0
// What "simpler" means: every value and call has a number that each shrinking step must lower, so shrinking
// ends.
#pragma once

#include <compare>
#include <cstdint>

#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::shrink {

/// The cost of a value: 0, 1, -1, 2, -2 ... are 0, 2, 3, 4, 5 ...; then, by the length of
/// their significand and exponent, larger and fractional numbers; then -0, infinities and NaN. A complex
/// number is its two parts.
std::uint64_t cost(const spec::Scalar& value);

/// How simple a dtype is to read: i64 and f32 first.
std::uint64_t cost(spec::DType dtype);

/// Compared from the first to the last. Calls of one API are well-ordered by it.
struct Measure {
  std::uint64_t ranks = 0;       ///< of every tensor one and its rank, of every list one and its length
  std::uint64_t extent = 0;      ///< sum of all sizes, and of the numbers in lists
  std::uint64_t attributes = 0;  ///< distance of every other argument from its default or first choice
  std::uint64_t omitted = 0;     ///< arguments that are left out
  std::uint64_t shared = 0;      ///< tensors that lie in the storage of another
  std::uint64_t dtypes = 0;
  std::uint64_t layouts = 0;  ///< tensors that are not contiguous
  std::uint64_t values = 0;   ///< of all elements
  auto operator<=>(const Measure&) const = default;
};
Measure measure(const spec::OpSpec& op, const spec::Call& call);

}  // namespace scatterproof::runner::shrink
