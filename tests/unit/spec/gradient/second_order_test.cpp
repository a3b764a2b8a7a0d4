// SPDX-License-Identifier: Apache-2.0
// Derivatives of second order of small calls, worked out by hand.
#include "scatterproof/spec/gradient/second_order.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.hpp"
#include "reals.hpp"

namespace scatterproof::spec::testing {
namespace {

/// Scatters src into self, both vectors, by any combiner.
class SecondOrder : public ::testing::Test {
 protected:
  Judgement judged(const std::string& combiner, const Doubles& self, const std::vector<std::int64_t>& index,
                   const Doubles& src, const std::vector<GradientAnswer>& answers) {
    const OpSpec spec =
        load(with(with(with(scatter_text, "collisions: last", "collisions: any"),
                       "add: sum, mean: mean}\n  start", "add: sum, mean: " + combiner + "}\n  start"),
                  "latitude:", policy_ + "latitude:"));
    const Call call =
        scatter_call(reals(self), 0, ints({std::ssize(index)}, index), reals(src), "mean", true);
    const auto of = dependences_of(spec, call);
    EXPECT_TRUE(of);
    const std::vector<Tensor> along{reals(Doubles(self.size(), 3)), reals({5, 7})};
    return judge_second_order(expect_second_order(*of, expect_tangent(*of, along)), answers);
  }

  std::string diagnosis(const std::string& combiner, const Doubles& self,
                        const std::vector<std::int64_t>& index, const Doubles& src,
                        const std::vector<GradientAnswer>& answers) {
    last_ = judged(combiner, self, index, src, answers);
    return to_string(last_.diagnosis);
  }

  Judgement last_;
  std::string policy_;  // `gradient:` of the spec
};

TEST_F(SecondOrder, OfASumIsTheTangentByTheCotangentAndZeroByArguments) {
  const auto sum = [&](const GradientAnswer& by_g, const GradientAnswer& by_self,
                       const GradientAnswer& by_src) {
    return diagnosis("sum", {1, 2}, {0, 0}, {8, 9}, {by_g, by_self, by_src});
  };
  const Tensor tangent = reals({3 + 5 + 7, 3}), zero = reals({0, 0});
  EXPECT_EQ(sum(tangent, zero, zero), "");
  EXPECT_EQ(last_.verdict, Verdict::pass);
  EXPECT_EQ(sum(tangent, NotConnected{}, NotConnected{}), "");
  EXPECT_EQ(sum(reals({15, 0}), zero, zero), "gradient/second_order");
  EXPECT_EQ(last_.explanation,
            "second order, by the cotangent: the tangent of result[1] is 0.0; expected 3.0 = 3.0 of self[1]");
  EXPECT_EQ(sum(NotConnected{}, zero, zero), "gradient/second_order");
  EXPECT_EQ(sum(tangent, zero, reals({0, 1})), "gradient/second_order/src");
  EXPECT_EQ(last_.explanation,
            "second order, by src: 1.0 for element [1]; expected 0, as no derivative of the result changes "
            "with it");
  EXPECT_EQ(sum(tangent, zero, reals({0, NAN})), "gradient/second_order/src");
  EXPECT_EQ(sum(tangent, reals({0}), zero), "gradient/second_order/self");
  EXPECT_EQ(sum(Refused{{"NotImplementedError"}, "no"}, zero, zero), "open/gradient");
}

TEST_F(SecondOrder, OfAProductIsJudgedByTheCotangentAlone) {
  // 2 * 5 * 4: 20 * 3 + 8 * 5 + 10 * 7
  const auto product = [&](const Doubles& tangent, const Doubles& by_self) {
    return diagnosis("prod", {2, 6}, {0, 0}, {5, 4}, {reals(tangent), reals(by_self), reals({1, 1})});
  };
  EXPECT_EQ(product({170, 3}, {1, 0}), "");
  EXPECT_EQ(product({171, 3}, {1, 0}), "gradient/second_order");
  EXPECT_EQ(product({170, 3}, {1, 1}), "");
  EXPECT_EQ(product({170, 3 + 0x1p-22}, {1, 0}), "");
  EXPECT_EQ(product({170, 3 + 0x1p-19}, {1, 0}), "gradient/second_order");
}

TEST_F(SecondOrder, OfAProductIsNotJudgedWhereADivisionMayOverflow) {
  const auto untouched = [&](double self) {
    return diagnosis("prod", {1, self}, {0, 0}, {1, 1},
                     {reals({15, INFINITY}), reals({1, 1}), reals({1, 1})});
  };
  EXPECT_EQ(untouched(0x1p-140), "");
  EXPECT_EQ(untouched(0x1p-10), "gradient/second_order");
}

TEST_F(SecondOrder, OfAnExtremeIsZeroByWhatDoesNotTie) {
  const auto extreme = [&](const Doubles& src, const Doubles& by_src) {
    return diagnosis("amax", {1, 2}, {0, 0}, src, {reals({7, 3}), reals({0, 0}), reals(by_src)});
  };
  EXPECT_EQ(extreme({8, 9}, {0, 0}), "");
  EXPECT_EQ(extreme({8, 9}, {0, 1}), "gradient/second_order/src");
  EXPECT_EQ(extreme({9, 9}, {0, 1}), "");
}

TEST_F(SecondOrder, OfCollidingAssignmentsIsThatOfOneUnlessEachGetsTheCotangent) {
  const auto assigned = [&](double tangent) {
    return diagnosis("assign", {1, 2}, {0, 0}, {8, 9}, {reals({tangent, 3}), reals({0, 0}), reals({0, 0})});
  };
  EXPECT_EQ(assigned(5), "");
  EXPECT_EQ(assigned(5 + 7), "gradient/second_order");
  policy_ = "gradient: {collisions: or_each, from: {document: doc, section: Notes}}\n";
  EXPECT_EQ(assigned(5 + 7), "");
  EXPECT_EQ(last_.verdict, Verdict::pass);
}

}  // namespace
}  // namespace scatterproof::spec::testing
