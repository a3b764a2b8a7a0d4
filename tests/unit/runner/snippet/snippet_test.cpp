// SPDX-License-Identifier: Apache-2.0
// The shipped cases of every framework that has a worker, as scripts: each leaves behind what the worker
// gave.
#include "scatterproof/runner/snippet/snippet.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "in_turn.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/snippet/translate.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "scripts.hpp"

namespace scatterproof::runner::snippet {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void expect_same(const json& left, const spec::Outcome& outcome, const std::string& told) {
  if (const auto* produced = std::get_if<spec::Produced>(&outcome.what)) {
    ASSERT_TRUE(left.contains("dtype")) << told << left.dump();
    EXPECT_TRUE(identical(tensor_of(left), produced->tensors.front())) << told << to_string(tensor_of(left));
    EXPECT_TRUE(left["printed"]) << told;
  } else if (const auto* refused = std::get_if<spec::Refused>(&outcome.what)) {
    ASSERT_TRUE(left.contains("raised")) << told << left.dump();
    EXPECT_EQ(left["raised"].front(), refused->error_classes.front()) << told;
  } else if (std::holds_alternative<spec::Unsupported>(outcome.what)) {
    EXPECT_TRUE(left.contains("raised")) << told << left.dump();
  } else {
    EXPECT_TRUE(left.is_null()) << told << left.dump();
  }
}

/// Whether the document lets any of several values win in some cell.
bool may_any_win(const spec::OpSpec& op, const spec::Call& call) {
  const auto expectation = spec::expect(op, call);
  const auto* bag = expectation ? std::get_if<spec::Bag>(&expectation->what) : nullptr;
  if (!bag || bag->combine != spec::Combiner::assign || bag->collisions != spec::Collisions::any)
    return false;
  return std::ranges::adjacent_find(bag->offsets, [](auto first, auto last) { return last - first > 1; }) !=
         bag->offsets.end();
}

/// What OpenVINO, TVM and IREE do with a call that breaks a rule may come from memory that is not the call's
/// (F92, F93, F98, F530 and F561 of docs/results/findings.md), and paddle's index_put and indexing then write
/// or read such memory (F140); torch.as_strided_scatter writes by the storage of a view, which a script makes
/// again; torch.gather reads the copy of an expanded index of i32 by its former strides, or does not;
/// onnxruntime loses some of very many updates of one cell (F270); and the threads of mindspore race
/// for a cell: no two processes agree.
bool differs_between_processes(const std::string& framework, const spec::OpSpec& op, const spec::Call& call) {
  constexpr std::int64_t very_many = 100'000;
  const auto* indices = std::get_if<spec::Tensor>(call.find("indices"));
  if (framework == "onnxruntime" && op.api == "onnx.ScatterND" && indices && indices->numel() > very_many)
    return true;
  if (framework == "mindspore" && may_any_win(op, call)) return true;
  const auto broken = [](auto kind) { return kind == spec::RuleState::Kind::broken; };
  return (framework == "openvino" || framework == "tvm" || framework == "iree" ||
          op.api.starts_with("paddle.index_put") || op.api.starts_with("paddle.Tensor.__getitem__") ||
          op.base_api() == "torch.as_strided_scatter" || op.base_api() == "torch.gather") &&
         std::ranges::any_of(spec::rule_kinds(op, call), broken);
}

/// Executes cases on an engine and as scripts in its own environment, and compares what they leave behind.
void expect_same_as_worker(const std::string& name, const std::function<bool(const spec::Case&)>& chosen,
                           std::size_t at_least) {
  const auto syntax = load_python_syntax(name, places());
  ASSERT_TRUE(syntax) << spec::to_string(syntax.errors());
  auto engine = engines::make_engine(name, shipped().specs, places());
  ASSERT_TRUE(engine) << spec::to_string(engine.errors());
  ASSERT_EQ((*engine)->start(), "");
  std::vector<std::string> scripts;
  std::vector<spec::Outcome> outcomes;
  for (const spec::Case* one : cases_for(shipped(), **engine)) {
    if (!chosen(*one)) continue;
    const spec::OpSpec& op = *shipped().specs.find(one->call.api);
    spec::Outcome outcome = (*engine)->run_one({&one->call});
    const auto trial = judge_case(*one, op, (*engine)->info(), outcome);
    ASSERT_TRUE(trial);
    const auto script = make_snippet(op, one->call, *syntax, {(*engine)->info(), outcome, trial->judgement});
    if (!script && std::holds_alternative<spec::Unsupported>(outcome.what)) continue;  // no such tensors
    ASSERT_TRUE(script) << one->id << ": " << spec::to_string(script.errors());
    scripts.push_back(*script);
    outcomes.push_back(std::move(outcome));
  }
  ASSERT_GT(scripts.size(), at_least);
  const std::string environment = spec::without_form((*engine)->info().name);
  const auto results = executed(scripts, places().engines + "/" + environment + "/bin/python");
  ASSERT_EQ(results.size(), scripts.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    expect_same(results[i], outcomes[i], fmt::format("{}\n{}\n", scripts[i], to_string(outcomes[i])));
}

/// The frameworks that have a worker.
std::vector<std::string> frameworks() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(places().data) / "engines/workers"))
    if (fs::exists(entry.path() / "engine.yaml")) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

