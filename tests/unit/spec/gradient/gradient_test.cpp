// SPDX-License-Identifier: Apache-2.0
// Gradients of small calls, worked out by hand: right ones, and wrong ones of each kind.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.hpp"
#include "reals.hpp"
#include "scatterproof/spec/gradient/expected_gradient.hpp"
#include "scatterproof/spec/gradient/judge_gradient.hpp"

namespace scatterproof::spec::testing {
namespace {

/// Scatters src into self, both vectors.
class Gradients : public ::testing::Test {
 protected:
  /// The diagnosis of these gradients; empty: they are right.
  std::string judged(const std::string& reduce, bool keep, const Doubles& self,
                     const std::vector<std::int64_t>& index, const Doubles& src, const Doubles& cotangent,
                     const GradientAnswer& of_self, const GradientAnswer& of_src) {
    const Call call =
        scatter_call(reals(self), 0, ints({std::ssize(index)}, index), reals(src), reduce, keep);
    const auto dependences = dependences_of(spec_, call);
    if (!dependences) return to_string(dependences.errors());
    const ExpectedGradients expected = expect_gradients(*dependences, reals(cotangent));
    const std::vector<GradientAnswer> answers{of_self, of_src};
    last_ = judge_gradients(expected, answers);
    return to_string(last_.diagnosis);
  }
  std::string sums(const GradientAnswer& of_self, const GradientAnswer& of_src) {
    return judged("add", true, {1, 2, 3}, {2, 0, 2}, {5, 6, 7}, {3, -5, 9}, of_self, of_src);
  }

