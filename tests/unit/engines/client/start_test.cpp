// SPDX-License-Identifier: Apache-2.0
// Starting a worker, what it declares, and the fidelity of arguments and layouts on their way through it.
#include <gtest/gtest.h>

#include <limits>

#include "mock.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;

std::string unavailable_reason(const Mock& mock) {
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("honest"), mock_call("honest")});
  const auto& first = std::get<spec::Unavailable>(outcomes[0].what);
  EXPECT_EQ(first.reason, std::get<spec::Unavailable>(outcomes[1].what).reason);
  EXPECT_EQ(mock.processes_left(), 0);
  return first.reason;
}

TEST(StartTest, AWorkerThatEndsAtOnceSaysWhy) {
  const auto reason = unavailable_reason(Mock({"--refuses-to-start"}));
  EXPECT_NE(reason.find("exit status 1"), reason.npos) << reason;
  EXPECT_NE(reason.find("cannot import mock"), reason.npos) << reason;
}

TEST(StartTest, AProgramThatIsNotThereIsNamedAsSuch) {
  Mock mock;
  mock.options.command[0] = "/no/such/python";
  const auto reason = unavailable_reason(mock);
  EXPECT_NE(reason.find("no such file"), reason.npos) << reason;
}

TEST(StartTest, SilenceAtStartEnds) {
  Mock mock({"--hangs-at-start"});
  mock.options.start_timeout = std::chrono::milliseconds(300);
  const auto reason = unavailable_reason(mock);
  EXPECT_NE(reason.find("within 0.3 s"), reason.npos) << reason;
}

TEST(StartTest, AnotherVersionOfTheProtocolIsRefused) {
  const auto reason = unavailable_reason(Mock({"--old-protocol"}));
  EXPECT_NE(reason.find("version 99"), reason.npos) << reason;
}

TEST(StartTest, TheWorkerDeclaresItself) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->info().name, "mock");
  EXPECT_EQ(engine->info().version, "1");
  EXPECT_EQ(engine->info().device, "cpu");
  EXPECT_TRUE(engine->supports(mock_call("honest")).yes);
  EXPECT_FALSE(engine->supports(mock_call("unheard_of")).yes);
  const spec::Call wrong_dtype{"mock.honest", {{"x", spec::Tensor(spec::DType::f64, {1})}}};
  EXPECT_EQ(engine->supports(wrong_dtype).reason, "mock takes no f64 tensors (x)");
}

spec::Call gather(spec::DType dtype, std::int64_t index) {
  return {"torch.gather",
          {{"input", spec::Tensor(dtype, {2, 2})},
           {"dim", spec::Scalar::of_int(0)},
           {"index", spec::Tensor(spec::DType::i64, {1, 2}, std::vector(2, spec::Scalar::of_int(index)))}}};
}

TEST(StartTest, AWorkerMayDeclareKernels) {
  const auto specs = spec::SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/data/ops");
  ASSERT_TRUE(specs);
  Mock mock({"--offers-one-kernel"});
  mock.options.specs = &*specs;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->supports(gather(spec::DType::f32, 1)).reason, "");
  EXPECT_EQ(engine->supports(gather(spec::DType::i64, 1)).reason, "gather_elements is not offered for i64");
  const std::string beyond = engine->supports(gather(spec::DType::f32, 2)).reason;
  EXPECT_TRUE(beyond.starts_with("the kernel leaves checks of index to its caller: ")) << beyond;
  EXPECT_EQ(engine->supports(mock_call("honest")).reason, "");  // no spec says what it is
}

TEST(StartTest, KernelsThatCannotBeReadAreRefused) {
  const auto reason = unavailable_reason(Mock({"--offers-nonsense"}));
  EXPECT_NE(reason.find("the worker declares kernels that cannot be read: "), reason.npos) << reason;
}

TEST(StartTest, WhatASignatureCostsIsDeclared) {
  const Mock costly({"--signature-costs"}), plain;
  EXPECT_EQ(make_worker_engine(costly.options)->info().signature_seconds, 1.5);
  EXPECT_EQ(make_worker_engine(costly.options)->info().gradient_signature_seconds, 2.5);
  EXPECT_EQ(make_worker_engine(plain.options)->info().signature_seconds, 0);
  EXPECT_EQ(make_worker_engine(plain.options)->info().gradient_signature_seconds, 0);
  const auto reason = unavailable_reason(Mock({"--signature-costs-nothing"}));
  EXPECT_NE(reason.find("'signature_seconds' of the answer is not a valid time"), reason.npos) << reason;
}

