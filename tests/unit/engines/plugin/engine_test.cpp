// SPDX-License-Identifier: Apache-2.0
// The engine around a library, in this process: only of libraries that do no harm to it.
#include "engine.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "scatterproof/engines/kernels/plain_call.hpp"

namespace scatterproof::engines::plugin {
namespace {

using spec::DType;
using spec::Scalar;
using spec::Tensor;
using ::testing::HasSubstr;

const spec::SpecLibrary& specs() {
  static const auto library =
      spec::SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/data/ops").value();
  return library;
}

std::unique_ptr<Engine> engine(const std::string& name) {
  auto library = Library::load(std::string(PLUGIN_LIBRARIES) + "/lib" + name + ".so");
  if (const auto* reason = std::get_if<std::string>(&library)) throw std::runtime_error(*reason);
  return make_plugin_engine(std::get<Library>(std::move(library)),
                            [](const std::string& api) { return specs().find(api); });
}

/// scatter_add_ of one f32 that is 1 onto another that is 2, in the middle of three.
spec::Call addition() {
  const std::vector one{Scalar::of_int(1)};
  const std::vector twos(3, Scalar::of_int(2));
  return {"torch.Tensor.scatter_add_",
          {{"self", Tensor(DType::f32, {3}, twos)},
           {"dim", Scalar::of_int(0)},
           {"index", Tensor(DType::i64, {1}, one)},
           {"src", Tensor(DType::f32, {1}, one)}}};
}

std::string result(const spec::Outcome& outcome) { return to_string(outcome); }

TEST(PluginEngine, DeclaresWhatTheLibraryDescribes) {
  const auto honest = engine("honest_strided");
  EXPECT_EQ(honest->info().name, "honest");
  EXPECT_EQ(honest->info().dtypes, (std::vector<std::string>{"i32", "i64", "f32", "f64"}));
  EXPECT_EQ(honest->info().framework, "");
  const auto with_kernel =
      std::ranges::count_if(specs().all(), [](const spec::OpSpec& op) { return !op.kernel.op.empty(); });
  const auto apis = apis_of(read_kernels(honest->info().kernels).value(), specs());
  EXPECT_EQ(apis.size(), static_cast<std::size_t>(with_kernel));
}

TEST(PluginEngine, TimesWhatItJudges) {
  for (const char* name : {"honest_strided", "honest_contiguous"})
    for (const bool in_place : {true, false}) {
      const auto honest = engine(name);
      const auto call = addition();
      const auto prepared = honest->prepare(call, {.threads = 2, .in_place = in_place});
      EXPECT_EQ(result(prepared.outcome), "produced f32[3] [2.0, 3.0, 2.0]");
      ASSERT_NE(prepared.timed, nullptr);
      const auto seconds = prepared.timed->repeat(100);
      ASSERT_TRUE(std::holds_alternative<double>(seconds));
      EXPECT_GT(std::get<double>(seconds), 0);
    }
}

TEST(PluginEngine, WhatIsNotOfferedIsNotTimed) {
  const auto honest = engine("honest_strided");
  auto call = addition();
  call.arguments[1].second = Scalar::of_int(1);  // an axis that a scatter's own check finds
  const auto refused = honest->prepare(call, {});
  EXPECT_EQ(std::get<spec::Refused>(refused.outcome.what).error_classes.front(), "axis");
  EXPECT_EQ(refused.timed, nullptr);
  call.arguments[0].second = Tensor(DType::bf16, {3});
  const auto prepared = honest->prepare(call, {});
  EXPECT_THAT(result(prepared.outcome), HasSubstr("unsupported: scatter_elements is not offered for bf16"));
  EXPECT_EQ(prepared.timed, nullptr);
}

TEST(PluginEngine, ARefusalSaysWhatWasWritten) {
  const auto liar = engine("writes_and_refuses");
  auto call = addition();
  const auto written = [&] { return std::get<spec::Refused>(liar->run_one({&call}).what).arguments_written; };
  EXPECT_EQ(written(), std::vector<std::string>{"self"}) << "the output stands for what the API overwrites";
  call.arguments[2].second = Tensor(DType::i64, {1}, std::vector{Scalar::of_int(9)});
  EXPECT_EQ(written(), std::vector<std::string>{}) << "it checks first";
}

TEST(PluginEngine, AFailureInATimedCallIsItsOutcome) {
  const auto liar = engine("fails_when_repeated");
  const auto call = addition();
  const auto prepared = liar->prepare(call, {});
  ASSERT_NE(prepared.timed, nullptr) << result(prepared.outcome);
  const auto outcome = prepared.timed->repeat(5);
  ASSERT_TRUE(std::holds_alternative<spec::Outcome>(outcome));
  EXPECT_THAT(result(std::get<spec::Outcome>(outcome)), HasSubstr("the kernel failed: worn out"));
}

TEST(PluginEngine, ATimedCallIsWatchedToo) {
  const auto liar = engine("strays_when_repeated");
  const auto call = addition();
  const auto prepared = liar->prepare(call, {});
  ASSERT_NE(prepared.timed, nullptr) << result(prepared.outcome);
  const auto outcome = prepared.timed->repeat(5);
  ASSERT_TRUE(std::holds_alternative<spec::Outcome>(outcome));
  EXPECT_THAT(result(std::get<spec::Outcome>(outcome)), HasSubstr("beyond the end of the result"));
}

}  // namespace
}  // namespace scatterproof::engines::plugin
