// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/run/execute.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "scatterproof/runner/run/reach.hpp"
#include "tensors.hpp"
#include "toy.hpp"

namespace scatterproof::runner {
namespace {

/// Gives every call the same answer, and says so.
class Parrot : public engines::InProcessEngine {
 public:
  Parrot(std::string name, spec::Outcome answer) : answer_(std::move(answer)) {
    info_ = {std::move(name), "", "1", "cpu", {"toy.put"}, {}};
  }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call&) const override { return {}; }

 private:
  spec::Outcome do_call(const spec::Call&, int) override { return answer_; }
  engines::EngineInfo info_;
  spec::Outcome answer_;
};

class Execute : public testing::Test {
 protected:
  RunResult run() {
    options_.program = "scatterproof";
    options_.judged = [this](const spec::Record& record) { records_.push_back(record); };
    return execute(catalogue_, engines_, baseline_, options_);
  }
  void add(const std::string& name) {
    engines_.push_back(std::make_unique<Parrot>(name, spec::Outcome{spec::Refused{{"index"}, "no"}, 0}));
  }

  Catalogue catalogue_ = toy_catalogue();
  std::vector<std::unique_ptr<engines::Engine>> engines_;
  Baseline baseline_;
  ExecuteOptions options_;
  std::vector<spec::Record> records_;
};

TEST_F(Execute, JudgesEveryCaseOnEveryEngineOnce) {
  for (const char* name : {"a", "b", "c", "d"}) add(name);
  options_.jobs = 3;
  const RunResult executed = run();
  EXPECT_FALSE(executed.stopped);
  EXPECT_TRUE(executed.errors.empty());
  std::set<std::pair<std::string, std::string>> seen;
  for (const spec::Record& record : records_) seen.insert({record.id, record.engine});
  EXPECT_EQ(seen.size(), 12u);
  EXPECT_EQ(records_.size(), 12u);
}

TEST_F(Execute, RecordsADisputedCaseOnceForAllEngines) {
  for (spec::Case& one : catalogue_.cases)
    if (one.rule == "range") one.breaks = false;
  for (const char* name : {"a", "b", "c"}) add(name);
  options_.jobs = 3;
  run();
  std::vector<std::string> engines;
  for (const spec::Record& record : records_)
    if (record.verdict == spec::Verdict::disputed) {
      engines.push_back(record.engine);
      EXPECT_TRUE(!record.outcome && record.broken.empty()) << "it is about no engine";
    }
  EXPECT_EQ(engines, std::vector<std::string>{"case"});
  EXPECT_EQ(records_.size(), 3 * catalogue_.cases.size() - 2);
  // A run that is resumed does not say it again.
  records_.clear();
  options_.done = [](const std::string&, const std::string& engine) { return engine == case_engine_name; };
  run();
  for (const spec::Record& record : records_) EXPECT_NE(record.verdict, spec::Verdict::disputed);
}

TEST_F(Execute, RecordsTheCallOfAFailure) {
  add("a");
  run();
  std::size_t failures = 0;
  for (const spec::Record& record : records_) {
    const bool failed = is_failure(record.verdict);
    failures += failed;
    EXPECT_EQ(record.explanation.find("\nthe call: toy.put(") != std::string::npos, failed)
        << record.explanation;
    EXPECT_EQ(record.elements > 0, failed) << record.id;
  }
  EXPECT_GT(failures, 0U);
}

TEST_F(Execute, SkipsWhatAnEarlierRunJudged) {
  add("a");
  options_.done = [](const std::string& id, const std::string&) { return id == "toy.put/doc/one"; };
  run();
  EXPECT_EQ(records_.size(), 2u);
}

TEST_F(Execute, StopsAtTheFirstFailure) {
  add("a");
  options_.stop_at_first = true;
  EXPECT_TRUE(run().stopped);
  ASSERT_FALSE(records_.empty());
  EXPECT_EQ(records_.back().disposition, spec::Disposition::unexpected);
  EXPECT_LT(records_.size(), 3u);
}

TEST_F(Execute, TriesUnexpectedFailuresAgainOnFreshEngines) {
  add("a");  // refuses every call: right for one case of three, and one is disputed where there is a result
  const spec::Tensor right = spec::testing::ints({3}, {7, 0, 5});
  options_.retries = 3;
  int started = 0;
  options_.fresh = [&](const std::string& name) -> std::unique_ptr<engines::Engine> {
    EXPECT_EQ(name, "a");
    if (++started == 1)
      return std::make_unique<Parrot>(name, spec::Outcome{spec::Refused{{"index"}, "no"}, 0});
    return std::make_unique<Parrot>(name, spec::Outcome{spec::Produced{{right}, {}}, 0});
  };
  std::erase_if(catalogue_.cases,
                [](const spec::Case& one) { return one.id == "toy.put/doc/wrongly-printed"; });
  run();
  ASSERT_EQ(records_.size(), 2u);
  EXPECT_EQ(started, 2) << "what is expected is not tried again";
  const spec::Record& flaky = records_[0];
  EXPECT_EQ(flaky.id, "toy.put/doc/one");
  EXPECT_EQ(flaky.verdict, spec::Verdict::unexpected_error);
  EXPECT_EQ(flaky.disposition, spec::Disposition::flaky);
  EXPECT_EQ(flaky.retried, (std::vector{spec::Verdict::unexpected_error, spec::Verdict::pass}));
  EXPECT_TRUE(records_[1].retried.empty());
  options_.fresh = [](const std::string&) { return nullptr; };
  records_.clear();
  run();
  EXPECT_EQ(records_[0].disposition, spec::Disposition::unexpected);
  EXPECT_EQ(records_[0].retried, std::vector{spec::Verdict::infra});
}

TEST_F(Execute, StopsWhenInterrupted) {
  add("a");
  const std::atomic<bool> interrupted{true};
  options_.interrupted = &interrupted;
  EXPECT_TRUE(run().stopped);
  EXPECT_TRUE(records_.empty());
}

TEST_F(Execute, SeedShufflesButLosesNothing) {
  add("a");
  run();
  std::set<std::string> by_id, shuffled;
  for (const auto& record : records_) by_id.insert(record.id);
  records_.clear();
  options_.seed = 7;
  run();
  for (const auto& record : records_) {
    shuffled.insert(record.id);
    EXPECT_EQ(record.seed, 7u);
  }
  EXPECT_EQ(by_id, shuffled);
}

TEST_F(Execute, WritesALineThatReproduces) {
  catalogue_.files = {"my cases.yaml"};
  options_.program = "build/scatterproof";
  EXPECT_EQ(reproduce_line(options_, catalogue_, "toy.put/doc/one", "cmd:./w 'x'"),
            R"(build/scatterproof run 'my cases.yaml' toy.put/doc/one --engine 'cmd:./w '\''x'\''')");
}

/// Takes data of f32 alone, and answers with what it got.
class Floats final : public engines::InProcessEngine {
 public:
  Floats() { info_ = {"floats", "", "1", "cpu", {"toy.put"}, {}}; }
  const engines::EngineInfo& info() const override { return info_; }
  engines::Support supports(const spec::Call& call) const override {
    const bool takes = self_of(call).dtype() == spec::DType::f32;
    return {takes, takes ? "" : "no such dtype"};
  }

