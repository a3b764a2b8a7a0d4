// SPDX-License-Identifier: Apache-2.0
// Calls that documents leave open, which an engine must answer in one way, however they are said.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "restated.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"
#include "shipped.hpp"
#include "wrong_when.hpp"

namespace scatterproof::runner::fuzz {
namespace {

bool is_strided(const spec::Call& call) {
  return std::ranges::any_of(call.arguments, [](const auto& argument) {
    const auto* tensor = std::get_if<spec::Tensor>(&argument.second);
    return tensor && !tensor->is_contiguous();
  });
}

bool has_i32_index(const spec::Call& call) {
  return std::get<spec::Tensor>(*call.find("indices")).dtype() == spec::DType::i32;
}

bool has_odd_index(const spec::Call& call) {
  return std::get<spec::Tensor>(*call.find("indices")).numel() % 2 == 1;
}

const spec::FamilyLibrary& shipped_families() {
  static const auto families = spec::FamilyLibrary::load(SCATTERPROOF_SOURCE_DIR "/spec/data/families");
  return families.value();
}

/// Of an engine whose answers to open calls depend on this.
std::set<std::string> inconsistent_by(bool (*decides)(const spec::Call&),
                                      const std::vector<std::string>& apis = {"onnx.Gather"},
                                      const spec::FamilyLibrary* families = nullptr, Spoil how = spoil) {
  Campaign campaign;
  for (const std::string& api : apis) campaign.apis.push_back(shipped_specs().find(api));
  campaign.calls = 20000;
  campaign.families = families;
  Engines engines;
  engines.push_back(std::make_unique<WrongWhen>(
      [&](const engines::CallRequest& request) {
        return breaks_a_rule(*request.call) && decides(*request.call);
      },
      how));
  const Engines* job = &engines;
  std::set<std::string> found;
  for (const auto& [kind, tally] : fuzz(campaign, {&job, 1}).kinds)
    if (tally.first) found.insert(to_string(kind.diagnosis));
  return found;
}

TEST(OpenCalls, AreAskedInOtherLayoutsAndWithAnotherIndexDtype) {
  EXPECT_EQ(inconsistent_by(is_strided), std::set<std::string>{"inconsistent/layout"});
  EXPECT_EQ(inconsistent_by(has_i32_index), std::set<std::string>{"inconsistent/index_dtype"});
  EXPECT_EQ(inconsistent_by([](const spec::Call&) { return true; }), std::set<std::string>{});
}

TEST(OpenCalls, AreAskedWithMoreLookups) {
  for (const char* api : {"onnx.Gather", "onnx.GatherElements"})
    EXPECT_EQ(inconsistent_by(has_odd_index, {api}, &shipped_families()),
              std::set<std::string>{"inconsistent/batch"})
        << api;
}

TEST(OpenCalls, MayBeRefusedWithMoreLookups) {
  const auto refuse = [](spec::Outcome& outcome) {
    outcome.what = spec::Refused{{"ValueError"}, "too many"};
  };
  for (const char* api : {"onnx.Gather", "onnx.GatherElements"})
    EXPECT_FALSE(
        inconsistent_by(has_odd_index, {api}, &shipped_families(), refuse).contains("inconsistent/batch"))
        << api;
}

/// Two forms of one installation: the second answers open calls in another way.
std::set<std::string> found_in_forms(Spoil how) {
  Campaign campaign;
  campaign.apis = {shipped_specs().find("torch.gather")};
  campaign.calls = 3000;
  Engines engines;
  for (const char* name : {"torch@2.13.0", "torch:compile@2.13.0"}) {
    const bool compiled = std::string_view(name).starts_with("torch:");
    auto engine = std::make_unique<WrongWhen>(
        [=](const engines::CallRequest& request) { return compiled && breaks_a_rule(*request.call); }, how);
    engine->call_itself(name, "torch", "2.13.0");
    engines.push_back(std::move(engine));
  }
  const Engines* job = &engines;
  std::set<std::string> found;
  for (const auto& [kind, tally] : fuzz(campaign, {&job, 1}).kinds)
    if (tally.first) found.insert(kind.engine + " " + to_string(kind.diagnosis));
  return found;
}

TEST(OpenCalls, FormsOfOneInstallationAnswerOpenCallsAlike) {
  EXPECT_EQ(found_in_forms(spoil), std::set<std::string>{"torch:compile@2.13.0 inconsistent/form"});
  EXPECT_EQ(found_in_forms([](spec::Outcome&) {}), std::set<std::string>{});
}

TEST(OpenCalls, AreAskedByTheVariants) {
  const auto is_method = [](const spec::Call& call) { return call.api == "torch.Tensor.gather"; };
  EXPECT_EQ(inconsistent_by(is_method, {"torch.gather"}), std::set<std::string>{"inconsistent/variant"});
  EXPECT_EQ(inconsistent_by([](const spec::Call&) { return true; }, {"torch.gather"}),
            std::set<std::string>{});
}

/// In place, a mask that is larger than the tensor has to be refused; out of place, the result may grow.
TEST(OpenCalls, AVariantOutOfPlaceMayTakeWhatCannotBeDoneInPlace) {
  const spec::OpSpec& op = *shipped_specs().find("torch.Tensor.masked_fill_");
  const spec::Call call{.api = op.api,
                        .arguments = {{"self", spec::Tensor(spec::DType::f32, {1})},
                                      {"mask", spec::Tensor(spec::DType::boolean, {2})},
                                      {"value", spec::Scalar::of_real(5)}}};
  std::map<std::string, std::vector<std::string>> overwritten;
  for (const Restated& other : restated(op, call, {}, nullptr))
    overwritten[other.call.api] = other.overwritten;
  EXPECT_EQ(overwritten.at("torch.Tensor.masked_fill"), std::vector<std::string>{"self"});
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
