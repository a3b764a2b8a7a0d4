// SPDX-License-Identifier: Apache-2.0
// Every way a worker can misbehave in a batch: the outcome is on the right call, no other call is lost, and
// no process stays behind.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include "scatterproof/spec/core/work_limit.hpp"
#include "vices.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

class Supervision : public ::testing::TestWithParam<Vice> {};

TEST_P(Supervision, BlamesTheRightCallAndLosesNoOther) { blames_the_right_call(GetParam(), run); }

INSTANTIATE_TEST_SUITE_P(, Supervision, ::testing::ValuesIn(vices),
                         [](const auto& vice) { return vice.param.name; });

TEST(SupervisionTest, ManyVicesInOneBatch) {
  const Mock mock;
  {
    const auto engine = make_worker_engine(mock.options);
    std::vector<spec::Call> calls;
    std::vector<const Vice*> mixed(64, nullptr);
    std::size_t next = 1;
    for (const auto& vice : vices) {
      if (vice.timeout < 20s || next >= mixed.size()) continue;
      mixed[next] = &vice;
      next += 2;
    }
    for (std::size_t i = 0; i < mixed.size(); ++i)
      calls.push_back(mock_call(mixed[i] ? mixed[i]->name : "honest", static_cast<std::int64_t>(i)));
    const auto outcomes = run(*engine, calls);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      EXPECT_EQ(kind(outcomes[i]), mixed[i] ? mixed[i]->expected : Is::produced) << calls[i].api;
      if (kind(outcomes[i]) == Is::produced) {
        EXPECT_TRUE(answered_honestly(outcomes[i], static_cast<std::int64_t>(i))) << calls[i].api;
      }
    }
  }
  EXPECT_EQ(mock.processes_left(), 0);
}

TEST(SupervisionTest, ACallThatKillsOnlyOthersIsToldApart) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("honest", 0), mock_call("poisons_others", 1),
                                      mock_call("honest", 2), mock_call("honest", 3)});
  EXPECT_TRUE(answered_honestly(outcomes[0], 0));
  EXPECT_TRUE(answered_honestly(outcomes[1], 1));
  EXPECT_TRUE(answered_honestly(outcomes[3], 3));
  const auto* crash = std::get_if<spec::Crashed>(&outcomes[2].what);
  ASSERT_NE(crash, nullptr) << to_string(outcomes[2]);
  EXPECT_EQ(crash->signal, SIGBUS);
  EXPECT_NE(crash->established.find("no call does it alone"), std::string::npos) << to_string(outcomes[2]);
  EXPECT_TRUE(crash->of_no_call_alone);
  EXPECT_EQ(crash->stderr_tail, "");
}

TEST(SupervisionTest, ACrashThatNoCallDoesAloneNamesTheApisBeforeIt) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  // In batches of their own, as those of another API are.
  for (const char* earlier : {"overwrites", "adds_more", "overwrites"}) {
    spec::Call call = mock_call(earlier);
    if (call.api == "mock.adds_more") call.arguments.emplace_back("more", spec::Scalar::of_int(1));
    run(*engine, {call});
  }
  const auto outcomes = run(*engine, {mock_call("poisons_others", 1), mock_call("honest", 2)});
  const auto* crash = std::get_if<spec::Crashed>(&outcomes[1].what);
  ASSERT_NE(crash, nullptr) << to_string(outcomes[1]);
  EXPECT_EQ(crash->established,
            "in a batch, after 1 other calls; no call does it alone; before it, the process had answered "
            "1 calls of mock.poisons_others, 2 of mock.overwrites, 1 of mock.adds_more");
}

TEST(SupervisionTest, ACallAnsweredTwiceNeverStands) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  for (const char* vice : {"duplicate_seq", "answers_again_later", "speaks_after_run"})
    for (int round = 0; round < 5; ++round) {
      std::vector<spec::Call> calls;
      for (std::int64_t i = 0; i < 12; ++i) calls.push_back(mock_call(i == 1 ? vice : "honest", i));
      const auto outcomes = run(*engine, calls);
      for (std::size_t i = 0; i < calls.size(); ++i)
        EXPECT_EQ(kind(outcomes[i]), i == 1 ? Is::garbled : Is::produced)
            << vice << i << to_string(outcomes[i]);
    }
}

