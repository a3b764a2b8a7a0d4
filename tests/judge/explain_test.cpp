// SPDX-License-Identifier: Apache-2.0
// What a mismatch says to a person, and that each vice is called by its name.
#include <gtest/gtest.h>

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
  return judgement.explanation;
}

::testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no `" << part << "` in:\n" << text;
}

TEST(Explanation, NamesCellStartContributionsWhatIsAllowedWhyAndWhatCame) {
  // assign: out[0,0] gets 1 or 4; out[1,1] 5 or 8; out[2,2] 6 or 9
  const Bag bag = scatter(Combiner::assign, targets, starts, source);
  const std::string text = explained(bag, {10, 2, 3, 40, 5, 60, 7, 80, 9});
  EXPECT_TRUE(says(text, "out[0,0] is 10, allowed is 1 or 4"));
  EXPECT_TRUE(says(text,
                   "src[0,0] = 1 and src[1,0] = 4 both land here; any one of them may win; before that the "
                   "cell held self[0,0] = 10"));
  EXPECT_TRUE(says(text, "because the formula says so (doc, formula)"));
  EXPECT_TRUE(says(text, "1 of 9 cells differs"));
}

TEST(Explanation, OfAnUntouchedCell) {
  const Bag bag = scatter(Combiner::sum, targets, starts, source);
  const std::string text = explained(bag, {15, 22, 33, 41, 63, 60, 77, 80, 105});
  EXPECT_TRUE(says(text, "out[1,0] is 41, allowed is 40\nnothing lands here: the cell keeps self[1,0] = 40"));
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
  EXPECT_TRUE(says(explained(bag, {2}), "allowed is a value within "));
}

// Vices. The right sums are 15 22 33 / 40 63 60 / 77 80 105.

struct ViceCase {
  const char* name;
  Bag bag;
  std::vector<double> values;
  const char* says;
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
  EXPECT_TRUE(says(explained(GetParam().bag, GetParam().values),
                   std::string("the whole result is what one gets when ") + GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    All, Vices,
    ::testing::Values(
        ViceCase{"start_unchanged", meaning(Combiner::assign), starts, "every write is lost"},
        ViceCase{"all_zero", meaning(Combiner::assign), std::vector<double>(9, 0),
                 "every cell is set to zero"},
        ViceCase{"transposed", transposable(), {1, 4, 7, 8, 2, 5, 6, 9, 3}, "the result is transposed"},
        ViceCase{
            "first_wins", last_wins(), {1, 2, 3, 40, 5, 60, 7, 80, 6}, "the first of colliding values wins"},
        ViceCase{"added",
                 meaning(Combiner::assign),
                 {15, 22, 33, 40, 63, 60, 77, 80, 105},
                 "values are combined by sum instead of assign"},
        ViceCase{"assigned",
                 meaning(Combiner::sum),
                 {4, 2, 3, 40, 8, 60, 7, 80, 9},
                 "values are assigned instead of combined by sum"},
        ViceCase{"assigned_for_largest",
                 meaning(Combiner::amax),
                 {1, 2, 3, 40, 5, 60, 7, 80, 6},
                 "values are assigned instead"},
        ViceCase{"start_ignored",
                 meaning(Combiner::sum),
                 {5, 2, 3, 40, 13, 60, 7, 80, 15},
                 "the start value is left out"},
        ViceCase{"start_counted",
                 start_left_out(),
                 {15, 22, 33, 40, 63, 60, 77, 80, 105},
                 "the start value is counted though it must not be"},
        ViceCase{"doubled",
                 meaning(Combiner::sum),
                 {20, 24, 36, 40, 76, 60, 84, 80, 120},
                 "every contribution is counted twice"},
        ViceCase{"divided_by_one_too_many",
                 means(),
                 {3, 2, 3, 1, 1.5, 1, 10.0 / 3, 1, 3},
                 "the mean is divided by one too many"},
        ViceCase{"divided_by_one_too_few",
                 means(),
                 {6, 6, 9, 1, 3, 1, 10, 1, 6},
                 "the mean is divided by one too few"},
        ViceCase{"written_one_off",
                 meaning(Combiner::sum),
                 {10, 25, 32, 40, 50, 73, 70, 87, 90},
                 "every write lands one cell too far along dimension 1"},
        ViceCase{"read_one_off",
                 gathered({1, 2, 3, 4}),
                 {2, 3, 4, 9},
                 "every cell holds what belongs one cell further"},
        ViceCase{"zero_filled", gathered({1}), {0}, "every cell is set to zero"},
        ViceCase{"narrowed", fractions(), {1, 8, 6, 4, 2, 9, 7, 5, 3}, "values go through f16"},
        ViceCase{"one_lost",
                 meaning(Combiner::sum),
                 {14, 22, 33, 40, 63, 60, 77, 80, 105},
                 "one of the values that land on out[0,0] is lost"},
        ViceCase{"one_doubled",
                 meaning(Combiner::sum),
                 {15, 22, 33, 40, 63, 60, 77, 80, 114},
                 "one of the values that land on out[2,2] is counted twice"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Vices, AScatterAlongTheWrongDimension) {
  // index 0 2 1 / 1 0 2 / 2 1 0 along dimension 0; along dimension 1 row i keeps i and the index names the
  // column.
  const Bag bag = scatter(Combiner::assign, {0, 2, 1, 1, 0, 2, 2, 1, 0}, starts, source);
  EXPECT_TRUE(says(explained(bag, {1, 3, 2, 5, 4, 6, 9, 8, 7}),
                   "the index is applied along dimension 1 instead of 0"));
}

TEST(Vices, AClampedIndex) {
  BagPlan plan{DType::i64, Combiner::assign, {5}, nums(DType::i64, {0, 0, 0, 0, 0}), {}};
  plan.writes = {{1, nums(DType::i64, {7})}, {3, nums(DType::i64, {9})}};
  const Bag bag = bag_of(plan);
  EXPECT_TRUE(
      says(explained(bag, {9, 7, 0, 0, 0}), "some writes land at the first position of dimension 0 instead"));
  EXPECT_TRUE(
      says(explained(bag, {0, 7, 0, 0, 9}), "some writes land at the last position of dimension 0 instead"));
}

TEST(Vices, ATransposedShape) {
  const Bag bag = bag_of({DType::i8,
                          Combiner::assign,
                          {2, 1},
                          std::nullopt,
                          {{0, nums(DType::i8, {1})}, {1, nums(DType::i8, {2})}}});
  Expectation expectation;
  expectation.what = bag;
  const auto text = [&](const std::vector<double>& values) {
    return judge(expectation, {Produced{{Tensor(DType::i8, {1, 2}, nums(DType::i8, values))}, {}}})
        .explanation;
  };
  EXPECT_TRUE(says(text({1, 2}), "the right one transposed"));
  EXPECT_FALSE(says(text({2, 1}), "transposed"));
}

TEST(Vices, NoneIsNamedWhenNoneFits) {
  EXPECT_FALSE(
      says(explained(meaning(Combiner::sum), {-1, 22, 33, 40, 63, -7, 77, 80, 104}), "what one gets when"));
}

}  // namespace
}  // namespace scatterproof::spec::testing
