// SPDX-License-Identifier: Apache-2.0
// Drawn faults of gradients: what goes wrong and where; and what goes wrong across calls.
#include <algorithm>
#include <unordered_map>

#include "drawn.hpp"
#include "gradient_fault.hpp"

namespace scatterproof::engines::faulty {
namespace {

/// Elements of a call whose gradients are judged, at most (runner/trial).
constexpr std::int64_t largest_judged = 4096;

bool have_one_form(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape();
}

void add(Tensor& to, const Tensor& from) {
  if (!have_one_form(to, from)) return;
  std::vector<Scalar> values = to.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = Scalar::of_real(values[i].real() + from.at_position(static_cast<std::int64_t>(i)).real());
  to = Tensor(to.dtype(), to.shape(), values);
}

constexpr GradientStateFault gradient_state_table[] = {
    {"gradient-added-to-earlier", "The gradient of the call before stays in the buffer, if it has its size.",
     [](const Memory& memory) -> GradientStages {
       return {.finish = [&memory](KernelGradients& made) {
         add(made.data, memory.gradients->data);
         add(made.updates, memory.gradients->updates);
       }};
     }},
    {"gradient-of-earlier-cotangent", "The cotangent of the call before is used, if it has the same form.",
     [](const Memory& memory) -> GradientStages {
       return {.cotangent = [&memory](Tensor& cotangent) {
         if (have_one_form(cotangent, *memory.cotangent)) cotangent = *memory.cotangent;
       }};
     }},
    {"gradient-by-earlier-index", "The index of the call before is used, if it has the same form.",
     [](const Memory& memory) -> GradientStages {
       return {.read = [&memory](Reading& reading) {
         if (have_one_form(reading.call.index, memory.previous->index))
           reading.call.index = memory.previous->index;
       }};
     }},
    {"gradient-by-earlier-values", "Updates of the call before are used, if they have the same form.",
     [](const Memory& memory) -> GradientStages {
       return {.read = [&memory](Reading& reading) {
         Tensor* updates = update_tensor(reading.call);
         const auto& before = memory.previous->updates;
         const auto* earlier = before ? std::get_if<Tensor>(&*before) : nullptr;
         if (updates && earlier && have_one_form(*updates, *earlier)) *updates = *earlier;
       }};
     }},
};

std::string_view place_of(std::string_view effect, const std::vector<GradientFault>& forward) {
  const auto begins = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) {
      return effect.substr(std::string_view("gradient-").size()).starts_with(word);
    });
  };
  if (begins({"cotangent"})) return "cotangent";
  if (std::ranges::any_of(forward, [&](const GradientFault& one) { return one.name == effect; }))
    return begins({"index-from", "negative-cl", "negative-off", "axis-from", "axis-always", "index-narrowed",
                   "tuple"})
               ? "index arithmetic"
           : begins({"dropped", "one-too", "last-row", "row-end", "only-first-row", "from-", "to-"})
               ? "tiling and tails"
               : "layout";
  if (begins({"tie", "extreme", "last-extreme"})) return "ties";
  if (begins({"product", "zero", "mean"})) return "products and means";
  const auto is_in = [&](const std::vector<GradientFault>& part) {
    return std::ranges::any_of(part, [&](const GradientFault& one) { return one.name == effect; });
  };
  if (is_in(weight_faults())) return "starts and duplicates";
  return is_in(sum_faults()) ? "sums" : "answer";
}

std::optional<FaultCondition> gradient_needs_of(std::string_view effect) {
  const auto least = [](Quantity of, std::int64_t size) {
    return SizeCondition{.of = of, .at_least = size, .modulus = 1, .remainder = 0};
  };
  static const std::unordered_map<std::string_view, FaultCondition> needs = {
      {"gradient-mean-count-in-8-bits", least(Quantity::duplicates, 256)},
      {"gradient-mean-count-in-bf16", least(Quantity::duplicates, 257)},
      {"gradient-mean-count-in-f16", least(Quantity::duplicates, 2'049)},
      {"gradient-tie-counted-in-8-bits", least(Quantity::duplicates, 256)},
      {"gradient-tie-counted-in-bf16", least(Quantity::duplicates, 257)},
      {"gradient-tie-counted-in-f16", least(Quantity::duplicates, 2'049)},
      {"gradient-elements-in-8-bits", least(Quantity::elements, 257)},
      {"gradient-shares-beyond-block-lost", least(Quantity::elements, 65)},
      {"gradient-tie-of-zeros-by-sign", ValueCondition{SpecialValue::negative_zero}},
  };
  const auto found = needs.find(effect);
  return found == needs.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

const std::vector<Effect>& gradient_effects() {
  static const std::vector<Effect> all = [] {
    std::vector<Effect> made;
    const std::vector<GradientFault> forward = repeated_faults();
    for (const GradientFault& fault : gradient_faults())
      made.push_back({.place = place_of(fault.name, forward),
                      .name = fault.name,
                      .needs = gradient_needs_of(fault.name)});
    for (const GradientStateFault& fault : gradient_state_table)
      made.push_back({.place = "state across calls", .name = fault.name});
    std::ranges::stable_sort(made, {}, &Effect::place);
    return made;
  }();
  return all;
}

bool gradient_can_meet(const Effect& effect, const FaultCondition& condition) {
  if (const auto* size = std::get_if<SizeCondition>(&condition); size && size->at_least > largest_judged)
    return false;
  if (const auto* dtype = std::get_if<DTypeCondition>(&condition);
      dtype && dtype->operand == WhichTensor::data && !spec::is_float(dtype->dtype))
    return false;
  if (const auto* value = std::get_if<ValueCondition>(&condition))
    if (value->value == SpecialValue::nan || value->value == SpecialValue::infinity)
      return effect.place != "products and means" && effect.place != "ties";
  if (const auto* before = std::get_if<PreviousCondition>(&condition))
    if (before->previous == Previous::refused) return false;
  return can_meet(effect, condition);
}

const GradientStateFault* find_gradient_state_fault(std::string_view name) {
  for (const GradientStateFault& fault : gradient_state_table)
    if (fault.name == name) return &fault;
  return nullptr;
}

}  // namespace scatterproof::engines::faulty
