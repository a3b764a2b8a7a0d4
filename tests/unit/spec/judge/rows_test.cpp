// SPDX-License-Identifier: Apache-2.0
// Row updates that collide: judged element by element, with a word on whether rows arrived whole.
#include <gtest/gtest.h>

#include "bags.hpp"

namespace scatterproof::spec::testing {
namespace {

/// 3 rows of 2. Updates 0 and 2 write row 1, update 1 writes row 2.
Bag rows(DType dtype) {
  Bag bag = bag_of(
      {dtype,
       Combiner::assign,
       {3, 2},
       nums(dtype, {0, 0, 0, 0, 0, 0}),
       {{2, nums(dtype, {1, 0})}, {3, nums(dtype, {1, 0})}, {4, nums(dtype, {1})}, {5, nums(dtype, {1})}}});
  const std::int64_t groups[] = {0, 2, 0, 2, 1, 1};
  for (std::size_t k = 0; k < 6; ++k) bag.list[k].group = groups[k];
  bag.rows = true;
  return bag;
}

class Rows : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(DTypes, Rows, ::testing::ValuesIn(all_dtypes), dtype_name);

TEST_P(Rows, AWholeRowOfEitherUpdate) {
  for (const double winner : {1.0, 0.0}) {
    const Judgement judgement = judged(rows(GetParam()), nums(GetParam(), {0, 0, winner, winner, 1, 1}));
    EXPECT_EQ(judgement.verdict, Verdict::pass);
    EXPECT_EQ(judgement.rows_whole, true);
    EXPECT_EQ(judgement.explanation, "");
    EXPECT_EQ(judgement.diagnosis, Diagnosis{});
  }
}

TEST_P(Rows, AMixedRowIsAllowedAndReported) {
  const Judgement judgement = judged(rows(GetParam()), nums(GetParam(), {0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(judgement.verdict, Verdict::pass);
  EXPECT_EQ(judgement.rows_whole, false);
  EXPECT_EQ(to_string(judgement.diagnosis), "rows_mixed");
  EXPECT_NE(judgement.explanation.find("out[1,0] mixes updates 0, 2"), std::string::npos)
      << judgement.explanation;
}

TEST_P(Rows, AnElementOfNoUpdateIsAMismatch) {
  EXPECT_EQ(judged(rows(GetParam()), nums(GetParam(), {0, 0, 1, 1, 1, 0})).verdict, Verdict::mismatch);
}

TEST_P(Rows, NothingIsReportedWithoutAChoice) {
  const Values values = nums(GetParam(), {0, 0, 0, 0, 1, 1});
  Bag last = rows(GetParam());
  last.collisions = Collisions::last;
  EXPECT_EQ(judged(last, values).rows_whole, std::nullopt);
  Bag elements = rows(GetParam());
  elements.rows = false;
  EXPECT_EQ(judged(elements, values).rows_whole, std::nullopt);
  Bag apart =
      bag_of({GetParam(), Combiner::assign, {2}, nums(GetParam(), {0, 0}), {{0, nums(GetParam(), {1})}}});
  apart.rows = true;
  EXPECT_EQ(judged(apart, nums(GetParam(), {1, 0})).rows_whole, std::nullopt) << "no row is written twice";
}

}  // namespace
}  // namespace scatterproof::spec::testing
