// SPDX-License-Identifier: Apache-2.0
// What is wrong with a claims file is told with its place; what is shipped is sound and in use.
#include <set>

#include "scatterproof/runner/compare/input_classes.hpp"
#include "scatterproof/spec/yaml/yaml.hpp"
#include "toy_claims.hpp"

namespace scatterproof::runner::claims {
namespace {

std::string errors_of(const std::string& text) {
  const auto file = load_claims_text("t.yaml", text, specs());
  return file ? "" : spec::to_string(file.errors());
}

/// The sound file with one piece of text replaced by another.
void expect_error(const std::string& piece, const std::string& instead, const std::string& place,
                  const std::string& part) {
  std::string text = file_with("false", "    when: dim == 0\n");
  ASSERT_NE(text.find(piece), std::string::npos);
  text.replace(text.find(piece), piece.size(), instead);
  const std::string errors = errors_of(text);
  EXPECT_NE(errors.find("t.yaml:" + place + ": error: "), std::string::npos) << errors;
  EXPECT_NE(errors.find(part), std::string::npos) << "wanted: " << part << "\ngot: " << errors;
}

TEST(ClaimsFile, ASoundOneIsRead) {
  const MappingClaim claim =
      claim_of(file_with("false", "    when: dim == 0\n    expect: {onnx: holds if}\n"));
  EXPECT_EQ(claim.id, "T-1");
  EXPECT_EQ(claim.b->api, "paddle.take_along_axis");
  EXPECT_EQ(claim.arguments.size(), 4u);
  EXPECT_EQ(claim.expect.at("onnx"), ClaimStanding::holds_if);
}

TEST(ClaimsFile, MistakesAreToldWithTheirPlace) {
  expect_error("source: page", "source: pag", "6:13", "unknown source 'pag'");
  expect_error("a: torch.gather", "a: torch.gathr", "8:8", "did you mean 'torch.gather'?");
  expect_error("paddle.take_along_axis", "paddle.take_along_axes", "10:12", "unknown API");
  expect_error("indices: $index", "indexes: $index", "13:9", "unknown argument of paddle.take_along_axis");
  expect_error("indices: $index", "indices: $indices", "13:18", "unknown argument of torch.gather 'indices'");
  expect_error("indices: $index", "indices: index", "13:18", "'indices' is a tensor");
  expect_error("        axis: $dim\n", "", "10:7",
               "the argument 'axis' of paddle.take_along_axis is not given");
  expect_error("axis: $dim", "axis: dim + q", "14:21", "q");
  expect_error("axis: $dim", "axis: {by: dimm, words: {a: 1}}", "14:20",
               "unknown argument of torch.gather 'dimm'");
  expect_error("indices: $index", "indices: {sizes: shape(index), dtype: i64, each: \"index[q]\"}", "13:65",
               "q");
  expect_error("when: dim == 0", "when: dim + 1", "16:11", "");
  expect_error("says: gather", "because: it cannot be\n    says: gather", "9:5", "exclude each other");
  expect_error("dim == 0", "dim == 0\n    expect: perhaps", "17:13", "");
  expect_error("dim == 0", "dim == 0\n    calls:\n      - {input: {dtype: i64, values: [1]}, dim: 0}", "18:9",
               "index");
}

constexpr const char* about_lists = R"(title: toys
sources: {page: {title: a page}}
claims:
  - id: T-1
    source: page
    says: put -> the same
    a: torch.Tensor.index_put_.tuple
    b:
      api: paddle.index_put
      arguments: {x: $self, indices: $indices, value: $values}
)";

TEST(ClaimsFile, AListOfTensorsIsAListAsItIs) {
  const MappingClaim claim = claim_of(about_lists);
  ASSERT_EQ(claim.arguments.size(), spec::language::max_items + 2);
  EXPECT_EQ(claim.arguments[5].first, "indices_4");
  EXPECT_EQ(std::get<SameArgument>(claim.arguments[5].second).argument, "indices_4");
  const auto with = [](const std::string& instead) {
    std::string text = about_lists;
    return errors_of(text.replace(text.find("indices: $indices"), 17, instead));
  };
  EXPECT_EQ(with("indices_0: $indices_0"), "");
  EXPECT_NE(with("indices: $values").find("t.yaml:10:29: error: 'indices' is a list of tensors of "),
            std::string::npos)
      << with("indices: $values");
  EXPECT_NE(with("indices: 1").find("'indices' is a list of tensors of paddle.index_put"), std::string::npos);
  EXPECT_NE(with("indices_1: $indices_1").find("the argument 'indices_0' of paddle.index_put is not given"),
            std::string::npos);
}

constexpr const char* about_a_form = R"(title: toys
sources:
  page: {title: a page}
claims:
  - id: T-1
    source: page
    says: exported -> the same
    a: torch.gather
    b: {form: onnx}
    calls:
      - {input: {dtype: i64, values: [1, 2]}, dim: 0, index: {dtype: i64, values: [0]}}
)";

