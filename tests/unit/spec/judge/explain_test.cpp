// SPDX-License-Identifier: Apache-2.0
// What a mismatch says to a person, and that each vice is called by its name.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bags.hpp"

namespace scatterproof::spec::testing {
namespace {

/// 3 x 3 of i64, src 3 x 3 scattered along dimension 0: column j of src row i lands in row target[i][j].
Bag scatter(Combiner combine, const std::vector<std::int64_t>& targets, std::vector<double> start,
            const std::vector<double>& src, DType dtype = DType::i64) {
  Bag bag;
  bag.dtype = dtype;
  bag.shape = {3, 3};
  bag.combine = combine;
  bag.start = nums(dtype, start);
  bag.start_name = "self";
  bag.origins = {{"index", {3, 3}}, {"src", {3, 3}}};
  bag.offsets = {0};
  for (std::int64_t cell = 0; cell < 9; ++cell) {
    for (std::int64_t k = 0; k < 9; ++k)
      if (targets[static_cast<std::size_t>(k)] * 3 + k % 3 == cell)
        bag.list.push_back({num(dtype, src[static_cast<std::size_t>(k)]), {1, k}, k});
    bag.offsets.push_back(static_cast<std::int64_t>(bag.list.size()));
  }
  return bag;
}

const std::vector<std::int64_t> targets = {0, 0, 0, 0, 1, 2, 2, 1, 2};
const std::vector<double> starts = {10, 20, 30, 40, 50, 60, 70, 80, 90};
const std::vector<double> source = {1, 2, 3, 4, 5, 6, 7, 8, 9};

std::string explained(const Bag& bag, const std::vector<double>& values) {
  const Judgement judgement = judged(bag, nums(bag.dtype, values));
  EXPECT_EQ(judgement.verdict, Verdict::mismatch);
  return with_causes(judgement.explanation, judgement.causes);
}

/// The diagnosis as text; it is the first cause, if it explains every cell.
std::string diagnosed(const Bag& bag, const std::vector<double>& values) {
  const Judgement judgement = judged(bag, nums(bag.dtype, values));
  EXPECT_EQ(judgement.verdict, Verdict::mismatch);
  EXPECT_EQ(judgement.causes.empty(), sentence(judgement.diagnosis).empty());
  if (!judgement.causes.empty()) {
    EXPECT_EQ(judgement.causes.front(), judgement.diagnosis);
  }
  return to_string(judgement.diagnosis);
}

::testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no `" << part << "` in:\n" << text;
}

TEST(Explanation, NamesCellStartContributionsWhatIsAllowedWhyAndWhatCame) {
  // assign: out[0,0] gets 1 or 4; out[1,1] 5 or 8; out[2,2] 6 or 9
  const Bag bag = scatter(Combiner::assign, targets, starts, source);
  const std::string text = explained(bag, {10, 2, 3, 40, 5, 60, 7, 80, 9});
  EXPECT_TRUE(says(text, "out[0,0] is 10, expected 1 or 4"));
  EXPECT_TRUE(says(text,
                   "src[0,0] = 1 and src[1,0] = 4 both land here; any of them may win; before, the cell held "
                   "self[0,0] = 10"));
  EXPECT_TRUE(says(text, "because the formula says so (doc, formula)"));
  EXPECT_TRUE(says(text, "1 of 9 cells differs"));
}

TEST(Explanation, OfAnUntouchedCell) {
  const Bag bag = scatter(Combiner::sum, targets, starts, source);
  const std::string text = explained(bag, {15, 22, 33, 41, 63, 60, 77, 80, 105});
  EXPECT_TRUE(
      says(text, "out[1,0] is 41, expected 40\nnothing lands here, so the cell keeps self[1,0] = 40"));
}

TEST(Explanation, OfACombination) {
  const Bag bag = scatter(Combiner::sum, targets, starts, source);
  const std::string text = explained(bag, {16, 22, 33, 40, 63, 60, 77, 80, 105});
  EXPECT_TRUE(says(
      text,
      "src[0,0] = 1 and src[1,0] = 4 both land here, combined by sum with the start value self[0,0] = 10"));
}

TEST(Explanation, CountsTheContributionsItDoesNotShow) {
  const Bag bag =
      one_cell(DType::i64, Combiner::sum, num(DType::i64, 0), nums(DType::i64, std::vector<double>(9, 1)));
  EXPECT_TRUE(says(explained(bag, {77}), "and 4 more all land here"));
}

TEST(Explanation, OfABoundSaysHowWideItIs) {
  const Bag bag = one_cell(DType::f32, Combiner::sum, num(DType::f32, 0.1), nums(DType::f32, {0.2, 0.7}));
  EXPECT_TRUE(says(explained(bag, {2}), "expected a value within "));
}

// Vices. The right sums are 15 22 33 / 40 63 60 / 77 80 105.

struct ViceCase {
  const char* name;
  Bag bag;
  std::vector<double> values;
  const char* diagnosis;
};
void PrintTo(const ViceCase& one, std::ostream* out) { *out << one.name; }

Bag meaning(Combiner combine) { return scatter(combine, targets, starts, source); }
Bag last_wins() {
  Bag bag = meaning(Combiner::assign);
  bag.collisions = Collisions::last;
  return bag;
}
Bag start_left_out() {
  Bag bag = meaning(Combiner::sum);
  bag.start_counts = false;
  return bag;
}
Bag gathered(const std::vector<double>& values) {
  BagPlan plan{DType::i64, Combiner::assign, {static_cast<std::int64_t>(values.size())}, std::nullopt, {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    plan.writes[static_cast<std::int64_t>(i)] = nums(DType::i64, {values[i]});
  return bag_of(plan);
}
/// Two cells of a maximum: a NaN before the last value in one, none in the other.
Bag with_nan() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return bag_of({DType::f64,
                 Combiner::amax,
                 {2},
                 nums(DType::f64, {9, 1}),
                 {{0, nums(DType::f64, {nan, 7, 4})}, {1, nums(DType::f64, {5, 2})}}});
}
Bag transposable() {
  return scatter(Combiner::assign, {0, 1, 2, 1, 2, 0, 2, 0, 1}, starts, source);  // 1 8 6 / 4 2 9 / 7 5 3
}
Bag fractions() {
  return scatter(Combiner::assign, {0, 1, 2, 1, 2, 0, 2, 0, 1}, starts, {1.0001, 2, 3, 4, 5, 6, 7, 8, 9},
                 DType::f32);
}
Bag means() {
  return scatter(Combiner::mean, targets, {0, 0, 0, 1, 0, 1, 1, 1, 0}, {3, 6, 9, 9, 3, 6, 9, 3, 6},
                 DType::f64);
}

class Vices : public ::testing::TestWithParam<ViceCase> {};

TEST_P(Vices, IsCalledByItsName) {
  EXPECT_EQ(diagnosed(GetParam().bag, GetParam().values), GetParam().diagnosis);
}

INSTANTIATE_TEST_SUITE_P(
    All, Vices,
    ::testing::Values(
        ViceCase{"start_unchanged", meaning(Combiner::assign), starts, "wrong_meaning/every_write_lost"},
        ViceCase{"all_zero", meaning(Combiner::assign), std::vector<double>(9, 0),
                 "wrong_meaning/every_cell_zero"},
        ViceCase{"transposed", transposable(), {1, 4, 7, 8, 2, 5, 6, 9, 3}, "wrong_meaning/transposed"},
        ViceCase{"first_wins", last_wins(), {1, 2, 3, 40, 5, 60, 7, 80, 6}, "wrong_meaning/first_value_wins"},
        ViceCase{"added",
                 meaning(Combiner::assign),
                 {15, 22, 33, 40, 63, 60, 77, 80, 105},
                 "wrong_meaning/other_combiner/sum_instead_of_assign"},
        ViceCase{"assigned",
                 meaning(Combiner::sum),
                 {4, 2, 3, 40, 8, 60, 7, 80, 9},
                 "wrong_meaning/values_assigned_instead_of_combined/sum"},
        ViceCase{"assigned_for_largest",
                 meaning(Combiner::amax),
                 {1, 2, 3, 40, 5, 60, 7, 80, 6},
                 "wrong_meaning/values_assigned_instead_of_combined/amax"},
        ViceCase{"one_alone",
                 scatter(Combiner::sum, {0, 0, 0, 0, 1, 2, 0, 1, 2}, starts, source),
                 {17, 22, 33, 40, 55, 60, 70, 80, 99},  // the last, the first and the last
                 "wrong_meaning/one_value_alone"},
        ViceCase{"start_ignored",
                 meaning(Combiner::sum),
                 {5, 2, 3, 40, 13, 60, 7, 80, 15},
                 "wrong_meaning/start_left_out"},
        ViceCase{"start_counted",
                 start_left_out(),
                 {15, 22, 33, 40, 63, 60, 77, 80, 105},
                 "wrong_meaning/start_counted"},
        ViceCase{"doubled",
                 meaning(Combiner::sum),
                 {20, 24, 36, 40, 76, 60, 84, 80, 120},
                 "wrong_meaning/every_value_counted_twice"},
        ViceCase{"divided_by_one_too_many",
                 means(),
                 {3, 2, 3, 1, 1.5, 1, 10.0 / 3, 1, 3},
                 "wrong_meaning/mean_of_one_too_many"},
        ViceCase{"divided_by_one_too_few",
                 means(),
                 {6, 6, 9, 1, 3, 1, 10, 1, 6},
                 "wrong_meaning/mean_of_one_too_few"},
        ViceCase{"written_one_off",
                 meaning(Combiner::sum),
                 {10, 25, 32, 40, 50, 73, 70, 87, 90},
                 "wrong_meaning/written_too_far[1]"},
        ViceCase{"written_one_early",
                 meaning(Combiner::assign),
                 {2, 3, 30, 5, 50, 60, 70, 9, 90},
                 "wrong_meaning/written_too_early[1]"},
        ViceCase{"read_one_off", gathered({1, 2, 3, 4}), {2, 3, 4, 9}, "wrong_meaning/shifted_back[0]"},
        ViceCase{"read_one_before", gathered({1, 2, 3, 4}), {9, 1, 2, 3}, "wrong_meaning/shifted_forward[0]"},
        ViceCase{"zero_filled", gathered({1}), {0}, "wrong_meaning/every_cell_zero"},
        ViceCase{"nan_forgotten", with_nan(), {7, 5}, "wrong_meaning/nan_forgotten"},
        ViceCase{"narrowed", fractions(), {1, 8, 6, 4, 2, 9, 7, 5, 3}, "wrong_meaning/narrowed/f16"},
        ViceCase{"one_lost",
                 meaning(Combiner::sum),
                 {14, 22, 33, 40, 63, 60, 77, 80, 105},
                 "wrong_meaning/one_value_lost"},
        ViceCase{"one_doubled",
                 meaning(Combiner::sum),
                 {15, 22, 33, 40, 63, 60, 77, 80, 114},
                 "wrong_meaning/one_value_counted_twice"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Vices, AScatterAlongTheWrongDimension) {
  // index 0 2 1 / 1 0 2 / 2 1 0 along dimension 0; along dimension 1 row i keeps i and the index names the
  // column.
  const Bag bag = scatter(Combiner::assign, {0, 2, 1, 1, 0, 2, 2, 1, 0}, starts, source);
  EXPECT_EQ(diagnosed(bag, {1, 3, 2, 5, 4, 6, 9, 8, 7}), "wrong_meaning/other_dimension[1,0]");
}

TEST(Vices, ATailThatIsLeftOut) {
  const Bag bag = meaning(Combiner::sum);  // of 9 values
  EXPECT_EQ(diagnosed(bag, {15, 22, 33, 40, 63, 60, 77, 80, 96}), "wrong_meaning/tail_left_out/src");
  EXPECT_EQ(diagnosed(bag, {15, 22, 33, 40, 55, 60, 70, 80, 96}), "wrong_meaning/tail_left_out/src")
      << "rows";
  EXPECT_EQ(diagnosed(bag, {15, 22, 30, 40, 63, 60, 77, 80, 90}), "wrong_meaning/tail_left_out/src")
      << "axis";
}

TEST(Vices, AClampedIndex) {
  BagPlan plan{DType::i64, Combiner::assign, {5}, nums(DType::i64, {0, 0, 0, 0, 0}), {}};
  plan.writes = {{1, nums(DType::i64, {7})}, {3, nums(DType::i64, {9})}};
  const Bag bag = bag_of(plan);
  EXPECT_EQ(diagnosed(bag, {9, 7, 0, 0, 0}), "wrong_meaning/clamped_to_first[0]");
  EXPECT_EQ(diagnosed(bag, {0, 7, 0, 0, 9}), "wrong_meaning/clamped_to_last[0]");
}

TEST(Vices, ANaNIsForgottenInALargeResultToo) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t cells = 100'000;
  BagPlan plan{DType::f64, Combiner::amax, {cells}, nums(DType::f64, std::vector<double>(cells, 9)), {}};
  plan.writes[70'000] = nums(DType::f64, {nan, 7});
  std::vector<double> result(cells, 9);
  result[70'000] = 7;
  EXPECT_EQ(diagnosed(bag_of(plan), result), "wrong_meaning/nan_forgotten");
  result[3] = 8;
  EXPECT_EQ(diagnosed(bag_of(plan), result), "cell/wrong_value");
}

constexpr double subnormal = 1e-310;

TEST(Vices, AComparisonThatTakesSubnormalsForZeroLeavesThemAsTheyWere) {
  BagPlan plan{DType::f64, Combiner::amax, {2}, nums(DType::f64, {-subnormal, 1}), {}};
  plan.writes = {{0, nums(DType::f64, {0})}, {1, nums(DType::f64, {5})}};
  EXPECT_EQ(diagnosed(bag_of(plan), {-subnormal, 5}), "wrong_meaning/flushed_to_zero");
  EXPECT_NE(diagnosed(bag_of(plan), {-2 * subnormal, 5}), "wrong_meaning/flushed_to_zero") << "of no operand";
  plan.combine = Combiner::sum;
  plan.start = nums(DType::f64, {subnormal, 1});
  plan.writes = {{0, nums(DType::f64, {1e-300})}, {1, nums(DType::f64, {5})}};
  EXPECT_NE(diagnosed(bag_of(plan), {subnormal, 6}), "wrong_meaning/flushed_to_zero") << "a sum";
}

TEST(Vices, SubnormalsFlushedToZeroAreNotAnotherCombiner) {
  BagPlan plan{DType::f64, Combiner::assign, {3}, nums(DType::f64, {1, 2, 3}), {}};
  plan.writes = {{0, nums(DType::f64, {subnormal})}, {2, nums(DType::f64, {5})}};
  EXPECT_EQ(diagnosed(bag_of(plan), {0, 2, 5}), "wrong_meaning/flushed_to_zero");
  // The bound of a product lets flushing pass: it would explain the zero as well.
  EXPECT_FALSE(says(explained(bag_of(plan), {0, 2, 5}), "instead of"));
  EXPECT_EQ(diagnosed(bag_of(plan), {0, 2, 6}), "cell/wrong_value") << "one cell is not explained";
  plan.combine = Combiner::amax;
  plan.start = nums(DType::f64, {-1, 2, 3});
  EXPECT_EQ(diagnosed(bag_of(plan), {0, 2, 5}), "wrong_meaning/flushed_to_zero");
}

TEST(Vices, AComparisonOf32Bits) {
  BagPlan plan{DType::i64, Combiner::amax, {1}, nums(DType::i64, {-5}), {}};
  plan.writes = {{0, nums(DType::i64, {4294967296.0 + 3, 7})}};
  EXPECT_EQ(diagnosed(bag_of(plan), {7}), "wrong_meaning/compared_narrowly/i32");
  plan.writes = {{0, nums(DType::i64, {4294967296.0 + 30, 7})}};
  EXPECT_NE(diagnosed(bag_of(plan), {7}), "wrong_meaning/compared_narrowly/i32");
  BagPlan floats{DType::f64, Combiner::amin, {1}, nums(DType::f64, {9}), {}};
  floats.writes = {{0, nums(DType::f64, {1 + 1e-12, 1, 2})}};
  EXPECT_EQ(diagnosed(bag_of(floats), {1 + 1e-12}), "wrong_meaning/compared_narrowly/f32");
  EXPECT_NE(diagnosed(bag_of(floats), {2}), "wrong_meaning/compared_narrowly/f32");
}

TEST(Vices, ACountThatIsTooNarrow) {
  const auto mean_of = [](DType dtype, std::size_t count, Combiner combine = Combiner::mean) {
    BagPlan plan{dtype, combine, {1}, nums(dtype, {0}), {}};
    plan.writes = {{0, Values(count, num(dtype, 1))}};
    Bag bag = bag_of(plan);
    bag.start_counts = false;
    return bag;
  };
  EXPECT_EQ(diagnosed(mean_of(DType::f32, 300), {300.0 / 44}), "wrong_meaning/counted_narrowly/8_bits");
  Bag wide = mean_of(DType::bf16, 512);
  wide.accumulate = Accumulate::wider;
  EXPECT_EQ(diagnosed(wide, {2}), "wrong_meaning/counted_narrowly/the_own_dtype");
  EXPECT_EQ(diagnosed(mean_of(DType::f32, 300), {300.0 / 43}), "cell/wrong_value");
  const Bag over_root = mean_of(DType::f32, 300, Combiner::sum_over_root);
  EXPECT_EQ(diagnosed(over_root, {300 / std::sqrt(44)}), "wrong_meaning/counted_narrowly/8_bits");
  EXPECT_EQ(diagnosed(over_root, {300.0 / 44}), "cell/wrong_value");
}

TEST(Vices, ATransposedShape) {
  const Bag bag = bag_of({DType::i8,
                          Combiner::assign,
                          {2, 1},
                          std::nullopt,
                          {{0, nums(DType::i8, {1})}, {1, nums(DType::i8, {2})}}});
  Expectation expectation;
  expectation.what = bag;
  const auto diagnosis = [&](const std::vector<double>& values) {
    return to_string(
        judge(expectation, {Produced{{Tensor(DType::i8, {1, 2}, nums(DType::i8, values))}, {}}}).diagnosis);
  };
  EXPECT_EQ(diagnosis({1, 2}), "form/transposed");
  EXPECT_EQ(diagnosis({2, 1}), "form/shape");
}

TEST(Vices, UpdatesThatLandByOtherStrides) {
  // Cells (1,0) and (1,2) of 2x3, addressed as rows of two elements.
  const Bag bag = bag_of({DType::i32,
                          Combiner::sum,
                          {2, 3},
                          nums(DType::i32, {0, 0, 0, 0, 0, 0}),
                          {{3, nums(DType::i32, {5})}, {5, nums(DType::i32, {7})}}});
  const auto by_rows_of_two = [&](const std::vector<double>& values) {
    return is_written_by(bag, Tensor(DType::i32, {2, 3}, nums(DType::i32, values)), {2, 1});
  };
  EXPECT_TRUE(by_rows_of_two({0, 0, 5, 0, 7, 0}));
  EXPECT_FALSE(by_rows_of_two({0, 0, 5, 0, 0, 7}));
  // Outside: lost. All of them: then no stride is to blame.
  EXPECT_FALSE(
      is_written_by(bag, Tensor(DType::i32, {2, 3}, nums(DType::i32, {0, 0, 0, 0, 0, 0})), {-4, -1}));
  EXPECT_TRUE(is_written_by(bag, Tensor(DType::i32, {2, 3}, nums(DType::i32, {0, 0, 0, 0, 5, 0})), {4, 1}));
}

TEST(Vices, NoneIsNamedWhenNoneFits) {
  const Bag sum = meaning(Combiner::sum);
  EXPECT_EQ(diagnosed(sum, {-1, 22, 33, 40, 63, -7, 77, 80, 104}), "cell/wrong_value");
  EXPECT_FALSE(says(explained(sum, {-1, 22, 33, 40, 63, -7, 77, 80, 104}), "likely cause"));
  EXPECT_EQ(diagnosed(sum, {15, 22, 33, -1, 63, 60, 77, -2, 105}), "cell/untouched_changed");
  // Two values are lost in one cell, so that no single one explains it.
  EXPECT_EQ(diagnosed(sum, {10, 22, 33, 40, 63, 60, 77, 80, 105}), "cell/start_kept");
}

TEST(Vices, ASecondOneThatFitsIsToldToo) {
  // One value into one cell: lost is also left at its start.
  const std::string text =
      explained(one_cell(DType::i64, Combiner::assign, num(DType::i64, 3), nums(DType::i64, {5})), {0});
  EXPECT_TRUE(says(text, "likely cause, as it explains every cell: every cell is zero"));
  const std::string two =
      explained(one_cell(DType::i64, Combiner::sum, num(DType::i64, 0), nums(DType::i64, {5})), {0});
  EXPECT_TRUE(says(two, "no write has an effect: all cells keep their start value\nor: every cell is zero"));
}

}  // namespace
}  // namespace scatterproof::spec::testing
