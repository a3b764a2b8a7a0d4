// SPDX-License-Identifier: Apache-2.0
// What goes wrong, and where in the life of a call. Only faults that show in nearly every call that reaches
// them: the condition decides when they strike. Faults that documents do not forbid, such as an axis taken
// modulo the rank, are left out: they show only as practice.
#include <algorithm>

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
        "axis-always-first", "index-narrowed-to-8-bits", "index-narrowed-to-32-bits", "tuple-reversed"}},
      {"tiling and tails",
       {"dropped-tail", "dropped-head", "one-too-many", "last-row-dropped", "row-end-dropped",
        "only-first-row", "from-one-off", "to-one-off"}},
      {"accumulators",
       {"start-ignored", "start-inverted", "start-counted-twice", "mean-count-one-more", "mean-not-divided",
        "touched-zeroed-first", "f32-in-f16", "f64-in-f32", "i64-in-i32", "i32-in-i16", "i64-in-double"}},
      {"collisions",
       {"order-reversed", "duplicate-counted-once", "duplicate-counted-twice", "lost-update",
        "lost-update-of-many", "neighbours-merged-only", "assign-adds", "stale-accumulator",
        "untouched-zeroed"}},
      {"layout",
       {"index-strides-ignored", "updates-strides-ignored", "data-strides-ignored", "index-offset-ignored",
        "updates-offset-ignored", "data-offset-ignored", "negative-stride-positive", "last-stride-one",
        "index-column-major", "updates-column-major", "data-column-major"}},
      {"dtype",
       {"result-f64-for-f32", "result-f32-for-f16", "result-i64-for-i32", "result-u8-for-bool",
        "last-bit-lost", "through-f32", "infinity-clipped", "flush-to-zero", "zero-sign-lost"}},
      {"result",
       {"result-transposed", "result-shape-reversed", "result-flattened", "result-extra-dimension",
        "start-returned", "data-overwritten", "index-overwritten", "index-sorted-in-place",
        "updates-overwritten"}},
      {"refusal",
       {"error-swallowed", "error-gives-zeros", "error-gives-nothing", "error-crashes",
        "index-error-called-value", "shape-error-called-index", "rank-error-called-shape",
        "dtype-error-called-value"}},
      {"state across calls",
       {"stale-cell", "stale-axis", "stale-index", "stale-count", "stale-size", "stale-data"}},
  };
  return all;
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
         effect.name == "dtype-error-called-value" || names(effect.name, {"-in-", "mean-"});
}

struct CanMeet {
  const Effect& effect;
  bool operator()(const SizeCondition&) const { return true; }
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
    return !(writes_arguments && condition.layout == spec::Layout::expanded);
  }
  bool operator()(const ValueCondition& condition) const {
    // No API here that has a mean lets an index be negative.
    if (condition.value == SpecialValue::negative_index) return !names(effect.name, {"mean-"});
    return !of_dtype(effect);
  }
  bool operator()(const NumberCondition&) const { return true; }
  bool operator()(const PreviousCondition& condition) const {
    // A call of equal sizes has an index of equal size.
    const bool same =
        condition.previous == Previous::same_sizes || condition.previous == Previous::other_axis;
    if (effect.name == "stale-count") return condition.previous == Previous::fewer_elements;
    if (effect.name == "stale-axis") return condition.previous != Previous::same_sizes;
    if (effect.name == "stale-size") return !same;
    if (effect.name == "stale-data") return same;
    return !(effect.name == "stale-cell" && condition.previous == Previous::other_dtype);
  }
};

}  // namespace

const std::vector<Effect>& effects() {
  static const std::vector<Effect> all = [] {
    std::vector<Effect> made;
    for (const Place& place : places())
      for (const std::string_view name : place.effects) made.push_back({.place = place.name, .name = name});
    return made;
  }();
  return all;
}

bool can_meet(const Effect& effect, const FaultCondition& condition) {
  return std::visit(CanMeet{effect}, condition);
}

}  // namespace scatterproof::engines::faulty
