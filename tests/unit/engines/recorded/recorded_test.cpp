// SPDX-License-Identifier: Apache-2.0
// What is recorded is what the recording answers.
#include <limits>

#include "scatterproof/engines/recorded/recording.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"
#include "written.hpp"

namespace scatterproof::engines {
namespace {

using testing::Written;

const EngineInfo some_engine{.name = "torch@2.13.0",
                             .framework = "torch",
                             .version = "2.13.0",
                             .device = "cuda",
                             .apis = {"torch.gather"},
                             .dtypes = {"f32", "i64"},
                             .varies = "sums"};

spec::Tensor counted(spec::DType dtype, spec::Shape shape) {
  spec::Tensor tensor(dtype, std::move(shape));
  for (std::int64_t i = 0; i < tensor.numel(); ++i) tensor.set_at_position(i, spec::Scalar::of_int(i % 2));
  return tensor;
}

spec::Call call_of(spec::Argument argument) { return {"torch.gather", {{"input", std::move(argument)}}}; }

std::vector<spec::Argument> some_arguments() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<spec::Argument> arguments = {spec::None{},
                                           spec::Scalar::of_bool(true),
                                           spec::Scalar::of_int(1),
                                           spec::Scalar::of_int(std::numeric_limits<std::int64_t>::min()),
                                           spec::Scalar::of_real(1),
                                           spec::Scalar::of_real(-0.0),
                                           spec::Scalar::of_real(0.0),
                                           spec::Scalar::of_real(0.1),
                                           spec::Scalar::of_complex(1, -infinity),
                                           std::string("1"),
                                           spec::Shape{1},
                                           spec::Shape{},
                                           spec::Tensor(spec::DType::f32, {0, 3}),
                                           spec::Tensor(spec::DType::f32, {3, 0})};
  for (const spec::DType dtype : spec::all_dtypes)
    for (const spec::Layout layout :
         {spec::Layout::contiguous, spec::Layout::transposed, spec::Layout::sliced, spec::Layout::reversed})
      for (const spec::Shape& shape : {spec::Shape{2, 3}, spec::Shape{3, 2}})
        arguments.push_back(spec::with_layout(counted(dtype, shape), layout));
  return arguments;
}

std::vector<spec::Outcome> some_outcomes() {
  const auto tensor = spec::with_layout(counted(spec::DType::bf16, {2, 2}), spec::Layout::reversed);
  return {{spec::Produced{{tensor, spec::Tensor(spec::DType::i64, {})}, {"input"}}, 0.5},
          {spec::Refused{{"IndexError", "LookupError"}, "index 7\nis out of \"range\""}, 0},
          {spec::Refused{{"IndexError"}, "index 7", {"input", "index"}}, 0},
          {spec::Unsupported{"no kernel"}, 0},
          {spec::Crashed{.signal = 11,
                         .exit_status = 0,
                         .stderr_tail = "tail",
                         .misbehaviour = "wrote",
                         .established = "alone",
                         .of_no_call_alone = true},
           0},
          {spec::TimedOut{10, "tail"}, 0},
          {spec::Garbled{"half a reply", "tail"}, 0},
          {spec::Unavailable{"no device"}, 0}};
}

std::unique_ptr<Engine> engine_of(const std::string& text) {
  const Written file(text);
  auto engine = make_recorded_engine("recorded:x", file.path);
  EXPECT_TRUE(engine) << to_string(engine.errors());
  return std::move(engine).value();
}

std::string answer(Engine& engine, const spec::Call& call) { return to_string(engine.run_one({&call})); }

TEST(Recorded, DeclaresWhatTheHeaderSays) {
  const auto engine = engine_of(header_line(some_engine));
  EXPECT_EQ(engine->info().name, "recorded:x");
  EXPECT_EQ(engine->info().declared, "torch@2.13.0");
  EXPECT_EQ(engine->info().framework, "torch");
  EXPECT_EQ(engine->info().version, "2.13.0");
  EXPECT_EQ(engine->info().device, "cuda");
  EXPECT_EQ(engine->info().apis, some_engine.apis);
  EXPECT_EQ(engine->info().dtypes, some_engine.dtypes);
  EXPECT_EQ(engine->info().varies, "sums");
}

TEST(Recorded, TellsEveryArgumentFromEveryOther) {
  const std::vector<spec::Argument> arguments = some_arguments();
  std::string text = header_line(some_engine);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    text += call_line("", call_of(arguments[i]), {spec::Unsupported{std::to_string(i)}, 0});
  const auto engine = engine_of(text);
  for (std::size_t i = arguments.size(); i-- > 0;) {  // the last first: calls taken for one answer in turn
    const spec::Call call = call_of(arguments[i]);
    EXPECT_TRUE(engine->supports(call).yes) << to_string(call);
    EXPECT_EQ(answer(*engine, call), "unsupported: " + std::to_string(i)) << to_string(call);
  }
}

TEST(Recorded, GivesEveryOutcomeBack) {
  for (const spec::Outcome& outcome : some_outcomes()) {
    const spec::Call call = call_of(spec::Scalar::of_int(1));
    const auto engine = engine_of(header_line(some_engine) + call_line("id", call, outcome));
    const spec::Outcome given = engine->run_one({&call});
    EXPECT_EQ(to_string(given), to_string(outcome));
    EXPECT_EQ(given.seconds, outcome.seconds);
    EXPECT_EQ(call_line("id", call, given), call_line("id", call, outcome));
  }
}

/// Three arguments of the same values: `views` of the first, or with storages of their own.
spec::Call call_of_three(const std::vector<bool>& views) {
  const spec::Tensor first = counted(spec::DType::i64, {3});
  spec::Call call{"torch.gather", {{"b", first}}};
  for (const bool view : views)
    call.arguments.emplace_back(call.arguments.size() == 1 ? "a" : "c", view ? first : first.clone());
  return call;
}

TEST(Recorded, KeepsWhichArgumentsShareAStorage) {
  const std::vector<std::vector<bool>> forms = {{false, false}, {false, true}, {true, false}, {true, true}};
  std::string text = header_line(some_engine);
  for (std::size_t i = 0; i < forms.size(); ++i)
    text += call_line("", call_of_three(forms[i]), {spec::Unsupported{std::to_string(i)}, 0});
  const Written file(text);
  const auto recording = read_recording(file.path);
  ASSERT_TRUE(recording) << to_string(recording.errors());
  const auto engine = engine_of(text);
  for (std::size_t i = forms.size(); i-- > 0;) {
    EXPECT_EQ(answer(*engine, call_of_three(forms[i])), "unsupported: " + std::to_string(i));
    const spec::Call& read = recording->calls[i].call;
    for (std::size_t k = 0; k < forms[i].size(); ++k)
      EXPECT_EQ(shared_with(read, k + 1).has_value(), forms[i][k]) << i << ", argument " << k + 1;
    EXPECT_EQ(call_line("", read, recording->calls[i].outcome),
              call_line("", call_of_three(forms[i]), recording->calls[i].outcome));
  }
}

TEST(Recorded, AViewMayComeBeforeItsOwner) {
  const auto engine =
      engine_of(header_line(some_engine) +
                R"({"api": "torch.gather", "arguments": {)"
                R"("a": {"tensor": {"dtype": "u8", "shape": [1], "offset": 2, "shares": "b"}}, )"
                R"("b": {"tensor": {"dtype": "u8", "shape": [3], "data": "AQID"}}}, )"
                R"("outcome": {"unsupported": {"reason": "it"}}})"
                "\n");
  spec::Tensor whole(spec::DType::u8, {3});
  for (std::int64_t i = 0; i < 3; ++i) whole.set_at_position(i, spec::Scalar::of_int(i + 1));
  const spec::Tensor last = *spec::Tensor::view(spec::DType::u8, {1}, {1}, 2, whole.shared_storage());
  EXPECT_EQ(answer(*engine, {"torch.gather", {{"b", whole}, {"a", last}}}), "unsupported: it");
}

TEST(Recorded, WhatACallLeavesOutTakesNoPart) {
  spec::Call given{"torch.gather", {{"input", spec::Scalar::of_int(1)}, {"dim", spec::Scalar::of_int(0)}}};
  spec::Call left_out = given;
  left_out.omitted = {"dim"};
  const auto engine =
      engine_of(header_line(some_engine) + call_line("", left_out, {spec::Unsupported{"left out"}, 0}));
  EXPECT_EQ(answer(*engine, left_out), "unsupported: left out");
  EXPECT_FALSE(engine->supports(given).yes);
  EXPECT_NE(answer(*engine, given).find("not in "), std::string::npos);
}

TEST(Recorded, TheOrderOfArgumentsHasNoMeaning) {
  const spec::Call one{"torch.gather",
                       {{"input", spec::Scalar::of_int(1)}, {"dim", spec::Scalar::of_int(0)}}};
  const spec::Call other{"torch.gather", {one.arguments[1], one.arguments[0]}};
  const auto engine = engine_of(header_line(some_engine) + call_line("", one, {spec::Unsupported{"it"}, 0}));
  EXPECT_EQ(answer(*engine, other), "unsupported: it");
}

TEST(Recorded, OutcomesOfOneCallComeInTurn) {
  const spec::Call call = call_of(spec::Scalar::of_int(1));
  const auto engine =
      engine_of(header_line(some_engine) + call_line("", call, {spec::Unsupported{"first"}, 0}) +
                call_line("", call, {spec::Unsupported{"second"}, 0}));
  for (const char* expected : {"unsupported: first", "unsupported: second", "unsupported: first"})
    EXPECT_EQ(answer(*engine, call), expected);
}

/// What the schema has against a line. JSON is YAML.
std::string complaints(const std::string& line) {
  const auto document = spec::yaml::read_text("line", line);
  return document ? to_string(spec::yaml::validate(*document, "recording")) : to_string(document.errors());
}

TEST(Recorded, LinesAreWhatTheSchemaDescribes) {
  EXPECT_EQ(complaints(header_line(some_engine)), "");
  for (const spec::Argument& argument : some_arguments())
    EXPECT_EQ(complaints(call_line("id", call_of(argument), {spec::Unsupported{""}, 0})), "")
        << to_string(argument);
  for (const spec::Outcome& outcome : some_outcomes())
    EXPECT_EQ(complaints(call_line("id", call_of(spec::None{}), outcome)), "") << to_string(outcome);
  EXPECT_EQ(complaints(call_line("id", call_of_three({true, false}), {spec::Unsupported{""}, 0})), "");
  EXPECT_NE(complaints(R"({"api": "a", "arguments": {}})"), "");
  EXPECT_NE(complaints(R"({"api": "a", "arguments": {}, "outcome": {"seconds": 1}})"), "");
}

}  // namespace
}  // namespace scatterproof::engines