 private:
  static const spec::Tensor& self_of(const spec::Call& call) {
    return std::get<spec::Tensor>(call.arguments.front().second);
  }
  spec::Outcome do_call(const spec::Call& call, int) override {
    return {spec::Produced{{self_of(call)}, {}}, 0};
  }
  engines::EngineInfo info_;
};

class Recast : public Execute {
 protected:
  const spec::Record& judged(const std::function<void(spec::Case&)>& edit) {
    std::erase_if(catalogue_.cases, [](const spec::Case& one) { return one.id != "toy.put/doc/one"; });
    edit(catalogue_.cases.front());
    engines_.push_back(std::make_unique<Floats>());
    run();
    EXPECT_EQ(records_.size(), 1u);
    return records_.front();
  }
  static spec::Argument& self_of(spec::Case& one) { return one.call.arguments.front().second; }
};

TEST_F(Recast, ACaseWhoseDtypeTheEngineLacksIsJudgedInOneThatItHas) {
  const spec::Record& record = judged([](spec::Case&) {});
  EXPECT_EQ(record.verdict, spec::Verdict::mismatch) << "the kernel wrote nothing";
  EXPECT_EQ(record.recast, "f32");
}

TEST_F(Recast, WhatTheCaseStatesIsNotExpectedOfAnotherDtype) {
  const spec::Record& record = judged([](spec::Case& one) {
    self_of(one) = spec::testing::ints({3}, {7, 0, 5});
    one.expect.values = {spec::testing::ints({3}, {1, 1, 1})};
  });
  EXPECT_EQ(record.recast, "f32");
  EXPECT_EQ(record.verdict, spec::Verdict::weak) << "right by the spec, and it was so before";
}

TEST_F(Recast, ACaseAboutADtypeIsNotRecast) {
  const spec::Record& record = judged([](spec::Case& one) { one.id = "toy.put/dtype/i64"; });
  EXPECT_EQ(record.verdict, spec::Verdict::unsupported);
  EXPECT_EQ(record.recast, "");
}

TEST_F(Recast, ValuesThatNotEveryDtypeHasAreLeftAlone) {
  const spec::Record& record = judged([](spec::Case& one) {
    self_of(one) = spec::testing::ints({3}, {1 << 20, 0, 0});
  });
  EXPECT_EQ(record.verdict, spec::Verdict::unsupported);
}

TEST_F(Recast, ARuleIsBrokenAsBefore) {
  const auto is_i64 = [](spec::Case& one) {  // breaks the rule of T, which a recast of self alone would obey
    one.expect = {};
    one.call.arguments.back().second = spec::testing::ints({2}, {5, 7}, spec::DType::f32);
  };
  EXPECT_EQ(judged(is_i64).verdict, spec::Verdict::unsupported);
}

TEST_F(Recast, ArgumentsThatShareStorageAreLeftAlone) {
  const auto share = [](spec::Case& one) { one.call.arguments.back().second = self_of(one); };
  EXPECT_EQ(judged(share).verdict, spec::Verdict::unsupported);
}

/// With a case that breaks the rule of a type.
Catalogue catalogue_with_a_type() {
  Catalogue catalogue = toy_catalogue();
  spec::Case one = catalogue.cases.front();
  one.id = "toy.put/rule/T/breaks";
  one.rule = "T";
  one.breaks = true;
  catalogue.cases.push_back(std::move(one));
  return catalogue;
}

class Reached : public testing::Test {
 protected:
  void add(const std::string& id, spec::Verdict verdict) {
    spec::Record record;
    record.id = id;
    record.api = "toy.put";
    record.engine = "so:./mine.so";
    record.verdict = verdict;
    tally_.add(record);
  }
  const Catalogue catalogue_ = catalogue_with_a_type();
  ReachTally tally_{catalogue_};
};

TEST_F(Reached, AnEngineThatMostCallsReachedIsNotNamed) {
  add("toy.put/doc/one", spec::Verdict::pass);
  add("toy.put/doc/wrongly-printed", spec::Verdict::mismatch);
  add("toy.put/rule/range/breaks", spec::Verdict::unsupported);
  EXPECT_TRUE(tally_.poor().empty());
}

TEST_F(Reached, NamesWhatNoCallHad) {
  add("toy.put/doc/one", spec::Verdict::unsupported);  // its index is smaller than the data
  add("toy.put/doc/wrongly-printed", spec::Verdict::unsupported);
  add("toy.put/formula/one", spec::Verdict::pass);  // no case
  const auto poor = tally_.poor();
  ASSERT_EQ(poor.size(), 1u);
  EXPECT_EQ(poor[0].engine, "so:./mine.so");
  EXPECT_EQ(poor[0].calls, 2u);
  EXPECT_EQ(poor[0].reached, 0u);
  EXPECT_EQ(poor[0].never, std::vector<std::string>{"with an index smaller than the data"});
}

TEST_F(Reached, NamesTheRulesThatNoCallBrokeWhereFewReachedAnEngine) {
  add("toy.put/doc/one", spec::Verdict::pass);
  add("toy.put/doc/wrongly-printed", spec::Verdict::unsupported);
  add("toy.put/rule/range/breaks", spec::Verdict::unsupported);
  auto poor = tally_.poor();
  ASSERT_EQ(poor.size(), 1u);
  EXPECT_EQ(poor[0].never, std::vector<std::string>{"that breaks range (toy.put)"});
  for (int i = 0; i < 2; ++i) add("toy.put/doc/wrongly-printed", spec::Verdict::unsupported);
  add("toy.put/rule/range/breaks", spec::Verdict::pass);
  poor = tally_.poor();
  ASSERT_EQ(poor.size(), 1u) << "two of six";
  EXPECT_TRUE(poor[0].never.empty());
}

TEST_F(Reached, ATypesRuleIsToldByItsArguments) {
  add("toy.put/doc/one", spec::Verdict::pass);
  for (int i = 0; i < 2; ++i) add("toy.put/rule/T/breaks", spec::Verdict::unsupported);
  const auto poor = tally_.poor();
  ASSERT_EQ(poor.size(), 1u);
  EXPECT_EQ(poor[0].never, std::vector<std::string>{"that breaks dtype of self and src (rule T of toy.put)"});
}

/// Right or wrong by turns.
class Wavers : public Parrot {
 public:
  Wavers(std::string name, spec::Outcome right, spec::Outcome wrong, int period)
      : Parrot(std::move(name), {}), right_(std::move(right)), wrong_(std::move(wrong)), period_(period) {}

