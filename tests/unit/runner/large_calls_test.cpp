// SPDX-License-Identifier: Apache-2.0
// Judging large calls: the time it takes, and what ends it.
#include <gmock/gmock.h>

#include <functional>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/trial/trial.hpp"

namespace scatterproof::runner {
namespace {

using spec::Scalar;
using spec::Tensor;
using ::testing::HasSubstr;

constexpr std::int64_t many = 100'000;

const spec::SpecLibrary& specs() {
  static const spec::SpecLibrary loaded = [] {
    auto result = load_specs("", engines::find_places());
    if (!result) throw std::runtime_error(spec::to_string(result.errors()));
    return std::move(result).value();
  }();
  return loaded;
}

Tensor made(spec::DType dtype, spec::Shape shape, const std::function<Scalar(std::int64_t)>& value) {
  Tensor tensor(dtype, std::move(shape));
  for (std::int64_t i = 0; i < tensor.numel(); ++i) tensor.set_at_position(i, value(i));
  return tensor;
}

/// All different, and no sum of them is exact.
Tensor numbers(std::int64_t count) {
  return made(spec::DType::f32, {count},
              [](std::int64_t i) { return Scalar::of_real(0.1 + static_cast<double>(i) / 3); });
}
Tensor one_cell(spec::Shape shape) { return Tensor(spec::DType::i64, std::move(shape)); }
Tensor all_different(spec::Shape shape) {
  return made(spec::DType::i64, std::move(shape),
              [](std::int64_t i) { return Scalar::of_int(many - 1 - i); });
}

spec::Judgement judged(const spec::Call& call, const spec::Outcome* outcome = nullptr) {
  const auto engine = std::move(engines::make_engine("reference", specs(), engines::find_places())).value();
  const auto trial = judge_call(*specs().find(call.api), call, engine->info(),
                                outcome ? *outcome : engine->run_one({&call}));
  if (!trial) throw std::runtime_error(spec::to_string(trial.errors()));
  return trial->judgement;
}

struct Large {
  const char* name;
  spec::Call (*call)(Tensor (*index)(spec::Shape));
};

const Large large[] = {
    {"gather",
     [](auto* index) -> spec::Call {
       return {"torch.gather",
               {{"input", numbers(many)}, {"dim", Scalar::of_int(0)}, {"index", index({many})}}};
     }},
    {"scatter",
     [](auto* index) -> spec::Call {
       return {"torch.Tensor.scatter_",
               {{"self", numbers(many)},
                {"dim", Scalar::of_int(0)},
                {"index", index({many})},
                {"src", numbers(many)},
                {"reduce", std::string("none")}}};
     }},
    {"scatter_add",
     [](auto* index) -> spec::Call {
       return {"torch.Tensor.scatter_add_",
               {{"self", numbers(many)},
                {"dim", Scalar::of_int(0)},
                {"index", index({many})},
                {"src", numbers(many)}}};
     }},
    {"index_copy",
     [](auto* index) -> spec::Call {
       return {"torch.Tensor.index_copy_",
               {{"self", numbers(many)},
                {"dim", Scalar::of_int(0)},
                {"index", index({many})},
                {"source", numbers(many)}}};
     }},
    {"scatter_nd",
     [](auto* index) -> spec::Call {
       return {"onnx.ScatterND",
               {{"data", numbers(many)},
                {"indices", index({many, 1})},
                {"updates", numbers(many)},
                {"reduction", std::string("add")},
                {"opset", Scalar::of_int(18)}}};
     }},
    {"add_at",
     [](auto* index) -> spec::Call {
       return {"numpy.add.at", {{"a", numbers(many)}, {"indices", index({many})}, {"b", numbers(many)}}};
     }},
};

class LargeCalls : public ::testing::TestWithParam<Large> {};
INSTANTIATE_TEST_SUITE_P(, LargeCalls, ::testing::ValuesIn(large),
                         [](const auto& one) { return std::string(one.param.name); });

// Where time grows with the square of the size, each of these takes more than five seconds; else a twentieth
// of one.
TEST_P(LargeCalls, AreJudgedInTimeThatGrowsWithTheirSize) {
  for (auto* const index : {&one_cell, &all_different}) {
    const spec::WorkLimit limit("a call of 100,000 elements", std::chrono::seconds(5));
    const spec::Judgement judgement = judged(GetParam().call(*index));
    EXPECT_TRUE(judgement.verdict == spec::Verdict::pass || judgement.verdict == spec::Verdict::weak)
        << judgement.explanation;
  }
}

TEST_P(LargeCalls, AreGivenUpAtTheLimitOfTime) {
  const spec::Call call = GetParam().call(&one_cell);
  const auto engine = std::move(engines::make_engine("reference", specs(), engines::find_places())).value();
  const spec::Outcome outcome = engine->run_one({&call});
  const spec::WorkLimit limit("judging", std::chrono::milliseconds(1));
  const spec::Judgement judgement = judged(call, &outcome);
  EXPECT_EQ(judgement.verdict, spec::Verdict::infra);
  EXPECT_EQ(to_string(judgement.diagnosis), "limit/time");
  EXPECT_THAT(judgement.explanation, HasSubstr("judging took longer than 0.001 s: " + call.api + "("));
}

TEST_P(LargeCalls, AreGivenUpWhenInterrupted) {
  const std::atomic<bool> interrupted{true};
  const spec::WorkLimit limit(&interrupted);
  EXPECT_THROW(judged(GetParam().call(&one_cell)), spec::LimitReached);
}

TEST(TooLargeCalls, AreRefusedByName) {
  const spec::Call call{"numpy.add.at",
                        {{"a", Tensor(spec::DType::f32, {1, 100'000})},
                         {"indices", one_cell({1'000})},
                         {"b", Scalar::of_real(1)}}};
  const spec::Outcome outcome{spec::Produced{{Tensor(spec::DType::f32, {1, 100'000})}, {}}, 0};
  const spec::Judgement judgement = judged(call, &outcome);
  EXPECT_EQ(judgement.verdict, spec::Verdict::infra);
  EXPECT_EQ(to_string(judgement.diagnosis), "limit/size");
  EXPECT_THAT(
      judgement.explanation,
      HasSubstr("the call writes more than 33554432 elements, the most that are judged: numpy.add.at("));
}

TEST(TooLargeCalls, AreNoneThatWriteNothing) {
  const spec::Call call{"paddle.gather",
                        {{"x", Tensor(spec::DType::f32, {6'000, 1, 0})},
                         {"index", one_cell({6'000})},
                         {"axis", Scalar::of_int(1)}}};
  const auto judge = [&](const Tensor& result) {
    const spec::Outcome outcome{spec::Produced{{result}, {}}, 0};
    return judged(call, &outcome).verdict;
  };
  EXPECT_EQ(judge(Tensor(spec::DType::f32, {6'000, 6'000, 0})), spec::Verdict::weak);
  EXPECT_EQ(judge(Tensor(spec::DType::f32, {6'000, 1, 0})), spec::Verdict::mismatch);
}

/// Read with other strides, segment_ids names a segment far beyond the limit; the call itself has two.
TEST(TooLargeCalls, AreNoneThatACauseWouldBe) {
  const Tensor memory = made(spec::DType::i64, {3}, [](std::int64_t i) {
    return Scalar::of_int(i == 1 ? std::int64_t{1} << 40 : i / 2);
  });
  const spec::Call call{
      "keras.ops.segment_sum",
      {{"data", made(spec::DType::f32, {2}, &Scalar::of_int)},
       {"segment_ids", *Tensor::view(spec::DType::i64, {2}, {2}, 0, memory.shared_storage())},
       {"num_segments", spec::None{}},
       {"sorted", Scalar::of_int(0)}}};
  const spec::Outcome outcome{
      spec::Produced{{made(spec::DType::f32, {2}, [](std::int64_t) { return Scalar::of_int(7); })}, {}}, 0};
  EXPECT_EQ(judged(call, &outcome).verdict, spec::Verdict::mismatch);
}

TEST(LargeMismatches, OfManyCellsAreExplainedInTime) {
  // Each cell gets three values and lost one of them: every cell is tried with each value left out.
  constexpr std::int64_t cells = 16'000;
  const Tensor thrice =
      made(spec::DType::i64, {3 * cells}, [](std::int64_t i) { return Scalar::of_int(i / 3); });
  const Tensor values =
      made(spec::DType::i64, {3 * cells}, [](std::int64_t i) { return Scalar::of_int(i * i + 1); });
  const spec::Call call{"torch.Tensor.scatter_add_",
                        {{"self", Tensor(spec::DType::i64, {cells})},
                         {"dim", Scalar::of_int(0)},
                         {"index", thrice},
                         {"src", values}}};
  const Tensor wrong = made(spec::DType::i64, {cells}, [&](std::int64_t i) {
    const auto value = [&](std::int64_t k) { return values.at_position(3 * i + (i + k) % 3).integer(); };
    return Scalar::of_int(value(0) + value(1));
  });
  const spec::Outcome outcome{spec::Produced{{wrong}, {}}, 0};
  const spec::WorkLimit limit("explaining", std::chrono::seconds(10));
  const spec::Judgement judgement = judged(call, &outcome);
  EXPECT_EQ(to_string(judgement.diagnosis), "wrong_meaning/one_value_lost") << judgement.explanation;
}

}  // namespace
}  // namespace scatterproof::runner
