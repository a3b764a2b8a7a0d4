// SPDX-License-Identifier: Apache-2.0
// What a kernel is asked means what the call meant: the reference gives the same result for both.
#include "scatterproof/engines/kernels/plain_call.hpp"

#include <gmock/gmock.h>

#include "random_calls.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "scatterproof/kernel_abi.h"
#include "walk_comparison.hpp"

namespace scatterproof::engines::plugin {
namespace {

using spec::DType;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<std::string> all_kinds{"rank", "shape", "dtype", "index", "axis", "value"};

/// A library that offers everything.
OfferedKernels everything() {
  OfferedKernels kernels;
  for (int op = 0; op < 6; ++op) {
    OfferedKernel entry;
    entry.op = static_cast<KernelOp>(op);
    entry.combiners = {spec::Combiner::assign, spec::Combiner::sum,  spec::Combiner::prod,
                       spec::Combiner::mean,   spec::Combiner::amax, spec::Combiner::amin};
    entry.include_start = {true, false};
    entry.dtypes.assign(spec::all_dtypes.begin(), spec::all_dtypes.end());
    entry.index_dtypes = {DType::u8, DType::i8, DType::i16, DType::i32, DType::i64};
    entry.wrap_negative = true;
    entry.checks = all_kinds;
    kernels.push_back(entry);
  }
  return kernels;
}

std::string word(const PlainCall& call, const char* name) {
  const std::string text = scatterproof_attribute(call.attributes.c_str(), name);
  return text.substr(0, text.find_first_of(",}"));
}

/// The kernel call that a plain one is, read from what a library would see.
KernelCall seen(const PlainCall& plain) {
  const char* attributes = plain.attributes.c_str();
  KernelCall call;
  call.op = plain.op;
  call.data = is_scatter(plain.op) ? plain.outputs.front() : plain.inputs[0];
  call.index = plain.inputs[is_scatter(plain.op) ? 0 : 1];
  if (is_scatter(plain.op)) call.updates = plain.inputs[1];
  call.axis = scatterproof_integer(attributes, "axis");
  call.batch_dims = scatterproof_integer(attributes, "batch_dims");
  const std::string combine = word(plain, "combine");
  call.combine = spec::parse_combiner(combine.substr(1, combine.size() - 2)).value();
  call.include_start = word(plain, "include_start") == "true";
  call.wrap_negative = word(plain, "wrap_negative") == "true";
  call.integer_mean =
      word(plain, "integer_mean") == "\"floor\"" ? spec::IntegerMean::floor : spec::IntegerMean::truncate;
  call.index_equals_updates = true;
  call.index_dtypes = everything().front().index_dtypes;
  return call;
}

/// The result of the plain call, in the shape that the API's has; a refusal as it is.
spec::Outcome answered(const PlainCall& plain) {
  spec::Outcome outcome = run_reference_kernel(seen(plain));
  auto* produced = std::get_if<spec::Produced>(&outcome.what);
  if (!produced) return outcome;
  Tensor& result = produced->tensors.front();
  EXPECT_EQ(result.shape(), plain.outputs.front().shape());
  result = Tensor::view(result.dtype(), plain.result_shapes.front(),
                        spec::contiguous_strides(plain.result_shapes.front()), 0, result.shared_storage())
               .value();
  return outcome;
}

/// Returns in how many calls the output was not contiguous.
std::uint64_t expect_same_answers(const test::CallKind& kind, std::uint64_t seeds,
                                  bool strided_output = false) {
  OfferedKernels kernels = everything();
  for (OfferedKernel& kernel : kernels) kernel.strided_output = strided_output;
  std::uint64_t asked = 0, strided = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    test::Dice dice(seed);
    const KernelCall call = test::random_call(dice, kind);
    const auto plain = plain_call(call, kernels, 3);
    if (!std::holds_alternative<PlainCall>(plain)) continue;
    ++asked;
    strided += !std::get<PlainCall>(plain).outputs.front().is_contiguous();
    const auto expected = run_reference_kernel(call);
    const std::string difference = test::difference(answered(std::get<PlainCall>(plain)), expected, true);
    EXPECT_EQ(difference, "") << "seed " << seed << ": " << test::describe(call);
    if (!difference.empty()) break;
  }
  EXPECT_GT(asked, seeds * 9 / 10);  // the others stretch a result, or have no index and other dimensions
  return strided;
}

TEST(PlainCall, GivesTheResultOfTheCall) { EXPECT_EQ(expect_same_answers({}, 6'000), 0u); }

TEST(PlainCall, GivesItInAnyLayoutThatTheKernelTakes) {
  EXPECT_GT(expect_same_answers({}, 3'000, true), 600u);
}

TEST(PlainCall, IsRefusedAsTheCallIs) { expect_same_answers({.bad_index = true}, 3'000); }

KernelCall scatter(Shape data, Shape index, Shape updates) {
  KernelCall call;
  call.op = KernelOp::scatter_elements;
  call.data = Tensor(DType::f32, std::move(data));
  call.index = Tensor(DType::i64, std::move(index));
  call.updates = Tensor(DType::f32, std::move(updates));
  call.combine = spec::Combiner::sum;
  return call;
}

std::string reason(const KernelCall& call, const OfferedKernel& entry) {
  const auto plain = plain_call(call, OfferedKernels{entry}, 1);
  return std::holds_alternative<std::string>(plain) ? std::get<std::string>(plain) : "";
}

OfferedKernel first_entry() {
  OfferedKernel entry = everything().front();
  entry.checks.clear();
  return entry;
}

TEST(PlainCall, NarrowsUpdatesAndCountsTheAxisFromTheFront) {
  KernelCall call = scatter({3, 4}, {2, 2}, {5, 6});
  call.axis = -1;
  const auto plain = std::get<PlainCall>(plain_call(call, everything(), 7));
  EXPECT_EQ(plain.inputs[1].shape(), (Shape{2, 2}));
  EXPECT_EQ(plain.inputs[1].strides(), (Shape{6, 1}));
  EXPECT_EQ(plain.attributes,
            R"({"axis":1,"batch_dims":0,"combine":"sum","include_start":true,"integer_mean":"floor",)"
            R"("wrap_negative":false,"threads":7})");
}

TEST(PlainCall, ScalarsAreVectorsOfLengthOne) {
  const auto plain = std::get<PlainCall>(plain_call(scatter({}, {}, {}), everything(), 1));
  EXPECT_EQ(plain.outputs.front().shape(), Shape{1});
  EXPECT_EQ(plain.inputs[0].shape(), Shape{1});
  EXPECT_EQ(plain.result_shapes.front(), Shape{});
}

TEST(PlainCall, OfSeveralEntriesThatOfTheDtypeSaysWhatIsMissing) {
  OfferedKernel floats = first_entry(), integers = first_entry();
  floats.combiners = {spec::Combiner::prod};
  integers.dtypes = {DType::i64};
  for (const OfferedKernels& kernels : {OfferedKernels{floats, integers}, OfferedKernels{integers, floats}})
    EXPECT_EQ(std::get<std::string>(plain_call(scatter({3}, {2}, {2}), kernels, 1)),
              "scatter_elements does not combine by sum");
}

TEST(PlainCall, WhatNoEntryCoversIsSaid) {
  OfferedKernel entry = first_entry();
  EXPECT_EQ(reason(scatter({3}, {2}, {2}), entry), "");
  entry.combiners = {spec::Combiner::prod};
  EXPECT_EQ(reason(scatter({3}, {2}, {2}), entry), "scatter_elements does not combine by sum");
  entry = first_entry();
  entry.dtypes = {DType::f64};
  EXPECT_EQ(reason(scatter({3}, {2}, {2}), entry), "scatter_elements is not offered for f32");
  entry = first_entry();
  entry.index_dtypes = {DType::i32};
  EXPECT_EQ(reason(scatter({3}, {2}, {2}), entry), "scatter_elements takes no index of dtype i64");
  entry = first_entry();
  entry.most_dimensions = 1;
  EXPECT_EQ(reason(scatter({3, 1}, {2, 1}, {2, 1}), entry), "scatter_elements takes at most 1 dimensions");
  entry = first_entry();
  entry.include_start = {true};
  KernelCall alone = scatter({3}, {2}, {2});
  alone.include_start = false;
  EXPECT_EQ(reason(alone, entry), "scatter_elements does not leave out the start values");
  entry.op = KernelOp::scatter_nd;
  EXPECT_EQ(reason(alone, entry), "the library has no kernel scatter_elements");
}

TEST(PlainCall, TheFirstEntryThatCoversIsAsked) {
  OfferedKernel contiguous = first_entry();
  contiguous.dtypes = {DType::f64};
  OfferedKernel strided = first_entry();
  strided.strided = true;
  const auto plain = plain_call(scatter({3}, {2}, {2}), OfferedKernels{contiguous, strided}, 1);
  EXPECT_TRUE(std::get<PlainCall>(plain).strided);
}

TEST(PlainCall, NegativeIndices) {
  KernelCall call = scatter({3}, {2}, {2});
  call.wrap_negative = true;
  OfferedKernel entry = first_entry();
  entry.wrap_negative = false;
  EXPECT_EQ(reason(call, entry), "");  // none is negative
  call.index.set(Shape{1}, Scalar::of_int(-1));
  EXPECT_EQ(
      reason(call, entry),
      R"(a negative index counts from the end, and scatter_elements does not declare "wrap_negative": true)");
  entry.wrap_negative = true;
  EXPECT_EQ(reason(call, entry), "");
}

/// A call that breaks a rule of each kind that can reach a kernel.
std::vector<std::pair<std::string, KernelCall>> broken_calls() {
  KernelCall index = scatter({3}, {2}, {2});
  index.index.set(Shape{0}, Scalar::of_int(3));
  KernelCall axis = scatter({3}, {2}, {2});
  axis.axis = 1;
  KernelCall dtype = scatter({3}, {2}, {2});
  dtype.updates = Tensor(DType::f64, {2});
  return {{"index", index},
          {"axis", axis},
          {"dtype", dtype},
          {"rank", scatter({3}, {2, 1}, {2, 1})},
          {"shape", scatter({3}, {2}, {1})}};
}

TEST(PlainCall, ABrokenCallReachesWhoChecksForIt) {
  for (const auto& [kind, call] : broken_calls()) {
    OfferedKernel entry = first_entry();
    EXPECT_THAT(reason(call, entry), StartsWith("the kernel leaves checks of " + kind + " to its caller: "));
    entry.checks = {kind};
    ASSERT_EQ(reason(call, entry), "");
    const auto plain = std::get<PlainCall>(plain_call(call, OfferedKernels{entry}, 1));
    const auto outcome = run_reference_kernel(seen(plain));
    EXPECT_EQ(std::get<spec::Refused>(outcome.what).error_classes.front(), kind);
  }
}

TEST(PlainCall, ARuleOfTheApiAloneIsNoKernelsAffair) {
  OfferedKernel entry = first_entry();
  entry.checks = all_kinds;
  KernelCall call = scatter({}, {}, {});
  call.needs_dimensions = true;
  EXPECT_THAT(reason(call, entry), HasSubstr("a rule of the API that no kernel can know"));
  KernelCall equal = scatter({3, 3}, {2, 2}, {2, 2});
  equal.index_equals_data = true;
  EXPECT_THAT(reason(equal, entry), HasSubstr("a rule of the API that no kernel can know"));
}

TEST(PlainCall, WithoutAResultThereIsNoCall) {
  OfferedKernel entry = first_entry();
  entry.op = KernelOp::gather_rows;
  entry.checks = all_kinds;
  KernelCall call;
  call.op = KernelOp::gather_rows;
  call.data = Tensor(DType::f32, {2, 3});
  call.index = Tensor(DType::i64, {2});
  call.axis = 2;
  EXPECT_THAT(reason(call, entry), HasSubstr("no caller can make a result for this call: axis 2"));
}

TEST(PlainCall, UpdatesThatNoTensorHoldsAreNotMade) {
  OfferedKernel entry = first_entry();
  entry.op = KernelOp::scatter_rows;
  KernelCall call = scatter({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {});
  call.op = KernelOp::scatter_rows;
  call.updates = Scalar::of_real(1);  // stands for updates of 5 - 1 + 5 dimensions
  EXPECT_EQ(reason(call, entry), "updates of 9 dimensions cannot be handed to a kernel");
}

TEST(PlainCall, AnEmptyIndexThatIsExcusedEndsAtTheCaller) {
  OfferedKernel entry = first_entry();
  KernelCall call = scatter({2, 3}, {0}, {0});
  call.empty_index_unchecked = true;
  EXPECT_THAT(reason(call, entry), HasSubstr("what this API allows here ends at the caller"));
  KernelCall fits = scatter({2, 3}, {0, 3}, {7, 1});
  fits.empty_index_unchecked = true;
  EXPECT_EQ(reason(fits, entry), "");
}

TEST(Capabilities, AreReadWithTheirDefaults) {
  const auto capabilities = read_capabilities(
      R"({"name": "mine", "version": "0.1", "device": "cpu", "kernels": [
        {"operation": "gather_nd", "dtypes": ["f32", "bool"], "index_dtypes": ["i32"], "layout": "strided",
         "checks": ["index"]}]})");
  ASSERT_TRUE(capabilities) << to_string(capabilities.errors());
  const OfferedKernel& entry = capabilities->kernels.front();
  EXPECT_EQ(entry.op, KernelOp::gather_nd);
  EXPECT_EQ(entry.dtypes, (std::vector{DType::f32, DType::boolean}));
  EXPECT_EQ(entry.include_start, std::vector{true});
  EXPECT_EQ(entry.combiners, std::vector{spec::Combiner::assign});
  EXPECT_TRUE(entry.strided && !entry.wrap_negative && entry.checks_for("index") &&
              !entry.checks_for("axis"));
  EXPECT_EQ(entry.most_dimensions, 8u);
}

TEST(Capabilities, KernelsAreReadAsTheyAreWritten) {
  for (const bool narrow : {false, true}) {
    OfferedKernels kernels = everything();
    if (narrow)
      for (OfferedKernel& kernel : kernels) {
        kernel.combiners = {spec::Combiner::mean};
        kernel.include_start = {false};
        kernel.strided = !kernel.strided;
        kernel.strided_output = !kernel.strided_output;
        kernel.gradient = true;
        kernel.wrap_negative = false;
        kernel.most_dimensions = 2;
        kernel.checks.clear();
      }
    const auto again = read_kernels(to_json(kernels));
    ASSERT_TRUE(again) << to_string(again.errors());
    EXPECT_EQ(to_json(*again), to_json(kernels));
    ASSERT_EQ(again->size(), kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      EXPECT_EQ((*again)[i].op, kernels[i].op);
      EXPECT_EQ((*again)[i].combiners, kernels[i].combiners);
      EXPECT_EQ((*again)[i].include_start, kernels[i].include_start);
      EXPECT_EQ((*again)[i].dtypes, kernels[i].dtypes);
      EXPECT_EQ((*again)[i].index_dtypes, kernels[i].index_dtypes);
      EXPECT_EQ((*again)[i].strided, kernels[i].strided);
      EXPECT_EQ((*again)[i].strided_output, kernels[i].strided_output);
      EXPECT_EQ((*again)[i].gradient, kernels[i].gradient);
      EXPECT_EQ((*again)[i].wrap_negative, kernels[i].wrap_negative);
      EXPECT_EQ((*again)[i].most_dimensions, kernels[i].most_dimensions);
      EXPECT_EQ((*again)[i].checks, kernels[i].checks);
    }
  }
}

TEST(Capabilities, MistakesAreShownInTheirPlace) {
  for (const char* text : {"", "nonsense", "{}", "[]", R"([{"operation": "scatter"}])"})
    EXPECT_FALSE(read_kernels(text)) << text;
  for (const char* text :
       {"", "nonsense", "[]", R"({"name": "mine"})", "{\"name\": \"mine\", \"version\": \"1\",",
        R"({"name": "m", "version": "1", "device": "cpu", "kernels": [{"operation": "scatter"}]})"})
    EXPECT_FALSE(read_capabilities(text)) << text;
  const auto capabilities = read_capabilities(
      R"({"name": "mine", "version": "0.1", "device": "cpu", "kernels": [
        {"operation": "gather_nd", "dtypes": ["f32", "f33"], "index_dtypes": ["i32"], "layout": "strided",
         "wrap_negative": true, "checks": ["index"]}]})");
  ASSERT_FALSE(capabilities);
  EXPECT_THAT(to_string(capabilities.errors()), HasSubstr("the library's description:2:54: error: "));
}

}  // namespace
}  // namespace scatterproof::engines::plugin