TEST(SupervisionTest, AWorkerThatEndsBetweenRunsIsReplaced) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("ends_between_runs", 1)})[0], 1));
  EXPECT_EQ(mock.processes_left(), 0);
  std::this_thread::sleep_for(500ms);  // a process loses its name first, and then closes its channel
  const auto outcomes = run(*engine, {mock_call("honest", 2), mock_call("honest", 3)});
  EXPECT_TRUE(answered_honestly(outcomes[0], 2)) << to_string(outcomes[0]);
  EXPECT_TRUE(answered_honestly(outcomes[1], 3)) << to_string(outcomes[1]);
}

TEST(SupervisionTest, AStartThatFailsOnceHidesNoFault) {
  Mock mock({"--refuses-the-second-start"});
  const std::string starts = ::testing::TempDir() + "mock-starts" + mock.mark;
  mock.options.environment.emplace_back("MOCK_STARTS", starts);
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("honest", 0), mock_call("crash", 1), mock_call("honest", 2)});
  EXPECT_EQ(kind(outcomes[1]), Is::crashed) << to_string(outcomes[1]);
  EXPECT_TRUE(answered_honestly(outcomes[2], 2));
  std::filesystem::remove(starts);
}

TEST(SupervisionTest, ADaemonDoesNotOutliveTheEngineAndIsNamed) {
  for (const char* vice : {"makes_daemon", "makes_daemon_without_environment", "makes_daemon_and_crashes"}) {
    const Mock mock;
    const auto engine = make_worker_engine(mock.options);
    run(*engine, {mock_call("honest", 0), mock_call(vice, 1)});
    const std::string words = engine->stop();
    EXPECT_EQ(mock.processes_left(), 0) << vice;
    EXPECT_NE(words.find("outside its process group"), words.npos) << vice << ": " << words;
  }
}

TEST(SupervisionTest, AProcessThatDoesNotEndWellIsNamed) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  run(*engine, {mock_call("aborts_at_its_end", 0)});
  EXPECT_FALSE(engine->bad_end());
  const std::string words = engine->stop();
  EXPECT_NE(words.find("did not end well: crashed: signal 6"), words.npos) << words;
  EXPECT_EQ(engine->bad_end().value_or(spec::Crashed{}).signal, SIGABRT);
}

TEST(SupervisionTest, AnEngineThatEndsItsProcessesIsNotComplainedOf) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  run(*engine, {mock_call("honest", 0), mock_call("forks_child_that_lives", 1), mock_call("crash", 2)});
  EXPECT_EQ(engine->stop(), "");
}

TEST(SupervisionTest, ACrashSaysHowItWasEstablished) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("honest", 0), mock_call("crash", 1)});
  EXPECT_EQ(to_string(outcomes[1]),
            "crashed: signal 11 (Segmentation fault), when the call ran alone in a fresh process\n"
            "its stderr ended: about to crash\n");
}

TEST(SupervisionTest, ATwinHasOtherMemory) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  std::vector<spec::Tensor> seen;
  for (const auto pattern : {std::uint8_t{0x2A}, std::uint8_t{0xD5}}) {
    const auto twin = engine->twin(pattern);
    const auto outcomes = run(*twin, {mock_call("reads_behind_x"), mock_call("honest", 3)});
    EXPECT_TRUE(answered_honestly(outcomes[1], 3));
    seen.push_back(std::get<spec::Produced>(outcomes[0].what).tensors[0]);
  }
  EXPECT_FALSE(identical(seen[0], seen[1])) << to_string(seen[0]);
}

TEST(SupervisionTest, AnOldWorkerIsReplaced) {
  Mock mock;
  const auto processes = [&mock](double life) {
    mock.options.life_in_starts = life;
    const auto engine = make_worker_engine(mock.options);
    std::set<std::int64_t> seen;
    for (int i = 0; i < 3; ++i)
      seen.insert(std::get<spec::Produced>(run(*engine, {mock_call("process")})[0].what)
                      .tensors[0]
                      .get({})
                      .integer());
    return seen.size();
  };
  EXPECT_EQ(processes(1e9), 1u);
  EXPECT_EQ(processes(0), 3u);
}

