// SPDX-License-Identifier: Apache-2.0
// What rules about gradients demand of an engine, and gradients that cases state.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "scatterproof/runner/trial/gradients.hpp"
#include "tensors.hpp"
#include "toy_specs.hpp"

namespace scatterproof::runner {
namespace {

using namespace spec::testing;

spec::Tensor vector_of(std::vector<double> values) {
  std::vector<spec::Scalar> scalars;
  for (const double value : values) scalars.push_back(spec::Scalar::of_real(value));
  return {spec::DType::f32, {std::ssize(values)}, scalars};
}

/// Adds two values to one cell.
const spec::Call adding{"toy.scatter",
                        {{"self", vector_of({1})},
                         {"dim", spec::Scalar::of_int(0)},
                         {"index", ints({2}, {0, 0})},
                         {"src", vector_of({5, 6})},
                         {"reduce", "add"},
                         {"keep", spec::Scalar::of_bool(true)},
                         {"limit", spec::None{}}}};

const engines::EngineInfo mine{"mine", "", "", "cpu", {"toy.scatter"}, {}};

spec::OpSpec with_rule(const std::string& broken) {
  return load(with(scatter_text, "latitude:",
                   "gradient: {rules: [{id: one-index, says: one index, require: numel(index) == 1, from: "
                   "{document: doc, section: Notes}, broken: " +
                       broken + "}]}\nlatitude:"));
}

spec::Judgement judged(const spec::OpSpec& op, const spec::GradientAnswer& of_self,
                       std::vector<double> result = {12}) {
  const auto task = gradient_task(op, adding, mine);
  const spec::Outcome plain{spec::Produced{{vector_of({12})}, {}}, 0};
  const spec::Outcome asked{spec::Produced{.tensors = {vector_of(std::move(result))},
                                           .inputs_written = {},
                                           .gradients = {of_self, vector_of({7, 7})}},
                            0};
  return judge_gradient_outcome(op, adding, mine, std::get<GradientTask>(task), plain, asked).value();
}

TEST(GradientRules, ThatPromiseAnErrorDemandOne) {
  const spec::OpSpec op = with_rule("{error: RuntimeError, native: shape}");
  EXPECT_EQ(judged(op, spec::Refused{{"RuntimeError"}, "no"}).verdict, spec::Verdict::pass);
  EXPECT_EQ(judged(op, spec::Refused{{"ValueError"}, "no"}).verdict, spec::Verdict::wrong_error);
  EXPECT_EQ(judged(op, vector_of({1})).verdict, spec::Verdict::missing_error);
}

TEST(GradientRules, ThatPromiseNothingLeaveTheFormAndTheResult) {
  const spec::OpSpec op = with_rule("undefined");
  EXPECT_EQ(judged(op, vector_of({1})).verdict, spec::Verdict::open);
  EXPECT_EQ(judged(op, vector_of({1})).explanation,
            "of this gradient nothing is promised: one-index: numel(index) = 2 is not 1 (Toy "
            "manual, Notes)");
  EXPECT_EQ(to_string(judged(op, vector_of({1, 2})).diagnosis), "gradient/form/self");
  EXPECT_TRUE(is_failure(judged(op, vector_of({1}), {13}).verdict));
}

TEST(GradientCauses, AreNamed) {
  const spec::OpSpec op = load(scatter_text);
  spec::Call assigning = adding;
  std::ranges::find(assigning.arguments, "reduce", &std::pair<std::string, spec::Argument>::first)->second =
      "none";
  const auto task = std::get<GradientTask>(gradient_task(op, assigning, mine));
  const double g = task.reverse.cotangent.values().front().real();
  const spec::Outcome plain{spec::Produced{{vector_of({6})}, {}}, 0};
  const auto causes = [&](double first) {
    const spec::Outcome asked{spec::Produced{.tensors = {vector_of({6})},
                                             .inputs_written = {},
                                             .gradients = {vector_of({0}), vector_of({first, g})}},
                              0};
    return judge_gradient_outcome(op, assigning, mine, task, plain, asked).value().causes;
  };
  EXPECT_EQ(causes(0), spec::LikelyCauses{});
  EXPECT_EQ(causes(g), spec::LikelyCauses{{.kind = spec::DiagnosisKind::each_write_gets_all}});
  EXPECT_EQ(causes(2 * g), spec::LikelyCauses{});
}

TEST(GradientsOfCases, MustFollowFromTheSpec) {
  const auto dispute = [](const spec::OpSpec& op, std::vector<double> of_src) {
    spec::Case one;
    one.call = adding, one.file = "a.yaml";
    one.gradient = spec::CaseGradient{.cotangent = vector_of({3}), .any_of = {{{"src", vector_of(of_src)}}}};
    return dispute_about_gradients(one, op, mine);
  };
  EXPECT_FALSE(dispute(load(scatter_text), {3, 3}));
  const auto wrong = dispute(load(scatter_text), {3, 4});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->verdict, spec::Verdict::disputed);
  EXPECT_NE(wrong->explanation.find("the gradient of src[1] is 4.0; expected 3"), std::string::npos)
      << wrong->explanation;
  EXPECT_TRUE(dispute(with_rule("undefined"), {3, 3})) << "the spec promises none";
}

}  // namespace
}  // namespace scatterproof::runner
