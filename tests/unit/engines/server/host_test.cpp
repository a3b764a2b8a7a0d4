// SPDX-License-Identifier: Apache-2.0
// An engine behind a host answers as it does in this process, and its misfortunes are outcomes.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "scatterproof/engines/client/check.hpp"
#include "scatterproof/engines/client/worker.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/engines/server/serve.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {
namespace {

using spec::DType;
using spec::Tensor;

WorkerOptions host_options(const std::string& fate = "") {
  WorkerOptions options;
  options.info.name = "host";
  options.command = {SCATTERPROOF_TEST_HOST};
  if (!fate.empty()) options.command.push_back(fate);
  options.environment = {{"SCATTERPROOF_DATA", SCATTERPROOF_SOURCE_DIR}};
  options.address_space = 0;  // sanitizers reserve more than there is
  return options;
}

std::unique_ptr<Engine> host(const std::string& fate = "") { return make_worker_engine(host_options(fate)); }

Tensor integers(const spec::Shape& shape, const std::vector<std::int64_t>& values) {
  std::vector<spec::Scalar> scalars;
  for (const auto value : values) scalars.push_back(spec::Scalar::of_int(value));
  return {DType::i64, shape, scalars};
}

spec::Call a_gather() {
  return {"torch.gather",
          {{"input", integers({2, 2}, {1, 2, 3, 4})},
           {"dim", spec::Scalar::of_int(1)},
           {"index", integers({2, 1}, {1, 0})}}};
}

std::vector<spec::Outcome> run(Engine& engine, const std::vector<spec::Call>& calls) {
  std::vector<CallRequest> requests;
  for (const auto& call : calls) requests.push_back({&call, std::chrono::seconds(60)});
  return engine.run(requests);
}

const spec::SpecLibrary& specs() {
  static const auto loaded = spec::SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/data/ops");
  return *loaded;
}

void expect_same(const spec::Outcome& hosted, const spec::Outcome& here) {
  const auto* produced = std::get_if<spec::Produced>(&here.what);
  if (produced == nullptr) {
    EXPECT_EQ(to_string(hosted), to_string(here));
    return;
  }
  const auto* through = std::get_if<spec::Produced>(&hosted.what);
  ASSERT_NE(through, nullptr) << to_string(hosted);
  ASSERT_EQ(through->tensors.size(), produced->tensors.size());
  for (std::size_t i = 0; i < produced->tensors.size(); ++i)
    EXPECT_TRUE(identical(through->tensors[i], produced->tensors[i])) << to_string(hosted);
  EXPECT_EQ(through->inputs_written, produced->inputs_written);
}

/// The calls of the shipped cases of every API that has a kernel.
std::vector<spec::Call> shipped_calls() {
  std::vector<spec::Call> calls;
  const auto cases = spec::load_case_tree(SCATTERPROOF_SOURCE_DIR "/cases", specs());
  if (!cases) throw std::logic_error(to_string(cases.errors()));
  for (const auto& one : *cases)
    if (!specs().find(one.call.api)->kernel.op.empty()) calls.push_back(one.call);
  return calls;
}

TEST(HostTest, EveryShippedCaseComesOutAsInThisProcess) {
  const auto here = make_reference(specs());
  const auto there = host();
  ASSERT_EQ(there->start(), "");
  EXPECT_EQ(there->info().apis, here->info().apis);
  EXPECT_EQ(there->info().dtypes, here->info().dtypes);
  EXPECT_EQ(there->info().version, here->info().version);
  EXPECT_EQ(there->info().framework, "");
  const auto calls = shipped_calls();
  ASSERT_GT(calls.size(), 300u);
  const auto expected = run(*here, calls);
  const auto outcomes = run(*there, calls);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(to_string(calls[i]));
    expect_same(outcomes[i], expected[i]);
  }
}

TEST(HostTest, SpeaksTheProtocol) {
  const auto findings = check_worker(host_options());
  EXPECT_GE(findings.size(), 20u);
  for (const auto& finding : findings) EXPECT_TRUE(finding.ok) << finding.what;
  EXPECT_TRUE(std::ranges::any_of(
      findings, [](const auto& finding) { return finding.what == "a prepared call is repeated and timed"; }));
}

