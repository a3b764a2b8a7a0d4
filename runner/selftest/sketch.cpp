// SPDX-License-Identifier: Apache-2.0
// The sizes of a sketch: small, except for what a condition asks.
#include "sketch.hpp"

#include <algorithm>

namespace scatterproof::runner::selftest {
namespace {

using engines::LayoutTrait;
using engines::Quantity;
using engines::WhichTensor;
using spec::Dice;
using spec::DType;
using spec::Shape;

template <class Kind>
const Kind* if_kind(const engines::FaultCondition& condition) {
  return std::get_if<Kind>(&condition);
}

bool is_nd(const spec::OpSpec& op) { return op.kernel.op.ends_with("_nd"); }
bool is_elements(const spec::OpSpec& op) { return op.kernel.op.ends_with("_elements"); }

bool takes_axis(const spec::OpSpec& op) {
  const auto* axis = op.kernel.find("axis");
  return axis && !axis->argument.empty();
}

/// The smallest size that the condition accepts, or one a few steps beyond.
std::int64_t accepted(const engines::SizeCondition& condition, std::int64_t growth) {
  std::int64_t size = condition.at_least;
  while (!condition.holds(size)) ++size;
  return size + growth * condition.modulus;
}

/// Sets the sizes that the number of elements consists of: `size` lookups, or fewer with longer rows.
void set_elements(Sketch& sketch, std::int64_t& lookups, std::int64_t size, Dice& dice) {
  const auto rank = static_cast<std::int64_t>(sketch.data.size());
  std::int64_t other = dice.in(1, 4);
  if (is_nd(*sketch.op)) {
    if (size % sketch.width != 0) sketch.width = 1;
    lookups = size / sketch.width;
    std::fill(sketch.data.begin() + sketch.width, sketch.data.end(), 1);
    return;
  }
  if (rank < 2 || size % other != 0) other = 1;
  for (std::int64_t d = 0; d < rank; ++d)
    if (d != sketch.axis) sketch.data[static_cast<std::size_t>(d)] = 1;
  if (other > 1) sketch.data[static_cast<std::size_t>((sketch.axis + 1) % rank)] = other;
  lookups = size / other;
}

void set_size(Sketch& sketch, std::int64_t& lookups, const engines::SizeCondition& condition,
              std::int64_t growth, Dice& dice) {
  const std::int64_t size = accepted(condition, growth);
  const auto axis = static_cast<std::size_t>(sketch.axis);
  switch (condition.of) {
    case Quantity::elements:
      return set_elements(sketch, lookups, size, dice);
    case Quantity::duplicates:
      sketch.one_place = true;
      if (is_elements(*sketch.op)) std::fill(sketch.data.begin(), sketch.data.end(), 1);
      sketch.data[axis] = dice.in(1, 3);
      if (sketch.data[axis] > 1) sketch.strays = dice.in(0, size - 1) % 4;
      lookups = size + sketch.strays;
      return;
    case Quantity::axis:
      sketch.data[axis] = size;
      return;
    case Quantity::row:
      sketch.data.back() = size;
      return;
    case Quantity::data:
      break;
  }
  const std::int64_t other = sketch.data.size() > 1 ? dice.in(1, 4) : 1;
  std::fill(sketch.data.begin(), sketch.data.end(), 1);
  sketch.data[axis] = size % other == 0 ? size / other : size;
  if (size % other == 0 && other > 1) sketch.data[(axis + 1) % sketch.data.size()] = other;
}

/// The sizes of index and updates that belong to those of the data.
void set_dependent_sizes(Sketch& sketch, std::int64_t lookups) {
  const auto axis = static_cast<std::size_t>(sketch.axis);
  sketch.axis_size = sketch.data[axis];
  if (is_elements(*sketch.op)) {
    sketch.index = sketch.data;
    sketch.index[axis] = lookups;
    sketch.updates = sketch.index;
  } else if (is_nd(*sketch.op)) {
    const std::int64_t width = sketch.width;
    sketch.axis_size = *std::min_element(sketch.data.begin(), sketch.data.begin() + width);
    sketch.index = {lookups, width};
    sketch.updates = {lookups};
    sketch.updates.insert(sketch.updates.end(), sketch.data.begin() + width, sketch.data.end());
  } else {
    sketch.index = {lookups};
    sketch.updates = sketch.data;
    sketch.updates[axis] = lookups;
  }
}

bool overwrites_data(const spec::OpSpec& op) {
  return std::ranges::any_of(op.kernel.fields, [&](const auto& field) {
    return field.first == "data" && op.meaning.overwrites(field.second.argument);
  });
}

void set_kinds(Sketch& sketch, const engines::FaultCondition& condition, Dice& dice) {
  static const std::vector<DType> common = {DType::f32, DType::f32, DType::f64, DType::i64, DType::i32};
  sketch.dtype = dice.one_in(2) ? dice.pick(common) : dice.pick(spec::all_dtypes);
  sketch.index_dtype = dice.one_in(3) ? DType::i32 : DType::i64;
  if (const auto* wanted = if_kind<engines::DTypeCondition>(condition))
    (wanted->operand == WhichTensor::index ? sketch.index_dtype : sketch.dtype) = wanted->dtype;
  for (std::size_t operand = 0; operand < std::size(sketch.layouts); ++operand)
    if (dice.one_in(4))
      sketch.layouts[operand] = {
          .operand = static_cast<WhichTensor>(operand),
          .trait = static_cast<LayoutTrait>(dice.below(static_cast<std::int64_t>(engines::layout_traits)))};
  if (const auto* wanted = if_kind<engines::LayoutCondition>(condition))
    sketch.layouts[static_cast<std::size_t>(wanted->operand)] = *wanted;
  // No framework promises anything about a tensor that is written and overlaps itself.
  auto& of_data = sketch.layouts[static_cast<std::size_t>(WhichTensor::data)];
  if (of_data && of_data->trait == LayoutTrait::zero_stride && overwrites_data(*sketch.op)) of_data.reset();
  sketch.one_place = dice.one_in(4);
  sketch.negative = dice.one_in(3);
  if (dice.one_in(6)) sketch.holds = static_cast<engines::SpecialValue>(dice.in(1, 4));
  if (const auto* wanted = if_kind<engines::ValueCondition>(condition)) {
    sketch.holds = wanted->value;
    sketch.negative = wanted->value == engines::SpecialValue::negative_index;
  }
}

}  // namespace

Sketch draw_sketch(const spec::OpSpec& op, const engines::FaultCondition& condition, std::int64_t growth,
                   Dice& dice) {
  Sketch sketch;
  sketch.op = &op;
  set_kinds(sketch, condition, dice);
  std::size_t rank = static_cast<std::size_t>(dice.in(1, 3));
  if (const auto* wanted = if_kind<engines::RankCondition>(condition)) rank = wanted->rank;
  const auto* size = if_kind<engines::SizeCondition>(condition);
  const std::int64_t largest = size && size->at_least > 100 ? 2 : 4;  // of the other dimensions
  for (std::size_t d = 0; d < rank; ++d) sketch.data.push_back(dice.in(1, largest));
  if (takes_axis(op)) sketch.axis = dice.below(static_cast<std::int64_t>(rank));
  std::int64_t lookups = dice.in(1, 4);
  if (is_nd(op) && !(size && size->of == Quantity::duplicates))
    sketch.width = dice.in(1, static_cast<std::int64_t>(rank));
  if (size) set_size(sketch, lookups, *size, growth, dice);
  // Where the axis is wrong, only an index that is within the data along each dimension breaks no other rule.
  const bool is_free = !size || size->of == Quantity::elements || size->of == Quantity::duplicates;
  if (is_free && dice.one_in(4)) {
    std::int64_t& along = sketch.data[static_cast<std::size_t>(sketch.axis)];
    along = std::max(along, lookups);
  }
  set_dependent_sizes(sketch, lookups);
  return sketch;
}

void make_differentiable(Sketch& sketch, Dice& dice) {
  using spec::Scalar;
  static const std::vector<DType> reals = {DType::f32, DType::f64, DType::f16, DType::bf16};
  if (!spec::is_float(sketch.dtype)) sketch.dtype = dice.pick(reals);
  static const std::vector<std::vector<Scalar>> few = {
      {},
      {Scalar::of_real(1)},
      {Scalar::of_real(0), Scalar::of_real(-0.0)},
      {Scalar::of_real(1), Scalar::of_real(-1), Scalar::of_real(2), Scalar::of_real(0)}};
  sketch.values = dice.pick(few);
}

}  // namespace scatterproof::runner::selftest