TEST(ClaimsFile, AFormExecutesTheSameCall) {
  const MappingClaim claim = claim_of(about_a_form);
  EXPECT_EQ(claim.form, "onnx");
  EXPECT_EQ(claim.b, claim.a);
  const auto b = said(claim, claim.calls.front());
  ASSERT_TRUE(std::holds_alternative<spec::Call>(b));
  EXPECT_EQ(spec::to_string(std::get<spec::Call>(b)), spec::to_string(claim.calls.front()));
}

TEST(ClaimsFile, AFormHasNoArguments) {
  const auto errors_with = [](const std::string& more) {
    std::string text = about_a_form;
    return errors_of(text.replace(text.find("onnx}"), 5, "onnx, " + more + "}"));
  };
  EXPECT_TRUE(errors_with("arguments: {input: $input}")
                  .starts_with("t.yaml:9:21: error: key 'arguments' also needs key 'api'"));
  EXPECT_TRUE(errors_with("api: torch.gather")
                  .starts_with("t.yaml:9:9: error: keys 'api' and 'form' exclude each other"));
}

TEST(ClaimsFile, TwoCallsInTurnNeedAResultAndWhatItBecomes) {
  const std::string sound = file_in_turn("updates[p]", assigns_once);
  EXPECT_EQ(errors_of(sound), "");
  const auto errors_without = [&](const std::string& piece, const std::string& instead) {
    std::string text = sound;
    return errors_of(text.replace(text.find(piece), piece.size(), instead));
  };
  const std::string gives =
      "    gives: {sizes: shape(updates), dtype: dtype(updates), each: \"updates[p]\"}\n";
  const auto expect_start = [](const std::string& errors, const std::string& start) {
    EXPECT_TRUE(errors.starts_with(start)) << errors;
  };
  expect_start(errors_without(gives, ""),
               "t.yaml:11:25: error: $result is the result of a, which b gets only in a claim with gives\n");
  expect_start(errors_without("$result", "$data"),
               "t.yaml:12:12: error: no argument of b is $result, so gives has no call to be about\n");
  expect_start(errors_without("updates[p]\"}", "update[p]\"}"),
               "t.yaml:12:66: error: unknown name 'update'\n");
}

TEST(ClaimsFile, PrintedCallsAreReadWithWhatTheyGive) {
  const MappingClaim claim = claim_of(file_that_prints("[6, 5]", "2"));
  EXPECT_FALSE(claim.a || claim.b);
  ASSERT_EQ(claim.prints.size(), 2u);
  EXPECT_EQ(claim.prints[0].op->api, "torch.gather");
  ASSERT_TRUE(claim.prints[0].gives);
  EXPECT_EQ(claim.prints[0].gives->get(spec::Coords{0}).integer(), 6);
  EXPECT_FALSE(claim.prints[1].gives);
}

TEST(ClaimsFile, MistakesInPrintedCallsAreToldWithTheirPlace) {
  const auto expect_start = [](const std::string& piece, const std::string& instead,
                               const std::string& start) {
    std::string text = file_that_prints("[6, 5]", "2");
    ASSERT_NE(text.find(piece), std::string::npos);
    const std::string errors = errors_of(text.replace(text.find(piece), piece.size(), instead));
    EXPECT_TRUE(errors.starts_with(start)) << errors;
  };
  expect_start("torch.gather", "torch.gathr", "t.yaml:9:14: error: unknown API 'torch.gathr'");
  expect_start("dim: 0, ", "", "t.yaml:10:15: error: ");
  expect_start("dim: 0, ", "dime: 0, ", "t.yaml:10:53: error: unknown argument of torch.gather 'dime'");
  expect_start("[6, 5]", "[6, x]", "t.yaml:11:41: error: ");
  expect_start("gives: error", "gives: nothing", "t.yaml:14:16: error: ");
  expect_start("        gives: {dtype: i64, values: [6, 5]}\n", "", "t.yaml:9:9: error: ");
  expect_start("    prints:", "    because: it names no call\n    prints:",
               "t.yaml:9:5: error: keys 'because' and 'prints' exclude each other");
  expect_start("    prints:", "    when: dim == 0\n    prints:", "t.yaml:8:5: error: ");
}

