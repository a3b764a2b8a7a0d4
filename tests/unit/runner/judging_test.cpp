// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "scatterproof/runner/trial/trial.hpp"
#include "toy.hpp"

namespace scatterproof::runner {
namespace {

class Judging : public testing::Test {
 protected:
  spec::Judgement judge(const std::string& id, spec::Outcome outcome) {
    for (const spec::Case& one : catalogue_.cases)
      if (one.id == "toy.put/" + id) {
        const auto trial = judge_case(one, *catalogue_.specs.find("toy.put"), engine_, outcome);
        EXPECT_TRUE(trial) << (trial ? "" : spec::to_string(trial.errors()));
        return trial->judgement;
      }
    ADD_FAILURE() << "no case " << id;
    return {};
  }
  static spec::Outcome produced(std::vector<std::int64_t> values) {
    std::vector<spec::Scalar> scalars;
    for (const std::int64_t v : values) scalars.push_back(spec::Scalar::of_int(v));
    return {spec::Produced{{spec::Tensor(spec::DType::i64, {3}, scalars)}, {}}, 0};
  }

  Catalogue catalogue_ = toy_catalogue();
  spec::OpSpec op_ = *catalogue_.specs.find("toy.put");
  engines::EngineInfo engine_{"torch@2", "torch", "2", "cpu", {"toy.put"}, {}};
};

TEST_F(Judging, PassesWhatFormulaAndPrintAgreeOn) {
  EXPECT_EQ(judge("doc/one", produced({7, 0, 5})).verdict, spec::Verdict::pass);
  EXPECT_EQ(judge("doc/one", produced({7, 0, 6})).verdict, spec::Verdict::mismatch);
}

TEST_F(Judging, TellsAPrintThatContradictsTheFormula) {
  const spec::Judgement judgement = judge("doc/wrongly-printed", produced({7, 0, 5}));
  EXPECT_EQ(judgement.verdict, spec::Verdict::disputed);
  EXPECT_EQ(to_string(judgement.diagnosis), "printed/value");
  EXPECT_NE(judgement.explanation.find("toy.cases.yaml:"), std::string::npos);
}

TEST_F(Judging, KeepsRefusalsApart) {
  EXPECT_EQ(judge("rule/range/breaks", {spec::Refused{{"IndexError"}, "no"}, 0}).verdict,
            spec::Verdict::pass);
  EXPECT_EQ(judge("rule/range/breaks", {spec::Refused{{"ValueError"}, "no"}, 0}).verdict,
            spec::Verdict::wrong_error);
  EXPECT_EQ(judge("rule/range/breaks", produced({0, 0, 0})).verdict, spec::Verdict::missing_error);
  EXPECT_EQ(judge("doc/one", {spec::Refused{{"IndexError"}, "no"}, 0}).verdict,
            spec::Verdict::unexpected_error);
}

TEST_F(Judging, NamesARepairedIndex) {
  // toy.put of [5] at index 3 into three zeros: clamped it is position 2, modulo 3 position 0.
  const auto diagnosis = [&](std::vector<std::int64_t> values) {
    const spec::Judgement judgement = judge("rule/range/breaks", produced(std::move(values)));
    EXPECT_NE(judgement.explanation.find(sentence(judgement.diagnosis)), std::string::npos);
    return to_string(judgement.diagnosis);
  };
  EXPECT_EQ(diagnosis({0, 0, 5}), "index_repair/clamped/index[2]");
  EXPECT_EQ(diagnosis({5, 0, 0}), "index_repair/modulo/index[3]");
  EXPECT_EQ(diagnosis({0, 0, 0}), "index_repair/dropped/index");
  EXPECT_EQ(diagnosis({0, 5, 0}), "no_refusal/result");
  for (spec::Case& one : catalogue_.cases)
    for (auto& [name, value] : one.call.arguments)
      if (name == "index" && !one.rule.empty())
        value = spec::Tensor(spec::DType::i64, {1}, std::vector<spec::Scalar>{spec::Scalar::of_int(-2)});
  EXPECT_EQ(diagnosis({0, 5, 0}), "index_repair/wrapped_once/index[3]");
}

TEST_F(Judging, TellsACaseThatContradictsItsSpec) {
  for (spec::Case& one : catalogue_.cases)
    if (one.expect.kind == spec::CaseExpectation::Kind::error)
      one.expect.kind = spec::CaseExpectation::Kind::open;
  const spec::Judgement judgement = judge("rule/range/breaks", {spec::Refused{{"IndexError"}, "no"}, 0});
  EXPECT_EQ(judgement.verdict, spec::Verdict::disputed);
  EXPECT_EQ(to_string(judgement.diagnosis), "case/contradicts_spec");
  EXPECT_NE(judgement.explanation.find("states open, the spec says an error"), std::string::npos)
      << judgement.explanation;
}

TEST_F(Judging, TellsACaseThatIsMislabelled) {
  for (spec::Case& one : catalogue_.cases)
    if (one.rule == "range") one.breaks = false;
  const spec::Judgement judgement = judge("rule/range/breaks", {spec::Refused{{"IndexError"}, "no"}, 0});
  EXPECT_EQ(judgement.verdict, spec::Verdict::disputed);
  EXPECT_EQ(to_string(judgement.diagnosis), "case/mislabelled");
}

TEST_F(Judging, HoldsALabelOnlyWhereItsRuleIs) {
  // `newer` is broken by the same call; `range` is of earlier releases than the engine's.
  const auto diagnosis = [&](const std::string& until) {
    op_ = *catalogue_.specs.find("toy.put");
    const auto range = std::ranges::find(op_.rules, "range", &spec::Rule::id);
    spec::Rule newer = *range;
    newer.id = "newer";
    range->applies.until = until;
    op_.rules.push_back(newer);
    const auto one = std::ranges::find(catalogue_.cases, "toy.put/rule/range/breaks", &spec::Case::id);
    return to_string(
        judge_case(*one, op_, engine_, {spec::Refused{{"IndexError"}, "no"}, 0})->judgement.diagnosis);
  };
  EXPECT_EQ(diagnosis("3"), "case/mislabelled");
  EXPECT_EQ(diagnosis("2"), "");
}

TEST_F(Judging, LeavesACaseAloneThatIsAboutLaterReleases) {
  // Release 2 has a rule that its successor lost: there, the printed result is not promised.
  const auto judged = [&](const std::string& until, const std::string& version) {
    std::ifstream file(SCATTERPROOF_SOURCE_DIR "/tests/unit/runner/toy.spec.yaml");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text.replace(text.find("meaning:"), 0,
                 "  - id: older\n    says: nothing is written\n    from: {document: doc, section: rules}\n"
                 "    require: numel(index) == 0\n    broken: undefined\n" +
                     (until.empty() ? "" : "    until: '" + until + "'\n"));
    const auto op = spec::load_op_spec_text("toy.yaml", text);
    if (!op) ADD_FAILURE() << spec::to_string(op.errors());
    op_ = *op;
    engine_.version = version;
    const auto one = std::ranges::find(catalogue_.cases, "toy.put/doc/one", &spec::Case::id);
    return judge_case(*one, op_, engine_, produced({7, 0, 5}))->judgement.verdict;
  };
  EXPECT_EQ(judged("3", "2"), spec::Verdict::open);
  EXPECT_EQ(judged("3", "3"), spec::Verdict::pass);
  EXPECT_EQ(judged("", "2"), spec::Verdict::disputed);  // the newest has it, too
}

TEST_F(Judging, HoldsAKernelOnADeviceToWhatHoldsOnTheCpu) {
  EXPECT_EQ(target_of(op_, engine_).version, "2");
  engine_.device = "cuda";
  EXPECT_EQ(target_of(op_, engine_).device, "cuda");
  engine_ = {"thrust-cuda", "", "", "cuda", {"toy.put"}, {}};
  EXPECT_EQ(target_of(op_, engine_).device, "cpu");
  EXPECT_EQ(target_of(op_, engine_).framework, "");
}

TEST_F(Judging, LeavesACaseAloneThatIsAboutOtherDevices) {
  op_.platforms = {.devices = {"npu"}, .says = "Ascend alone", .from = {}};
  const auto one = std::ranges::find(catalogue_.cases, "toy.put/doc/one", &spec::Case::id);
  const auto verdict = [&](std::vector<std::int64_t> values) {
    return judge_case(*one, op_, engine_, produced(std::move(values)))->judgement.verdict;
  };
  EXPECT_EQ(verdict({7, 0, 6}), spec::Verdict::open);
  engine_.device = "npu";
  EXPECT_EQ(verdict({7, 0, 6}), spec::Verdict::mismatch);
  engine_ = {"mine", "", "", "cpu", {"toy.put"}, {}};
  EXPECT_EQ(verdict({7, 0, 6}), spec::Verdict::mismatch);
}

TEST_F(Judging, HoldsOpenCallsToWhatAlwaysHolds) {
  const auto verdict = [&](std::size_t tensors, std::vector<std::string> written) {
    using spec::DType;
    using spec::Tensor;
    const spec::Call mixed{"toy.put",
                           {{"self", Tensor(DType::i64, {3})},
                            {"index", Tensor(DType::i64, {1})},
                            {"src", Tensor(DType::f32, {1})}}};
    const spec::Outcome outcome{
        spec::Produced{std::vector(tensors, Tensor(DType::i64, {3})), std::move(written)}, 0};
    const spec::Judgement judgement = judge_call(op_, mixed, engine_, outcome)->judgement;
    return std::string(spec::name(judgement.verdict)) + " " + to_string(judgement.diagnosis);
  };
  EXPECT_EQ(verdict(1, {}), "open open/silent");
  EXPECT_EQ(verdict(1, {"index"}), "mismatch argument_written/index");
  EXPECT_EQ(verdict(1, {"self", "src"}), "mismatch argument_written/self+src");
  EXPECT_EQ(verdict(2, {}), "mismatch form/tensor_count");
  op_.meaning.in_place = {"self"};
  EXPECT_EQ(verdict(1, {"self"}), "open open/silent");
  EXPECT_EQ(verdict(1, {"self", "src"}), "mismatch argument_written/src");
}

TEST_F(Judging, PutsAllOfAJudgementIntoARecord) {
  spec::Record record;
  put(judge("doc/one", {spec::Refused{{"IndexError"}, "no\nbecause"}, 0}), record);
  EXPECT_EQ(record.verdict, spec::Verdict::unexpected_error);
  EXPECT_EQ(to_string(record.diagnosis), "unexpected_refusal/IndexError");
  EXPECT_EQ(record.message, "no\nbecause");
  EXPECT_FALSE(record.explanation.empty());
}

TEST_F(Judging, ReadsASpecForItsOwnFrameworksRelease) {
  const spec::OpSpec& op = *catalogue_.specs.find("toy.put");
  EXPECT_EQ(target_of(op, engine_).version, "2");
  EXPECT_EQ(target_of(op, {"reference", "", "0.1", "cpu", {}, {}}).version, "");
}

}  // namespace
}  // namespace scatterproof::runner