 private:
  spec::Outcome do_call(const spec::Call&, int) override { return ++calls_ % period_ == 0 ? wrong_ : right_; }
  spec::Outcome right_, wrong_;
  int period_, calls_ = 0;
};

TEST_F(Execute, ASavedCallThatFailedAtTimesIsExecutedManyTimes) {
  const spec::Case& one = *std::ranges::find(catalogue_.cases, "toy.put/doc/one", &spec::Case::id);
  catalogue_.cases = {spec::Case(one)};
  const auto result = [](std::int64_t last) {
    const std::vector<spec::Scalar> values{spec::Scalar::of_int(7), spec::Scalar::of_int(0),
                                           spec::Scalar::of_int(last)};
    return spec::Outcome{spec::Produced{{spec::Tensor(spec::DType::i64, {3}, values)}, {}}, 0};
  };
  const auto judged = [&](int period, std::vector<std::string> tags) {
    catalogue_.cases.front().tags = std::move(tags);
    engines_.clear();
    records_.clear();
    engines_.push_back(std::make_unique<Wavers>("wavers", result(5), result(6), period));
    return run().notes;
  };
  EXPECT_TRUE(judged(100, {"mismatch"}).empty());
  EXPECT_EQ(records_.front().verdict, spec::Verdict::pass);
  for (const char* tag : {"race", "differs_when_repeated"}) {
    EXPECT_TRUE(judged(100, {"mismatch", tag}).empty());
    EXPECT_EQ(records_.front().verdict, spec::Verdict::mismatch);
    EXPECT_EQ(to_string(records_.front().diagnosis), "differs_when_repeated");
  }
  const std::vector<std::string> notes = judged(100000, {"race"});
  EXPECT_EQ(records_.front().verdict, spec::Verdict::pass);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes.front(),
            "toy.put/doc/one was a race; 241 executions on wavers agree now, and it may still be there");
}

}  // namespace
}  // namespace scatterproof::runner
