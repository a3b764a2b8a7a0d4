// SPDX-License-Identifier: Apache-2.0
// Differences between members are found, named, shrunk and told; agreement is not taken for one.
#include "scatterproof/runner/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "differences.hpp"
#include "in_turn.hpp"
#include "scatterproof/runner/catalogue/call_notation.hpp"
#include "scatterproof/runner/compare/render.hpp"
#include "stage.hpp"
#include "witness.hpp"

namespace scatterproof::runner::compare {
namespace {

TEST(Compare, WhatOneDocumentAllowsAndAnotherRefusesIsNamedWithASmallWitness) {
  Stage stage("gather_elements", {"numpy.take_along_axis", "onnx.GatherElements", "mindspore.mint.gather"});
  const ComparisonResult compared = compare(stage.plan);
  // numpy repeats an index of size 1, ONNX reads it as it is.
  const Divergence* difference = find(compared, "index/one-off-axis: repeats-index | as defined");
  ASSERT_TRUE(difference) << names(compared);
  EXPECT_TRUE(difference->minimal);
  for (const spec::Argument& value : difference->witness.said.values) {
    const auto* tensor = std::get_if<spec::Tensor>(&value);
    EXPECT_LE(tensor ? tensor->numel() : 0, 4);
  }
  EXPECT_EQ(difference->kind, DivergenceKind::documented);
  // All of them count a negative index from the end.
  for (const Divergence& one : compared.differences) EXPECT_NE(one.in, "index/negative") << one.name();
}

TEST(Compare, DocumentsOfSegmentReductionsDifferInWhatIsEmptyUnsortedAndOutOfRange) {
  Stage stage("segments",
              {"jax.ops.segment_max", "tensorflow.math.segment_max", "tensorflow.math.unsorted_segment_max"});
  const ComparisonResult compared = compare(stage.plan);
  EXPECT_TRUE(find(compared, "index/beyond: drops | refuses")) << names(compared);
  EXPECT_TRUE(find(compared, "index/unsorted: as defined | refuses")) << names(compared);
  const Divergence* empty = find(compared, "segments/empty-extreme: empty-holds-zero | empty-holds-limit");
  ASSERT_TRUE(empty) << names(compared);
  EXPECT_EQ(empty->kind, DivergenceKind::documented);
  // Two or three entries, and a segment without one. The call leaves the number of segments out: the second
  // of the APIs has no argument for it.
  EXPECT_TRUE(std::holds_alternative<spec::None>(*role(stage.comparison, empty->witness.said, "segments")));
  EXPECT_TRUE(empty->minimal);
  EXPECT_LE(elements_of(empty->witness.said), 6);
}

TEST(Compare, BatchesOfRowsAreSaidByThoseWhoHaveThem) {
  Stage stage("gather_rows", {"tensorflow.gather", "mindspore.ops.gather", "numpy.take"});
  const Input batch =
      classified(stage.comparison, said(stage.comparison, {{"data", i64({2, 2}, {1, 2, 3, 4})},
                                                           {"axis", number(1)},
                                                           {"index", i64({2, 1}, {1, 0})},
                                                           {"batch_dims", number(1)}}));
  ASSERT_EQ(batch.classes.size(), 1U);
  EXPECT_EQ(stage.comparison.classes[batch.classes.front()].id, "batch/some");
  const auto answers =
      ask({.comparison = stage.comparison, .members = stage.plan.members}, {&batch, 1}).front();
  EXPECT_EQ(shown(answers[0]), "[[2], [3]]");
  EXPECT_EQ(shown(answers[1]), "[[2], [3]]");
  EXPECT_EQ(shown(answers[2]), "numpy.take cannot express batch_dims = 1");
}

/// Each row of a comparison's matrix has calls behind it: of a third of the families, others each time, or of
/// all.
TEST(Inputs, EveryClassIsReachedAlone) {
  std::uint64_t number = 0;
  for (const spec::Family& family : shipped().families.all()) {
    if (!is_in_turn(number++, 3)) continue;
    const spec::FamilyComparison comparison = comparison_of(family.name);
    std::vector<const spec::OpSpec*> members;
    for (const spec::OpSpec& one : specs().all())
      if (shipped().families.said_in(one) == &family && one.variant_of.empty()) members.push_back(&one);
    std::vector<std::size_t> reached(comparison.classes.size());
    std::size_t in_none = 0;
    for (const Input& input : draw_inputs(comparison, members, {})) {
      ASSERT_LE(input.classes.size(), 2U);
      ASSERT_LE(elements_of(input.said), InputWishes{}.elements);
      if (input.classes.size() == 2) continue;
      ++(input.classes.empty() ? in_none : reached[input.classes.front()]);
    }
    EXPECT_GT(in_none, 0U) << family.name;
    for (std::size_t c = 0; c < reached.size(); ++c)
      EXPECT_GT(reached[c], 0U) << family.name << ": " << comparison.classes[c].id;
  }
}

/// Shrinking lets an index follow where sizes are cut, and cuts its tuples along with dimensions, if it is
/// known as one.
TEST(Compare, TheMeaningOfAFamilyKnowsItsIndex) {
  for (const spec::Family& family : shipped().families.all()) {
    if (family.name.starts_with("masked_")) continue;  // its index is a mask
    const spec::OpSpec meaning = comparison_of(family.name).meaning;
    for (const spec::ArgumentDecl& declared : meaning.arguments)
      EXPECT_EQ(meaning.is_index(declared), declared.name.starts_with("index"))
          << family.name << declared.name;
  }
}

TEST(Compare, WhatOnlyTwoClassesTogetherShowIsNamedAfterBoth) {
  Stage stage("gather_elements", {"onnx.GatherElements", "onnx.GatherElements"});
  stage.plan.wishes.both = 3;
  EXPECT_EQ(names(compare(stage.plan)), "");
  Refusing both([](const spec::Call& call) {
    return tensor_of(call, "indices").dtype() == spec::DType::i32 &&
           std::get<spec::Scalar>(*call.find("axis")).integer() < 0;
  });
  stage.plan.members[1].engine = &both;
  const ComparisonResult compared = compare(stage.plan);
  EXPECT_TRUE(find(compared, "index/i32 + axis/negative: as defined | refuses")) << names(compared);
  EXPECT_FALSE(find(compared, "index/i32: as defined | refuses")) << names(compared);
  EXPECT_GT(compared.pairs_reached, 20U);
  stage.plan.wishes.both = 0;
  EXPECT_EQ(compare(stage.plan).pairs_reached, 0U);
}

TEST(Compare, OneDocumentDoesNotDifferFromItself) {
  Stage stage("gather_elements", {"onnx.GatherElements", "onnx.GatherElements"});
  const ComparisonResult compared = compare(stage.plan);
  EXPECT_GT(compared.inputs.size(), 20U);
  EXPECT_EQ(names(compared), "");
}

Observation produced(std::uint64_t readings, const spec::Tensor& tensor) {
  return {.kind = Observation::Kind::produced,
          .readings = readings,
          .outcome = {.what = spec::Produced{.tensors = {tensor}, .inputs_written = {}}}};
}

/// An engine that is only asked for its name.
class Named final : public engines::InProcessEngine {
 public:
  explicit Named(std::string name) { info_.name = std::move(name); }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }

 private:
  spec::Outcome do_call(const spec::Call&, int) override { return {}; }
  engines::EngineInfo info_;
};

/// An engine of documents that dies at some calls instead of giving an answer: at each of them alone, or at
/// none.
class Dying final : public engines::InProcessEngine {
 public:
  Dying(std::vector<bool> dies, bool of_no_call_alone)
      : dies_(std::move(dies)), of_no_call_alone_(of_no_call_alone), documents_(document_engine(specs())) {}
  const engines::EngineInfo& info() const override { return documents_->info(); }
  engines::Support supports(const spec::Call& call) const override { return documents_->supports(call); }

 private:
  spec::Outcome do_call(const spec::Call& call, int) override {
    if (asked_ < dies_.size() && dies_[asked_++])
      return {.what = spec::Crashed{
                  .signal = 11, .exit_status = 0, .stderr_tail = {}, .of_no_call_alone = of_no_call_alone_}};
    const engines::CallRequest request{&call, std::chrono::seconds(10)};
    return documents_->run({&request, 1}).front();
  }
  std::vector<bool> dies_;
  bool of_no_call_alone_;
  std::size_t asked_ = 0;
  std::unique_ptr<engines::Engine> documents_;
};

/// An engine of documents that never answers calls with negative indices.
class Hanging final : public engines::InProcessEngine {
 public:
  const engines::EngineInfo& info() const override { return documents_->info(); }
  engines::Support supports(const spec::Call& call) const override { return documents_->supports(call); }
  int hung() const { return hung_; }