/// Whether ./dev leaves it out, as its manifest says.
bool is_on_request(const std::string& framework) {
  std::ifstream file(fs::path(places().data) / "engines/workers" / framework / "engine.yaml");
  const std::string manifest{std::istreambuf_iterator<char>(file), {}};
  return manifest.find("\non_request: true") != manifest.npos;
}

bool is_installed(const std::string& framework) {
  return std::ranges::any_of(engines::list_engines(places()), [&](const engines::EngineListing& one) {
    return one.installed && one.name.starts_with(framework + "@");
  });
}

class Snippets : public testing::TestWithParam<std::string> {};

/// An eighth of the cases, another one each time, or all.
TEST_P(Snippets, LeaveBehindWhatTheWorkerGave) {
  const bool on_request = is_on_request(GetParam());
  if (on_request && !is_installed(GetParam())) GTEST_SKIP() << GetParam() << " is not installed";
  const auto chosen = [](const spec::Case& one) {
    return is_in_turn(hash_of(one.call), 8) &&
           !differs_between_processes(GetParam(), *shipped().specs.find(one.call.api), one.call);
  };
  expect_same_as_worker(GetParam(), chosen, on_request ? 0 : 20);
}

INSTANTIATE_TEST_SUITE_P(Frameworks, Snippets, testing::ValuesIn(frameworks()),
                         [](const auto& test) { return test.param; });

using FormAndCases = std::pair<std::string, std::string>;

/// The examples of one document, because a new signature takes some of them long: of a quarter of these,
/// others each time, or of all.
std::vector<FormAndCases> forms_in_turn() {
  std::vector<FormAndCases> forms = {{"torch:onnx", "torch.Tensor.scatter_add_/dtype/"},
                                     {"torch:compile", "torch.gather/doc/"},
                                     {"jax:jit", "jax.numpy.ndarray.at.add/"},
                                     {"mindspore:graph", "mindspore.ops.tensor_scatter_elements/doc/"},
                                     {"torch:onnx", "torch.Tensor.scatter_add_/shape/"},
                                     {"openvino:threads=1", "onnx.GatherElements/doc/"},
                                     {"tensorflow:function", "tensorflow.scatter_nd/"},
                                     {"paddle:to_static", "paddle.put_along_axis/doc/"},
                                     {"tensorflow:xla", "tensorflow.scatter_nd/doc/"},
                                     {"torch:compile_views", "torch.Tensor.index_fill/expanded/"},
                                     {"jax:vmap", "jax.numpy.take/doc/"},
                                     {"jax:jit_views", "jax.numpy.take/layout/"},
                                     {"tensorflow:function_views", "tensorflow.gather/layout/"},
                                     {"tensorflow:xla_views", "tensorflow.gather/layout/"},
                                     {"paddle:to_static_views", "paddle.gather/layout/"},
                                     {"mindspore:graph_views", "mindspore.ops.gather/layout/"},
                                     {"torch:device=cpu", "torch.gather/doc/"},
                                     {"onnxruntime:provider=CPU", "onnx.GatherElements/doc/"},
                                     {"openvino:device=HETERO:CPU", "onnx.GatherElements/doc/"},
                                     {"paddle:device=cpu", "paddle.gather/doc/"}};
  std::uint64_t number = 0;
  std::erase_if(forms, [&](const auto&) { return !is_in_turn(number++, 4); });
  return forms;
}

