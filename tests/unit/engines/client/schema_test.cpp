// SPDX-License-Identifier: Apache-2.0
// The published schema of the protocol against what is really said.
#include <gtest/gtest.h>

#include <limits>

#include "message.hpp"
#include "mock.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;

/// What the schema has against the line of a message. JSON is YAML.
std::string complaints(const std::string& message) {
  const auto document = spec::yaml::read_text("message", message.substr(0, message.find('\n')) + "\n");
  if (!document) return to_string(document.errors());
  return to_string(spec::yaml::validate(*document, "worker"));
}

std::string complaints(const protocol::Parcel& message) { return complaints(std::string(message.front())); }

TEST(SchemaTest, TakesEveryMessageOfTheTool) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  spec::Call call{
      "mock.types",
      {{"none", spec::None{}},
       {"flag", spec::Scalar::of_bool(true)},
       {"integer", spec::Scalar::of_int(std::numeric_limits<std::int64_t>::min())},
       {"real", spec::Scalar::of_real(0.1)},
       {"complex", spec::Scalar::of_complex(-0.0, -infinity)},
       {"word", std::string("add")},
       {"integers", spec::Shape{3, -1}},
       {"tensor", spec::with_layout(spec::Tensor(spec::DType::bf16, {2, 3}), spec::Layout::reversed)}}};
  call.omitted = {"flag", "word"};
  const spec::GradientQuestion gradient{{"tensor"}, spec::Tensor(spec::DType::f32, {2})};
  const spec::GradientQuestion tangent{
      .of = {"tensor"}, .cotangent = {}, .tangents = {spec::Tensor(spec::DType::f32, {2})}};
  spec::GradientQuestion second = tangent;
  second.cotangent = gradient.cotangent;
  second.second_order = true;
  const std::vector<CallRequest> requests{{&call},
                                          {.call = &call, .gradient = &gradient},
                                          {.call = &call, .gradient = &tangent},
                                          {.call = &call, .gradient = &second}};
  EXPECT_EQ(complaints(protocol::start_message(0)), "");
  for (const bool takes : {false, true})
    EXPECT_EQ(complaints(protocol::run_message(1, requests,
                                               {.threads = takes,
                                                .omits = takes,
                                                .shares = takes,
                                                .gradients = takes,
                                                .tangents = takes,
                                                .second_order = takes})),
              "");
  EXPECT_EQ(complaints(protocol::run_message(4, {}, {})), "");
  EXPECT_EQ(complaints(protocol::prepare_message(4, call, {2, false})), "");
  EXPECT_EQ(complaints(protocol::prepare_message(4, call, {2, false, &gradient})), "");
  EXPECT_EQ(complaints(protocol::repeat_message(6, 1)), "");
  EXPECT_EQ(complaints(protocol::forget_message(7)), "");
  EXPECT_EQ(complaints(protocol::loop_message(7, requests, 3, {})), "");
  EXPECT_EQ(complaints(protocol::document_message(8, "mock.page")), "");
  EXPECT_EQ(complaints(protocol::stop_message(9)), "");
}

TEST(SchemaTest, TakesGoodRepliesAndNoBadOnes) {
  const std::string tensor =
      R"({"dtype": "f32", "shape": [2], "strides": [1], "offset": 0, "start": 0, "length": 8})";
  for (
      const std::string& good :
      {std::string(
           R"({"seq": 0, "ok": {"protocol": 1, "name": "n", "version": "1", "device": "cpu", "apis": [], )") +
           R"("dtypes": ["bf16"], "times": true, "omits": true, "shares": true, "gradients": true, "tangents": true, "second_order": true, "documents": true, "loops": true, "signature_seconds": 0.5, "gradient_signature_seconds": 0.5, "kernels": [{"operation": "gather_nd"}]}})",
       R"({"seq": 1, "ok": {"tensors": [)" + tensor + R"(], "wrote": [], "seconds": 0.5}, "bytes": 8})",
       R"({"seq": 1, "ok": {"tensors": [], "wrote": [], "seconds": 0, "gradients": [{"tensor": )" + tensor +
           R"(}, null, {"error": {"classes": ["A"], "message": ""}}]}, "bytes": 8})",
       std::string(R"({"seq": 2, "error": {"classes": ["IndexError"], "message": ""}})"),
       std::string(R"({"seq": 3, "unsupported": {"reason": "no"}})"),
       std::string(R"({"seq": 3, "misbehaved": {"what": "wrote beyond the result"}})"),
       std::string(R"({"seq": 4, "ok": {"answered": 3}})"),
       std::string(R"({"seq": 4, "ok": {"text": "Adds one."}})"),
       std::string(R"({"seq": 4, "ok": {"seconds": 0.25}})"), std::string(R"({"seq": 5, "ok": {}})")})
    EXPECT_EQ(complaints(good), "") << good;
  for (
      const std::string bad :
      {R"({"ok": {}})", R"({"seq": 1, "error": {"classes": [], "message": ""}})",
       R"({"seq": 1, "unsupported": {"reason": "no"}, "expected": 3})",
       R"({"seq": 1, "ok": {"tensors": [{"dtype": "f31", "shape": [], "strides": [], "offset": 0, "start": 0, "length": 4}], "wrote": [], "seconds": 0}})",
       R"({"seq": 0, "ok": {"protocol": 1, "name": "n", "version": "1", "device": "cpu", "apis": [], "dtypes": [], "signature_seconds": 0}})",
       R"({"seq": 1, "ok": {"tensors": [], "wrote": [], "seconds": 0, "gradients": [{}]}})",
       R"({"seq": 1, "misbehaved": {"what": ""}})", R"({"seq": 1, "ok": {"seconds": -1}})",
       R"({"command": "repeat", "seq": 1, "times": 0})",
       R"({"command": "loop", "seq": 1, "rounds": 0, "calls": [], "bytes": 0})",
       R"({"command": "prepare", "seq": 1, "threads": 1, "in_place": true, "calls": [], "bytes": 0})",
       R"({"command": "document", "seq": 1})", R"({"seq": 1, "ok": {"text": 5}})",
       R"({"command": "dance", "seq": 1})"})
    EXPECT_NE(complaints(bad), "") << bad;
}

}  // namespace
}  // namespace scatterproof::engines
