// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/relations/crowded.hpp"

#include "liar.hpp"

namespace scatterproof::runner::relations {
namespace {

std::optional<Call> crowded_to(const Call& call, std::int64_t contributions) {
  const auto& [catalogue, families] = shipped();
  const spec::OpSpec& op = *catalogue.specs.find(call.api);
  return crowded(*families.said_in(op), op, call, contributions);
}

TEST(Crowded, HasTheLookupsOverAndOver) {
  const auto made = crowded_to(scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 2}), f32({2}, {10, 20})), 10);
  ASSERT_TRUE(made);
  EXPECT_TRUE(identical(result_of(bag_of(*made)), f32({3}, {1 + 6 * 10, 2, 3 + 6 * 20})));
}

TEST(Crowded, IsOfScattersThatAreSmaller) {
  EXPECT_FALSE(crowded_to(scatter_add(f32({3}, {1, 2, 3}), i64({2}, {0, 2}), f32({2}, {10, 20})), 2));
  EXPECT_FALSE(crowded_to(gather(f32({3}, {5, 6, 0}), i64({2}, {0, 1})), 10));
  EXPECT_FALSE(crowded_to(scatter_add(f32({3}, {1, 2, 3}), i64({0}, {}), f32({0}, {})), 10));
}

TEST(Crowded, KeepsRowsTogether) {
  const auto made = crowded_to(index_copy(f32({2, 1}, {5, 6}), i64({1}, {0}), f32({1, 1}, {7})), 3);
  ASSERT_TRUE(made);
  EXPECT_EQ(tensor_of(*made, "index").shape(), (spec::Shape{4}));
  EXPECT_TRUE(identical(result_of(bag_of(*made)), f32({2, 1}, {7, 6})));
}

std::optional<RepeatedLookups> twice(const Call& call) {
  const auto& [catalogue, families] = shipped();
  const spec::OpSpec& op = *catalogue.specs.find(call.api);
  return with_lookups_repeated(*families.said_in(op), op, call, 2);
}

TEST(RepeatedLookups, GiveTheResultOfAGatherAsOften) {
  const auto made = twice(gather(f32({3}, {5, 6, 0}), i64({2}, {2, 1})));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->along, 0u);
  EXPECT_TRUE(identical(result_of(bag_of(made->call)), f32({4}, {0, 6, 0, 6})));
}

TEST(RepeatedLookups, ATupleAloneIsOneLookupWithoutADimension) {
  EXPECT_TRUE(twice(gather_nd(f32({2, 1}, {5, 6}), i64({1, 1}, {1}))));
  EXPECT_FALSE(twice(gather_nd(f32({2, 1}, {5, 6}), i64({1}, {1}))));
}

/// Nothing is read outside of updates that are shorter than the index.
TEST(RepeatedLookups, NeedAsManyUpdatesAsLookups) {
  EXPECT_FALSE(twice(scatter_nd(f32({5, 1}, {5, 6, 7, 8, 9}), i64({3}, {0, 1, 1}), f32({1}, {7}))));
}

}  // namespace
}  // namespace scatterproof::runner::relations
