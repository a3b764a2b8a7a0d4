// SPDX-License-Identifier: Apache-2.0
// What generated calls have in common, and what of it tells those that fail from those that pass.
#include <set>

#include "scatterproof/runner/calls/call_globs.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/fuzz/common_globs.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "wrong_when.hpp"

namespace scatterproof::runner::fuzz {
namespace {

bool has_dtype(const spec::Call& call, spec::DType dtype) {
  return std::ranges::any_of(call.arguments, [&](const auto& argument) {
    const auto* tensor = std::get_if<spec::Tensor>(&argument.second);
    return tensor && tensor->dtype() == dtype;
  });
}

std::vector<spec::Call> calls_of(const std::string& api) {
  std::vector<spec::Call> calls;
  Generator generator(*shipped_specs().find(api), 4);
  for (std::uint64_t number = 0; calls.size() < 250; ++number)
    if (auto made = generator.make(number)) calls.push_back(std::move(made->call));
  // A generated call is given with all of its arguments until it is asked.
  calls.front().omitted = {calls.front().arguments.back().first};
  return calls;
}

TEST(SimpleGlobs, AreThoseThatTheTextOfTheCallMatches) {
  std::set<std::string> forms;
  for (const char* api :
       {"torch.Tensor.scatter_reduce_", "onnx.ScatterElements", "paddle.gather", "jax.numpy.ndarray.at.add",
        "torch.Tensor.index_add_", "torch.Tensor.scatter_", "numpy.ndarray.__getitem__.selection"}) {
    const std::vector<spec::Call> calls = calls_of(api);
    std::set<std::string> all;
    for (const spec::Call& call : calls)
      for (const std::string& glob : simple_globs(call)) all.insert(glob);
    for (const spec::Call& call : calls) {
      const std::vector<std::string> globs = simple_globs(call);
      for (const std::string& glob : all)
        ASSERT_EQ(std::ranges::count(globs, glob), matches_glob(glob, text_of(call)) ? 1 : 0)
            << glob << " and " << text_of(call);
    }
    forms.merge(all);
  }
  for (const char* glob :
       {"* index=i32[*", "*(self=f64[*", "*=f64[*", "* reduce=amax,*", "* include_self=false)*", "* dim=-*",
        "* dim=0,*", "*self: *", "*: in the memory of *", "* reduce=none)*", "*alpha: *"})
    EXPECT_TRUE(forms.contains(glob)) << glob;
}

/// The only kind of unexpected failures of an engine that is wrong for such calls.
spec::Record record_of(const std::function<bool(const spec::Call&)>& wrong, std::size_t jobs = 1) {
  std::vector<Engines> sets(jobs);
  std::vector<const Engines*> all;
  for (Engines& engines : sets) {
    engines.push_back(std::make_unique<WrongWhen>(
        [&](const engines::CallRequest& request) { return wrong(*request.call); }, spoil));
    all.push_back(&engines);
  }
  Campaign campaign;
  campaign.apis = {shipped_specs().find("torch.gather")};
  campaign.wishes.sides = GenerationOptions::Sides::valid;
  campaign.calls = 600;
  campaign.seed = 3;
  const FuzzResult fuzzed = fuzz(campaign, all);
  spec::Record record;
  for (const auto& [kind, tally] : fuzzed.kinds)
    if (kind.diagnosis.kind == spec::DiagnosisKind::cells_other) {
      record.count = tally.count;
      say_common_globs(fuzzed, kind, tally.first->made.call, record);
    }
  return record;
}

TEST(CommonGlobs, SayHowManyOfTheCallsThatPassedMatchToo) {
  const auto is_double = [](const spec::Call& call) { return has_dtype(call, spec::DType::f64); };
  const spec::Record record = record_of(is_double);
  EXPECT_GT(record.count, 5u);
  EXPECT_GT(record.passed, 100u);
  const auto named = [&](const spec::Record& of, const std::string& glob) {
    return std::ranges::find(of.call_globs, glob, &spec::CallGlob::glob);
  };
  ASSERT_NE(named(record, "*=f64[*"), record.call_globs.end());
  EXPECT_LT(named(record, "*=f64[*")->passed,
            record.passed / 20);  // those without a cell that could be wrong
  ASSERT_NE(named(record, "*(input=f64[*"), record.call_globs.end());
  EXPECT_EQ(named(record, "* dim=0,*"), record.call_globs.end());  // some have another
  const spec::Record shared_out = record_of(is_double, 3);
  EXPECT_EQ(shared_out.call_globs, record.call_globs);
  EXPECT_EQ(shared_out.passed, record.passed);
}

/// A smaller call may fail without what all calls have that were found.
TEST(CommonGlobs, AreThoseOfTheShownCallToo) {
  FuzzResult fuzzed;
  const Kind kind{.api = "torch.gather",
                  .engine = "e",
                  .rule = "",
                  .relation = "",
                  .verdict = spec::Verdict::mismatch,
                  .diagnosis = {},
                  .practice = {},
                  .known = ""};
  std::vector<spec::Call> calls = calls_of("torch.gather");
  const spec::Call& shown =
      *std::ranges::find_if(calls, [](const spec::Call& call) { return has_dtype(call, spec::DType::f64); });
  Tally& tally = fuzzed.kinds[kind];
  tally.count = 2;
  tally.globs = {{"*=f32[*", 2}, {"*=f64[*", 2}, {"*(input=f64[*", 1}};
  spec::Record record;
  say_common_globs(fuzzed, kind, shown, record);
  EXPECT_EQ(record.call_globs, (std::vector<spec::CallGlob>{{.glob = "*=f64[*"}}));
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
