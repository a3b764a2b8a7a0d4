// SPDX-License-Identifier: Apache-2.0
// Conditions: drawn, put into words, and asked of a call.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "drawn.hpp"

namespace scatterproof::engines {
namespace {

constexpr std::string_view quantity_names[] = {"elements", "data elements", "axis size", "row length",
                                               "duplicates"};
constexpr std::string_view operand_names[] = {"data", "index", "updates"};
constexpr std::string_view value_names[] = {"a negative index", "NaN", "an infinity", "-0",
                                            "a number beyond 2^24"};
constexpr std::string_view trait_names[] = {"not contiguous",
                                            "at an offset",
                                            "with a negative stride",
                                            "with a stride of 0",
                                            "with gaps between dense rows",
                                            "with axes in another order",
                                            "with a step along the last axis",
                                            "with a dense first stride alone",
                                            "with an odd stride of an axis of one element",
                                            "with gaps"};
static_assert(std::size(trait_names) == layout_traits);
constexpr std::string_view previous_names[] = {"after a call of equal sizes",
                                               "after a call of equal sizes along another axis",
                                               "after a call of fewer elements",
                                               "after a call of more elements",
                                               "after a call of another dtype",
                                               "after a call that was refused",
                                               "in the first call"};

template <class Enum, std::size_t count>
std::string_view word(const std::string_view (&words)[count], Enum value) {
  return words[static_cast<std::size_t>(value)];
}

std::string bounded(std::string_view name, std::int64_t at_least, std::int64_t modulus,
                    std::int64_t remainder) {
  const std::string bound = fmt::format("{} >= {}", name, at_least);
  return modulus == 1 ? bound : fmt::format("{} and {} % {} == {}", bound, name, modulus, remainder);
}

struct Words {
  std::string operator()(const SizeCondition& c) const {
    return bounded(word(quantity_names, c.of), c.at_least, c.modulus, c.remainder);
  }
  std::string operator()(const RankCondition& c) const { return fmt::format("rank {}", c.rank); }
  std::string operator()(const DTypeCondition& c) const {
    return fmt::format("{} of {}", word(operand_names, c.operand), spec::name(c.dtype));
  }
  std::string operator()(const LayoutCondition& c) const {
    const std::string offset = c.offset > 0 ? fmt::format(" % 16 == {}", c.offset) : "";
    return fmt::format("{} {}{}", word(operand_names, c.operand), word(trait_names, c.trait), offset);
  }
  std::string operator()(const ValueCondition& c) const {
    return fmt::format("{}", word(value_names, c.value));
  }
  std::string operator()(const NumberCondition& c) const {
    return bounded("calls before", c.at_least, c.modulus, c.remainder);
  }
  std::string operator()(const PreviousCondition& c) const {
    return std::string(word(previous_names, c.previous));
  }
};

struct Kinds {
  std::string operator()(const SizeCondition& c) const { return std::string(word(quantity_names, c.of)); }
  std::string operator()(const RankCondition&) const { return "rank"; }
  std::string operator()(const DTypeCondition&) const { return "dtype"; }
  std::string operator()(const LayoutCondition&) const { return "layout"; }
  std::string operator()(const ValueCondition&) const { return "value"; }
  std::string operator()(const NumberCondition&) const { return "call's number"; }
  std::string operator()(const PreviousCondition&) const { return "previous call"; }
};

}  // namespace

std::string to_string(const FaultCondition& condition) { return std::visit(Words{}, condition); }
std::string kind_of(const FaultCondition& condition) { return std::visit(Kinds{}, condition); }

namespace faulty {
namespace {

/// As likely between 2 and 4 as between 1,000 and 2,000.
std::int64_t log_uniform(spec::Dice& dice, std::int64_t low, std::int64_t high) {
  const double exponent =
      spec::unit(dice.bits()) * std::log(static_cast<double>(high) / static_cast<double>(low));
  return std::min(high, static_cast<std::int64_t>(static_cast<double>(low) * std::exp(exponent)));
}

SizeCondition draw_size(spec::Dice& dice) {
  static const std::vector<std::int64_t> moduli = {1, 1, 1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 128};
  // The least numbers that do not fit in i8, u8, bf16, f16, i16 and u16.
  static const std::vector<std::int64_t> beyond_narrow_types = {128, 256, 257, 2049, 32'768, 65'536};
  SizeCondition condition;
  condition.of = static_cast<Quantity>(dice.below(std::size(quantity_names)));
  if (dice.one_in(10)) {
    condition.at_least = dice.pick(beyond_narrow_types);
    return condition;
  }
  condition.at_least = log_uniform(dice, 2, 5000);
  condition.modulus = dice.pick(moduli);
  condition.remainder = dice.below(condition.modulus);
  return condition;
}

DTypeCondition draw_dtype(spec::Dice& dice) {
  if (dice.one_in(4)) return {WhichTensor::index, dice.one_in(2) ? DType::i32 : DType::i64};
  return {WhichTensor::data, dice.pick(spec::all_dtypes)};
}

LayoutCondition draw_layout(spec::Dice& dice) {
  LayoutCondition condition{static_cast<WhichTensor>(dice.below(3)),
                            static_cast<LayoutTrait>(dice.below(layout_traits))};
  if (condition.trait == LayoutTrait::at_offset && dice.one_in(2)) condition.offset = dice.in(1, 15);
  return condition;
}

/// The axes of more than one element: of the others no stride matters.
struct WalkedAxes {
  explicit WalkedAxes(const Tensor& tensor) {
    for (std::size_t d = 0; d < tensor.rank(); ++d) {
      if (tensor.shape()[d] < 2) continue;
      const std::int64_t stride = tensor.strides()[d];
      least = std::min(least, stride);
      any_zero = any_zero || stride == 0;
      in_order = in_order && (last == 0 || stride < last);
      extent += std::abs(stride) * (tensor.shape()[d] - 1);
      last = stride;
    }
    in_order = in_order && least > 0;
  }
  std::int64_t least = std::numeric_limits<std::int64_t>::max();  ///< stride
  std::int64_t last = 0;                                          ///< stride
  std::int64_t extent = 1;  ///< places from the first element in memory to the last
  bool any_zero = false;    ///< stride
  bool in_order = true;     ///< strides are positive and fall from axis to axis
};

bool has_odd_stride_of_one(const Tensor& tensor) {
  const Shape dense = spec::contiguous_strides(tensor.shape());
  for (std::size_t d = 0; d < dense.size(); ++d)
    if (tensor.shape()[d] == 1 && tensor.strides()[d] != dense[d]) return true;
  return false;
}

bool is_laid(const Tensor& tensor, const LayoutCondition& condition) {
  if (tensor.numel() < 2) return false;
  const WalkedAxes axes(tensor);
  switch (condition.trait) {
    case LayoutTrait::not_contiguous:
      return !tensor.is_contiguous();
    case LayoutTrait::at_offset:
      return condition.offset == 0 ? tensor.offset() > 0 : tensor.offset() % 16 == condition.offset;
    case LayoutTrait::negative_stride:
      return axes.least < 0;
    case LayoutTrait::zero_stride:
      return axes.any_zero;
    case LayoutTrait::dense_rows:
      return axes.in_order && axes.last == 1 && !tensor.is_contiguous();
    case LayoutTrait::reordered:
      return axes.least > 0 && !axes.in_order;
    case LayoutTrait::stepped:
      return axes.in_order && axes.last > 1;
    case LayoutTrait::first_stride_dense:
      return tensor.shape().front() > 1 && !tensor.is_contiguous() &&
             tensor.strides().front() == spec::contiguous_strides(tensor.shape()).front();
    case LayoutTrait::odd_stride_of_one:
      return has_odd_stride_of_one(tensor);
    case LayoutTrait::gaps:
      break;
  }
  return axes.extent > tensor.numel();
}

constexpr unsigned bit(SpecialValue value) { return 1u << static_cast<unsigned>(value); }

unsigned values_of(const Tensor& tensor) {
  unsigned found = 0;
  for (const Scalar& value : tensor.values()) {
    const double real = value.real();
    if (std::isnan(real)) found |= bit(SpecialValue::nan);
    if (std::isinf(real)) found |= bit(SpecialValue::infinity);
    if (real == 0 && std::signbit(real)) found |= bit(SpecialValue::negative_zero);
    if (std::isfinite(real) && std::fabs(real) > 0x1p24) found |= bit(SpecialValue::beyond_24_bits);
  }
  return found;
}

const Tensor* updates_of(const KernelCall& call) {
  return call.updates ? std::get_if<Tensor>(&*call.updates) : nullptr;
}

std::int64_t elements_of(const KernelCall& call) {
  const Tensor* updates = updates_of(call);
  return std::max(call.index.numel(), updates ? updates->numel() : 0);
}

std::int64_t most_frequent(const Tensor& index) {
  if (!spec::is_integer(index.dtype())) return 0;
  std::unordered_map<std::int64_t, std::int64_t> counts;
  std::int64_t most = 0;
  for (const Scalar& value : index.values()) most = std::max(most, ++counts[value.integer()]);
  return most;
}

}  // namespace

FaultCondition draw_condition(spec::Dice& dice) {
  const std::int64_t percent = dice.below(100);
  if (percent < 44) return draw_size(dice);
  if (percent < 49) return RankCondition{static_cast<std::size_t>(dice.in(1, 5))};
  if (percent < 58) return draw_dtype(dice);
  if (percent < 73) return draw_layout(dice);
  if (percent < 81) return ValueCondition{static_cast<SpecialValue>(dice.below(std::size(value_names)))};
  if (percent < 88) {
    const std::int64_t modulus = dice.one_in(4) ? log_uniform(dice, 9, 100) : dice.in(1, 8);
    return NumberCondition{log_uniform(dice, 1, 200), modulus, dice.below(modulus)};
  }
  return PreviousCondition{static_cast<Previous>(dice.below(std::size(previous_names)))};
}

bool Facts::hold(const FaultCondition& condition) {
  return std::visit([&](const auto& one) { return holds(one); }, condition);
}

bool Facts::holds(const SizeCondition& condition) { return condition.holds(size(condition.of)); }

bool Facts::holds(const RankCondition& condition) const { return call_.data.rank() == condition.rank; }

bool Facts::holds(const DTypeCondition& condition) const {
  return (condition.operand == WhichTensor::index ? call_.index : call_.data).dtype() == condition.dtype;
}

bool Facts::holds(const LayoutCondition& condition) const {
  if (condition.operand == WhichTensor::updates) {
    const Tensor* updates = updates_of(call_);
    return updates && is_laid(*updates, condition);
  }
  return is_laid(condition.operand == WhichTensor::index ? call_.index : call_.data, condition);
}

bool Facts::holds(const ValueCondition& condition) { return (values() & bit(condition.value)) != 0; }

bool Facts::holds(const NumberCondition& condition) const {
  return memory_.calls >= condition.at_least && memory_.calls % condition.modulus == condition.remainder;
}

bool Facts::holds(const PreviousCondition& condition) const {
  if (condition.previous == Previous::none || !memory_.previous)
    return condition.previous == Previous::none && !memory_.previous;
  const KernelCall& before = *memory_.previous;
  const bool same = before.data.shape() == call_.data.shape() && before.index.shape() == call_.index.shape();
  switch (condition.previous) {
    case Previous::same_sizes:
      return same;
    case Previous::other_axis:
      return same && before.axis != call_.axis;
    case Previous::fewer_elements:
      return elements_of(before) < elements_of(call_);
    case Previous::more_elements:
      return elements_of(before) > elements_of(call_);
    case Previous::refused:
      return memory_.refused;
    default:
      return before.data.dtype() != call_.data.dtype();
  }
}

std::int64_t Facts::size(Quantity of) {
  switch (of) {
    case Quantity::elements:
      return elements_of(call_);
    case Quantity::data:
      return call_.data.numel();
    case Quantity::axis:
      return axis_size(call_);
    case Quantity::row:
      return call_.data.rank() == 0 ? 0 : call_.data.shape().back();
    case Quantity::duplicates:
      break;
  }
  if (!duplicates_) duplicates_ = most_frequent(call_.index);
  return *duplicates_;
}

unsigned Facts::values() {
  if (values_) return *values_;
  values_ = values_of(call_.data);
  if (const Tensor* updates = updates_of(call_)) *values_ |= values_of(*updates);
  if (spec::is_integer(call_.index.dtype()))
    for (const Scalar& value : call_.index.values())
      if (value.integer() < 0) *values_ |= bit(SpecialValue::negative_index);
  return *values_;
}

}  // namespace faulty
}  // namespace scatterproof::engines
