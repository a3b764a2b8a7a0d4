// SPDX-License-Identifier: Apache-2.0
// A call of A in the words of B: arguments as they are, words, expressions, tensors made element by element,
// results.
#include "toy_claims.hpp"

namespace scatterproof::runner::claims {
namespace {

using spec::Argument;
using spec::Call;
using spec::DType;
using spec::Scalar;
using spec::Tensor;

Tensor tensor(DType dtype, spec::Shape shape, const std::vector<std::int64_t>& values) {
  std::vector<Scalar> scalars;
  for (const std::int64_t value : values) scalars.push_back(Scalar::of_int(value));
  return {dtype, std::move(shape), scalars};
}

Call index_add(std::int64_t alpha) {
  return {"torch.index_add",
          {{"self", tensor(DType::i64, {2, 2}, {1, 2, 3, 4})},
           {"dim", Scalar::of_int(1)},
           {"index", tensor(DType::i32, {1}, {1})},
           {"source", tensor(DType::i64, {2, 1}, {5, 6})},
           {"alpha", Scalar::of_int(alpha)}}};
}

/// index_add as a scatter of rows over a flat tensor: no vendor's claim, but every way of making arguments.
const std::string text = R"yaml(title: toys
sources: {page: {title: a page}}
claims:
  - id: T-2
    source: page
    says: a toy
    a: torch.index_add
    b:
      api: onnx.ScatterElements
      arguments:
        data: {sizes: shape(self), dtype: f64, each: 0}
        indices: {sizes: shape(source), dtype: i64, each: "index[p[1]]"}
        updates: {sizes: shape(source), dtype: f64, each: "alpha * source[p]"}
        axis: dim - rank(self)
        reduction: {by: alpha, words: {"1": add, "2": mul}}
        opset: 16
      result:
        sizes: numel(self)
        dtype: i32
        each: "self[unravel(p[0], shape(self))] + result[unravel(p[0], shape(self))]"
)yaml";

TEST(Said, EveryWayOfMakingAnArgument) {
  const MappingClaim claim = claim_of(text);
  const auto made = said(claim, index_add(2));
  ASSERT_TRUE(std::holds_alternative<Call>(made)) << std::get<std::string>(made);
  const Call& call = std::get<Call>(made);
  EXPECT_EQ(call.api, "onnx.ScatterElements");
  const auto is = [&](const std::string& name, const Argument& value) {
    EXPECT_TRUE(spec::identical(*call.find(name), value))
        << name << ": " << spec::to_string(*call.find(name));
  };
  is("data", tensor(DType::f64, {2, 2}, {0, 0, 0, 0}));
  is("indices", tensor(DType::i64, {2, 1}, {1, 1}));
  is("updates", tensor(DType::f64, {2, 1}, {10, 12}));
  is("axis", Scalar::of_int(-1));
  is("reduction", std::string("mul"));
  is("opset", Scalar::of_int(16));
}

TEST(Said, OfAWordThatTheClaimDoesNotKnowNothingIsSaid) {
  const auto made = said(claim_of(text), index_add(3));
  ASSERT_TRUE(std::holds_alternative<std::string>(made));
  EXPECT_NE(std::get<std::string>(made).find("no word for alpha = 3"), std::string::npos);
}

TEST(Said, TheResultIsMadeOfBs) {
  const auto made = result_of(claim_of(text), index_add(1), tensor(DType::f64, {2, 2}, {0, 5, 0, 6}));
  ASSERT_TRUE(std::holds_alternative<Tensor>(made));
  EXPECT_TRUE(identical(std::get<Tensor>(made), tensor(DType::i32, {4}, {1, 7, 3, 10})));
}

TEST(Said, WhatHasNoValueIsNoResult) {
  const auto made = result_of(claim_of(text), index_add(1), tensor(DType::f64, {1, 1}, {0}));
  EXPECT_TRUE(std::holds_alternative<std::string>(made));
}

TEST(Said, TheSecondOfTwoCallsGetsAResult) {
  const MappingClaim claim = claim_of(file_in_turn("updates[p]", assigns_once));
  const Call scatter{"onnx.ScatterND",
                     {{"data", tensor(DType::i64, {2}, {1, 2})},
                      {"indices", tensor(DType::i64, {1, 1}, {1})},
                      {"updates", tensor(DType::i64, {1}, {7})},
                      {"reduction", std::string("none")},
                      {"opset", Scalar::of_int(18)}}};
  const Tensor first = tensor(DType::i64, {2}, {1, 7});
  const auto made = said(claim, scatter, &first);
  ASSERT_TRUE(std::holds_alternative<Call>(made));
  EXPECT_TRUE(spec::identical(*std::get<Call>(made).find("data"), Argument(first)));
  const auto back = given_back(claim, scatter);
  ASSERT_TRUE(std::holds_alternative<Tensor>(back));
  EXPECT_TRUE(identical(std::get<Tensor>(back), tensor(DType::i64, {1}, {7})));
}

TEST(Said, ArgumentsThatAreNotGivenAreLeftOut) {
  Call gather{"torch.gather",
              {{"input", tensor(DType::i64, {1}, {7})},
               {"dim", Scalar::of_int(0)},
               {"index", tensor(DType::i64, {1}, {0})}}};
  std::string without = file_with("true");
  without = without.substr(0, without.find("        broadcast"));
  const auto made = said(claim_of(without), gather);
  ASSERT_TRUE(std::holds_alternative<Call>(made));
  EXPECT_EQ(std::get<Call>(made).omitted, std::vector<std::string>{"broadcast"});
}

TEST(Said, AClaimIsAboutTheCallsOfItsCondition) {
  const MappingClaim claim = claim_of(text);
  EXPECT_TRUE(is_about(claim, index_add(1)));
  const MappingClaim only = claim_of(text + "    when: alpha == 1 and size(index, 3) == 1 or dim == 0\n");
  EXPECT_FALSE(is_about(only, index_add(1)));  // its condition has no value
}

}  // namespace
}  // namespace scatterproof::runner::claims