 private:
  spec::Outcome do_call(const spec::Call& call, int) override {
    const auto is_negative = [](const spec::Scalar& one) { return one.is_integral() && one.integer() < 0; };
    if (std::ranges::any_of(tensor_of(call, "indices").values(), is_negative)) {
      ++hung_;
      return {.what = spec::TimedOut{.seconds = 10, .stderr_tail = {}}};
    }
    const engines::CallRequest request{&call, std::chrono::seconds(10)};
    return documents_->run({&request, 1}).front();
  }
  int hung_ = 0;
  std::unique_ptr<engines::Engine> documents_ = document_engine(specs());
};

TEST(Compare, WithoutTimeOneCallOfEachClassIsAskedAndTheOthersAreCounted) {
  Stage stage("gather_elements", {"numpy.take_along_axis", "onnx.GatherElements"});
  stage.plan.seconds = 1e-6;
  const ComparisonResult compared = compare(stage.plan);
  std::size_t asked = 0;
  for (const ClassRow& row : compared.rows)
    for (const Cell& cell : row.cells) {
      std::size_t inputs = 0;
      for (const Behaviour& one : cell.does) inputs += one.count;
      EXPECT_LE(inputs, 1U) << name_of(stage.comparison, row.classes);
      asked += inputs;
    }
  EXPECT_GT(asked, compared.rows.size());
  ASSERT_EQ(compared.left_out.size(), 1U);  // of the one engine
  const auto& [engine, calls] = *compared.left_out.begin();
  EXPECT_GT(calls, compared.inputs.size());
  EXPECT_NE(
      closing_text(stage.comparison, compared).find(fmt::format("no time for: {} of {};", calls, engine)),
      std::string::npos);
  EXPECT_FALSE(names(compared).empty());

  stage.plan.seconds = {};
  EXPECT_TRUE(compare(stage.plan).left_out.empty());
}

TEST(Compare, WhereTimeIsLimitedACallThatHangsIsAskedOnce) {
  Stage stage("gather_elements", {"onnx.GatherElements", "onnx.GatherElements"});
  Hanging hanging;
  stage.plan.members[1].engine = &hanging;
  stage.plan.seconds = 60;
  const ComparisonResult compared = compare(stage.plan);
  EXPECT_TRUE(find(compared, "index/negative: counts-from-end | crashes")) << names(compared);
  const int limited = hanging.hung();
  EXPECT_LE(limited, 6);  // classes
  EXPECT_GT(compared.left_out.at(hanging.info().name), 5U);
  stage.plan.seconds = {};
  compare(stage.plan);
  EXPECT_GT(hanging.hung() - limited, 2 * limited);
}

TEST(Compare, ACrashThatTheCallDoesNotRepeatIsNotItsOwn) {
  Stage stage("gather_elements", {"onnx.GatherElements"});
  const Input input = classified(
      stage.comparison,
      said(stage.comparison, {{"data", i64({2}, {5, 6})}, {"axis", number(0)}, {"index", i64({1}, {1})}}));
  const auto answer = [&](std::vector<bool> dies, bool of_no_call_alone) {
    Dying engine(std::move(dies), of_no_call_alone);
    stage.plan.members.front().engine = &engine;
    return ask({.comparison = stage.comparison, .members = stage.plan.members}, {&input, 1}).front().front();
  };
  EXPECT_EQ(answer({true}, true).kind, Observation::Kind::produced);
  EXPECT_EQ(answer({true, true}, true).kind, Observation::Kind::crashed);
  EXPECT_EQ(answer({true}, false).kind, Observation::Kind::crashed) << "the engine has tried the call alone";
}

TEST(Compare, FormsOfOneReleaseAreNoReleases) {
  Stage stage("gather_elements", {"onnx.GatherElements", "onnx.GatherElements"});
  const auto kind = [&](const std::string& a, const std::string& b) {
    Named first(a), second(b);
    stage.plan.members[0].engine = &first;
    stage.plan.members[1].engine = &second;
    const Observation kept{.kind = Observation::Kind::refused, .keeps_word = true};
    return name(kind_of(stage.plan, std::vector{kept, kept}));
  };
  EXPECT_EQ(kind("torch@2.13.0", "torch:compile@2.13.0"), "form drift");
  EXPECT_EQ(kind("torch:onnx@2.13.0", "torch:compile@2.13.0"), "form drift");
  EXPECT_EQ(kind("torch@2.13.0", "torch:compile@2.12.0"), "drift");
}

TEST(Compare, NothingIsPromisedOfATensorThatIsWrittenAndOverlapsItself) {
  Stage stage("scatter_rows", {"numpy.add.at", "torch.Tensor.index_add_", "paddle.index_add"});
  const auto promised = [&](spec::Layout layout) {
    const Input input = classified(
        stage.comparison, said(stage.comparison, {{"data", spec::with_layout(i64({2}, {0, 0}), layout)},
                                                  {"axis", number(0)},
                                                  {"index", i64({1}, {1})},
                                                  {"updates", i64({1}, {1})},
                                                  {"combine", std::string("sum")}}));
    std::vector<Promised> all;
    const auto answers = ask({.comparison = stage.comparison, .members = stage.plan.members}, {&input, 1});
    for (const Observation& answer : answers.front()) {
      EXPECT_TRUE(answer.keeps_word);
      all.push_back(answer.promised);
    }
    return all;
  };
  const auto result = Promised::result, open = Promised::open;
  EXPECT_EQ(promised(spec::Layout::contiguous), (std::vector{result, result, result}));
  // The last one writes into a new tensor.
  EXPECT_EQ(promised(spec::Layout::expanded), (std::vector{open, open, result}));
}

TEST(Compare, AViewIsAClassAndACopyOfItIsInNone) {
  const spec::FamilyComparison comparison = comparison_of("scatter_rows");
  const auto classes = [&](const spec::FamilyCall& what) {
    std::vector<std::string> names;
    for (const std::size_t c : classified(comparison, what).classes)
      names.push_back(comparison.classes[c].id);
    return names;
  };
  const auto scatter = [&](spec::Layout layout) {
    return said(comparison, {{"data", spec::with_layout(i64({2, 2}, {1, 2, 3, 4}), layout)},
                             {"axis", number(0)},
                             {"index", i64({1}, {1})},
                             {"updates", i64({1, 2}, {5, 6})},
                             {"combine", std::string("sum")}});
  };
  EXPECT_EQ(classes(scatter(spec::Layout::contiguous)), std::vector<std::string>{});
  const auto reading = std::ranges::find(comparison.readings, "copies-data", &spec::CallReading::id);
  ASSERT_NE(reading, comparison.readings.end());
  const spec::CallReading* copies = &*reading;
  for (const auto layout : {spec::Layout::transposed, spec::Layout::sliced, spec::Layout::reversed}) {
    SCOPED_TRACE(spec::name(layout));
    const spec::FamilyCall view = scatter(layout);
    EXPECT_EQ(classes(view), std::vector<std::string>{"layout/data-view"});
    const auto copied = changed(comparison, view, {&copies, 1});
    ASSERT_TRUE(copied);
    EXPECT_EQ(classes(*copied), std::vector<std::string>{});
    EXPECT_TRUE(spec::identical(std::get<spec::Tensor>(*role(comparison, *copied, "data")),
                                std::get<spec::Tensor>(*role(comparison, view, "data"))));
  }
}

TEST(Compare, AnswersDifferWhereNoReadingExplainsBoth) {
  const Observation refused{.kind = Observation::Kind::refused}, absent{};
  const spec::Tensor one = i64({1}, {1}), two = i64({1}, {2});
  EXPECT_TRUE(differ(refused, produced(1, one)));
  EXPECT_FALSE(differ(refused, refused));
  EXPECT_FALSE(differ(absent, produced(1, one)));
  EXPECT_FALSE(differ(produced(0b011, one), produced(0b110, two)));
  EXPECT_TRUE(differ(produced(0b001, one), produced(0b110, two)));
  EXPECT_TRUE(differ(produced(0, one), produced(0, two)));
  EXPECT_FALSE(differ(produced(0, one), produced(0, one)));
}

TEST(Compare, OnlyWhatAnEarlierComparisonDoesNotHaveIsNew) {
  Stage stage("gather_elements", {"numpy.take_along_axis", "onnx.GatherElements"});
  const ComparisonResult compared = compare(stage.plan);
  const auto no_snippet = [](const auto&...) { return std::string(); };
  nlohmann::json former = as_json(stage.comparison, compared, no_snippet, no_snippet);
  EXPECT_TRUE(new_since(former, compared).empty());
  for (nlohmann::json& cell : former["cells"])
    if (cell["class"] == "index/one-off-axis" && cell["member"] == 0) cell["does"].clear();
  EXPECT_EQ(new_since(former, compared),
            std::vector<std::string>{"index/one-off-axis: numpy.take_along_axis repeats-index"});
  ComparisonResult by_chance = compared;
  for (Divergence& one : by_chance.differences) one.repeated = false;
  EXPECT_TRUE(new_since(former, by_chance).empty());
}

TEST(Compare, WhatIsFoundIsToldAtOnceAndNothingOfAnInterruptedOne) {
  Stage stage("gather_elements", {"numpy.take_along_axis", "onnx.GatherElements"});
  std::vector<std::size_t> told;  // differences, each time
  stage.plan.found = [&](const ComparisonResult& compared) { told.push_back(compared.differences.size()); };
  const std::size_t all = compare(stage.plan).differences.size();
  ASSERT_GT(all, 1U);
  ASSERT_EQ(told.size(), all + 1);
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], i);
  told.clear();
  const std::atomic<bool> interrupted{true};
  stage.plan.wishes.interrupted = &interrupted;
  compare(stage.plan);
  EXPECT_TRUE(told.empty());
}

