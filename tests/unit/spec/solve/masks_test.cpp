// SPDX-License-Identifier: Apache-2.0
// Masks that replace index arrays of a call.
#include <gtest/gtest.h>

#include <set>

#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::spec {
namespace {

OpSpec selecting_spec() {
  auto loaded = load_op_spec_text("toy.yaml", R"yaml(
api: toy.select
summary: the part of x that key selects
documents: [{id: doc, title: toy, framework: torch, versions: ">=1.0", url: "https://example.org"}]
arguments:
  x: {tensor: any}
  key: {selection: arrays}
  arrays: {tensors: I, optional: true}
types:
  I: {dtypes: [i64], says: integers, from: {document: doc, section: a}, broken: open}
let: {chosen: "selected_shape(key, shape(x), arrays)"}
rules:
  - id: mask-shape
    says: masks fit
    from: {document: doc, section: a}
    require: masks_fit(key, shape(x), arrays)
    broken: {error: any, native: shape}
meaning:
  result: {shape: chosen, dtype: x}
  for: {p: chosen}
  write: "out[p] <- x[wrap(selected(p, key, shape(x), arrays), shape(x))]"
  combine: assign
)yaml");
  EXPECT_TRUE(loaded) << to_string(loaded.errors());
  return std::move(loaded).value();
}

/// Three arrays of two indices. The first two are side by side.
Call three_arrays() {
  Call call{"toy.select", {{"x", Tensor(DType::f32, {3, 4, 5, 6})}, {"key", std::string("$, $, :, $")}}};
  for (const char* name : {"arrays_0", "arrays_1", "arrays_2"})
    call.arguments.emplace_back(name, Tensor(DType::i64, {2}));
  for (const char* name : {"arrays_3", "arrays_4"}) call.arguments.emplace_back(name, None{});
  return call;
}

TEST(MaskSome, SelectsAsManyElementsAsBefore) {
  const OpSpec spec = selecting_spec();
  const auto before = result_form(spec, three_arrays());
  ASSERT_TRUE(before);
  std::set<std::string> keys;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Call call = three_arrays();
    Dice dice(seed, 0);
    ASSERT_TRUE(mask_some(spec, call, dice));
    EXPECT_EQ(fault_of_selections(spec, call), "") << to_string(call);
    for (const auto kind : rule_kinds(spec, call))
      EXPECT_EQ(kind, RuleState::Kind::obeyed) << to_string(call);
    const auto after = result_form(spec, call);
    ASSERT_TRUE(after) << to_string(call);
    EXPECT_EQ(after->shape, before->shape) << to_string(call);
    keys.insert(std::get<std::string>(*call.find("key")));
  }
  for (const char* key : {"?, $, :, $", "?, ?, :, ?", "??, :, $", "??, :, ?"})
    EXPECT_TRUE(keys.contains(key)) << key;
}

TEST(MaskSome, LeavesACallWithoutArraysAlone) {
  const OpSpec spec = selecting_spec();
  Call call = three_arrays();
  call.arguments[1].second = std::string("0, :");
  for (std::size_t i = 2; i < call.arguments.size(); ++i) call.arguments[i].second = None{};
  const std::string before = to_string(call);
  Dice dice(1, 0);
  EXPECT_FALSE(mask_some(spec, call, dice));
  EXPECT_FALSE(misshape_a_mask(spec, call, dice));
  EXPECT_EQ(to_string(call), before);
}

TEST(MisshapeAMask, BreaksTheRuleOfItsShapeAlone) {
  const OpSpec spec = selecting_spec();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Call call = three_arrays();
    Dice dice(seed, 0);
    ASSERT_TRUE(mask_some(spec, call, dice) && misshape_a_mask(spec, call, dice));
    EXPECT_EQ(fault_of_selections(spec, call), "") << to_string(call);
    const auto kinds = rule_kinds(spec, call);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      EXPECT_EQ(kinds[i] == RuleState::Kind::broken, spec.rules[i].id == "mask-shape") << to_string(call);
  }
}

}  // namespace
}  // namespace scatterproof::spec
