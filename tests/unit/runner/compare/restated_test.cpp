// SPDX-License-Identifier: Apache-2.0
// Members of other families are given what their calls can say.
#include "scatterproof/runner/compare/members.hpp"
#include "scatterproof/runner/compare/observe.hpp"
#include "shared.hpp"

namespace scatterproof::runner::compare {
namespace {

spec::Tensor zeros(spec::DType dtype, const spec::Shape& shape) { return {dtype, shape}; }

/// A member of `to` that is given calls of `from`.
FamilyMember member(const std::string& api, const spec::Family& from, const std::string& to) {
  const spec::Family& other = *shipped().families.find(to);
  return {.spec = shipped().catalogue.specs.find(api), .restated = restating(from, other), .other = &other};
}

TEST(Restated, AScatterIsOneByTuplesWhereEachElementHasAPlaceAndAnUpdate) {
  const spec::FamilyComparison comparison = comparison_of("scatter_elements");
  const auto is_said = [&](const spec::Shape& index, const spec::Shape& updates) {
    const spec::FamilyCall call = said(comparison, {{"data", zeros(spec::DType::f32, {3, 2})},
                                                    {"axis", number(1)},
                                                    {"index", zeros(spec::DType::i64, index)},
                                                    {"updates", zeros(spec::DType::f32, updates)},
                                                    {"combine", std::string("sum")}});
    std::vector<std::string> why_not;
    for (const auto& [api, family] : {std::pair("jax.numpy.ndarray.at.add.tuple", "scatter_tuples"),
                                      std::pair("tensorflow.tensor_scatter_nd_add", "scatter_nd")}) {
      const auto given = call_of(comparison, member(api, *comparison.family, family), call);
      const auto* why = std::get_if<std::string>(&given);
      why_not.push_back(why ? *why : "");
    }
    EXPECT_EQ(why_not[0].empty(), why_not[1].empty()) << why_not[0] << why_not[1];
    return testing::AssertionResult(why_not[0].empty()) << why_not[0];
  };
  EXPECT_TRUE(is_said({3, 2}, {3, 2}));
  EXPECT_TRUE(is_said({2, 5}, {3, 5}));   // along the axis there are lookups, not places
  EXPECT_TRUE(is_said({2, 2}, {1}));      // repeated
  EXPECT_FALSE(is_said({4, 2}, {4, 2}));  // data has no fourth row
  EXPECT_FALSE(is_said({2, 2}, {1, 3}));
  EXPECT_FALSE(is_said({2, 2}, {3}));
}

TEST(Restated, AGatherIsOneByTuplesWhereEachElementHasAPlace) {
  const spec::FamilyComparison comparison = comparison_of("gather_elements");
  const auto is_said = [&](const spec::Shape& index) {
    const spec::FamilyCall call = said(comparison, {{"data", zeros(spec::DType::f32, {3, 2})},
                                                    {"axis", number(0)},
                                                    {"index", zeros(spec::DType::i64, index)}});
    return std::holds_alternative<spec::Call>(call_of(
        comparison, member("numpy.ndarray.__getitem__.tuple", *comparison.family, "gather_tuples"), call));
  };
  EXPECT_TRUE(is_said({7, 2}));
  EXPECT_FALSE(is_said({3, 3}));
}

}  // namespace
}  // namespace scatterproof::runner::compare