TEST(SupervisionTest, AResultThatChangesAfterItWasReturnedIsMisbehaviour) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  std::vector<spec::Call> calls;
  for (std::int64_t i = 0; i < 40; ++i) calls.push_back(mock_call("returns_the_same_memory", i));
  const auto outcomes = run(*engine, calls);
  EXPECT_EQ(kind(outcomes[31]), Is::crashed);
  EXPECT_NE(to_string(outcomes[31]).find("changed after it was returned"), std::string::npos);
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    if (i != 31) {
      EXPECT_TRUE(answered_honestly(outcomes[i], static_cast<std::int64_t>(i))) << to_string(outcomes[i]);
    }
}

TEST(SupervisionTest, StderrIsKeptWithTheOutcomeAndBounded) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("crash"), mock_call("floods_then_crashes")});
  const auto& crash = std::get<spec::Crashed>(outcomes[0].what);
  EXPECT_EQ(crash.stderr_tail, "about to crash\n");
  const auto& flood = std::get<spec::Crashed>(outcomes[1].what);
  EXPECT_EQ(flood.stderr_tail.size(), 16u << 10);
  EXPECT_TRUE(flood.stderr_tail.ends_with("the end\n"));
}

TEST(SupervisionTest, MemoryIsLimited) {
  Mock mock;
  mock.options.address_space = std::uint64_t{4} << 30;
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("hungry"), mock_call("honest", 5)});
  EXPECT_EQ(kind(outcomes[0]), Is::crashed) << to_string(outcomes[0]);
  EXPECT_TRUE(answered_honestly(outcomes[1], 5));
}

TEST(SupervisionTest, OrderlyAnswersAreNotMisbehaviour) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("refuses"), mock_call("unsupported"),
                                      mock_call("writes_input", 7), mock_call("unheard_of")});
  const auto& refused = std::get<spec::Refused>(outcomes[0].what);
  EXPECT_EQ(refused.error_classes, (std::vector<std::string>{"IndexError", "LookupError"}));
  EXPECT_EQ(refused.message, "no such index");
  EXPECT_EQ(std::get<spec::Unsupported>(outcomes[1].what).reason, "not today");
  EXPECT_TRUE(answered_honestly(outcomes[2], 7));
  EXPECT_EQ(std::get<spec::Produced>(outcomes[2].what).inputs_written, std::vector<std::string>{"x"});
  EXPECT_TRUE(std::holds_alternative<spec::Unsupported>(outcomes[3].what));
}

TEST(SupervisionTest, ARefusalSaysWhatWasWritten) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes =
      run(*engine, {mock_call("writes_and_refuses", 7), mock_call("overwrites_and_refuses", 7),
                    mock_call("refuses", 7), mock_call("refuses_as_of_old", 7)});
  const auto written = [&](std::size_t i) {
    return std::get<spec::Refused>(outcomes[i].what).arguments_written;
  };
  EXPECT_EQ(written(0), std::vector<std::string>{"x"});
  EXPECT_EQ(written(1), std::vector<std::string>{"x"}) << "the argument that it overwrites, too";
  EXPECT_EQ(written(2), std::vector<std::string>{});
  EXPECT_EQ(written(3), std::vector<std::string>{}) << "it does not say";
  const auto other = run(*engine, {mock_call("refuses_after_writing_what_is_not_there")});
  EXPECT_EQ(std::get<spec::Garbled>(other[0].what).what,
            "the answer says that 'y' was written, which is not a tensor argument");
}

TEST(SupervisionTest, WhatACallOverwritesByContractIsItsOwn) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call("overwrites", 7);
  for (const spec::Outcome& outcome : run(*engine, {call, call})) {
    EXPECT_TRUE(answered_honestly(outcome, 7)) << to_string(outcome);
    EXPECT_TRUE(std::get<spec::Produced>(outcome.what).inputs_written.empty());
  }
}

TEST(SupervisionTest, AnEngineMayBeDestroyedWhenALimitIsPassed) {
  const Mock mock;
  std::atomic<bool> interrupted = false;
  const spec::WorkLimit limit(&interrupted);
  {
    const auto engine = make_worker_engine(mock.options);
    EXPECT_TRUE(answered_honestly(run(*engine, {mock_call("honest", 3)})[0], 3));
    interrupted = true;
  }
  EXPECT_EQ(mock.processes_left(), 0);
}

}  // namespace
}  // namespace scatterproof::engines