TEST(HostTest, AnEngineThatCannotStartSaysWhy) {
  EXPECT_EQ(host("no-device")->start(), "no device");
  EXPECT_EQ(host("declines")->start(), "nothing to offer");
}

TEST(HostTest, WhatVariesIsDeclared) {
  EXPECT_EQ(host("times")->info().varies, "luck");
  EXPECT_EQ(host()->info().varies, "");
}

TEST(HostTest, ACrashEndsTheProcessAndIsTheOutcome) {
  const auto engine = host("crashes");
  const auto outcomes = run(*engine, {a_gather()});
  const auto* crash = std::get_if<spec::Crashed>(&outcomes[0].what);
  ASSERT_NE(crash, nullptr) << to_string(outcomes[0]);
  EXPECT_TRUE(crash->signal == SIGSEGV || crash->exit_status != 0)
      << "a sanitizer turns signals into an exit";
}

TEST(HostTest, WhatNoEngineMayDoEndsTheProcessAndIsTold) {
  const auto engine = host("throws");
  const auto outcomes = run(*engine, {a_gather()});
  const auto* crash = std::get_if<spec::Crashed>(&outcomes[0].what);
  ASSERT_NE(crash, nullptr) << to_string(outcomes[0]);
  EXPECT_EQ(crash->misbehaviour, "the engine threw: out of luck");
  EXPECT_EQ(crash->stderr_tail, "") << "the host's words are not the engine's";
}

TEST(HostTest, MoreThanAMessageHoldsIsUnsupportedAndTheProcessGoesOn) {
  const auto engine = host("much");
  for (const auto& outcome : run(*engine, {a_gather(), a_gather()}))
    EXPECT_EQ(to_string(outcome),
              "unsupported: results of more than a GiB do not go through the worker protocol");
}

TEST(HostTest, TimedCallsAreTheEngines) {
  const auto engine = host("times");
  const auto call = a_gather();
  for (const TimingOptions options : {TimingOptions{3, true}, TimingOptions{1, false}}) {
    const PreparedCall prepared = engine->prepare(call, options);
    const auto* produced = std::get_if<spec::Produced>(&prepared.outcome.what);
    ASSERT_NE(produced, nullptr) << to_string(prepared.outcome);
    EXPECT_TRUE(identical(produced->tensors[0], integers({2}, {options.threads, options.in_place})));
    const auto seconds = prepared.timed->repeat(20);
    ASSERT_TRUE(std::holds_alternative<double>(seconds)) << to_string(std::get<spec::Outcome>(seconds));
    EXPECT_GE(std::get<double>(seconds), 0.02);  // it sleeps for a millisecond each
  }
  const auto reference = host();
  EXPECT_EQ(to_string(reference->prepare(call, {}).outcome), "unsupported: reference has no timed calls");
}

TEST(HostTest, AFailureOnRepetitionIsTold) {
  const auto engine = host("fails-later");
  const auto call = a_gather();
  const PreparedCall prepared = engine->prepare(call, {});
  ASSERT_NE(prepared.timed, nullptr) << to_string(prepared.outcome);
  const auto failed = prepared.timed->repeat(2);
  ASSERT_TRUE(std::holds_alternative<spec::Outcome>(failed));
  EXPECT_EQ(to_string(std::get<spec::Outcome>(failed)), "unsupported: no more");
}

TEST(HostTest, SpecsThatAreReadByNeedAreThoseOfTheLibrary) {
  setenv("SCATTERPROOF_DATA", SCATTERPROOF_SOURCE_DIR, 1);
  const auto find = shipped_specs_by_need().value();
  for (const spec::OpSpec& expected : specs().all()) {
    const spec::OpSpec* found = find(expected.api);
    ASSERT_NE(found, nullptr) << expected.api;
    EXPECT_EQ(found->api, expected.api);
    EXPECT_EQ(found->variant_of, expected.variant_of);
    EXPECT_EQ(found->meaning.in_place, expected.meaning.in_place);
    EXPECT_EQ(found, find(expected.api)) << "it is read once";
  }
  EXPECT_EQ(find("torch.nothing"), nullptr);
}

TEST(HostTest, WithoutTheToolThereIsNothingToServe) {
  unsetenv("SCATTERPROOF_WORKER_FD");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(decline("whatever"), 1);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("started by scatterproof"), std::string::npos);
}

}  // namespace
}  // namespace scatterproof::engines