class SnippetsOfForms : public testing::TestWithParam<FormAndCases> {};

TEST_P(SnippetsOfForms, LeaveBehindWhatTheWorkerGave) {
  const auto& [engine, prefix] = GetParam();
  expect_same_as_worker(
      engine, [&](const spec::Case& one) { return one.id.starts_with(prefix); }, 0);
}

INSTANTIATE_TEST_SUITE_P(Forms, SnippetsOfForms, testing::ValuesIn(forms_in_turn()));

TEST(Snippet, EveryFrameworkWithAWorkerHasAForm) {
  for (const engines::EngineListing& listing : engines::list_engines(places())) {
    const std::string name = listing.name.substr(0, listing.name.find('@'));
    const bool has_worker = fs::exists(fs::path(places().data) / "engines/workers" / name / "engine.yaml");
    EXPECT_EQ(static_cast<bool>(load_python_syntax(listing.name, places())), has_worker) << name;
    for (const engines::EngineListing::Form& one : listing.forms)
      EXPECT_TRUE(load_python_syntax(one.name, places())) << one.name;
  }
}

TEST(Snippet, AFormThatAFrameworkLacksIsAnError) {
  const auto hint = [](const std::string& engine) {
    return load_python_syntax(engine, places()).errors().front().hint;
  };
  EXPECT_EQ(hint("torch:onx"), "torch has the forms device=NAME, compile, compile_views, onnx");
  EXPECT_EQ(hint("numpy:jit"), "numpy has one form");
}

TEST(Snippet, TheUserNamesTheDevice) {
  const auto setup = [](const std::string& engine) { return load_python_syntax(engine, places())->setup; };
  EXPECT_TRUE(setup("torch:device=cuda:1").ends_with("\ntorch.set_default_device(\"cuda:1\")"));
  EXPECT_EQ(setup("torch").find("device"), std::string::npos);
  EXPECT_FALSE(load_python_syntax("torch:gadget=cuda", places()));
}

/// A slip in a form is for its author to fix, and reported with its place, not found when a tensor is
/// printed.
TEST(Snippet, AFormWithASlipIsRefused) {
  const fs::path data = fs::path(testing::TempDir()) / "snippet-forms";
  const fs::path folder = data / "engines/workers/mine";
  fs::create_directories(folder);
  const auto load = [&](const std::string& tensor, const std::string& dtype) {
    std::ofstream(folder / "snippet.yaml")
        << "setup: import mine\ndtypes: {" << dtype << ": mine.f32}\ntensor: " << tensor
        << "\nempty: mine.empty({shape})\nstrided: mine.view({storage})\n";
    return load_python_syntax("mine", {data.string(), ""});
  };
  EXPECT_TRUE(load("mine.tensor({values}, {dtype})", "f32"));
  for (const char* tensor : {"mine.tensor({value})", "mine.tensor({values)"}) {
    const auto syntax = load(tensor, "f32");
    ASSERT_FALSE(syntax) << tensor;
    EXPECT_TRUE(syntax.errors().front().what.starts_with("invalid syntax 'tensor'"))
        << syntax.errors().front().what;
    EXPECT_EQ(syntax.errors().front().at.line, 3);
  }
  const auto syntax = load("mine.tensor({values})", "fp32");
  ASSERT_FALSE(syntax);
  EXPECT_EQ(syntax.errors().front().what, "invalid dtype 'fp32'");
  fs::remove_all(data);
}

