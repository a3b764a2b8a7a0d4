// SPDX-License-Identifier: Apache-2.0
// How to write a call so that members agree on it, and whose meaning that keeps.
#include "scatterproof/runner/compare/portable.hpp"

#include <algorithm>
#include <numeric>

#include "scatterproof/runner/compare/render.hpp"
#include "stage.hpp"

namespace scatterproof::runner::compare {
namespace {

bool anything(std::size_t /*member*/, const Explanation& /*made*/) { return true; }

TEST(Portable, WhatIsMadePortableIsTakenAlike) {
  Stage stage("gather_elements", {"onnx.GatherElements", "torch.gather"});
  const ComparisonSetting setting{.comparison = stage.comparison, .members = stage.plan.members};
  const Input negative = classified(
      stage.comparison,
      said(stage.comparison, {{"data", i64({2}, {5, 6})}, {"axis", number(0)}, {"index", i64({1}, {-1})}}));
  const auto answers = ask(setting, {&negative, 1}).front();
  EXPECT_EQ(answers[0].kind, Observation::Kind::produced);
  EXPECT_NE(answers[1].kind, Observation::Kind::produced);
  const auto found = portable(setting, negative, answers, anything);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].keeps, (Group{0}));
  EXPECT_EQ(found[0].agree, (Group{0, 1}));
  EXPECT_EQ(found[0].others, Group());
  // Nothing can be made of an index that is out of range for all.
  const Input beyond = classified(
      stage.comparison,
      said(stage.comparison, {{"data", i64({2}, {5, 6})}, {"axis", number(0)}, {"index", i64({1}, {2})}}));
  EXPECT_TRUE(portable(setting, beyond, ask(setting, {&beyond, 1}).front(), anything).empty());
}

TEST(Portable, EachMeaningThatMembersHaveIsWrittenPortablyByItself) {
  Stage stage("gather_elements", {"onnx.GatherElements", "numpy.take_along_axis"});
  const ComparisonResult compared = compare(stage.plan);
  const auto one = std::ranges::find(compared.differences, "index/one-off-axis", &Divergence::in);
  ASSERT_NE(one, compared.differences.end()) << names(compared);
  const std::vector<std::string> words = portable_words(stage.comparison, compared, *one);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_TRUE(words[0].starts_with(
      "to get the result of numpy.take_along_axis everywhere, change the arguments first: "
      "where index has one place"))
      << words[0];
  EXPECT_TRUE(
      words[1].starts_with("to get the result of onnx.GatherElements everywhere, change the arguments first: "
                           "of data, only what lies within the sizes of index counts"))
      << words[1];
  for (const Portable& way : one->portable) {
    EXPECT_EQ(way.agree, (Group{0, 1}));
    EXPECT_EQ(way.others, Group());
  }
}

/// An engine of documents whose calls have their indices clamped first.
class Clamping final : public engines::InProcessEngine {
 public:
  Clamping() : documents_(document_engine(specs())) { info_.name = "clamping"; }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call& call) const override { return documents_->supports(call); }

 private:
  spec::Outcome do_call(const spec::Call& call, int) override {
    const spec::Tensor& index = tensor_of(call, "indices");
    std::vector<spec::Scalar> values = index.values();
    const std::int64_t last = tensor_of(call, "a").shape().front() - 1;
    for (spec::Scalar& value : values)
      value = spec::Scalar::of_int(std::clamp<std::int64_t>(value.integer(), 0, last));
    spec::Call clamped = call;
    for (auto& [name, argument] : clamped.arguments)
      if (name == "indices") argument = spec::Tensor(index.dtype(), index.shape(), values);
    const engines::CallRequest request{&clamped, std::chrono::seconds(10)};
    return documents_->run({&request, 1}).front();
  }
  engines::EngineInfo info_;
  std::unique_ptr<engines::Engine> documents_;
};

TEST(Portable, OfReadingsThatGiveOneCallTheSameArgumentsThatOfItsNeighboursCounts) {
  Stage stage("gather_rows", {"numpy.take", "numpy.take"});
  Clamping clamping;
  stage.plan.members[1].engine = &clamping;
  const ComparisonSetting setting{.comparison = stage.comparison, .members = stage.plan.members};
  const Input three = classified(
      stage.comparison,
      said(stage.comparison, {{"data", i64({2}, {5, 6})}, {"axis", number(0)}, {"index", i64({1}, {3})}}));
  const auto answers = ask(setting, {&three, 1}).front();
  const auto like_it = neighbours(stage.comparison, three);
  const auto said_of_them = ask(setting, like_it);
  std::vector<std::size_t> all(like_it.size());
  std::iota(all.begin(), all.end(), 0);
  const auto found = portable(setting, three, answers, [&](std::size_t member, const Explanation& made) {
    return means(stage.comparison, like_it, said_of_them, all, member, made);
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(name_of(found[0].made), "clamps");
  EXPECT_EQ(found[0].keeps, (Group{1}));
  EXPECT_EQ(name_of(portable(setting, three, answers, anything).at(0).made), "takes-modulo");
}

TEST(Portable, WhoDoesOtherwiseAllTheSameIsNamed) {
  Stage stage("gather_elements", {"onnx.GatherElements", "onnx.GatherElements", "numpy.take_along_axis"});
  Refusing negative([](const spec::Call& call) {
    const auto values = tensor_of(call, "indices").values();
    return std::ranges::any_of(values, [](const spec::Scalar& value) { return value.integer() < 0; });
  });
  Refusing all([](const spec::Call&) { return true; });
  stage.plan.members[1].engine = &negative;
  stage.plan.members[2].engine = &all;
  const ComparisonResult compared = compare(stage.plan);
  const auto found = std::ranges::find_if(compared.differences, [](const Divergence& one) {
    return one.in == "index/negative" && !one.portable.empty();
  });
  ASSERT_NE(found, compared.differences.end()) << names(compared);
  EXPECT_EQ(found->portable[0].agree, (Group{0, 1}));
  EXPECT_EQ(found->portable[0].others, (Group{2}));
  EXPECT_EQ(agreement_words(found->portable[0], compared.members),
            "2 members then agree. Different: numpy.take_along_axis: Refused.");
  // Where those that agree are those that agreed before, there is nothing to write.
  for (const Divergence& one : compared.differences)
    EXPECT_FALSE(one.in.empty() && !one.portable.empty()) << one.name();
}

}  // namespace
}  // namespace scatterproof::runner::compare
