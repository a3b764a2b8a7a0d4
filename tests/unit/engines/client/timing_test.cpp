// SPDX-License-Identifier: Apache-2.0
// Calls made ready and repeated behind the protocol: honest workers and lying ones.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>

#include "mock.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;
using std::chrono_literals::operator""ms;
using spec::DType;
using spec::Scalar;
using spec::Tensor;

TEST(TimingTest, APreparedCallAnswersAsARunDoesAndIsRepeated) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call("honest", 3);
  PreparedCall prepared = engine->prepare(call, {});
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
  PreparedCall prepared = engine->prepare(call, {});
  EXPECT_TRUE(answered_honestly(prepared.outcome, 3)) << to_string(prepared.outcome);
  ASSERT_NE(prepared.timed, nullptr);
  EXPECT_GE(std::get<double>(prepared.timed->repeat(20)), 0.02);  // it sleeps for a millisecond each
  EXPECT_FALSE(engine->supports(call).yes) << "a form for timing alone is no API that is offered";
}

TEST(TimingTest, TheWorkerIsToldWhatIsTimed) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  for (const TimingOptions options : {TimingOptions{3, true}, TimingOptions{1, false}}) {
    const PreparedCall prepared = engine->prepare(mock_call("options"), options);
    const auto* produced = as<spec::Produced>(prepared.outcome);
    ASSERT_NE(produced, nullptr) << to_string(prepared.outcome);
    const std::vector<Scalar> expected{Scalar::of_int(options.threads), Scalar::of_int(options.in_place)};
    EXPECT_TRUE(identical(produced->tensors[0], Tensor(DType::i64, {2}, expected)));
  }
}

TEST(TimingTest, WhatIsNotProducedIsNotRepeated) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const PreparedCall refused = engine->prepare(mock_call("refuses"), {});
  EXPECT_NE(as<spec::Refused>(refused.outcome), nullptr) << to_string(refused.outcome);
  EXPECT_EQ(refused.timed, nullptr);
  const PreparedCall unheard_of = engine->prepare(mock_call("unheard_of"), {});
  EXPECT_NE(as<spec::Unsupported>(unheard_of.outcome), nullptr) << to_string(unheard_of.outcome);
  const spec::Call wrong_dtype{"mock.honest", {{"x", Tensor(DType::f64, {1})}}};
  const PreparedCall other = engine->prepare(wrong_dtype, {});
  EXPECT_EQ(to_string(other.outcome), "unsupported: mock takes no f64 tensors (x)");
  spec::Call too_large{"mock.honest", {}};
  const Tensor mebibyte(DType::i64, {1 << 17});
  for (int i = 0; i <= 1024; ++i) too_large.arguments.emplace_back("x" + std::to_string(i), mebibyte);
  const PreparedCall huge = engine->prepare(too_large, {});
  EXPECT_EQ(to_string(huge.outcome),
            "unsupported: tensors of more than a GiB do not go through the worker protocol");
}

TEST(TimingTest, WhatOverwritesIsNotRepeatedAsItStands) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const PreparedCall prepared = engine->prepare(mock_call("overwrites"), {});
  const auto* unsupported = as<spec::Unsupported>(prepared.outcome);
  ASSERT_NE(unsupported, nullptr) << to_string(prepared.outcome);
  EXPECT_EQ(unsupported->reason, "mock has no timed form of mock.overwrites");
}

TEST(TimingTest, AWorkerWithoutTimedCallsIsUnsupported) {
  const Mock mock({"--cannot-time"});
  const auto engine = make_worker_engine(mock.options);
  const PreparedCall prepared = engine->prepare(mock_call("honest"), {});
  EXPECT_EQ(to_string(prepared.outcome), "unsupported: mock has no timed calls");
}

TEST(TimingTest, AFailureOnRepetitionIsToldAndCostsNobody) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call("fails_later");
  const PreparedCall prepared = engine->prepare(call, {});
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
  std::vector<CallRequest> requests;
  for (const spec::Call& call : calls) requests.push_back({&call});
  return engine.bare_loop(requests, rounds);
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
  const PreparedCall prepared = engine->prepare(call, {});
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
  PreparedCall prepared = engine->prepare(call, {});
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
    const PreparedCall prepared = engine->prepare(call, {});
    ASSERT_NE(prepared.timed, nullptr) << to_string(prepared.outcome);
    EXPECT_TRUE(std::holds_alternative<double>(prepared.timed->repeat(1)));
  }
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5));
}

TEST(TimingTest, APreparedCallMayBeDestroyedWhenALimitIsPassed) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  std::atomic<bool> interrupted = false;
  const spec::WorkLimit limit(&interrupted);
  {
    const PreparedCall prepared = engine->prepare(mock_call("honest", 3), {});
    ASSERT_NE(prepared.timed, nullptr);
    interrupted = true;
  }
  interrupted = false;
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 5)})[0], 5));
}

}  // namespace
}  // namespace scatterproof::engines
