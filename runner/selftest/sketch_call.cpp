// SPDX-License-Identifier: Apache-2.0
// From a sketch to a call: values, layouts, and the one thing that may be wrong.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sketch.hpp"

namespace scatterproof::runner::selftest {
namespace {

using engines::LayoutTrait;
using engines::SpecialValue;
using engines::WhichTensor;
using spec::Dice;
using spec::DType;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

Scalar special(SpecialValue value, double sign) {
  switch (value) {
    case SpecialValue::nan:
      return Scalar::of_real(std::copysign(std::numeric_limits<double>::quiet_NaN(), sign));
    case SpecialValue::infinity:
      return Scalar::of_real(std::copysign(std::numeric_limits<double>::infinity(), sign));
    case SpecialValue::negative_zero:
      return Scalar::of_real(-0.0);
    default:
      return Scalar::of_int((1 << 25) + 1);
  }
}

/// The same shape and dtype, laid out like this as far as the shape allows. With a stride of 0 the values
/// along one axis become those of its first element.
Tensor laid_out(const Tensor& tensor, const std::optional<engines::LayoutCondition>& layout, Dice& dice) {
  if (!layout) return tensor;
  const Shape& shape = tensor.shape();
  const std::size_t rank = tensor.rank();
  Shape strides = spec::contiguous_strides(shape);
  std::int64_t around = 0;
  switch (layout->trait) {
    case LayoutTrait::negative_stride:
      return with_layout(tensor, spec::Layout::reversed);
    case LayoutTrait::dense_rows:
    case LayoutTrait::gaps:
      if (rank > 1) return with_layout(tensor, spec::Layout::padded);
      [[fallthrough]];
    case LayoutTrait::stepped:
      for (std::int64_t& stride : strides) stride *= 2;
      break;
    case LayoutTrait::reordered:
      return with_layout(tensor, spec::Layout::transposed);
    case LayoutTrait::not_contiguous:
      return with_layout(tensor, rank > 1 ? spec::Layout::transposed : spec::Layout::sliced);
    case LayoutTrait::zero_stride:
      if (rank > 0) strides[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(rank)))] = 0;
      return *Tensor::view(tensor.dtype(), shape, strides, 0, tensor.shared_storage());
    case LayoutTrait::at_offset:
      around = layout->offset > 0 ? layout->offset : dice.in(1, 15);
      break;
    case LayoutTrait::first_stride_dense:
      if (rank < 3) break;
      strides[rank - 2] = 1;
      strides[rank - 1] = std::max<std::int64_t>(shape[rank - 2], 1);
      break;
    case LayoutTrait::odd_stride_of_one:
      for (std::size_t d = 0; d < rank; ++d)
        if (shape[d] == 1) strides[d] = 100;
      break;
  }
  return with_strides(tensor, strides, around);
}

/// Numbers of one magnitude, and a special one.
Tensor numbers(const Sketch& sketch, const spec::Shape& shape, WhichTensor operand, Dice& dice) {
  static const std::vector<std::int64_t> magnitudes = {
      9, 9, 300, 70'000, 5'000'000'000, std::int64_t{1} << 60};
  const std::int64_t magnitude = dice.pick(magnitudes);
  const bool fractions = !spec::is_integer(sketch.dtype) && dice.one_in(2);
  const bool tiny = spec::is_float(sketch.dtype) && dice.one_in(10);
  const auto& layout = sketch.layouts[static_cast<std::size_t>(operand)];
  const auto draw = [&] {
    if (!sketch.values.empty()) return dice.pick(sketch.values);
    const std::int64_t whole = dice.in(-magnitude, magnitude);
    if (tiny)
      return Scalar::of_real(
          std::ldexp(static_cast<double>(whole), spec::float_format(sketch.dtype).min_exponent - 6));
    return fractions ? Scalar::of_real(static_cast<double>(whole) + 0.1) : Scalar::of_int(whole);
  };
  std::vector<Scalar> values(static_cast<std::size_t>(spec::numel(shape)));
  for (Scalar& value : values) value = draw();
  const bool can_hold =
      sketch.holds && (!spec::is_integer(sketch.dtype) || *sketch.holds == SpecialValue::beyond_24_bits);
  if (can_hold && *sketch.holds != SpecialValue::negative_index && !values.empty()) {
    const Scalar value = special(*sketch.holds, dice.one_in(2) ? -1 : 1);
    if (dice.one_in(4))
      std::fill(values.begin(), values.end(), value);
    else
      values[static_cast<std::size_t>(dice.below(std::ssize(values)))] = value;
  }
  return laid_out(Tensor(sketch.dtype, shape, values), layout, dice);
}