TEST(Compare, APageNamesEveryDifferenceAndMember) {
  Stage stage("gather_elements", {"numpy.take_along_axis", "onnx.GatherElements"});
  const ComparisonResult compared = compare(stage.plan);
  for (const std::string& page :
       {as_markdown(stage.comparison, compared), as_console(stage.comparison, compared)}) {
    EXPECT_NE(page.find("numpy.take_along_axis"), std::string::npos);
    EXPECT_NE(page.find("index/one-off-axis"), std::string::npos);
    EXPECT_NE(page.find("repeats-index"), std::string::npos);
  }
}

/// The calls of a text that stand behind `before` in a line, and are read again.
std::vector<std::string> calls_in(const std::string& text, const std::string& before, char end) {
  std::vector<std::string> calls;
  for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    const std::string call = text.substr(begin, text.find(end, begin) - begin);
    EXPECT_TRUE(read_call_text(call, specs())) << call;
    calls.push_back(call);
  }
  return calls;
}

TEST(Compare, EveryDifferenceHasACommandThatReadsItsCall) {
  Stage stage("gather_elements", {"numpy.take_along_axis", "onnx.GatherElements"});
  const ComparisonResult compared = compare(stage.plan);
  const auto calls =
      calls_in(as_console(stage.comparison, compared), "\n  scatterproof compare --check '", '\'');
  EXPECT_EQ(calls.size(), compared.differences.size());
}

