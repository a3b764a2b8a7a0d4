// SPDX-License-Identifier: Apache-2.0
// Exact values read off bags, against values worked out by hand.
#include "scatterproof/spec/judge/resolve.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tensors.hpp"

namespace scatterproof::spec::testing {
namespace {

using ::testing::HasSubstr;

/// One cell with a start and contributions.
Bag one_cell(DType dtype, Combiner combine, const std::vector<Scalar>& values,
             std::optional<Scalar> start = {}) {
  Bag bag;
  bag.dtype = dtype;
  bag.shape = {1};
  bag.combine = combine;
  bag.start_counts = start.has_value();
  if (start) bag.start = {*start};
  bag.offsets = {0, static_cast<std::int64_t>(values.size())};
  for (const Scalar& value : values) bag.list.push_back({value, {}, 0});
  return bag;
}

Scalar integer(std::int64_t value) { return Scalar::of_int(value); }
Scalar real(double value) { return Scalar::of_real(value); }

std::string values_of(const Bag& bag) {
  std::string text;
  for (const Scalar& value : allowed_values(bag, 0))
    text += (text.empty() ? "" : " ") + to_string(value, bag.dtype);
  return text;
}

TEST(Resolve, AssignsAnyLastOrNothing) {
  Bag bag = one_cell(DType::i64, Combiner::assign, {integer(7), integer(9), integer(7)}, integer(1));
  bag.collisions = Collisions::any;
  EXPECT_EQ(values_of(bag), "7 9");
  bag.collisions = Collisions::last;
  EXPECT_EQ(values_of(bag), "7");
  bag.collisions = Collisions::forbidden;
  EXPECT_EQ(values_of(bag), "");
  bag.list.pop_back();
  bag.list.pop_back();
  bag.offsets = {0, 1};
  EXPECT_EQ(values_of(bag), "7") << "one write is no collision";
}

TEST(Resolve, UntouchedCellsKeepTheirStart) {
  Bag bag = one_cell(DType::i64, Combiner::sum, {}, integer(5));
  bag.start_counts = false;
  EXPECT_EQ(values_of(bag), "5");
}

TEST(Resolve, WrapsIntegers) {
  EXPECT_EQ(values_of(one_cell(DType::i8, Combiner::sum, {integer(100)}, integer(100))), "-56");
  EXPECT_EQ(values_of(one_cell(DType::u8, Combiner::prod, {integer(20)}, integer(20))), "144");
  const auto top = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(values_of(one_cell(DType::i64, Combiner::sum, {integer(1)}, integer(top))),
            "-9223372036854775808");
}

TEST(Resolve, BooleansAddAsOrAndMultiplyAsAnd) {
  const Scalar yes = Scalar::of_bool(true);
  const Scalar no = Scalar::of_bool(false);
  EXPECT_EQ(values_of(one_cell(DType::boolean, Combiner::sum, {yes}, yes)), "true");
  EXPECT_EQ(values_of(one_cell(DType::boolean, Combiner::sum, {no}, no)), "false");
  EXPECT_EQ(values_of(one_cell(DType::boolean, Combiner::prod, {yes}, no)), "false");
  EXPECT_EQ(values_of(one_cell(DType::boolean, Combiner::amax, {yes}, no)), "true");
}

TEST(Resolve, MeansOfIntegersRoundAsTheSpecSays) {
  Bag bag = one_cell(DType::i32, Combiner::mean, {integer(-1), integer(-2)});
  bag.integer_mean = IntegerMean::floor;
  EXPECT_EQ(values_of(bag), "-2");
  bag.integer_mean = IntegerMean::truncate;
  EXPECT_EQ(values_of(bag), "-1");
  bag.integer_mean = IntegerMean::open;
  EXPECT_EQ(values_of(bag), "-2 -1");
  EXPECT_EQ(values_of(one_cell(DType::f64, Combiner::mean, {real(1), real(2)}, real(6))), "3.0");
}

TEST(Resolve, SumsOverTheRootOfTheirCount) {
  EXPECT_EQ(values_of(one_cell(DType::f64, Combiner::sum_over_root, {real(1), real(2), real(3)}, real(6))),
            "6.0");
  Bag bag = one_cell(DType::f64, Combiner::sum_over_root, {real(1), real(1)}, real(6));
  bag.start_counts = false;
  EXPECT_EQ(values_of(bag), "1.414213562373095");
  EXPECT_EQ(values_of(one_cell(DType::i32, Combiner::sum_over_root, {integer(1)}, integer(7))), "");
}

TEST(Resolve, CombinesBits) {
  EXPECT_EQ(values_of(one_cell(DType::i8, Combiner::bit_xor, {integer(5), integer(1)}, integer(-1))), "-5");
  EXPECT_EQ(values_of(one_cell(DType::u8, Combiner::bit_and, {integer(6)}, integer(12))), "4");
  EXPECT_EQ(values_of(one_cell(DType::u8, Combiner::bit_or, {integer(6)}, integer(12))), "14");
  EXPECT_EQ(values_of(one_cell(DType::f32, Combiner::bit_or, {real(6)}, real(12))), "");
}

TEST(Resolve, DividesTheStartByEachValue) {
  EXPECT_EQ(values_of(one_cell(DType::f64, Combiner::quotient, {real(4), real(-2)}, real(12))), "-1.5");
  Bag bag = one_cell(DType::f64, Combiner::quotient, {real(4)}, real(12));
  bag.start_counts = false;
  EXPECT_EQ(values_of(bag), "0.25");
}

TEST(Resolve, DividesIntegersWhereNoDivisionLeavesARemainder) {
  const auto quotient = [](std::vector<Scalar> divisors, Scalar start) {
    return values_of(one_cell(DType::i8, Combiner::quotient, divisors, start));
  };
  EXPECT_EQ(quotient({integer(4), integer(-3)}, integer(-24)), "2");
  EXPECT_EQ(quotient({integer(4), integer(3)}, integer(20)), "") << "how 5 is divided by 3, no document says";
  EXPECT_EQ(quotient({integer(0)}, integer(0)), "");
  EXPECT_EQ(quotient({integer(2)}, integer(-128)), "-64");
  EXPECT_EQ(quotient({integer(2), integer(-1)}, integer(-128)), "") << "-128 divided by -1 first is no i8";
}

TEST(Resolve, MaximaFollowTheNanPolicy) {
  const double nan = std::nan("");
  Bag bag = one_cell(DType::f32, Combiner::amax, {real(nan), real(2)}, real(1));
  bag.nan = NanPolicy::propagate;
  EXPECT_EQ(values_of(bag), "nan");
  bag.nan = NanPolicy::ignore;
  EXPECT_EQ(values_of(bag), "2.0");
  EXPECT_EQ(values_of(one_cell(DType::i64, Combiner::amin, {integer(3), integer(-4)}, integer(0))), "-4");
  EXPECT_EQ(values_of(one_cell(DType::i64, Combiner::amax, {integer(3), integer(-4)}, integer(0))), "3");
}

TEST(Resolve, MultipliesComplexNumbers) {
  const Bag bag = one_cell(DType::c128, Combiner::prod, {Scalar::of_complex(0, 1)}, Scalar::of_complex(2, 3));
  EXPECT_TRUE(identical(allowed_values(bag, 0).at(0), Scalar::of_complex(-3, 2)));
}

TEST(Resolve, NamesTheFirstCellThatDisagrees) {
  const Bag bag = one_cell(DType::i64, Combiner::sum, {integer(2)}, integer(1));
  EXPECT_EQ(disagreement(bag, ints({1}, {3})), "");
  EXPECT_THAT(disagreement(bag, ints({1}, {2})),
              HasSubstr("out[0] holds 2, the meaning says 3: 2 lands here, combined by "
                        "sum with the start value 1"));
  EXPECT_THAT(disagreement(bag, ints({1, 1}, {3})), HasSubstr("the shape is [1, 1]"));
}

TEST(Resolve, ExplainsADisagreementByWhatLandsInTheCell) {
  Bag bag;
  bag.dtype = DType::f32;
  bag.shape = {2, 2};
  bag.start = {real(1), real(2), real(3), real(4)};
  bag.start_name = "self";
  bag.origins = {{"src", {1, 2}}};
  bag.offsets = {0, 0, 0, 2, 2};
  bag.list = {{real(97), {0, 0}, 0}, {real(103), {0, 1}, 1}};
  const Tensor actual(DType::f32, {2, 2}, std::vector<Scalar>{real(1), real(2), real(101), real(4)});
  EXPECT_EQ(disagreement(bag, actual),
            "out[1,0] holds 101.0, the meaning says 97.0 or 103.0: src[0,0] = 97.0 and src[0,1] = 103.0 both "
            "land here; any of them may win; before, the cell held self[1,0] = 3.0");
}

}  // namespace
}  // namespace scatterproof::spec::testing