Tensor places(const Sketch& sketch, Dice& dice) {
  const auto& layout = sketch.layouts[static_cast<std::size_t>(WhichTensor::index)];
  const auto draw = [&] {
    const std::int64_t place = sketch.axis_size > 0 ? dice.below(sketch.axis_size) : 0;
    return Scalar::of_int(sketch.negative && dice.one_in(2) ? place - sketch.axis_size : place);
  };
  const Scalar one = draw();
  std::vector<Scalar> values(static_cast<std::size_t>(spec::numel(sketch.index)), one);
  if (!sketch.one_place)
    for (Scalar& value : values) value = draw();
  for (std::int64_t n = 0; n < sketch.strays && !values.empty(); ++n)
    values[static_cast<std::size_t>(dice.below(std::ssize(values)))] =
        Scalar::of_int(one.integer() > 0 || one.integer() < -1 ? one.integer() - 1 : one.integer() + 1);
  return laid_out(Tensor(sketch.index_dtype, sketch.index, values), layout, dice);
}

/// The role of an argument in the kernel entry; empty: it has none.
std::string role_of(const spec::OpSpec& op, const std::string& argument) {
  for (const auto& [role, value] : op.kernel.fields)
    if (value.argument == argument) return role;
  return {};
}

spec::Argument other_argument(const spec::ArgumentDecl& declared, Dice& dice) {
  if (!declared.choices.empty()) return dice.pick(declared.choices);
  if (declared.kind == spec::ArgumentKind::boolean) return Scalar::of_bool(dice.one_in(2));
  if (declared.fallback) return *declared.fallback;
  if (declared.optional) return spec::None{};
  return Scalar::of_int(0);
}

spec::Argument argument_of(const Sketch& sketch, const spec::ArgumentDecl& declared, Dice& dice) {
  const std::string role = role_of(*sketch.op, declared.name);
  if (role == "data") return numbers(sketch, sketch.data, WhichTensor::data, dice);
  if (role == "index") return places(sketch, dice);
  if (role == "updates" && declared.kind != spec::ArgumentKind::scalar)
    return numbers(sketch, sketch.updates, WhichTensor::updates, dice);
  if (role == "updates") return Scalar::of_int(dice.in(2, 9));
  if (role == "axis") {
    const auto rank = static_cast<std::int64_t>(sketch.data.size());
    return Scalar::of_int(dice.one_in(4) ? sketch.axis - rank : sketch.axis);
  }
  if (role == "output_size") return Scalar::of_int(sketch.axis_size);
  return other_argument(declared, dice);
}

/// Sets one value of the index, the last as often as any other, or all of them.
void spoil_index(Tensor& index, std::int64_t size, Dice& dice) {
  const std::int64_t good = size > 0 ? dice.below(size) : 0;
  const std::vector<std::int64_t> bad = {
      size,       -size - 1,         -1,           size + 1, good + (std::int64_t{1} << 32),
      good + 256, good + 256 * size, good + 65'536};
  std::vector<Scalar> values = index.values();
  if (values.empty() || !spec::is_integer(index.dtype())) return;
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  const Scalar value = Scalar::of_int(dice.pick(bad));
  if (dice.one_in(3))
    std::fill(values.begin(), values.end(), value);
  else
    values[static_cast<std::size_t>(dice.one_in(2) ? last : dice.in(0, last))] = value;
  index = Tensor(index.dtype(), index.shape(), values);
}

void resize(Tensor& tensor, Dice& dice) {
  spec::Shape shape = tensor.shape();
  if (shape.empty() || dice.one_in(3))
    shape.push_back(1);
  else
    shape[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(shape.size())))] +=
        dice.in(0, 1) * 2 - 1;
  if (spec::numel(shape) > 0) tensor = Tensor(tensor.dtype(), shape);
}

void spoil(spec::Call& call, const Sketch& sketch, Dice& dice) {
  static const std::vector<DType> other = {DType::f64, DType::i16, DType::i32, DType::u8, DType::f32};
  const std::int64_t which = dice.below(6);
  for (auto& [name, argument] : call.arguments) {
    const std::string role = role_of(*sketch.op, name);
    auto* tensor = std::get_if<Tensor>(&argument);
    if (which < 2 && role == "index" && tensor) spoil_index(*tensor, sketch.axis_size, dice);
    if (which == 2 && role == "axis") {
      const auto rank = static_cast<std::int64_t>(sketch.data.size());
      argument = Scalar::of_int(dice.one_in(2) ? rank : -rank - 1);
    }
    if (which == 3 && role == "updates" && tensor)
      *tensor = Tensor(dice.pick(other), tensor->shape(), tensor->values());
    if (which == 4 && role == "index" && tensor)
      *tensor = Tensor(dice.pick(other), tensor->shape(), tensor->values());
    if (which == 5 && (role == "index" || role == "updates") && tensor && dice.one_in(2))
      resize(*tensor, dice);
  }
}

}  // namespace

spec::Call make_call(const Sketch& sketch, Dice& dice) {
  spec::Call call;
  call.api = sketch.op->api;
  for (const spec::ArgumentDecl& declared : sketch.op->arguments)
    call.arguments.emplace_back(declared.name, argument_of(sketch, declared, dice));
  if (sketch.breaks) spoil(call, sketch, dice);
  return call;
}

}  // namespace scatterproof::runner::selftest
