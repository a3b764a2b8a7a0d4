// SPDX-License-Identifier: Apache-2.0
// Batches that a worker has while the caller does something else, and those that it has behind one another.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <span>
#include <thread>

#include "vices.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

class PendingCalls : public ::testing::TestWithParam<Vice> {};

/// The calls are with the worker, and so perhaps its misbehaviour is over, before anybody waits for an
/// answer.
std::vector<spec::Outcome> begin(Engine& engine, const std::vector<spec::Call>& calls,
                                 std::chrono::milliseconds timeout) {
  EXPECT_EQ(engine.start(), "");
  auto outcomes = engine.begin(requests_of(calls, timeout));
  std::this_thread::sleep_for(100ms);
  return outcomes.get();
}

TEST_P(PendingCalls, BlamesTheRightCallOfABatchThatWasBegun) { blames_the_right_call(GetParam(), begin); }

/// Each part of the calls is begun before the one before it is read.
std::vector<spec::Outcome> begin_ahead(Engine& engine, const std::vector<spec::Call>& calls,
                                       std::chrono::milliseconds timeout) {
  EXPECT_EQ(engine.start(), "");
  constexpr std::size_t part = 10;  // the third begins with the guilty one
  std::vector<spec::Outcome> outcomes;
  std::future<std::vector<spec::Outcome>> before;
  for (std::span<const spec::Call> left = calls; before.valid() || !left.empty();) {
    std::future<std::vector<spec::Outcome>> next;
    const std::size_t count = std::min(part, left.size());
    if (count > 0) next = engine.begin(requests_of(left.first(count), timeout));
    left = left.subspan(count);
    if (before.valid()) std::ranges::move(before.get(), std::back_inserter(outcomes));
    before = std::move(next);
  }
  return outcomes;
}

TEST_P(PendingCalls, BlamesTheRightCallOfABatchThatOthersAreBehind) {
  blames_the_right_call(GetParam(), begin_ahead);
}

TEST(BegunTest, BatchesOfAnySizeAreBegunAhead) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->start(), "");
  std::vector<std::vector<spec::Call>> batches;
  for (const std::size_t size :
       {1, 70, 2, 0, 65, 66, 0, 3}) {  // more than 64 do not go into a worker's channel at once
    batches.emplace_back();
    for (std::size_t i = 0; i < size; ++i)
      batches.back().push_back(mock_call("honest", static_cast<std::int64_t>(i)));
  }
  std::vector<std::future<std::vector<spec::Outcome>>> begun;
  for (const auto& calls : batches) begun.push_back(engine->begin(requests_of(calls, 20s)));
  for (std::size_t at = 0; at < batches.size(); ++at) {
    const auto outcomes = begun[at].get();
    ASSERT_EQ(outcomes.size(), batches[at].size());
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      EXPECT_TRUE(answered_honestly(outcomes[i], static_cast<std::int64_t>(i))) << at << ' ' << i;
  }
}

TEST(BegunTest, AWorkerThatEndsBetweenBatchesIsNoFaultOfTheOneThatItHasAlready) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->start(), "");
  const spec::Call last = mock_call("ends_between_runs", 1), next = mock_call("honest", 2);
  auto outcomes = engine->begin({{&last}});
  auto behind = engine->begin({{&next}});
  EXPECT_TRUE(answered_honestly(outcomes.get()[0], 1));
  const auto answer = behind.get();
  EXPECT_TRUE(answered_honestly(answer[0], 2)) << to_string(answer[0]);
}

TEST(BegunTest, ABatchThatNobodyReadsDoesNotDisturbTheOneBehindIt) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->start(), "");
  const spec::Call slow = mock_call("sleeps", 1), next = mock_call("honest", 2);
  auto unread = engine->begin({{&slow}});
  auto behind = engine->begin({{&next}});
  unread = {};
  EXPECT_TRUE(answered_honestly(behind.get()[0], 2));
  EXPECT_EQ(engine->stop(), "");
  EXPECT_EQ(mock.processes_left(), 0);
}

TEST(BegunTest, ABatchThatNobodyReadsDoesNotDisturbTheNext) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->start(), "");
  const spec::Call slow = mock_call("sleeps", 1), next = mock_call("honest", 2);
  static_cast<void>(engine->begin({{&slow}}));
  EXPECT_TRUE(answered_honestly(engine->prepare(next, {}).outcome, 2));
  static_cast<void>(engine->begin({{&slow}}));
  EXPECT_TRUE(answered_honestly(run(*engine, {next})[0], 2));
  static_cast<void>(engine->begin({{&slow}}));
  EXPECT_EQ(engine->stop(), "");
  EXPECT_EQ(mock.processes_left(), 0);
}

INSTANTIATE_TEST_SUITE_P(, PendingCalls, ::testing::ValuesIn(vices),
                         [](const auto& vice) { return vice.param.name; });

}  // namespace
}  // namespace scatterproof::engines
