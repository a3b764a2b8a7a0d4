// SPDX-License-Identifier: Apache-2.0
#include "breakage.hpp"

#include <algorithm>

#include "random_draws.hpp"

namespace scatterproof::spec::solve {

Breakage::Breakage(const CallForm& base, const RuleCheck& check) : base_(base), check_(check) {
  const Call& inside = *base_.inside;
  for (const Knob& knob : sizes_of(inside))
    if (same_rank(knob.argument))
      if (const std::int64_t step = size_at(base_.call, knob) - size_at(inside, knob); step != 0)
        sizes_.emplace_back(knob, step);
  for (std::size_t i = 0; i < inside.arguments.size(); ++i) {
    const Tensor* now = tensor_at(base_.call, i);
    if (now && now->dtype() != tensor_at(inside, i)->dtype()) dtypes_.push_back({.argument = i});
    if (!now && !same_rank(i) &&
        to_string(base_.call.arguments[i].second) != to_string(inside.arguments[i].second))
      attributes_.push_back(i);
  }
}

/// Of the base and the call inside.
bool Breakage::same_rank(std::size_t argument) const {
  const Shape* broken = shape_at(base_.call, argument);
  const Shape* inside = shape_at(*base_.inside, argument);
  return broken && inside && broken->size() == inside->size();
}

std::optional<Call> Breakage::if_meant(Call call) const {
  if (!check_.as_meant(call)) return std::nullopt;
  return call;
}

std::optional<Call> Breakage::again(const Call& inside) const {
  Call call = inside;
  for (const Knob& knob : dtypes_) set_dtype(call, knob, tensor_at(base_.call, knob.argument)->dtype());
  for (const std::size_t i : attributes_) call.arguments[i].second = base_.call.arguments[i].second;
  for (const auto& [knob, step] : sizes_) {
    const std::int64_t size = size_at(call, knob) + step;
    if (size < 0) return std::nullopt;
    set_size(call, knob, size);
  }
  return if_meant(std::move(call));
}

std::optional<Call> Breakage::anew(const Call& inside, Dice& dice) const {
  if (!dtypes_.empty() && !dice.one_in(4))
    if (auto call = of_other_dtypes(inside, dice)) return call;
  if (!sizes_.empty() && dice.one_in(2))
    if (auto call = near_miss(inside, dice)) return call;
  return again(inside);
}

/// What has a wrong dtype has any other; in every other call so has what had the same.
std::optional<Call> Breakage::of_other_dtypes(const Call& inside, Dice& dice) const {
  Call call = inside;
  const bool together = dice.one_in(2);
  for (const Knob& knob : dtypes_) {
    const DType dtype = draw_usual_dtype(dice), before = tensor_at(inside, knob.argument)->dtype();
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      if (const Tensor* other = tensor_at(inside, i);
          i == knob.argument || (together && other && other->dtype() == before))
        set_dtype(call, {.argument = i}, dtype);
  }
  return if_meant(std::move(call));
}

/// A size of 1, which could be broadcast, or as many elements in another shape.
std::optional<Call> Breakage::near_miss(const Call& inside, Dice& dice) const {
  const Knob knob = dice.pick(sizes_).first;
  Call call = inside;
  if (dice.one_in(2)) {
    set_size(call, knob, 1);
  } else {
    Shape shape = *shape_at(call, knob.argument);
    std::ranges::rotate(shape, shape.begin() + dice.below(static_cast<std::int64_t>(shape.size())));
    set_shape(call, knob.argument, std::move(shape));
  }
  return if_meant(std::move(call));
}

}  // namespace scatterproof::spec::solve
