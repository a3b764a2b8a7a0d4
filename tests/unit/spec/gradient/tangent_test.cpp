// SPDX-License-Identifier: Apache-2.0
// Tangents of small calls, worked out by hand, and the agreement of both modes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.hpp"
#include "reals.hpp"
#include "scatterproof/spec/gradient/expected_gradient.hpp"
#include "scatterproof/spec/gradient/expected_tangent.hpp"

namespace scatterproof::spec::testing {
namespace {

/// Scatters src into self, both vectors, by any combiner.
class Tangents : public ::testing::Test {
 protected:
  void combine_by(const std::string& combiner) {
    spec_ = load(with(with(scatter_text, "collisions: last", "collisions: any"),
                      "add: sum, mean: mean}\n  start", "add: sum, mean: " + combiner + "}\n  start"));
  }

  Dependences dependences(const std::string& reduce, const Doubles& self,
                          const std::vector<std::int64_t>& index, const Doubles& src) {
    const Call call =
        scatter_call(reals(self), 0, ints({std::ssize(index)}, index), reals(src), reduce, true);
    auto found = dependences_of(spec_, call);
    EXPECT_TRUE(found);
    return std::move(found).value();
  }

  /// The diagnosis of this tangent; empty: it is right.
  std::string judged(const Dependences& of, const Doubles& along_self, const Doubles& along_src,
                     const GradientAnswer& answer) {
    const std::vector<Tensor> along{reals(along_self), reals(along_src)};
    last_ = judge_tangent(expect_tangent(of, along), answer);
    return to_string(last_.diagnosis);
  }

  OpSpec spec_ = load(with(scatter_text, "collisions: last", "collisions: any"));
  Judgement last_;
};

TEST_F(Tangents, OfASumAreTheSumsOfThoseThatMeet) {
  const Dependences of = dependences("add", {1, 2, 3}, {2, 0, 2}, {5, 6, 7});
  EXPECT_EQ(judged(of, {1, 3, 5}, {-1, 7, 9}, reals({8, 3, 13})), "");
  EXPECT_EQ(last_.verdict, Verdict::pass);
  EXPECT_EQ(judged(of, {1, 3, 5}, {-1, 7, 9}, reals({8, 3, 14})), "gradient/wrong_tangent");
  EXPECT_EQ(
      last_.explanation,
      "forward mode: the tangent of result[2] is 14.0; expected 13.0 = 5.0 of self[2] + -1.0 of src[0] + "
      "9.0 of src[2]");
  EXPECT_EQ(judged(of, {1, 3, 5}, {-1, 7, 9}, NotConnected{}), "gradient/wrong_tangent");
  EXPECT_EQ(judged(of, {1, 3, 5}, {-1, 7, 9}, reals({8, 3, 13}, DType::f64)), "gradient/wrong_tangent");
  EXPECT_EQ(judged(of, {1, 3, 5}, {-1, 7, 9}, Refused{{"NotImplementedError"}, "no"}), "open/gradient");
}

TEST_F(Tangents, OfAProductFollowTheOtherFactors) {
  combine_by("prod");
  const Dependences of = dependences("mean", {2}, {0, 0}, {0, 5});  // d = 0*5*a + 2*5*b + 2*0*c
  EXPECT_EQ(judged(of, {3}, {7, 1}, reals({70})), "");
  EXPECT_EQ(judged(of, {3}, {7, 1}, reals({0})), "gradient/wrong_tangent");
}

TEST_F(Tangents, OfAMeanAndATieAreNotJudgedWhereTheSumOfTangentsLeavesTheRange) {
  for (const char* combiner : {"mean", "amax"}) {
    combine_by(combiner);
    spec_.gradient.ties = GradientPolicy::Ties::even;
    const Dependences of = dependences("mean", {1}, {0, 0, 0}, {1, 1, 1});
    const auto all = [&](double tangent) {
      return judged(of, {tangent}, {tangent, tangent, tangent}, reals({INFINITY}));
    };
    EXPECT_EQ(all(0x1p126), "open/gradient") << combiner;
    EXPECT_EQ(all(0x1p124), "gradient/wrong_tangent") << combiner;
  }
}

TEST_F(Tangents, OfATieLieBetweenThoseThatTie) {
  combine_by("amax");
  const Dependences of = dependences("mean", {1}, {0, 0}, {4, 4});
  for (const double between : {3.0, 5.0, 7.0})
    EXPECT_EQ(judged(of, {100}, {3, 7}, reals({between})), "") << between;
  for (const double outside : {2.0, 8.0, 100.0})
    EXPECT_EQ(judged(of, {100}, {3, 7}, reals({outside})), "gradient/wrong_tangent") << outside;
}

TEST_F(Tangents, OfCollidingAssignmentsAreThoseOfOne) {
  const Dependences of = dependences("none", {1}, {0, 0}, {5, 6});
  EXPECT_EQ(judged(of, {9}, {3, 7}, reals({3})), "");
  EXPECT_EQ(judged(of, {9}, {3, 7}, reals({7})), "");
  for (const double wrong : {5.0, 10.0, 9.0})
    EXPECT_EQ(judged(of, {9}, {3, 7}, reals({wrong})), "gradient/wrong_tangent") << wrong;
}

/// An element that lands 400 times in a cell with a tie has 400 shares, which are rounded and added up.
TEST_F(Tangents, OfAnElementThatTiesWithItselfMayBeRoundedAsOften) {
  ExpectedGradients expected{
      .dtype = DType::f64, .shape = {1}, .arguments = {"b"}, .shapes = {{1}}, .dtypes = {DType::f64}};
  expected.elements = {{ElementGradient{.terms = {}, .choices = {0}}}};
  expected.choices = {{.cotangent = 1, .members = {{.times = 400}}}};
  const std::vector<GradientAnswer> gradients{reals({1}, DType::f64)};
  const std::vector<Tensor> tangents{reals({1}, DType::f64)};
  const auto disagree = [&](double ulps) {
    const GradientAnswer tangent = reals({1 + ulps * 0x1p-52}, DType::f64);
    return !modes_disagree(expected, gradients, reals({1}, DType::f64), tangent, tangents).empty();
  };
  EXPECT_FALSE(disagree(150));
  EXPECT_TRUE(disagree(300));
}

TEST_F(Tangents, AndGradientsAreThoseOfOneMap) {
  combine_by("amax");
  const Dependences of = dependences("mean", {4}, {0}, {4});
  const Tensor cotangent = reals({8});
  const std::vector<Tensor> along{reals({3}), reals({7})};
  const ExpectedGradients expected = expect_gradients(of, cotangent);
  const auto disagree = [&](double of_self, double of_src, double tangent) {
    const std::vector<GradientAnswer> gradients{reals({of_self}), reals({of_src})};
    return !modes_disagree(expected, gradients, cotangent, reals({tangent}), along).empty();
  };
  EXPECT_FALSE(disagree(4, 4, 5));  // evenly in both modes
  EXPECT_FALSE(disagree(8, 0, 3));  // all to the start
  EXPECT_TRUE(disagree(8, 0, 5));
  EXPECT_TRUE(disagree(4, 4, 7));
}

}  // namespace
}  // namespace scatterproof::spec::testing
