// SPDX-License-Identifier: Apache-2.0
// Calls made ready and repeated behind the protocol: honest workers, lying ones, and the forms that the
// frameworks' workers time.
#include <gtest/gtest.h>

#include <csignal>

#include "mock.hpp"
#include "scatterproof/engines/registry.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;
using std::chrono_literals::operator""ms;
using spec::DType;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

template <class Kind>
const Kind* as(const spec::Outcome& outcome) {
  return std::get_if<Kind>(&outcome.what);
}

TEST(TimingTest, APreparedCallAnswersAsARunDoesAndIsRepeated) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call("honest", 3);
  Prepared prepared = engine->prepare(call, {});
  EXPECT_TRUE(answered_honestly(prepared.outcome, 3)) << to_string(prepared.outcome);
  ASSERT_NE(prepared.timed, nullptr);
  const auto seconds = prepared.timed->repeat(100);
  ASSERT_TRUE(std::holds_alternative<double>(seconds));
  EXPECT_GT(std::get<double>(seconds), 0);
  prepared.timed.reset();
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5));
}

TEST(TimingTest, TheTimedFormIsWhatIsTimed) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call("timed", 3);
  Prepared prepared = engine->prepare(call, {});
  EXPECT_TRUE(answered_honestly(prepared.outcome, 3)) << to_string(prepared.outcome);
  ASSERT_NE(prepared.timed, nullptr);
  EXPECT_GE(std::get<double>(prepared.timed->repeat(20)), 0.02);  // it sleeps for a millisecond each
  EXPECT_FALSE(engine->supports(call).yes) << "a form for timing alone is no API that is offered";
}

TEST(TimingTest, TheWorkerIsToldWhatIsTimed) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  for (const TimingOptions options : {TimingOptions{3, true}, TimingOptions{1, false}}) {
    const Prepared prepared = engine->prepare(mock_call("options"), options);
    const auto* produced = as<spec::Produced>(prepared.outcome);
    ASSERT_NE(produced, nullptr) << to_string(prepared.outcome);
    const std::vector<Scalar> expected{Scalar::of_int(options.threads), Scalar::of_int(options.in_place)};
    EXPECT_TRUE(identical(produced->tensors[0], Tensor(DType::i64, {2}, expected)));
  }
}

TEST(TimingTest, WhatIsNotProducedIsNotRepeated) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const Prepared refused = engine->prepare(mock_call("refuses"), {});
  EXPECT_NE(as<spec::Refused>(refused.outcome), nullptr) << to_string(refused.outcome);
  EXPECT_EQ(refused.timed, nullptr);
  const Prepared unheard_of = engine->prepare(mock_call("unheard_of"), {});
  EXPECT_NE(as<spec::Unsupported>(unheard_of.outcome), nullptr) << to_string(unheard_of.outcome);
  const spec::Call wrong_dtype{"mock.honest", {{"x", Tensor(DType::f64, {1})}}};
  const Prepared other = engine->prepare(wrong_dtype, {});
  EXPECT_EQ(to_string(other.outcome), "unsupported: mock takes no f64 tensors (x)");
  spec::Call too_large{"mock.honest", {}};
  const Tensor mebibyte(DType::i64, {1 << 17});
  for (int i = 0; i <= 1024; ++i) too_large.arguments.emplace_back("x" + std::to_string(i), mebibyte);
  const Prepared huge = engine->prepare(too_large, {});
  EXPECT_EQ(to_string(huge.outcome),
            "unsupported: tensors of more than a GiB do not go through the worker protocol");
}

TEST(TimingTest, WhatOverwritesIsNotRepeatedAsItStands) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const Prepared prepared = engine->prepare(mock_call("overwrites"), {});
  const auto* unsupported = as<spec::Unsupported>(prepared.outcome);
  ASSERT_NE(unsupported, nullptr) << to_string(prepared.outcome);
  EXPECT_EQ(unsupported->reason, "mock has no timed form of mock.overwrites");
}

TEST(TimingTest, AWorkerWithoutTimedCallsIsUnsupported) {
  const Mock mock({"--cannot-time"});
  const auto engine = make_worker_engine(mock.options);
  const Prepared prepared = engine->prepare(mock_call("honest"), {});
  EXPECT_EQ(to_string(prepared.outcome), "unsupported: mock has no timed calls");
}

