// SPDX-License-Identifier: Apache-2.0
// What an engine does with each element and each choice of a call's gradients.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scatterproof/spec/core/outcome.hpp"
#include "scatterproof/spec/gradient/dependence.hpp"
#include "scatterproof/spec/gradient/expected_gradient.hpp"

namespace scatterproof::runner::compare {

/// What an element, or a cell with a choice, is.
enum class GradientClass : std::uint8_t {
  colliding,       ///< values are assigned to one cell
  tie,             ///< contributions tie for the extreme
  tie_with_start,  ///< the start value is among those that tie
  overwritten,     ///< the start of a cell that is assigned to
  left_out,        ///< a start that does not count, where something is written
  unreached,       ///< the start of a cell to which nothing is written
  nowhere,         ///< a value that lands in no cell: it is dropped, or lies beyond the index
  several,         ///< a value that lands in several cells, as one that is read more than once
  zero,            ///< a factor that is zero, or that meets one
  mean,            ///< a value of a mean
  plain            ///< any other value that lands in one cell
};
inline constexpr std::size_t gradient_classes_count = 11;

struct GradientBehaviour {
  GradientClass of;
  std::string_view does, letter;
  std::size_t argument;  ///< of ExpectedGradients::arguments: the one that shows it

  friend bool operator==(const GradientBehaviour&, const GradientBehaviour&) = default;
};

/// The behaviours that these answers show, each once. An argument whose gradient is refused shows `refuses`
/// for each class that it has elements of. Mixed elements, and those that are open, show nothing.
std::vector<GradientBehaviour> gradient_behaviours(const spec::Dependences& of,
                                                   const spec::ExpectedGradients& expected,
                                                   std::span<const spec::GradientAnswer> answers);

}  // namespace scatterproof::runner::compare