TEST(StartTest, WhatAWorkerDeclaredStandsWhenItStartsAgain) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const engines::EngineInfo& info = engine->info();
  const auto outcomes = run(*engine, {mock_call("crash")});
  EXPECT_TRUE(std::holds_alternative<spec::Crashed>(outcomes[0].what)) << to_string(outcomes[0]);
  EXPECT_EQ(&engine->info(), &info);
  EXPECT_TRUE(engine->supports(mock_call("honest")).yes);
  EXPECT_EQ(mock.processes_left(), 0);  // a question starts nothing
}

/// The result of `mock.<name>` on x = [10, 11] and more = 1, which is left out.
std::string without_more(const char* name, std::vector<std::string> flags = {}) {
  const Mock mock(std::move(flags));
  spec::Call call = mock_call(name, 10);
  call.arguments.emplace_back("more", spec::Scalar::of_int(1));
  call.omitted = {"more"};
  return to_string(run(*make_worker_engine(mock.options), {call})[0]);
}

TEST(StartTest, AnArgumentIsLeftOutWhereTheWorkerCan) {
  EXPECT_EQ(without_more("adds_five_or_more"), "produced i64[2] [15, 16]");
  EXPECT_EQ(without_more("adds_more"), "produced i64[2] [11, 12]");
  EXPECT_EQ(without_more("adds_five_or_more", {"--cannot-omit"}), "produced i64[2] [11, 12]");
}

/// What a worker says of the memory of x and y, which are one tensor.
std::string shared(std::vector<std::string> flags = {}) {
  const Mock mock(std::move(flags));
  spec::Call call = mock_call("shares");
  call.arguments.emplace_back("y", call.arguments.front().second);
  return to_string(run(*make_worker_engine(mock.options), {call})[0]);
}

TEST(StartTest, ArgumentsShareMemoryWhereTheWorkerCan) {
  EXPECT_EQ(shared(), "produced i64[] 1");
  EXPECT_EQ(shared({"--cannot-share"}), "produced i64[] 0");
}

TEST(StartTest, GradientsArriveWithTheResult) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const spec::Call call = mock_call("differentiable", 10), other = mock_call("honest", 10);
  const spec::Tensor cotangent = std::get<spec::Tensor>(mock_call("", 3).arguments.front().second);
  const spec::GradientQuestion question{{"nothing", "x", "refused"}, cotangent};
  const std::vector<CallRequest> requests{
      {.call = &call, .gradient = &question}, {.call = &call}, {.call = &other, .gradient = &question}};
  const auto outcomes = engine->run(requests);
  EXPECT_TRUE(engine->info().gradients);
  EXPECT_EQ(to_string(outcomes[0]), "produced i64[2] [20, 22]");
  EXPECT_EQ(to_string(outcomes[1]), "produced i64[2] [20, 22]");
  EXPECT_EQ(to_string(outcomes[2]), "unsupported: mock has no gradients of mock.honest");
  const auto& gradients = std::get<spec::Produced>(outcomes[0].what).gradients;
  ASSERT_EQ(gradients.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<spec::NotConnected>(gradients[0]));
  EXPECT_EQ(to_string(std::get<spec::Tensor>(gradients[1])), "[6, 8]");
  EXPECT_EQ(std::get<spec::Refused>(gradients[2]).message, "not yet");
  EXPECT_TRUE(std::get<spec::Produced>(outcomes[1].what).gradients.empty());
}

TEST(StartTest, ATangentIsAskedForByThoseOfTheArguments) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->start(), "");
  spec::Call call = mock_call("differentiable", 10);
  const spec::Tensor nothing = spec::Tensor(spec::DType::f32, {}),
                     along = std::get<spec::Tensor>(mock_call("", 3).arguments.front().second);
  const spec::GradientQuestion question{
      .of = {"nothing", "x"}, .cotangent = {}, .tangents = {nothing, along}};
  const auto outcome = engine->run_one({.call = &call, .gradient = &question});
  EXPECT_TRUE(engine->info().tangents);
  EXPECT_EQ(to_string(outcome), "produced i64[2] [20, 22]");
  const auto& gradients = std::get<spec::Produced>(outcome.what).gradients;
  ASSERT_EQ(gradients.size(), 1u);
  EXPECT_EQ(to_string(std::get<spec::Tensor>(gradients[0])), "[6, 8]");
}