/// What a framework says is told in a comment, whatever characters it is made of.
TEST(Snippet, AMessageStaysInItsComment) {
  const auto syntax = load_python_syntax("numpy", places());
  ASSERT_TRUE(syntax);
  const auto one =
      std::ranges::find(shipped().cases, "numpy.take_along_axis", [](const auto& c) { return c.call.api; });
  ASSERT_NE(one, shipped().cases.end());
  const engines::EngineInfo info{"numpy", "numpy", "2", "cpu", {}, {}};
  const spec::Outcome outcome{spec::Refused{{"ValueError"}, std::string("a\rb\x0c\0c\nd\x7f\te", 11)}, 0};
  const spec::Judgement judgement{.verdict = spec::Verdict::unexpected_error,
                                  .explanation = std::get<spec::Refused>(outcome.what).message};
  const auto script = make_snippet(*shipped().specs.find("numpy.take_along_axis"), one->call, *syntax,
                                   {info, outcome, judgement});
  ASSERT_TRUE(script);
  EXPECT_EQ(script->find("stands for"), std::string::npos);
  EXPECT_EQ(script->find_first_of(std::string("\r\x0c\0\x7f", 4)), std::string::npos) << *script;
  EXPECT_NE(script->find("# a\\x0db\\x0c\\x00c\n# d\\x7f\te\n"), std::string::npos) << *script;
}

/// In addition to the error, the script shows what the call left behind.
TEST(Snippet, ACallThatIsWronglyHalfDoneShowsItsArgument) {
  const auto syntax = load_python_syntax("numpy", places());
  ASSERT_TRUE(syntax);
  const auto one =
      std::ranges::find(shipped().cases, "numpy.put_along_axis/refusal/index-at-the-end", &spec::Case::id);
  ASSERT_NE(one, shipped().cases.end());
  const spec::OpSpec& op = *shipped().specs.find("numpy.put_along_axis");
  const engines::EngineInfo info{"numpy", "numpy", "2", "cpu", {}, {}};
  for (const auto& [written, shown] :
       {std::pair(std::vector<std::string>{"arr"},
                  "try:\n    numpy.put_along_axis(arr, indices, values, 1)\nfinally:\n    print(arr)\n"),
        std::pair(std::vector<std::string>{},
                  "\nnumpy.put_along_axis(arr, indices, values, 1)\nresult = arr\nprint(result)\n")}) {
    const spec::Outcome outcome{spec::Refused{{"IndexError"}, "no", written}, 0};
    const auto trial = judge_case(*one, op, info, outcome);
    ASSERT_TRUE(trial);
    const auto script = make_snippet(op, one->call, *syntax, {info, outcome, trial->judgement});
    ASSERT_TRUE(script);
    EXPECT_TRUE(script->ends_with(shown)) << *script;
  }
}

const spec::FamilyLibrary& families() {
  static const auto loaded = spec::FamilyLibrary::load(places().data + "/spec/data/families");
  return *loaded;
}

/// The shipped case's call as numpy's APIs say it; or why not.
std::string in_numpy(const std::string& id) {
  const auto one = std::ranges::find(shipped().cases, id, &spec::Case::id);
  if (one == shipped().cases.end()) return "no such case";
  const engines::EngineInfo numpy{.name = "numpy",
                                  .framework = "numpy",
                                  .version = "2",
                                  .device = "cpu",
                                  .apis = {"numpy.add.at", "numpy.put_along_axis", "numpy.take_along_axis"},
                                  .dtypes = {}};
  const auto offered = offered_call(one->call, numpy, shipped().specs, families());
  return offered ? spec::to_string(offered->call) : spec::to_string(offered.errors());
}

TEST(Translation, SaysTheSameInTheWordsOfAnotherApi) {
  EXPECT_EQ(
      in_numpy("torch.gather/doc/example"),
      "numpy.take_along_axis(arr=i64[2,2] [[1, 2], [3, 4]], indices=i64[2,2] [[0, 0], [1, 0]], axis=1)");
  // An API that is offered needs no translation.
  EXPECT_TRUE(in_numpy("numpy.take_along_axis/doc/example-sort").starts_with("numpy.take_along_axis("));
}

spec::Result<OfferedCall> in_jax(const spec::Call& call) {
  const engines::EngineInfo jax{.name = "jax",
                                .framework = "jax",
                                .version = "0.10",
                                .device = "cpu",
                                .apis = {"jax.numpy.ndarray.at.add.tuple", "jax.numpy.put_along_axis"},
                                .dtypes = {}};
  return offered_call(call, jax, shipped().specs, families());
}

