// SPDX-License-Identifier: Apache-2.0
// A difference is shown by calls as small as they can be, and by all who take part in it.
#include "witness.hpp"

#include <algorithm>

#include "scatterproof/runner/compare/render.hpp"
#include "stage.hpp"

namespace scatterproof::runner::compare {
namespace {

/// Every member of a difference is on a side of it, whatever its witness was made of, and a witness is read
/// at a glance.
TEST(Witness, EveryMemberIsShownByASmallWitness) {
  const std::map<std::string, std::vector<std::string>> families = {
      {"gather_elements", {"numpy.take_along_axis", "onnx.GatherElements", "mindspore.mint.gather"}},
      {"segments",
       {"jax.ops.segment_max", "tensorflow.math.segment_max", "tensorflow.math.unsorted_segment_max"}}};
  for (const auto& [family, apis] : families) {
    Stage stage(family, apis);
    const ComparisonResult compared = compare(stage.plan);
    EXPECT_FALSE(compared.differences.empty());
    for (const Divergence& one : compared.differences) {
      EXPECT_TRUE(is_small(one.witness.said)) << one.name() << text_of(stage.comparison, one.witness);
      for (std::size_t m = 0; m < one.answers.size(); ++m) {
        const bool has_side = std::ranges::any_of(one.sides, [&](const Divergence::Side& side) {
          return std::ranges::find(side.members, m) != side.members.end();
        });
        EXPECT_EQ(has_side, one.answers[m].kind != Observation::Kind::absent) << one.name() << apis[m];
      }
    }
  }
}

TEST(Witness, NoMemberIsLostWhereAWitnessShrinks) {
  Stage stage("gather_elements", {"onnx.GatherElements", "onnx.GatherElements", "onnx.GatherElements"});
  Refusing negative([](const spec::Call& call) {
    const auto values = tensor_of(call, "indices").values();
    return std::ranges::any_of(values, [](const spec::Scalar& value) { return value.integer() < 0; });
  });
  Refusing small([](const spec::Call& call) { return tensor_of(call, "data").numel() < 3; });
  stage.plan.members[1].engine = &negative;
  stage.plan.members[2].engine = &small;
  const std::vector<Input> inputs = {classified(
      stage.comparison,
      said(stage.comparison,
           {{"data", i64({5}, {5, 6, 7, 8, 9})}, {"axis", number(0)}, {"index", i64({2}, {-2, 1})}}))};
  const auto answers = ask({.comparison = stage.comparison, .members = stage.plan.members}, inputs);
  std::vector<Cell> cells;
  for (std::size_t m = 0; m < 3; ++m)
    cells.push_back(cell_of(stage.plan, inputs, answers, std::vector<std::size_t>{0}, m));
  const Group all = {0, 1, 2};
  const Divergence whole = divergence(stage.plan, all, cells, inputs.front(), answers.front());
  // What the third member does with fewer elements is not in its cell, whether it has to keep to its side or
  // not.
  for (const Group& keep : {all, Group{0, 1}}) {
    const Divergence found = smaller(stage.plan, all, cells, whole, keep);
    EXPECT_EQ(found.sides, whole.sides) << text_of(stage.comparison, found.witness);
    EXPECT_EQ(elements_of(found.witness.said), 4) << text_of(stage.comparison, found.witness);
  }
}

/// What a member did once and never again is not a letter like others, and a call that shows it cannot be
/// made smaller.
TEST(Witness, WhatIsSeenOnceIsMarked) {
  Stage stage("gather_elements", {"onnx.GatherElements", "onnx.GatherElements"});
  int asked = 0;
  Refusing once([&](const spec::Call&) { return ++asked == 1; });
  stage.plan.members[1].engine = &once;
  const ComparisonResult compared = compare(stage.plan);
  ASSERT_EQ(compared.differences.size(), 1U) << names(compared);
  EXPECT_FALSE(compared.differences.front().repeated);
  EXPECT_FALSE(compared.differences.front().minimal);
  for (const ClassRow& row : compared.rows)
    for (const Behaviour& one : row.cells[1].does)
      EXPECT_EQ(one.repeated,
                std::ranges::find(row.cells[0].does, one.name, &Behaviour::name) != row.cells[0].does.end())
          << name_of(stage.comparison, row.classes) << one.name;
  EXPECT_NE(as_console(stage.comparison, compared).find("R~"), std::string::npos);
  EXPECT_NE(as_markdown(stage.comparison, compared).find("asked again, a member did something else"),
            std::string::npos);
}

}  // namespace
}  // namespace scatterproof::runner::compare
