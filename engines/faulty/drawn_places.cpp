// SPDX-License-Identifier: Apache-2.0
// What goes wrong, and where in the life of a call. Only faults that show in nearly every call that reaches
// them: the condition decides when they strike. Faults that documents do not forbid, such as an axis taken
// modulo the rank, are left out: they show only as practice.
#include <algorithm>
#include <unordered_map>

#include "drawn.hpp"

namespace scatterproof::engines::faulty {
namespace {

struct Place {
  std::string_view name;
  std::vector<std::string_view> effects;
};

const std::vector<Place>& places() {
  static const std::vector<Place> all = {
      {"checks",
       {"index-clamped", "index-modulo", "index-skipped-when-bad", "index-size-accepted",
        "upper-bound-unchecked", "lower-bound-unchecked", "only-first-index-checked", "index-last-refused",
        "updates-dtype-converted", "index-dtype-converted", "broadcast-accepted"}},
      {"index arithmetic",
       {"index-from-one", "negative-clamped", "negative-off-by-one", "axis-from-wrong-end",
        "axis-always-first", "index-narrowed-to-8-bits", "index-narrowed-to-16-bits",
        "index-narrowed-to-32-bits", "tuple-reversed", "positions-in-16-bits"}},
      {"tiling and tails",
       {"dropped-tail", "dropped-head", "one-too-many", "last-row-dropped", "row-end-dropped",
        "only-first-row", "from-one-off", "to-one-off"}},
      {"accumulators",
       {"start-ignored",
        "start-inverted",
        "start-counted-twice",
        "mean-count-one-more",
        "mean-not-divided",
        "touched-zeroed-first",
        "f32-in-f16",
        "f64-in-f32",
        "i64-in-i32",
        "i32-in-i16",
        "i64-in-double",
        "mean-count-in-8-bits",
        "mean-count-in-16-bits",
        "mean-count-in-bf16",
        "mean-count-in-f16",
        "max-begins-at-zero",
        "min-begins-at-zero",
        "max-begins-at-lowest-finite",
        "prod-begins-at-zero",
        "nan-blind",
        "nan-forgotten",
        "negative-nan-lowest"}},
      {"collisions",
       {"order-reversed", "duplicate-counted-once", "duplicate-counted-twice", "lost-update",
        "lost-update-of-many", "neighbours-merged-only", "assign-adds", "stale-accumulator",
        "untouched-zeroed", "arrivals-counted-in-8-bits", "arrivals-counted-in-16-bits"}},
      {"layout",
       {"index-strides-ignored", "updates-strides-ignored", "data-strides-ignored", "index-offset-ignored",
        "updates-offset-ignored", "data-offset-ignored", "negative-stride-positive", "last-stride-one",
        "index-column-major", "updates-column-major", "data-column-major", "rows-taken-for-dense",
        "first-stride-taken-for-dense", "data-by-index-strides", "updates-by-index-strides",
        "updates-by-data-strides", "zero-stride-as-dense", "axis-of-one-merged", "offset-aligned-down"}},
      {"dtype",
       {"result-f64-for-f32", "result-f32-for-f16", "result-i64-for-i32", "result-u8-for-bool",
        "last-bit-lost", "through-f32", "i32-through-f32", "i64-through-f64", "infinity-clipped",
        "flush-to-zero", "zero-sign-lost"}},
      {"result",
       {"result-transposed", "result-shape-reversed", "result-flattened", "result-extra-dimension",
        "start-returned", "data-overwritten", "index-overwritten", "index-sorted-in-place",
        "updates-overwritten", "data-gaps-written", "index-gaps-written", "updates-gaps-written"}},
      {"refusal",
       {"error-swallowed", "error-gives-zeros", "error-gives-nothing", "error-crashes",
        "index-error-called-value", "shape-error-called-index", "rank-error-called-shape",
        "dtype-error-called-value"}},
      {"state across calls",
       {"stale-cell", "stale-axis", "stale-index", "stale-count", "stale-size", "stale-data", "stale-cells",
        "stale-refusal"}},
  };
  return all;
}

/// Of effects that show in few calls without a condition of their own.
std::optional<FaultCondition> needs_of(std::string_view effect) {
  const auto least = [](Quantity of, std::int64_t size) {
    return SizeCondition{.of = of, .at_least = size, .modulus = 1, .remainder = 0};
  };
  static const std::unordered_map<std::string_view, FaultCondition> needs = {
      {"mean-count-in-8-bits", least(Quantity::duplicates, 256)},
      {"mean-count-in-16-bits", least(Quantity::duplicates, 65'536)},
      {"mean-count-in-bf16", least(Quantity::duplicates, 257)},
      {"mean-count-in-f16", least(Quantity::duplicates, 2'049)},
      {"arrivals-counted-in-8-bits", least(Quantity::duplicates, 256)},
      {"arrivals-counted-in-16-bits", least(Quantity::duplicates, 65'536)},
      {"positions-in-16-bits", least(Quantity::elements, 65'537)},
      {"max-begins-at-lowest-finite", ValueCondition{SpecialValue::infinity}},
      {"nan-blind", ValueCondition{SpecialValue::nan}},
      {"nan-forgotten", ValueCondition{SpecialValue::nan}},
      {"negative-nan-lowest", ValueCondition{SpecialValue::nan}},
      {"data-gaps-written", LayoutCondition{WhichTensor::data, LayoutTrait::gaps}},
      {"index-gaps-written", LayoutCondition{WhichTensor::index, LayoutTrait::gaps}},
      {"updates-gaps-written", LayoutCondition{WhichTensor::updates, LayoutTrait::gaps}},
  };
  const auto found = needs.find(effect);
  return found == needs.end() ? std::nullopt : std::optional(found->second);
}

bool names(std::string_view effect, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return effect.find(part) != effect.npos; });
}

/// Effects that need two dimensions.
bool needs_rows(std::string_view effect) {
  return names(effect, {"row", "column-major", "transposed", "reversed", "flattened", "axis-", "tuple"});
}

/// Effects of one dtype or kind of dtypes.
bool of_dtype(const Effect& effect) {
  return effect.place == "dtype" || effect.name == "index-dtype-converted" ||
         effect.name == "dtype-error-called-value" || names(effect.name, {"-in-", "mean-", "begins-at"});
}

struct CanMeet {
  const Effect& effect;
  bool operator()(const SizeCondition& condition) const {
    // Tuples of equal numbers read the same in any order.
    return condition.of != Quantity::duplicates || !names(effect.name, {"tuple"});
  }
  bool operator()(const RankCondition& condition) const {
    return condition.rank > 1 || !needs_rows(effect.name);
  }
  bool operator()(const DTypeCondition& condition) const {
    const bool fits_anyway = condition.dtype == DType::i32 && effect.name == "index-narrowed-to-32-bits";
    return !of_dtype(effect) && !fits_anyway;
  }
  bool operator()(const LayoutCondition& condition) const {
    // Writing into elements that overlap is not promised to do anything.
    const bool writes_arguments = names(effect.name, {"overwritten", "in-place"});
    return !(writes_arguments && condition.trait == LayoutTrait::zero_stride);
  }
  bool operator()(const ValueCondition& condition) const {
    // No API here that has a mean, or leaves out the start, lets an index be negative.
    if (condition.value == SpecialValue::negative_index) return !names(effect.name, {"mean-", "begins-at"});
    return !of_dtype(effect);
  }
  bool operator()(const NumberCondition&) const { return true; }
  bool operator()(const PreviousCondition& condition) const {
    const bool is_state = effect.place == "state across calls";
    if (condition.previous == Previous::none) return !is_state;
    if (effect.name == "stale-refusal") return condition.previous == Previous::refused;
    // A call that was refused leaves no result.
    if (condition.previous == Previous::refused) return !names(effect.name, {"stale-cell", "stale-axis"});
    // A call of equal sizes has an index of equal size.
    const bool same =
        condition.previous == Previous::same_sizes || condition.previous == Previous::other_axis;
    if (effect.name == "stale-count") return condition.previous == Previous::fewer_elements;
    if (effect.name == "stale-axis") return condition.previous != Previous::same_sizes;
    if (effect.name == "stale-size") return !same;
    if (effect.name == "stale-data") return same;
    if (effect.name == "stale-cells") return condition.previous == Previous::more_elements;
    return !(effect.name == "stale-cell" && condition.previous == Previous::other_dtype);
  }
};

}  // namespace

const std::vector<Effect>& effects() {
  static const std::vector<Effect> all = [] {
    std::vector<Effect> made;
    for (const Place& place : places())
      for (const std::string_view name : place.effects)
        made.push_back({.place = place.name, .name = name, .needs = needs_of(name)});
    return made;
  }();
  return all;
}

bool can_meet(const Effect& effect, const FaultCondition& condition) {
  return std::visit(CanMeet{effect}, condition);
}

}  // namespace scatterproof::engines::faulty