/// Of tensors of this rank, with one element each.
spec::Call scatter_add(std::size_t rank) {
  const spec::Shape ones(rank, 1);
  const auto tensor = [&](spec::DType dtype, std::int64_t value) {
    return spec::Tensor(dtype, ones, std::vector{spec::Scalar::of_int(value)});
  };
  return {"torch.scatter_add",
          {{"self", tensor(spec::DType::f32, 1)},
           {"dim", spec::Scalar::of_int(0)},
           {"index", tensor(spec::DType::i64, 0)},
           {"src", tensor(spec::DType::f32, 2)}}};
}

TEST(Translation, ATupleHasAnArrayForEachDimension) {
  for (std::size_t rank = 1; rank <= spec::language::max_items; ++rank) {
    const auto offered = in_jax(scatter_add(rank));
    ASSERT_TRUE(offered) << rank << spec::to_string(offered.errors());
    for (std::size_t i = 0; i < spec::language::max_items; ++i)
      EXPECT_EQ(std::holds_alternative<spec::Tensor>(*offered->call.find(fmt::format("indices_{}", i))),
                i < rank);
  }
}

TEST(Translation, AListThatWouldBeTooLongIsTheReason) {
  const auto offered = in_jax(scatter_add(spec::language::max_items + 1));
  ASSERT_FALSE(offered);
  EXPECT_NE(spec::to_string(offered.errors())
                .find("an API of scatter_tuples takes at most 5 index tensors here, and this needs 6"),
            std::string::npos)
      << spec::to_string(offered.errors());
}

TEST(Translation, ARelationLeadsToAnotherFamily) {
  const auto one = std::ranges::find(shipped().cases, "torch.scatter_add/doc/example-1", &spec::Case::id);
  ASSERT_NE(one, shipped().cases.end());
  const auto offered = in_jax(one->call);
  ASSERT_TRUE(offered) << spec::to_string(offered.errors());
  // In the first dimension the index itself, in the second each element's own place.
  EXPECT_NE(spec::to_string(offered->call)
                .find("indices_0=i64[1,5] [[0, 1, 2, 0, 0]], indices_1=i64[1,5] [[0, 1, 2, 3, 4]]"),
            std::string::npos)
      << spec::to_string(offered->call);
}

TEST(Translation, WhatCannotBeSaidIsAnErrorWithTheReasons) {
  const std::string add = in_numpy("torch.Tensor.scatter_add_/doc/example-1");
  EXPECT_NE(add.find("numpy does not offer torch.Tensor.scatter_add_, nor an API that means the same"),
            std::string::npos)
      << add;
  EXPECT_NE(add.find("numpy.put_along_axis cannot express combine = sum"), std::string::npos) << add;
}

TEST(Snippet, SaysWhichCallItStandsFor) {
  const auto syntax = load_python_syntax("numpy", places());
  ASSERT_TRUE(syntax);
  const auto one =
      std::ranges::find(shipped().cases, "numpy.take_along_axis", [](const auto& c) { return c.call.api; });
  const engines::EngineInfo info{"numpy", "numpy", "2", "cpu", {}, {}};
  const spec::Outcome outcome{spec::Unsupported{}, 0};
  const spec::Judgement judgement{.verdict = spec::Verdict::unsupported, .explanation = ""};
  const auto script = make_snippet(
      *shipped().specs.find("numpy.take_along_axis"), one->call, *syntax,
      {.engine = info, .outcome = outcome, .judgement = judgement, .stands_for = "torch.gather(dim=0)"});
  ASSERT_TRUE(script);
  EXPECT_NE(script->find("\n# stands for: torch.gather(dim=0)\n"), std::string::npos) << *script;
}

TEST(Snippet, EverySpecSaysHowItIsCalled) {
  for (const spec::OpSpec& op : shipped().specs.all()) EXPECT_FALSE(op.python.empty()) << op.api;
}

}  // namespace
}  // namespace scatterproof::runner::snippet
