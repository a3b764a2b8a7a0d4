// SPDX-License-Identifier: Apache-2.0
#include "ties.hpp"

#include <algorithm>

namespace scatterproof::spec::solve {
namespace {

template <class Set>
bool stands(const Call& call, const Tie& tie, const Check& check, const Set& set) {
  Call changed = call;
  for (const Knob& knob : tie) set(changed, knob);
  return check(changed);
}

/// Leaves out of a set that can be changed what need not change with `first`.
template <class Set>
Tie smallest(const Call& call, Tie tie, const Knob& first, const Check& check, const Set& set) {
  for (std::size_t i = 0; i < tie.size();) {
    Tie less = tie;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    if (tie[i] != first && stands(call, less, check, set))
      tie = std::move(less);
    else
      ++i;
  }
  return tie;
}

/// The smallest set that was found to change with `first`; empty: none.
template <class Set>
Tie tie_of(const Call& call, const Knob& first, const std::vector<Tie>& candidates, const Check& check,
           const Set& set) {
  for (const Tie& tie : candidates)
    if (stands(call, tie, check, set)) return smallest(call, tie, first, check, set);
  return {};
}

void add(std::vector<Tie>& ties, Tie tie) {
  std::ranges::sort(tie);
  if (!tie.empty() && std::ranges::find(ties, tie) == ties.end()) ties.push_back(std::move(tie));
}

/// The first value that is stored, also where a tensor has no elements to read it by.
Scalar stored_first(const Tensor& tensor) {
  if (tensor.storage().empty()) return Scalar::of_int(0);
  return Tensor::view(tensor.dtype(), {}, {}, 0, tensor.shared_storage())->at_position(0);
}

}  // namespace

const Tensor* tensor_at(const Call& call, std::size_t argument) {
  return std::get_if<Tensor>(&call.arguments[argument].second);
}

Tensor uniform(DType dtype, Shape shape, const Scalar& value) {
  Shape strides(shape.size(), 0);
  return *Tensor::view(dtype, std::move(shape), std::move(strides), 0,
                       Tensor(dtype, {}, std::span(&value, 1)).shared_storage());
}

void set_data(const OpSpec& spec, Call& call, const Scalar& value) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (auto* tensor = std::get_if<Tensor>(&call.arguments[i].second);
        tensor && !spec.is_index(spec.arguments[i]))
      *tensor = uniform(tensor->dtype(), tensor->shape(), value);
}

const Shape* shape_at(const Call& call, std::size_t argument) {
  if (const Tensor* tensor = tensor_at(call, argument)) return &tensor->shape();
  return std::get_if<Shape>(&call.arguments[argument].second);
}

std::int64_t size_at(const Call& call, const Knob& knob) {
  return (*shape_at(call, knob.argument))[knob.dimension];
}

void set_shape(Call& call, std::size_t argument, Shape shape) {
  Argument& value = call.arguments[argument].second;
  auto* tensor = std::get_if<Tensor>(&value);
  if (!tensor) {
    value = std::move(shape);
  } else if (tensor->storage().empty()) {
    value = uniform(tensor->dtype(), std::move(shape), Scalar::of_int(0));
  } else {
    Shape strides(shape.size(), 0);
    value = *Tensor::view(tensor->dtype(), std::move(shape), std::move(strides), 0, tensor->shared_storage());
  }
}

void set_size(Call& call, const Knob& knob, std::int64_t size) {
  Shape shape = *shape_at(call, knob.argument);
  shape[knob.dimension] = size;
  set_shape(call, knob.argument, std::move(shape));
}

void set_dtype(Call& call, const Knob& knob, DType dtype) {
  auto& tensor = std::get<Tensor>(call.arguments[knob.argument].second);
  tensor = uniform(dtype, tensor.shape(), stored_first(tensor));
}

std::vector<Knob> sizes_of(const Call& call) {
  std::vector<Knob> knobs;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (const Shape* shape = shape_at(call, i))
      for (std::size_t d = 0; d < shape->size(); ++d) knobs.push_back({i, d});
  return knobs;
}

std::vector<Tie> size_ties(const Call& call, const Check& check) {
  const std::vector<Knob> knobs = sizes_of(call);
  const auto size = [&](const Knob& knob) { return size_at(call, knob); };
  std::int64_t beyond = 3;
  for (const Knob& knob : knobs) beyond = std::max(beyond, size(knob) + 3);
  std::vector<Tie> ties;
  for (const Knob& first : knobs) {
    std::vector<Tie> candidates{{first}};
    Tie alike, same_place;
    for (const Knob& other : knobs) {
      if (other != first) candidates.push_back({first, other});
      if (size(other) == size(first)) alike.push_back(other);
      if (other.dimension == first.dimension) same_place.push_back(other);
    }
    candidates.push_back(std::move(alike));
    candidates.push_back(std::move(same_place));
    candidates.push_back(knobs);
    for (const std::int64_t to : {beyond, std::int64_t{1}})
      if (size(first) != to)
        add(ties, tie_of(call, first, candidates, check,
                         [to](Call& changed, const Knob& knob) { set_size(changed, knob, to); }));
  }
  return ties;
}

std::vector<Tie> dtype_ties(const Call& call, const Check& check) {
  std::vector<Tie> ties;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Tensor* tensor = tensor_at(call, i);
    if (!tensor) continue;
    std::vector<Tie> candidates{{{.argument = i}}, {}};
    for (std::size_t k = 0; k < call.arguments.size(); ++k)
      if (const Tensor* other = tensor_at(call, k); other && other->dtype() == tensor->dtype())
        candidates.back().push_back({.argument = k});
    for (const DType to : all_dtypes)
      if (to != tensor->dtype())
        add(ties, tie_of(call, Knob{.argument = i}, candidates, check,
                         [to](Call& changed, const Knob& knob) { set_dtype(changed, knob, to); }));
  }
  return ties;
}

}  // namespace scatterproof::spec::solve
