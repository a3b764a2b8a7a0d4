// SPDX-License-Identifier: Apache-2.0
// Scripts that compute gradients give what the worker gives.
#include <gtest/gtest.h>

#include "in_turn.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/snippet/snippet.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "scripts.hpp"

namespace scatterproof::runner::snippet {
namespace {

using spec::DiagnosisKind;

struct Chosen {
  std::string engine, prefix;
  std::uint64_t in_turn;  ///< one of this many cases is tried each time
};

/// A case whose question the worker has answered.
struct Answered {
  std::string script;
  std::vector<spec::GradientAnswer> answers;
};

/// Empty: no gradients follow, or the worker gives none of some argument.
std::optional<Answered> answered(const spec::Case& one, const PythonSyntax& syntax, engines::Engine& engine,
                                 DiagnosisKind kind) {
  const spec::OpSpec& op = *shipped().specs.find(one.call.api);
  const spec::Judgement judgement{
      .verdict = spec::Verdict::mismatch, .diagnosis = {.kind = kind}, .explanation = ""};
  const auto questions = telling_questions(op, one.call, engine.info(), judgement.diagnosis);
  if (questions.empty()) return {};
  const spec::Outcome outcome = engine.run_one({.call = &one.call, .gradient = &questions.front()});
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (!produced || produced->gradients.empty() ||
      std::ranges::any_of(produced->gradients,
                          [](const auto& answer) { return std::holds_alternative<spec::Refused>(answer); }))
    return {};
  auto script = make_snippet(
      op, one.call, syntax,
      {.engine = engine.info(), .outcome = outcome, .judgement = judgement, .questions = questions});
  EXPECT_TRUE(script) << one.id << ": " << spec::to_string(script.errors());
  if (!script) return {};
  return Answered{*std::move(script), produced->gradients};
}

void expect_same(const nlohmann::json& left, const std::vector<spec::GradientAnswer>& answers,
                 const std::string& script) {
  ASSERT_TRUE(left.contains("gradients")) << script << left.dump();
  EXPECT_TRUE(left["printed"]) << script;
  ASSERT_EQ(left["gradients"].size(), answers.size()) << script;
  for (std::size_t a = 0; a < answers.size(); ++a) {
    const nlohmann::json& one = left["gradients"][a];
    const auto* tensor = std::get_if<spec::Tensor>(&answers[a]);
    ASSERT_EQ(one.is_null(), tensor == nullptr) << script << left.dump();
    if (tensor) {
      EXPECT_TRUE(identical(tensor_of(one), *tensor)) << script << to_string(*tensor) << left.dump();
    }
  }
}

/// The gradient is memory that nothing wrote (finding F584), another each time.
bool is_unwritten(const spec::Case& one) {
  return one.id.starts_with("tensorflow.sparse.segment_") &&
         std::ranges::any_of(one.call.arguments, [](const auto& argument) {
           const auto* tensor = std::get_if<spec::Tensor>(&argument.second);
           return tensor && tensor->numel() == 0;
         });
}

/// Executes chosen cases as scripts, too.
void expect_same_as_worker(const Chosen& chosen, DiagnosisKind kind, std::size_t at_least) {
  const auto syntax = load_python_syntax(chosen.engine, places());
  ASSERT_TRUE(syntax) << spec::to_string(syntax.errors());
  auto engine = engines::make_engine(chosen.engine, shipped().specs, places());
  ASSERT_TRUE(engine) << spec::to_string(engine.errors());
  ASSERT_EQ((*engine)->start(), "");
  std::vector<std::string> scripts;
  std::vector<Answered> all;
  for (const spec::Case* one : cases_for(shipped(), **engine)) {
    if (!one->id.starts_with(chosen.prefix) || !is_in_turn(hash_of(one->call), chosen.in_turn)) continue;
    if (is_unwritten(*one)) continue;
    auto made = answered(*one, *syntax, **engine, kind);
    if (!made) continue;
    scripts.push_back(made->script);
    all.push_back(*std::move(made));
  }
  ASSERT_GT(all.size(), at_least);
  const std::string environment = spec::without_form((*engine)->info().name);
  const auto results = executed(scripts, places().engines + "/" + environment + "/bin/python");
  ASSERT_EQ(results.size(), all.size());
  for (std::size_t i = 0; i < results.size(); ++i) expect_same(results[i], all[i].answers, scripts[i]);
}

class GradientSnippets : public testing::TestWithParam<Chosen> {};

TEST_P(GradientSnippets, GiveWhatTheWorkerGave) {
  expect_same_as_worker(GetParam(), DiagnosisKind::gradient_value, 0);
}

INSTANTIATE_TEST_SUITE_P(Frameworks, GradientSnippets,
                         testing::Values(Chosen{"torch", "torch.", 64}, Chosen{"jax", "jax.", 128},
                                         Chosen{"tensorflow", "tensorflow.", 64},
                                         Chosen{"paddle", "paddle.", 64},
                                         Chosen{"mindspore", "mindspore.", 64},
                                         Chosen{"tinygrad", "tinygrad.", 32},
                                         Chosen{"torch:compile", "torch.Tensor.index_add/dtype/f32", 1}));

TEST(GradientSnippet, OfForwardModeGiveTheTangent) {
  expect_same_as_worker({"jax", "jax.numpy.take/doc/", 1}, DiagnosisKind::gradient_tangent, 0);
}

TEST(GradientSnippet, AskBothModesThatDisagree) {
  const auto syntax = load_python_syntax("jax", places());
  ASSERT_TRUE(syntax);
  const auto one = std::ranges::find(shipped().cases, "jax.numpy.take/doc/",
                                     [](const spec::Case& each) { return each.id.substr(0, 19); });
  ASSERT_NE(one, shipped().cases.end());
  const spec::OpSpec& op = *shipped().specs.find(one->call.api);
  engines::EngineInfo info{"jax", "jax", "0", "cpu", {}, {}};
  info.gradients = info.tangents = true;
  const spec::Judgement judgement{.verdict = spec::Verdict::mismatch,
                                  .diagnosis = {.kind = DiagnosisKind::gradient_modes},
                                  .explanation = "x"};
  const spec::Outcome outcome{spec::Unsupported{}, 0};
  const auto script =
      make_snippet(op, one->call, *syntax,
                   {.engine = info,
                    .outcome = outcome,
                    .judgement = judgement,
                    .questions = telling_questions(op, one->call, info, judgement.diagnosis)});
  ASSERT_TRUE(script);
  EXPECT_NE(script->find("jax.vjp("), std::string::npos) << *script;
  EXPECT_NE(script->find("jax.jvp("), std::string::npos) << *script;
}

TEST(GradientSnippet, AreNotMadeWhereTheFrameworkHasNone) {
  const auto syntax = load_python_syntax("numpy", places());
  ASSERT_TRUE(syntax);
  const auto one = std::ranges::find(shipped().cases, "numpy.take_along_axis",
                                     [](const auto& each) { return each.call.api; });
  const engines::EngineInfo info{"numpy", "numpy", "2", "cpu", {}, {}};
  const spec::Outcome outcome{spec::Unsupported{}, 0};
  const spec::Judgement judgement{.verdict = spec::Verdict::mismatch, .explanation = ""};
  const auto script = make_snippet(
      *shipped().specs.find("numpy.take_along_axis"), one->call, *syntax,
      {.engine = info, .outcome = outcome, .judgement = judgement, .questions = {spec::GradientQuestion{}}});
  ASSERT_FALSE(script);
  EXPECT_EQ(script.errors().front().what, "numpy has no such derivatives");
}

}  // namespace
}  // namespace scatterproof::runner::snippet