TEST(TimingTest, AFailureOnRepetitionIsToldAndCostsNobody) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call("fails_later");
  const Prepared prepared = engine->prepare(call, {});
  ASSERT_NE(prepared.timed, nullptr) << to_string(prepared.outcome);
  for (int round = 0; round < 2; ++round) {
    const auto failed = prepared.timed->repeat(1);
    ASSERT_TRUE(std::holds_alternative<spec::Outcome>(failed));
    EXPECT_EQ(to_string(std::get<spec::Outcome>(failed)), "refused: MemoryError: no more");
  }
}

/// What a mock's bare loop over a call of each of these names takes.
std::variant<double, spec::Outcome> loop(Engine& engine, const std::vector<std::string>& names,
                                         std::int64_t rounds) {
  std::vector<spec::Call> calls;
  for (const std::string& name : names) calls.push_back(mock_call(name));
  std::vector<Job> jobs;
  for (const spec::Call& call : calls) jobs.push_back({&call});
  return engine.bare_loop(jobs, rounds);
}

TEST(TimingTest, ABareLoopTakesTheTimeOfItsCalls) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_GE(std::get<double>(loop(*engine, {"honest", "sleeps"}, 20)), 0.02);
  EXPECT_GT(std::get<double>(loop(*engine, {"overwrites"}, 20)), 0);
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5));
}

TEST(TimingTest, ACallThatFailsEndsABareLoop) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const auto refused = loop(*engine, {"honest", "refuses"}, 2);
  EXPECT_EQ(to_string(std::get<spec::Outcome>(refused)), "refused: IndexError: no such index");
  const auto unsupported = loop(*engine, {"unsupported"}, 2);
  EXPECT_EQ(to_string(std::get<spec::Outcome>(unsupported)), "unsupported: not today");
}

TEST(TimingTest, AWorkerWithoutBareLoopsIsUnsupported) {
  const Mock mock({"--cannot-loop"});
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(to_string(std::get<spec::Outcome>(loop(*engine, {"honest"}, 2))),
            "unsupported: mock has no bare loop");
}

TEST(TimingTest, ABareLoopThatGoesWrongCostsTheWorkerAlone) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  for (const auto& [name, says] :
       {std::pair{"loop_crash", "signal 11"}, {"loop_longer_than_waited", "answered after"}}) {
    const auto answer = loop(*engine, {name}, 2);
    ASSERT_TRUE(std::holds_alternative<spec::Outcome>(answer)) << name;
    const std::string words = to_string(std::get<spec::Outcome>(answer));
    EXPECT_NE(words.find(says), std::string::npos) << words;
    EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5));
  }
}

struct Vice {
  std::string name;
  std::string says;
  std::chrono::milliseconds timeout = 20'000ms;
};

class PrepareVices : public ::testing::TestWithParam<Vice> {};

TEST_P(PrepareVices, IsTheOutcomeAndCostsTheWorkerAlone) {
  Mock mock;
  mock.options.timing_timeout = GetParam().timeout;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call(GetParam().name);
  const Prepared prepared = engine->prepare(call, {});
  EXPECT_NE(to_string(prepared.outcome).find(GetParam().says), std::string::npos)
      << to_string(prepared.outcome);
  EXPECT_EQ(prepared.timed, nullptr);
  EXPECT_TRUE(answered_honestly(engine->prepare(mock_call("honest", 5), {}).outcome, 5));
}

INSTANTIATE_TEST_SUITE_P(
    , PrepareVices,
    ::testing::Values(Vice{"prepare_crash", "signal 11"}, Vice{"prepare_hang", "no answer within", 1500ms},
                      Vice{"prepare_garbage", "not JSON"}, Vice{"prepare_lies", "does not fit"},
                      Vice{"prepare_unanswered", "was due"}, Vice{"prepare_without_end", "after 0 answers"}),
    [](const auto& vice) { return vice.param.name; });

class RepeatVices : public ::testing::TestWithParam<Vice> {};