TEST(StartTest, SecondOrderIsAskedWithCotangentAndTangents) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  EXPECT_EQ(engine->start(), "");
  spec::Call call = mock_call("differentiable", 10);
  const auto tensor = [](int first) {
    return std::get<spec::Tensor>(mock_call("", first).arguments.front().second);
  };
  const spec::GradientQuestion question{
      .of = {"x"}, .cotangent = tensor(5), .tangents = {tensor(3)}, .second_order = true};
  const auto outcome = engine->run_one({.call = &call, .gradient = &question});
  EXPECT_TRUE(engine->info().second_order);
  EXPECT_EQ(to_string(outcome), "produced i64[2] [20, 22]");
  const auto& gradients = std::get<spec::Produced>(outcome.what).gradients;
  ASSERT_EQ(gradients.size(), 2u);
  EXPECT_EQ(to_string(std::get<spec::Tensor>(gradients[0])), "[6, 8]");
  EXPECT_EQ(to_string(std::get<spec::Tensor>(gradients[1])), "[0, 0]");
}

TEST(StartTest, EveryKindOfArgumentArrivesExactly) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const spec::Call call{"mock.types",
                        {{"nothing", spec::None{}},
                         {"flag", spec::Scalar::of_bool(true)},
                         {"integer", spec::Scalar::of_int(std::numeric_limits<std::int64_t>::min())},
                         {"real", spec::Scalar::of_real(0.1)},
                         {"special", spec::Scalar::of_real(std::numeric_limits<double>::quiet_NaN())},
                         {"complex_number", spec::Scalar::of_complex(-0.0, infinity)},
                         {"word", std::string("a \"word\"\n")},
                         {"integers", spec::Shape{3, -1, std::int64_t{1} << 62}}}};
  const auto outcomes = run(*engine, {call});
  EXPECT_TRUE(std::holds_alternative<spec::Produced>(outcomes[0].what)) << to_string(outcomes[0]);
}

TEST(StartTest, WordsBeyondUtf8ArriveWithoutWhatCannotBeWritten) {
  const Mock mock;
  const auto engine = make_worker_engine(mock.options);
  const auto outcomes = run(*engine, {mock_call("refuses_beyond_utf8")});
  const auto* refused = std::get_if<spec::Refused>(&outcomes[0].what);
  ASSERT_NE(refused, nullptr) << to_string(outcomes[0]);
  EXPECT_EQ(refused->message, "no such ? index, \u00e9\n");
}

class Echo : public ::testing::TestWithParam<spec::DType> {};

TEST_P(Echo, EveryLayoutComesBackWithItsValues) {
  const Mock mock({"--all-dtypes"});
  const auto engine = make_worker_engine(mock.options);
  for (const auto& shape : {spec::Shape{}, spec::Shape{0, 3}, spec::Shape{5}, spec::Shape{2, 3, 4}}) {
    std::vector<spec::Scalar> values;
    for (std::int64_t i = 0; i < spec::numel(shape); ++i) values.push_back(spec::Scalar::of_int(i % 100));
    const spec::Tensor plain(GetParam(), shape, values);
    for (const auto layout : spec::all_layouts) {
      const spec::Call call{"scatterproof.echo", {{"value", spec::with_layout(plain, layout)}}};
      const auto outcomes = run(*engine, {call});
      const auto* produced = std::get_if<spec::Produced>(&outcomes[0].what);
      ASSERT_NE(produced, nullptr) << to_string(outcomes[0]);
      EXPECT_TRUE(identical(produced->tensors[0], plain)) << spec::name(layout) << to_string(outcomes[0]);
      EXPECT_TRUE(produced->inputs_written.empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, Echo, ::testing::ValuesIn(spec::all_dtypes),
                         [](const auto& dtype) { return std::string(spec::name(dtype.param)); });

}  // namespace
}  // namespace scatterproof::engines