TEST(Compare, ALetterThatNoReadingExplainsHasItsCall) {
  Stage stage("gather_elements", {"numpy.take_along_axis", "onnx.GatherElements"});
  ComparisonResult compared = compare(stage.plan);
  EXPECT_EQ(closing_text(stage.comparison, compared).find("no reading explains"), std::string::npos);
  Behaviour& one = compared.rows.front().cells.front().does.front();
  one.name = Behaviour::unexplained;
  one.outcome = "produced it";
  const std::string text = closing_text(stage.comparison, compared);
  EXPECT_EQ(calls_in(text, "numpy.take_along_axis: ", '\n').size(), 1U) << text;
  EXPECT_NE(text.find("\n    produced it\n"), std::string::npos) << text;
}

TEST(Compare, AReleaseIsNamedOnce) {
  const auto named = [](const char* engine, const char* version) {
    engines::EngineInfo info;
    info.name = engine;
    info.version = version;
    return name_with_release(info);
  };
  EXPECT_EQ(named("paddle@3.3.1", "3.3.1"), "paddle@3.3.1");
  EXPECT_EQ(named("torch@2.13.0", "2.13.0+cpu"), "torch@2.13.0");
  EXPECT_EQ(named("openmp", "0.1.0"), "openmp@0.1.0");
  EXPECT_EQ(named("document", ""), "document");
  EXPECT_EQ(named("so:./mine@home.so", "1.0"), "so:./mine@home.so@1.0");
}

}  // namespace
}  // namespace scatterproof::runner::compare