TEST(ClaimsFile, IdsAreUnique) {
  const std::string text = file_with("false");
  const std::string claim = text.substr(text.find("  - id"));
  EXPECT_NE(errors_of(text + claim).find("t.yaml:16:5: error: claim 'T-1' is already taken"),
            std::string::npos)
      << errors_of(text + claim);
}

TEST(ClaimsFile, EveryShippedClaimIsRead) {
  const auto files = load_claims(source.data + "/spec/data/claims", specs());
  ASSERT_TRUE(files) << spec::to_string(files.errors());
  std::size_t executable = 0;
  for (const ClaimFile& file : *files)
    for (const MappingClaim& claim : file.claims) executable += claim.because.empty();
  EXPECT_GT(executable, 0u);
}

TEST(InputClasses, EveryClassAndDetailConcernsSomeApi) {
  const auto file = spec::yaml::read_file(source.data + "/spec/data/comparisons/classes.yaml");
  ASSERT_TRUE(file);
  std::set<std::string> concerned;
  for (const spec::OpSpec& op : specs().all()) {
    const compare::InputClasses classes(op, comparison_of(op));
    for (const compare::InputClass& one : classes.all()) concerned.insert(one.id);
  }
  for (const std::string_view list : {"classes", "details"})
    for (const spec::yaml::Node& node : file->root.find(list)->items)
      EXPECT_TRUE(concerned.contains(node.find("id")->text)) << node.find("id")->text;
}

std::set<std::string> classes_of(const spec::Call& call) {
  const spec::OpSpec& op = *specs().find(call.api);
  const compare::InputClasses classes(op, comparison_of(op));
  const compare::InputClassSet set = classes.of(call);
  std::set<std::string> in;
  for (std::size_t i = 0; i < classes.all().size(); ++i)
    if (set.test(i)) in.insert(classes.all()[i].id);
  return in;
}

spec::Tensor tensor_of(spec::DType dtype, spec::Shape shape, std::vector<spec::Scalar> values) {
  return spec::Tensor(dtype, std::move(shape), values);
}

spec::Scalar number(std::int64_t value) { return spec::Scalar::of_int(value); }

TEST(InputClasses, ACallIsInThoseOfItsFamily) {
  const spec::Call call{"torch.gather",
                        {{"input", tensor_of(spec::DType::f32, {2, 2},
                                             {spec::Scalar::of_real(-0.0), number(1), number(2), number(3)})},
                         {"dim", number(0)},
                         {"index", tensor_of(spec::DType::i64, {3, 1}, {number(0), number(0), number(1)})}}};
  const std::set<std::string> expected = {
      "index/one-off-axis", "index/several-axes", "index/longer-on-axis", "data/several-dimensions",
      "axis/not-last",      "dtype/f32",          "dtype/floats",         "data/minus-zero",
      "data/zero"};
  EXPECT_EQ(classes_of(call), expected);
}

TEST(InputClasses, ACallIsInThoseOfItsWordsAndNumbers) {
  const auto call = [](const char* mode) {
    return spec::Call{"numpy.take",
                      {{"a", tensor_of(spec::DType::f64, {1}, {number(1)})},
                       {"indices", tensor_of(spec::DType::i64, {}, {number(0)})},
                       {"axis", number(0)},
                       {"mode", std::string(mode)}}};
  };
  EXPECT_TRUE(classes_of(call("clip")).contains("mode=clip"));
  EXPECT_FALSE(classes_of(call("clip")).contains("mode=wrap"));
  EXPECT_TRUE(classes_of(call("wrap")).contains("mode=wrap"));
}

}  // namespace
}  // namespace scatterproof::runner::claims