TEST_P(RepeatVices, IsTheOutcomeAndCostsTheWorkerAlone) {
  Mock mock;
  mock.options.timing_timeout = GetParam().timeout;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call(GetParam().name, 1);
  Prepared prepared = engine->prepare(call, {});
  ASSERT_NE(prepared.timed, nullptr) << to_string(prepared.outcome);
  const auto answer = prepared.timed->repeat(3);
  ASSERT_TRUE(std::holds_alternative<spec::Outcome>(answer));
  const std::string words = to_string(std::get<spec::Outcome>(answer));
  EXPECT_NE(words.find(GetParam().says), std::string::npos) << words;
  const auto again = prepared.timed->repeat(3);
  EXPECT_EQ(to_string(std::get<spec::Outcome>(again)),
            "unavailable: the worker that held the call has ended");
  prepared.timed.reset();
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5));
}

INSTANTIATE_TEST_SUITE_P(
    , RepeatVices,
    ::testing::Values(Vice{"repeat_crash", "signal 11"}, Vice{"repeat_hang", "no answer within", 1500ms},
                      Vice{"repeat_garbage", "not JSON"}, Vice{"repeat_negative", "not a valid time"},
                      Vice{"repeat_text", "not a valid time"},
                      Vice{"repeat_longer_than_waited", "answered after"},
                      Vice{"repeat_unknown_member", "unknown members"},
                      Vice{"repeat_with_bytes", "has bytes"}, Vice{"repeat_other_seq", "was due"}),
    [](const auto& vice) { return vice.param.name; });

TEST(TimingTest, AnAnswerTooManyHarmsNoLaterCall) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  for (int round = 0; round < 3; ++round) {
    const spec::Call call = mock_call("repeat_twice");
    const Prepared prepared = engine->prepare(call, {});
    ASSERT_NE(prepared.timed, nullptr) << to_string(prepared.outcome);
    EXPECT_TRUE(std::holds_alternative<double>(prepared.timed->repeat(1)));
  }
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5));
}

// What the frameworks' own workers time.

Tensor integers(DType dtype, const Shape& shape, const std::vector<std::int64_t>& values) {
  std::vector<Scalar> scalars;
  for (const auto value : values) scalars.push_back(Scalar::of_int(value));
  return {dtype, shape, scalars};
}

/// A call that a worker takes, and its result. Small integers, so that every dtype's arithmetic is exact.
struct Form {
  std::string name;
  std::string engine;
  spec::Call call;
  Tensor result;
  bool in_place = true;  ///< whether it has such a form
};