  OpSpec spec_ = load(with(scatter_text, "collisions: last", "collisions: any"));
  Judgement last_;
};

class ByCombiner : public Gradients {
 protected:
  /// The combiner instead of the mean.
  void combine_by(const std::string& combiner,
                  const std::string& value = "if is_tensor(src) then src[p] else src") {
    spec_ = load(with(with(with(scatter_text, "collisions: last", "collisions: any"),
                           "add: sum, mean: mean}\n  start", "add: sum, mean: " + combiner + "}\n  start"),
                      "if is_tensor(src) then src[p] else src", value));
  }
};

TEST_F(Gradients, OfASumAreTheCotangentsOfTheCellsThatAnElementReaches) {
  EXPECT_EQ(sums(reals({3, -5, 9}), reals({9, 3, 9})), "");
  EXPECT_EQ(last_.verdict, Verdict::pass);
  EXPECT_EQ(sums(reals({3, -5, 9}), reals({9, 3, 8})), "gradient/wrong_value/src");
  EXPECT_EQ(last_.explanation, "the gradient of src[2] is 8.0; expected 9 = 9 of result[2]");
  EXPECT_EQ(sums(reals({3, -5, 18}), reals({9, 3, 9})), "gradient/wrong_value/self");
  EXPECT_EQ(sums(reals({3, -5, std::nan("")}), reals({9, 3, 9})), "gradient/wrong_value/self");
}

TEST_F(Gradients, HaveTheFormOfTheirArgument) {
  EXPECT_EQ(sums(reals({3, -5, 9}), reals({9, 3, 9}, DType::f64)), "gradient/form/src");
  EXPECT_EQ(sums(reals({3, -5, 9, 0}), reals({9, 3, 9})), "gradient/form/self");
}

TEST_F(Gradients, MayBeRefusedAndMayBeNoneOnlyWhereTheyDoNotMatter) {
  EXPECT_EQ(sums(reals({3, -5, 9}), NotConnected{}), "gradient/missing/src");
  EXPECT_EQ(sums(reals({3, -5, 9}), Refused{{"NotImplementedError"}, "no"}), "");
  EXPECT_EQ(sums(Refused{{"NotImplementedError"}, "no"}, Refused{{"NotImplementedError"}, "no"}),
            "open/gradient");
  EXPECT_EQ(last_.explanation, "the engine has no gradient of self: no");
  EXPECT_EQ(judged("none", true, {1}, {0}, {5}, {3}, NotConnected{}, reals({3})), "");
}

TEST_F(Gradients, AreZeroWhereNothingIsRead) {
  const auto larger_src = [&](double beyond) {
    return judged("add", true, {1}, {0}, {5, 6}, {3}, reals({3}), reals({3, beyond}));
  };
  EXPECT_EQ(larger_src(0), "");
  EXPECT_EQ(larger_src(3), "gradient/of_what_does_not_matter/src");
}

TEST_F(Gradients, OfAStartThatDoesNotCountAreZeroWhereSomethingIsWritten) {
  const auto left_out = [&](double written, double unwritten) {
    return judged("add", false, {1, 2}, {0}, {5}, {3, 7}, reals({written, unwritten}), reals({3}));
  };
  EXPECT_EQ(left_out(0, 7), "");
  EXPECT_EQ(left_out(3, 7), "gradient/of_what_does_not_matter/self");
  EXPECT_EQ(left_out(0, 0), "gradient/wrong_value/self");
}

TEST_F(Gradients, OfAMeanMayBeRounded) {
  const auto third = [&](double of_src) {
    return judged("mean", true, {1}, {0, 0}, {5, 6}, {7}, reals({7.0 / 3}), reals({of_src, 7.0 / 3}));
  };
  EXPECT_EQ(third(7.0 / 3), "");
  EXPECT_EQ(third(7.0 / 3 * (1 + 1e-7)), "");
  EXPECT_EQ(third(7.0 / 3 * (1 + 1e-6)), "gradient/wrong_value/src");
  EXPECT_EQ(judged("mean", true, {1}, {0}, {5}, {7}, reals({3.5}), reals({3.4999998})),
            "gradient/wrong_value/src");
}

TEST_F(ByCombiner, OfASumOverARootHaveTheRootOfTheCount) {
  combine_by("sum_over_root");
  const auto of = [&](double of_src) {
    return judged("mean", true, {1}, {0, 0, 0}, {5, 6, 7}, {7}, reals({3.5}), reals({of_src, 3.5, 3.5}));
  };
  EXPECT_EQ(of(3.5), "");
  EXPECT_EQ(of(3.5 * (1 + 1e-7)), "gradient/wrong_value/src") << "the root of four is exact";
  const auto of_two = [&](double of_src) {
    const double each = 7 / std::sqrt(2);
    return judged("mean", true, {1}, {0}, {5}, {7}, reals({each}), reals({of_src}));
  };
  EXPECT_EQ(of_two(7 / std::sqrt(2) * (1 + 1e-7)), "");
  EXPECT_EQ(of_two(7 / std::sqrt(2) * (1 + 1e-6)), "gradient/wrong_value/src");
  EXPECT_EQ(of_two(3.5), "gradient/wrong_value/src");
}

TEST_F(Gradients, OfCollidingAssignmentsBelongToOneOfThem) {
  const auto collide = [&](double first, double second) {
    return judged("none", true, {1}, {0, 0}, {5, 6}, {7}, reals({0}), reals({first, second}));
  };
  EXPECT_EQ(collide(7, 0), "");
  EXPECT_EQ(collide(0, 7), "");
  EXPECT_EQ(collide(7, 7), "gradient/no_single_survivor/src");
  EXPECT_EQ(collide(0, 0), "gradient/no_single_survivor/src");
  EXPECT_EQ(collide(3, 4), "gradient/no_single_survivor/src");
  EXPECT_EQ(collide(8, 0), "gradient/wrong_value/src");
  spec_ = load(scatter_text);  // the last survives
  EXPECT_EQ(collide(0, 7), "");
  EXPECT_EQ(collide(7, 0), "gradient/of_what_does_not_matter/src");
}

TEST_F(ByCombiner, ATieIsSharedAndTheSharesSumToTheCotangent) {
  combine_by("amax");
  const auto tie = [&](double self, double first, double second) {
    return judged("mean", true, {6}, {0, 0, 0}, {6, 6, 5}, {8}, reals({self}), reals({first, second, 0}));
  };
  EXPECT_EQ(tie(8.0 / 3, 8.0 / 3, 8.0 / 3), "");
  EXPECT_EQ(tie(8, 0, 0), "");
  EXPECT_EQ(tie(0, 4, 4), "");
  EXPECT_EQ(tie(8, 8, 8), "gradient/shares_of_tie/src");
  EXPECT_EQ(tie(0, 0, 0), "gradient/shares_of_tie/src");
  EXPECT_EQ(tie(-1, 5, 4), "gradient/wrong_value/self");
  EXPECT_EQ(judged("mean", true, {6}, {0}, {5}, {8}, reals({8}), reals({0})), "");
  EXPECT_EQ(judged("mean", true, {6}, {0}, {5}, {8}, reals({4}), reals({4})), "gradient/wrong_value/self");
}

TEST_F(ByCombiner, AShareOfAnElementThatLandsOftenMayBeASumOfThem) {
  combine_by("amax", "src[stretch(p, shape(src))]");
  const auto often = [&](double of_src) {
    return judged("mean", false, {0}, std::vector<std::int64_t>(60, 0), {1}, {8}, reals({0}),
                  reals({of_src}));
  };
  EXPECT_EQ(often(8), "");
  EXPECT_EQ(often(8 + 0x1p-17), "");
  EXPECT_EQ(often(8 + 0x1p-13), "gradient/wrong_value/src");
}

TEST_F(ByCombiner, ATieOfNumbersThatAreFlushedToZeroIsFree) {
  combine_by("amax");
  const auto near = [&](double other) {
    return judged("mean", false, {1}, {0, 0}, {0, other}, {8}, reals({0}), reals({4, 4}));
  };
  EXPECT_EQ(near(0x1p-140), "");
  EXPECT_EQ(near(0x1p-100), "gradient/of_what_does_not_matter/src");
}

TEST_F(ByCombiner, AStartThatDoesNotCountTakesNoShareOfATie) {
  combine_by("amin");
  EXPECT_EQ(judged("mean", false, {5}, {0, 0}, {5, 5}, {8}, reals({0}), reals({2, 6})), "");
  EXPECT_EQ(judged("mean", false, {5}, {0, 0}, {5, 5}, {8}, reals({4}), reals({2, 2})),
            "gradient/of_what_does_not_matter/self");
}

TEST_F(ByCombiner, AProductIsDerivedByExclusion) {
  combine_by("prod");
  const auto product = [&](const Doubles& values, const Doubles& gradient) {
    return judged("mean", false, {1}, std::vector<std::int64_t>(values.size(), 0), values, {5}, reals({0}),
                  reals(gradient));
  };
  EXPECT_EQ(product({2, 3, 4}, {60, 40, 30}), "");
  EXPECT_EQ(product({2, 0, 4}, {0, 40, 0}), "");
  EXPECT_EQ(product({2, 0, 4}, {0, std::nan(""), 0}), "gradient/wrong_value/src");
  EXPECT_EQ(product({0, 0, 4}, {0, 0, 0}), "");
  EXPECT_EQ(product({0, 0, 4}, {0, 20, 0}), "gradient/wrong_value/src");
  // The whole product is too large for the dtype, or too small; that of the others is not.
  EXPECT_EQ(product({0x1p100, 0x1p30}, {0x1p30 * 5, 0x1p100 * 5}), "");
  EXPECT_EQ(product({0x1p-100, 0x1p-100}, {0, 0}), "gradient/wrong_value/src");
  EXPECT_EQ(product({std::nan(""), 3}, {8, 8}), "");  // what NaN is multiplied with is free
  EXPECT_EQ(product({INFINITY, 3}, {8, 8}), "");
  // 0.1 is not a short number.
  EXPECT_EQ(product({0.1, 3}, {15, 0.1f * 5}), "");
  EXPECT_EQ(product({0.1, 3}, {15, 0.5001}), "gradient/wrong_value/src");
}

TEST_F(ByCombiner, AQuotientIsDerivedByExclusion) {
  combine_by("quotient");
  const auto quotient = [&](const Doubles& divisors, double of_self, const Doubles& gradient) {
    return judged("mean", true, {24}, std::vector<std::int64_t>(divisors.size(), 0), divisors, {1},
                  reals({of_self}), reals(gradient));
  };
  // 24 / (2 * 4): 1/8, -24 / (2 * 2 * 4), -24 / (2 * 4 * 4)
  EXPECT_EQ(quotient({2, 4}, 0.125, {-1.5, -0.75}), "");
  EXPECT_EQ(quotient({2, 4}, 0.25, {-1.5, -0.75}), "gradient/wrong_value/self");
  EXPECT_EQ(quotient({2, 4}, 0.125, {-1.5, 0.75}), "gradient/wrong_value/src");
  EXPECT_EQ(quotient({3}, 1.0f / 3, {-24.0f / 9}), "");
  EXPECT_EQ(quotient({3}, 1.0f / 3, {-24.0f / 9 * (1 + 1e-5)}), "gradient/wrong_value/src");
  EXPECT_EQ(quotient({0}, 7, {7}), "open/gradient");  // what no document defines is free
  EXPECT_EQ(quotient({std::nan("")}, 7, {7}), "open/gradient");
  EXPECT_EQ(quotient({0x1p-60}, 7, {7}), "open/gradient");  // the square of the divisor leaves the range
}

class Mistakes : public ByCombiner {
 protected:
  /// The mistake that explains these gradients, which are wrong.
  std::string cause(const std::string& reduce, bool keep, const Doubles& self,
                    const std::vector<std::int64_t>& index, const Doubles& src, const Doubles& cotangent,
                    const Doubles& of_self, const Doubles& of_src) {
    EXPECT_NE(judged(reduce, keep, self, index, src, cotangent, reals(of_self), reals(of_src)), "");
    const auto dependences = dependences_of(
        spec_, scatter_call(reals(self), 0, ints({std::ssize(index)}, index), reals(src), reduce, keep));
    const std::vector<GradientAnswer> answers{reals(of_self), reals(of_src)};
    return sentence(likely_mistake(*dependences, reals(cotangent), answers));
  }
};

TEST_F(Mistakes, OfAssignedValues) {
  EXPECT_EQ(cause("none", true, {1, 2}, {0, 0}, {5, 6}, {8, 3}, {0, 3}, {8, 8}),
            "each of the values assigned to a cell gets its cotangent");
  EXPECT_EQ(cause("none", true, {1, 2}, {0}, {5}, {8, 3}, {8, 3}, {8}),
            "the start value of a cell that is written gets its cotangent");
  EXPECT_EQ(cause("none", true, {1, 2}, {0}, {5}, {8, 3}, {8, 3}, {7}), "");
}

TEST_F(Mistakes, OfStartsThatDoNotCount) {
  EXPECT_EQ(cause("mean", false, {1}, {0}, {5}, {8}, {4}, {4}),
            "a start value that does not count takes part");
  EXPECT_EQ(cause("mean", false, {1}, {0}, {5}, {8}, {0}, {4}),
            "a start value that does not count takes a share, which is lost");
}

TEST_F(Mistakes, OfProducts) {
  combine_by("prod");
  EXPECT_EQ(cause("mean", true, {2}, {0, 0}, {3, 4}, {5}, {5}, {5, 5}),
            "the other factors of a product are left out");
  const double nan = std::nan("");
  EXPECT_EQ(cause("mean", true, {2}, {0, 0}, {0, 4}, {5}, {0}, {nan, 0}),
            "the whole product is divided by a factor, and one is 0 or the product leaves the range");
  EXPECT_EQ(cause("mean", true, {2}, {0, 0}, {0, 4}, {5}, {1}, {nan, 0}), "");
  EXPECT_EQ(cause("mean", false, {1}, {0, 0}, {0x1p-80, 0x1p-90}, {1}, {0}, {0, 0}),
            "the whole product is divided by a factor, and one is 0 or the product leaves the range");
}

TEST_F(Mistakes, OfTies) {
  combine_by("amax");
  EXPECT_EQ(cause("mean", true, {6}, {0, 0}, {6, 6}, {9}, {9}, {9, 9}),
            "each of the values that tie gets all of the cotangent");
  EXPECT_EQ(cause("mean", true, {6}, {0, 0}, {6, 6}, {9}, {0}, {0, 0}),
            "none of the values that tie gets anything");
  EXPECT_EQ(cause("mean", false, {6}, {0, 0}, {6, 6}, {9}, {0}, {3, 3}),
            "a start value that does not count takes a share, which is lost");
}

TEST_F(Mistakes, OfCounts) {
  const auto counted = [&](double count, std::size_t values) {
    return cause("mean", false, {1}, std::vector<std::int64_t>(values, 0), Doubles(values, 5), {8}, {0},
                 Doubles(values, 8 / count));
  };
  EXPECT_EQ(counted(44, 300), "the values that meet in a cell are counted in u8");
  EXPECT_EQ(counted(256, 300), "the values that meet in a cell are counted in bf16, up to 256");
  EXPECT_EQ(counted(2048, 2100), "the values that meet in a cell are counted in f16, up to 2048");
}

TEST_F(Mistakes, OfSums) {
  combine_by("sum", "src[stretch(p, shape(src))]");
  EXPECT_EQ(cause("mean", true, {1, 2}, {0, 1}, {5}, {8, 3}, {8, 3}, {3}),
            "the cotangents of several cells that reach an element are not added: one of them is taken");
  EXPECT_EQ(cause("mean", true, {1, 2}, {0, 1}, {5}, {8, 3}, {8, 3}, {12}), "");
}

/// Each share is a number that it may be; their sum shows that one value too many was counted.
TEST_F(ByCombiner, ManySharesOfATieAddUpToTheCotangent) {
  combine_by("amax");
  constexpr std::size_t count = 2'050;
  const auto with_shares = [&](double of_each) {
    return judged("mean", true, {7}, std::vector<std::int64_t>(count, 0), Doubles(count, 7), {3},
                  reals({of_each}), reals(Doubles(count, of_each)));
  };
  EXPECT_EQ(with_shares(3.0 / (count + 1)), "");
  EXPECT_EQ(with_shares(3.0 / (count + 2)), "gradient/shares_of_tie/src");
}

TEST(Dependence, FollowsFromTheMeaningAlone) {
  const OpSpec spec = load(with(scatter_text, "if is_tensor(src) then src[p] else src", "-src[p]"));
  const Call call = scatter_call(reals({1, 2}), 0, ints({1}, {1}), reals({5}), "add");
  const auto found = dependences_of(spec, call);
  ASSERT_TRUE(found) << to_string(found.errors());
  EXPECT_EQ(found->arguments, (std::vector<std::string>{"self", "src"}));
  EXPECT_EQ(found->starts[1].argument, 0);
  EXPECT_EQ(found->starts[1].element, 1);
  EXPECT_EQ(found->contributions[0].argument, 1);
  EXPECT_EQ(found->contributions[0].coefficient, -1);
}

const char* const limited_text =
    "gradient:\n  rules:\n    - {id: one-index, says: one index, require: numel(index) == 1, "
    "from: {document: doc, section: Notes}, broken: %}\nlatitude:";

TEST(Rules, OfGradientsSayWhatIsPromisedOfCallsThatBreakThem) {
  const auto promised = [](const std::string& broken, std::int64_t indices) {
    const OpSpec spec = load(with(scatter_text, "latitude:", with(limited_text, "%", broken)));
    const auto found = expect_no_gradient(
        spec, scatter_call(reals({1}), 0, ints({indices}, std::vector<std::int64_t>(indices, 0)),
                           reals({5, 6}), "add"));
    if (!found) return to_string(found.errors());
    if (!*found) return std::string("a gradient");
    const Expectation& expected = **found;
    if (std::holds_alternative<RefusalExpected>(expected.what))
      return std::get<RefusalExpected>(expected.what).classes.front();
    return (std::get<Free>(expected.what).undefined ? "undefined: " : "open: ") + expected.because.text();
  };
  EXPECT_EQ(promised("undefined", 1), "a gradient");
  EXPECT_EQ(promised("undefined", 2), "undefined: one-index: numel(index) = 2 is not 1 (Toy manual, Notes)");
  EXPECT_EQ(promised("open", 2), "open: one-index: numel(index) = 2 is not 1 (Toy manual, Notes)");
  EXPECT_EQ(promised("{error: RuntimeError, native: shape}", 2), "RuntimeError");
}

TEST(Choices, OfWhatLandsInACellAThousandTimesInF16) {
  const auto verdict = [](double first, double second, bool or_each) {
    ExpectedGradients expected{.dtype = DType::f16,
                               .shape = {1},
                               .arguments = {"src"},
                               .shapes = {{2}},
                               .dtypes = {DType::f16},
                               .elements = {{{.terms = {}, .choices = {0}}, {.terms = {}, .choices = {0}}}}};
    expected.choices.push_back({.kind = GradientChoice::Kind::one,
                                .cotangent = 5,
                                .or_each = or_each,
                                .members = {{.element = 0, .times = 1100}, {.element = 1, .times = 1100}}});
    const std::vector<GradientAnswer> answers{reals({first, second}, DType::f16)};
    return judge_gradients(expected, answers).verdict;
  };
  EXPECT_EQ(verdict(0, 5, false), Verdict::pass);
  EXPECT_EQ(verdict(5, 5, false), Verdict::mismatch);
  EXPECT_EQ(verdict(0, 0, false), Verdict::mismatch);
  EXPECT_EQ(verdict(0, 5, true), Verdict::pass);
}

TEST(Choices, OfWhatRoundingMayHide) {
  const auto verdict = [](double first, double second, double third) {
    // In f16, 3 more than 4,001 may be lost, or look like 2 or 4. The third element has nothing else.
    const std::vector<GradientTerm> terms{{.cell = 1, .value = 4000}, {.cell = 2, .value = 1}};
    ExpectedGradients expected{.dtype = DType::f16,
                               .shape = {3},
                               .arguments = {"src"},
                               .shapes = {{3}},
                               .dtypes = {DType::f16},
                               .elements = {{{terms, {0}}, {terms, {0}}, {.terms = {}, .choices = {0}}}}};
    expected.choices.push_back({.kind = GradientChoice::Kind::one,
                                .cotangent = 3,
                                .members = {{.element = 0}, {.element = 1}, {.element = 2}}});
    const std::vector<GradientAnswer> answers{reals({first, second, third}, DType::f16)};
    return judge_gradients(expected, answers).verdict;
  };
  EXPECT_EQ(verdict(4000, 4002, 0), Verdict::pass);
  EXPECT_EQ(verdict(4002, 4004, 0), Verdict::pass);
  EXPECT_EQ(verdict(4000, 4000, 3), Verdict::pass);
  EXPECT_EQ(verdict(4000, 4000, 2), Verdict::mismatch);
  EXPECT_EQ(verdict(4000, 5000, 0), Verdict::mismatch);
}

TEST_F(Gradients, OfCollidingAssignmentsMayGoToEachWhereTheDocumentSaysSo) {
  spec_ = load(with(with(scatter_text, "collisions: last", "collisions: any"), "latitude:",
                    "gradient: {collisions: or_each, from: {document: doc, section: Notes}}\nlatitude:"));
  const auto collide = [&](double first, double second, double third) {
    return judged("none", true, {1}, {0, 0, 0}, {5, 6, 7}, {8}, reals({0}), reals({first, second, third}));
  };
  EXPECT_EQ(collide(0, 8, 0), "");
  EXPECT_EQ(collide(8, 8, 8), "");
  EXPECT_EQ(collide(8, 8, 0), "gradient/no_single_survivor/src");
  EXPECT_EQ(collide(0, 0, 0), "gradient/no_single_survivor/src");
  EXPECT_EQ(collide(16, 8, 8), "gradient/wrong_value/src");
}

TEST_F(ByCombiner, ATieIsSharedEvenlyWhereTheDocumentSaysSo) {
  combine_by("amax", "src[stretch(p, shape(src))]");
  spec_.gradient.ties = GradientPolicy::Ties::even;
  const auto tie = [&](double self, double first, double second) {
    return judged("mean", true, {6}, {0, 0, 0}, {6, 6, 5}, {8}, reals({self}), reals({first, second, 0}));
  };
  EXPECT_EQ(tie(8.0 / 3, 8.0 / 3, 8.0 / 3), "");
  EXPECT_EQ(tie(8, 0, 0), "gradient/wrong_value/self");
  EXPECT_EQ(tie(0, 4, 4), "gradient/wrong_value/self");
  // One element that lands twice is a third of three, or a half of two.
  const auto twice = [&](double self, double of_src) {
    return judged("mean", true, {6}, {0, 0}, {6}, {8}, reals({self}), reals({of_src}));
  };
  EXPECT_EQ(twice(4, 4), "");
  EXPECT_EQ(twice(8.0 / 3, 16.0 / 3), "");
}

TEST_F(Gradients, AreFreeButForTheirFormWhereNothingIsPromised) {
  const Call call = scatter_call(reals({1, 2}), 0, ints({1}, {0}), reals({5}), "add");
  const auto bag = execute(spec_, call);
  ASSERT_TRUE(bag);
  const ExpectedGradients expected = open_gradients(call, *bag, "the document says so");
  const auto verdict = [&](const GradientAnswer& of_self) {
    return judge_gradients(expected, std::vector<GradientAnswer>{of_self, reals({7})});
  };
  EXPECT_EQ(verdict(reals({8, 9})).verdict, Verdict::open);
  EXPECT_EQ(verdict(reals({8, 9})).explanation, "the document says so");
  EXPECT_EQ(verdict(NotConnected{}).verdict, Verdict::open);
  EXPECT_EQ(to_string(verdict(reals({8})).diagnosis), "gradient/form/self");
}

TEST(Dependence, IsNotClaimedWhereAValueIsNotAffine) {
  const Call call = scatter_call(reals({1, 2}), 0, ints({1}, {1}), reals({5}), "add");
  const auto found = dependences_of(
      load(with(scatter_text, "if is_tensor(src) then src[p] else src", "if src[p] < 2 then 1 else src[p]")),
      call);
  ASSERT_FALSE(found);
  EXPECT_EQ(
      found.errors().front().what,
      "no gradients follow from the meaning of toy.scatter: a value that it writes is not affine in one "
      "element of its data");
  const auto integers = dependences_of(
      load(scatter_text), scatter_call(ints({2}, {1, 2}), 0, ints({1}, {1}), ints({1}, {5}), "add"));
  EXPECT_FALSE(integers);
}

}  // namespace
}  // namespace scatterproof::spec::testing
