// SPDX-License-Identifier: Apache-2.0
#include "layouts.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace scatterproof::runner::fuzz {
namespace {

using spec::Dice;
using spec::Shape;
using spec::Tensor;

/// The axes, the innermost in memory first: as in a contiguous tensor, or in any order. Half of the orders
/// leave the first axis where it is, as the layouts of a batch of images do.
std::vector<std::size_t> draw_order(std::size_t rank, Dice& dice) {
  std::vector<std::size_t> order(rank);
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  const bool in_any_order = dice.one_in(2);
  const std::size_t moved = rank > 2 && dice.one_in(2) ? rank - 1 : rank;
  for (std::size_t k = moved; k > 1; --k) {
    const auto other = static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(k)));
    if (in_any_order) std::swap(order[k - 1], order[other]);
  }
  return order;
}

}  // namespace

DrawnLayout draw_layout(std::int64_t numel, bool often, Dice& dice) {
  using spec::Layout;
  constexpr std::int64_t many = 64;
  static constexpr std::array<DrawnLayout, 8> layouts = {
      Layout::transposed, Layout::sliced,     Layout::padded, Layout::expanded,
      Layout::reversed,   Layout::transposed, std::nullopt,   std::nullopt};
  return dice.one_in(numel < many && !often ? 4 : 2) ? dice.pick(layouts) : Layout::contiguous;
}

std::optional<std::size_t> draw_flat_axis(DrawnLayout layout, std::size_t rank, Dice& dice) {
  if (rank == 0 || (layout && layout != spec::Layout::expanded)) return {};
  const auto axis = static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(rank)));
  return layout || dice.one_in(4) ? std::optional(axis) : std::nullopt;
}

Tensor mixed(const Tensor& tensor, std::optional<std::size_t> flat, Dice& dice) {
  constexpr std::array<std::int64_t, 4> strides_of_one = {0, 1, -7, 100};
  const Shape& shape = tensor.shape();
  const std::size_t rank = tensor.rank();
  const std::vector<std::size_t> order = draw_order(rank, dice);
  const std::size_t apart =
      rank > 0 ? static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(rank))) : 0;
  const std::int64_t step = dice.in(1, 3), gap = dice.in(0, 5);
  const bool turns = dice.one_in(8);
  const std::int64_t around = dice.in(0, 15);
  std::int64_t extent = 1;
  Shape strides(rank);
  for (const std::size_t axis : order) {
    const std::int64_t of_one = dice.pick(strides_of_one);
    if (shape[axis] == 1) {
      strides[axis] = of_one;
    } else if (axis != flat) {
      strides[axis] = axis == apart ? extent * step + gap : extent;
      extent = strides[axis] * std::max<std::int64_t>(shape[axis], 1);
    }
  }
  if (turns && rank > 0) strides[apart] = -strides[apart];
  return with_strides(tensor, strides, around);
}

}  // namespace scatterproof::runner::fuzz