const Tensor table = integers(DType::f32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
const Tensor rows = integers(DType::i64, {3}, {2, 0, 2});
const Tensor updates = integers(DType::f32, {3, 2}, {10, 20, 30, 40, 50, 60});
const Tensor tuples = integers(DType::i64, {3, 2}, {2, 1, 0, 0, 2, 1});
const Tensor numbers = integers(DType::f32, {3}, {10, 20, 30});

/// The rows as an index of the updates' shape: each repeated without taking space.
Tensor expanded_rows() {
  return spec::with_layout(integers(DType::i64, {3, 2}, {2, 2, 0, 0, 2, 2}), spec::Layout::expanded);
}
Tensor f32(const Shape& shape, const std::vector<std::int64_t>& values) {
  return integers(DType::f32, shape, values);
}
spec::Argument word(const char* text) { return std::string(text); }
spec::Argument number(std::int64_t value) { return Scalar::of_int(value); }
spec::Argument flag(bool value) { return Scalar::of_bool(value); }

std::vector<Form> forms() {
  const Tensor index = expanded_rows();
  const Tensor gathered = f32({3, 2}, {5, 6, 1, 2, 5, 6});
  const Tensor picked = f32({3}, {6, 1, 6});
  const Tensor added = f32({4, 2}, {31, 42, 3, 4, 65, 86, 7, 8});
  const Tensor largest = f32({4, 2}, {30, 40, 3, 4, 50, 60, 7, 8});
  const Tensor multiplied = f32({4, 2}, {30, 80, 3, 4, 2500, 7200, 7, 8});
  const Tensor tuple_added = f32({4, 2}, {21, 2, 3, 4, 5, 46, 7, 8});
  const Tensor tuple_largest = f32({4, 2}, {20, 2, 3, 4, 5, 30, 7, 8});
  // Without a row twice, where the last one would have to win.
  const Tensor once = integers(DType::i64, {2}, {2, 0});
  const Tensor once_expanded =
      spec::with_layout(integers(DType::i64, {2, 2}, {2, 2, 0, 0}), spec::Layout::expanded);
  const Tensor two = f32({2, 2}, {10, 20, 30, 40});
  const Tensor assigned = f32({4, 2}, {30, 40, 3, 4, 10, 20, 7, 8});
  const auto self = std::pair<std::string, spec::Argument>{"self", table};
  const auto dim = std::pair<std::string, spec::Argument>{"dim", number(0)};
  const auto axis = std::pair<std::string, spec::Argument>{"axis", number(0)};
  const auto opset = std::pair<std::string, spec::Argument>{"opset", number(18)};
  const auto onnx = [&](const char* name, const char* op, const Tensor& indices, const Tensor& values,
                        const char* reduction, const Tensor& result) {
    spec::Call call{
        op, {{"data", table}, {"indices", indices}, {"updates", values}, {"reduction", word(reduction)}}};
    if (call.api == "onnx.ScatterElements") call.arguments.push_back(axis);
    call.arguments.push_back(opset);
    return Form{name, "onnxruntime", call, result, false};
  };
  const Tensor tuple_rows = integers(DType::i64, {3, 1}, {2, 0, 2});
  return {
      {"numpy_take_along_axis",
       "numpy",
       {"numpy.take_along_axis", {{"arr", table}, {"indices", index}, axis}},
       gathered},
      {"numpy_take", "numpy", {"numpy.take", {{"a", table}, {"indices", rows}, axis}}, gathered},
      {"numpy_put_along_axis",
       "numpy",
       {"numpy.put_along_axis", {{"arr", table}, {"indices", once_expanded}, {"values", two}, axis}},
       assigned},
      {"numpy_add_at", "numpy", {"numpy.add.at", {{"a", table}, {"indices", rows}, {"b", updates}}}, added},
      {"numpy_maximum_at",
       "numpy",
       {"numpy.maximum.at", {{"a", table}, {"indices", rows}, {"b", updates}}},
       largest},
      {"torch_gather", "torch", {"torch.gather", {{"input", table}, dim, {"index", index}}}, gathered},
      {"torch_index_select",
       "torch",
       {"torch.index_select", {{"input", table}, dim, {"index", rows}}},
       gathered},
      {"torch_index", "torch", {"torch.index", {{"input", table}, {"indices", tuples}}}, picked},
      {"torch_scatter",
       "torch",
       {"torch.Tensor.scatter_",
        {self, dim, {"index", once_expanded}, {"src", two}, {"reduce", spec::None{}}}},
       assigned},
      {"torch_scatter_value",
       "torch",
       {"torch.Tensor.scatter_.value",
        {self, dim, {"index", index}, {"value", Scalar::of_real(9)}, {"reduce", spec::None{}}}},
       f32({4, 2}, {9, 9, 3, 4, 9, 9, 7, 8})},
      {"torch_scatter_add",
       "torch",
       {"torch.Tensor.scatter_add_", {self, dim, {"index", index}, {"src", updates}}},
       added},
      {"torch_scatter_reduce_amax",
       "torch",
       {"torch.Tensor.scatter_reduce_",
        {self,
         dim,
         {"index", index},
         {"src", updates},
         {"reduce", word("amax")},
         {"include_self", flag(true)}}},
       largest},
      {"torch_scatter_reduce_mean",
       "torch",
       {"torch.Tensor.scatter_reduce_",
        {self,
         dim,
         {"index", index},
         {"src", updates},
         {"reduce", word("mean")},
         {"include_self", flag(false)}}},
       f32({4, 2}, {30, 40, 3, 4, 30, 40, 7, 8})},
      {"torch_index_copy",
       "torch",
       {"torch.Tensor.index_copy_", {self, dim, {"index", once}, {"source", two}}},
       assigned},
      {"torch_index_add",
       "torch",
       {"torch.Tensor.index_add_", {self, dim, {"index", rows}, {"source", updates}}},
       added},
      {"torch_index_reduce",
       "torch",
       {"torch.Tensor.index_reduce_",
        {self,
         dim,
         {"index", rows},
         {"source", updates},
         {"reduce", word("amax")},
         {"include_self", flag(true)}}},
       largest},
      {"torch_index_put",
       "torch",
       {"torch.Tensor.index_put_",
        {self, {"indices", tuples}, {"values", numbers}, {"accumulate", flag(true)}}},
       tuple_added},
      {"ort_gather_elements",
       "onnxruntime",
       {"onnx.GatherElements", {{"data", table}, {"indices", index}, axis, opset}},
       gathered},
      {"ort_gather",
       "onnxruntime",
       {"onnx.Gather", {{"data", table}, {"indices", rows}, axis, opset}},
       gathered},
      {"ort_gather_nd",
       "onnxruntime",
       {"onnx.GatherND", {{"data", table}, {"indices", tuples}, {"batch_dims", number(0)}, opset}},
       picked},
      onnx("ort_scatter_elements", "onnx.ScatterElements", once_expanded, two, "none", assigned),
      onnx("ort_scatter_elements_add", "onnx.ScatterElements", index, updates, "add", added),
      onnx("ort_scatter_elements_max", "onnx.ScatterElements", index, updates, "max", largest),
      onnx("ort_scatter_elements_min", "onnx.ScatterElements", index, updates, "min", table),
      onnx("ort_scatter_elements_mul", "onnx.ScatterElements", index, updates, "mul", multiplied),
      onnx("ort_scatter_nd", "onnx.ScatterND", integers(DType::i64, {2, 1}, {2, 0}), two, "none", assigned),
      onnx("ort_scatter_nd_add", "onnx.ScatterND", tuples, numbers, "add", tuple_added),
      onnx("ort_scatter_nd_max", "onnx.ScatterND", tuples, numbers, "max", tuple_largest),
      onnx("ort_scatter_nd_min", "onnx.ScatterND", tuples, numbers, "min", table),
      onnx("ort_scatter_nd_mul", "onnx.ScatterND", tuple_rows, updates, "mul", multiplied),
  };
}

class TimedForms : public ::testing::TestWithParam<std::string> {};

TEST_P(TimedForms, GiveTheResultOfARunAndATime) {
  const spec::SpecLibrary specs{std::vector<spec::OpSpec>{}};
  auto places = find_places();
  places.data = SCATTERPROOF_SOURCE_DIR;
  const auto made = make_engine(GetParam(), specs, places);
  ASSERT_TRUE(made) << to_string(made.errors());
  Engine& engine = **made;
  for (const Form& form : forms()) {
    if (form.engine != GetParam()) continue;
    SCOPED_TRACE(form.name);
    if (engine.supports(form.call).yes) {
      const auto outcomes = run(engine, {form.call});
      const auto* ran = as<spec::Produced>(outcomes[0]);
      ASSERT_NE(ran, nullptr) << to_string(outcomes[0]);
      EXPECT_TRUE(identical(ran->tensors[0], form.result)) << to_string(outcomes[0]);
    }
    for (const TimingOptions options : {TimingOptions{2, true}, TimingOptions{1, false}}) {
      const Prepared prepared = engine.prepare(form.call, options);
      if (options.in_place && !form.in_place) {
        EXPECT_EQ(to_string(prepared.outcome), "unsupported: ONNX Runtime has no in-place form");
        continue;
      }
      const auto* produced = as<spec::Produced>(prepared.outcome);
      ASSERT_NE(produced, nullptr) << to_string(prepared.outcome);
      EXPECT_TRUE(identical(produced->tensors[0], form.result)) << to_string(prepared.outcome);
      for (const std::int64_t times : {1, 50}) {
        const auto seconds = prepared.timed->repeat(times);
        ASSERT_TRUE(std::holds_alternative<double>(seconds)) << to_string(std::get<spec::Outcome>(seconds));
        EXPECT_GT(std::get<double>(seconds), 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, TimedForms, ::testing::Values("numpy", "torch", "onnxruntime"),
                         [](const auto& engine) { return engine.param; });

}  // namespace
}  // namespace scatterproof::engines
