// SPDX-License-Identifier: Apache-2.0
// Conditions: drawn, put into words, and asked of a call.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "drawn.hpp"

namespace scatterproof::engines {
namespace {

using spec::Layout;

constexpr std::string_view quantity_names[] = {"elements", "data elements", "axis size", "row length",
                                               "duplicates"};
constexpr std::string_view operand_names[] = {"data", "index", "updates"};
constexpr std::string_view value_names[] = {"a negative index", "NaN", "an infinity", "-0",
                                            "a number beyond 2^24"};
constexpr std::string_view previous_names[] = {"of equal sizes", "of equal sizes along another axis",
                                               "of fewer elements", "of more elements", "of another dtype"};

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
    const std::string_view how = c.layout == Layout::transposed ? "not contiguous"
                                 : c.layout == Layout::sliced   ? "at an offset"
                                 : c.layout == Layout::reversed ? "with a negative stride"
                                                                : "with a stride of 0";
    return fmt::format("{} {}", word(operand_names, c.operand), how);
  }
  std::string operator()(const ValueCondition& c) const {
    return fmt::format("{}", word(value_names, c.value));
  }
  std::string operator()(const NumberCondition& c) const {
    return bounded("calls before", c.at_least, c.modulus, c.remainder);
  }
  std::string operator()(const PreviousCondition& c) const {
    return fmt::format("after a call {}", word(previous_names, c.previous));
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
  SizeCondition condition;
  condition.of = static_cast<Quantity>(dice.below(std::size(quantity_names)));
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
  static const std::vector<Layout> layouts = {Layout::transposed, Layout::sliced, Layout::reversed,
                                              Layout::expanded};
  return {static_cast<WhichTensor>(dice.below(3)), dice.pick(layouts)};
}

bool is_laid(const Tensor& tensor, Layout layout) {
  const auto stride = [&](auto accept) {
    for (std::size_t d = 0; d < tensor.rank(); ++d)
      if (tensor.shape()[d] > 1 && accept(tensor.strides()[d])) return true;
    return false;
  };
  if (tensor.numel() < 2) return false;
  if (layout == Layout::sliced) return tensor.offset() > 0;
  if (layout == Layout::reversed) return stride([](std::int64_t s) { return s < 0; });
  if (layout == Layout::expanded) return stride([](std::int64_t s) { return s == 0; });
  return !tensor.is_contiguous();
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
  if (percent < 50) return draw_size(dice);
  if (percent < 56) return RankCondition{static_cast<std::size_t>(dice.in(1, 5))};
  if (percent < 66) return draw_dtype(dice);
  if (percent < 76) return draw_layout(dice);
  if (percent < 84) return ValueCondition{static_cast<SpecialValue>(dice.below(std::size(value_names)))};
  if (percent < 92) {
    const std::int64_t modulus = dice.in(1, 8);
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
    return updates && is_laid(*updates, condition.layout);
  }
  return is_laid(condition.operand == WhichTensor::index ? call_.index : call_.data, condition.layout);
}

bool Facts::holds(const ValueCondition& condition) { return (values() & bit(condition.value)) != 0; }

bool Facts::holds(const NumberCondition& condition) const {
  return memory_.calls >= condition.at_least && memory_.calls % condition.modulus == condition.remainder;
}

bool Facts::holds(const PreviousCondition& condition) const {
  if (!memory_.previous) return false;
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
    case Previous::other_dtype:
      break;
  }
  return before.data.dtype() != call_.data.dtype();
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
