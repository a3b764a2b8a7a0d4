// SPDX-License-Identifier: Apache-2.0
// A recording may be anything.
#include <random>

#include "scatterproof/engines/recorded/recording.hpp"
#include "written.hpp"

namespace scatterproof::engines {
namespace {

const std::string head =
    R"({"recording": 1, "engine": "e", "framework": "", "version": "1", "device": "cpu", "apis": [], "dtypes": []})"
    "\n";

std::string call(const std::string& arguments, const std::string& outcome) {
  return R"({"api": "a", "arguments": )" + arguments + R"(, "outcome": )" + outcome + "}\n";
}
const std::string good = call("{}", R"({"unsupported": {"reason": "no"}})");

/// A call whose argument x is this tensor.
std::string tensor(const std::string& members) {
  return call(R"({"x": {"tensor": {)" + members + "}}}", R"({"unsupported": {"reason": "no"}})");
}

struct Bad {
  std::string text;
  int line;
  std::string what;
};

TEST(BadRecording, IsAnErrorAtItsLine) {
  const std::vector<Bad> all = {
      {"", 0, "the recording is empty"},
      {"PNG\n", 1, "the line is not JSON"},
      {"[]\n", 1, "this is not the first line of a recording"},
      {good, 1, "this is not the first line of a recording"},
      {R"({"recording": 2})", 1, "the recording has version 2; this program reads version 1"},
      {R"({"recording": 1})", 1, "the first line has no 'engine'"},
      {head + "{\n" + good, 2, "the line is not JSON"},
      {head + good + "\n" + good, 3, "the line is not JSON"},
      {head + "{}\n", 2, "the line has no 'api'"},
      {head + R"({"api": "a", "arguments": []})"
              "\n",
       2, "'arguments' of the line is not an object"},
      {head + call("{}", "{}"), 2, "the outcome must be exactly one of those that there are"},
      {head + call("{}", R"({"unsupported": {"reason": ""}, "garbled": {"what": ""}})"), 2,
       "the outcome must be exactly one of those that there are"},
      {head + call("{}", R"({"exploded": {}})"), 2, "the outcome has unknown members"},
      {head + call("{}", R"({"refused": {"classes": [], "message": ""}})"), 2, "the refusal names no class"},
      {head + call("{}", R"({"timed_out": {"seconds": -1}})"), 2, "'seconds' is not a valid time"},
      {head + call(R"({"x": 1})", "{}"), 2, "an argument must have exactly one member"},
      {head + tensor(R"("dtype": "f7", "shape": [1], "data": "AAAA")"), 2,
       "a tensor has the unknown dtype 'f7'"},
      {head + tensor(R"("dtype": "u8", "shape": [3], "data": "AA*A")"), 2,
       "'data' of a tensor is not base64"},
      {head + tensor(R"("dtype": "u8", "shape": [3], "data": 7)"), 2, "'data' of a tensor is not base64"},
      {head + tensor(R"("dtype": "u8", "shape": [-3], "data": "")"), 2,
       "a tensor has the invalid shape [-3]"},
      {head + tensor(R"("dtype": "u8", "shape": [4], "data": "AAAA")"), 2,
       "a tensor of shape [4], strides [1] and offset 0 does not fit its 3 bytes"},
      {head + tensor(R"("dtype": "u8", "shape": [3], "data": "AAAA", "start": 0)"), 2,
       "a tensor has unknown members"},
      {head + tensor(R"("dtype": "u8", "shape": [3], "shares": "x")"), 2,
       "a tensor shares the storage of 'x', which is not a tensor with data"},
      {head + tensor(R"("dtype": "u8", "shape": [3], "shares": "y")"), 2,
       "a tensor shares the storage of 'y', which is not a tensor with data"},
  };
  for (const auto& [text, line, what] : all) {
    const testing::Written file(text);
    const auto recording = read_recording(file.path);
    ASSERT_FALSE(recording) << text;
    EXPECT_EQ(recording.errors().front().what, what) << text;
    EXPECT_EQ(recording.errors().front().at.line, line) << text;
    EXPECT_EQ(recording.errors().front().file, file.path);
    EXPECT_NE(recording.errors().front().hint, "");
  }
}

TEST(BadRecording, AllErrorsComeAtOnce) {
  const testing::Written file(head + "{}\n" + good + "{}\n");
  const auto recording = read_recording(file.path);
  ASSERT_FALSE(recording);
  ASSERT_EQ(recording.errors().size(), 2U);
  EXPECT_EQ(recording.errors()[1].at.line, 4);
}

/// Whatever bytes change, the recording is read, or refused with a place in the file.
TEST(BadRecording, OfAnyKindIsReadOrRefused) {
  const std::string tensors =
      R"({"produced": {"tensors": [{"dtype": "i64", "shape": [2], "strides": [-1], "offset": 1, "data": )"
      R"("AAAAAAAAAAABAAAAAAAAAA=="}], "wrote": ["x"]}, "seconds": 0.5})";
  const std::string text =
      head + good + tensor(R"("dtype": "u8", "shape": [3], "data": "AAAA")") +
      call(
          R"({"n": null, "i": {"integer": -1}, "s": {"number": {"real": "0x1p+0"}}, "l": {"integers": [1, 2]}})",
          tensors) +
      call("{}", R"({"crashed": {"signal": 11, "exit_status": 0}})") +
      call("{}", R"({"timed_out": {"seconds": 1}})");
  std::mt19937 random(7);
  const auto below = [&random](std::size_t end) { return random() % end; };
  std::size_t refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string changed = text;
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(changed.size());
      if (below(2) == 0)
        changed[at] = static_cast<char>(below(4) == 0 ? below(256)
                                                      : static_cast<std::size_t>(text[below(text.size())]));
      else
        changed.erase(at, 1 + below(8));
    }
    const testing::Written file(changed);
    const auto engine = make_recorded_engine("recorded:x", file.path);
    if (engine) continue;
    ++refused;
    EXPECT_EQ(engine.errors().front().file, file.path);
    EXPECT_GT(engine.errors().front().at.line, 0) << changed;
  }
  EXPECT_GT(refused, 1000U);
  EXPECT_LT(refused, 4000U);
}

TEST(BadRecording, ThatIsNotThereOrAFolder) {
  EXPECT_FALSE(read_recording("/nowhere/at/all"));
  EXPECT_FALSE(read_recording(::testing::TempDir()));
}

TEST(CutOffRecording, LosesItsLastLineOnly) {
  const testing::Written file(head + good + good.substr(0, good.size() / 2));
  const auto recording = read_recording(file.path);
  ASSERT_TRUE(recording);
  EXPECT_TRUE(recording->cut_off);
  EXPECT_EQ(recording->calls.size(), 1U);
  auto engine = make_recorded_engine("recorded:x", file.path);
  EXPECT_EQ((*engine)->stop(), "the last line of " + file.path + " is cut off, and was left out");
  EXPECT_EQ((*engine)->stop(), "");  // said once
}

TEST(CutOffRecording, NeedsNoLastNewline) {
  const testing::Written file(head + good.substr(0, good.size() - 1));
  const auto recording = read_recording(file.path);
  ASSERT_TRUE(recording);
  EXPECT_FALSE(recording->cut_off);
  EXPECT_EQ(recording->calls.size(), 1U);
}

}  // namespace
}  // namespace scatterproof::engines
