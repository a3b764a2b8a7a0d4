// SPDX-License-Identifier: Apache-2.0
// What the frameworks' own workers time: each form gives the result of a run, and a time.
#include <gtest/gtest.h>

#include "mock.hpp"
#include "scatterproof/engines/registry/registry.hpp"

namespace scatterproof::engines {
namespace {

using namespace testing;
using spec::DType;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

Tensor integers(DType dtype, const Shape& shape, const std::vector<std::int64_t>& values) {
  std::vector<Scalar> scalars;
  for (const auto value : values) scalars.push_back(Scalar::of_int(value));
  return {dtype, shape, scalars};
}

/// A call that a worker takes, and its result. Small integers, so that every dtype's arithmetic is exact.
struct Form {
  std::string name;
  std::string engine;
  spec::Call call;
  Tensor result;
  bool in_place = true;  ///< whether it has such a form
};

const Tensor table = integers(DType::f32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
const Tensor rows = integers(DType::i64, {3}, {2, 0, 2});
const Tensor updates = integers(DType::f32, {3, 2}, {10, 20, 30, 40, 50, 60});
const Tensor tuples = integers(DType::i64, {3, 2}, {2, 1, 0, 0, 2, 1});
const Tensor numbers = integers(DType::f32, {3}, {10, 20, 30});

/// The rows as an index of the updates' shape: each repeated without taking space.
Tensor expanded_rows() {
  return spec::with_layout(integers(DType::i64, {3, 2}, {2, 2, 0, 0, 2, 2}), spec::Layout::expanded);
}
Tensor f32(const Shape& shape, const std::vector<std::int64_t>& values) {
  return integers(DType::f32, shape, values);
}
spec::Argument word(const char* text) { return std::string(text); }
spec::Argument number(std::int64_t value) { return Scalar::of_int(value); }
spec::Argument flag(bool value) { return Scalar::of_bool(value); }

std::vector<Form> forms() {
  const Tensor index = expanded_rows();
  const Tensor gathered = f32({3, 2}, {5, 6, 1, 2, 5, 6});
  const Tensor picked = f32({3}, {6, 1, 6});
  const Tensor added = f32({4, 2}, {31, 42, 3, 4, 65, 86, 7, 8});
  const Tensor largest = f32({4, 2}, {30, 40, 3, 4, 50, 60, 7, 8});
  const Tensor multiplied = f32({4, 2}, {30, 80, 3, 4, 2500, 7200, 7, 8});
  const Tensor tuple_added = f32({4, 2}, {21, 2, 3, 4, 5, 46, 7, 8});
  const Tensor tuple_largest = f32({4, 2}, {20, 2, 3, 4, 5, 30, 7, 8});
  // Without a row twice, where the last one would have to win.
  const Tensor once = integers(DType::i64, {2}, {2, 0});
  const Tensor once_expanded =
      spec::with_layout(integers(DType::i64, {2, 2}, {2, 2, 0, 0}), spec::Layout::expanded);
  const Tensor two = f32({2, 2}, {10, 20, 30, 40});
  const Tensor assigned = f32({4, 2}, {30, 40, 3, 4, 10, 20, 7, 8});
  const auto self = std::pair<std::string, spec::Argument>{"self", table};
  const auto dim = std::pair<std::string, spec::Argument>{"dim", number(0)};
  const auto axis = std::pair<std::string, spec::Argument>{"axis", number(0)};
  const auto opset = std::pair<std::string, spec::Argument>{"opset", number(18)};
  const auto onnx = [&](const char* name, const char* op, const Tensor& indices, const Tensor& values,
                        const char* reduction, const Tensor& result) {
    spec::Call call{
        op, {{"data", table}, {"indices", indices}, {"updates", values}, {"reduction", word(reduction)}}};
    if (call.api == "onnx.ScatterElements") call.arguments.push_back(axis);
    call.arguments.push_back(opset);
    return Form{name, "onnxruntime", call, result, false};
  };
  const auto reduced = [&](const char* name, const char* api, const Tensor& rows_or_index, const char* values,
                           const char* reduce, bool include_self, const Tensor& result) {
    const spec::Call call{api,
                          {self,
                           dim,
                           {"index", rows_or_index},
                           {values, updates},
                           {"reduce", word(reduce)},
                           {"include_self", flag(include_self)}}};
    return Form{name, "torch", call, result};
  };
  const Tensor tuple_rows = integers(DType::i64, {3, 1}, {2, 0, 2});
  return {
      {"numpy_take_along_axis",
       "numpy",
       {"numpy.take_along_axis", {{"arr", table}, {"indices", index}, axis}},
       gathered},
      {"numpy_take", "numpy", {"numpy.take", {{"a", table}, {"indices", rows}, axis}}, gathered},
      {"numpy_put_along_axis",
       "numpy",
       {"numpy.put_along_axis", {{"arr", table}, {"indices", once_expanded}, {"values", two}, axis}},
       assigned},
      {"numpy_add_at", "numpy", {"numpy.add.at", {{"a", table}, {"indices", rows}, {"b", updates}}}, added},
      {"numpy_maximum_at",
       "numpy",
       {"numpy.maximum.at", {{"a", table}, {"indices", rows}, {"b", updates}}},
       largest},
      {"torch_gather", "torch", {"torch.gather", {{"input", table}, dim, {"index", index}}}, gathered},
      {"torch_index_select",
       "torch",
       {"torch.index_select", {{"input", table}, dim, {"index", rows}}},
       gathered},
      {"torch_index", "torch", {"torch.index", {{"input", table}, {"indices", tuples}}}, picked},
      {"torch_scatter",
       "torch",
       {"torch.Tensor.scatter_",
        {self, dim, {"index", once_expanded}, {"src", two}, {"reduce", spec::None{}}}},
       assigned},
      {"torch_scatter_value",
       "torch",
       {"torch.Tensor.scatter_.value",
        {self, dim, {"index", index}, {"value", Scalar::of_real(9)}, {"reduce", spec::None{}}}},
       f32({4, 2}, {9, 9, 3, 4, 9, 9, 7, 8})},
      {"torch_scatter_add",
       "torch",
       {"torch.Tensor.scatter_add_", {self, dim, {"index", index}, {"src", updates}}},
       added},
      reduced("torch_scatter_reduce_amax", "torch.Tensor.scatter_reduce_", index, "src", "amax", true,
              largest),
      reduced("torch_scatter_reduce_mean", "torch.Tensor.scatter_reduce_", index, "src", "mean", false,
              f32({4, 2}, {30, 40, 3, 4, 30, 40, 7, 8})),
      {"torch_index_copy",
       "torch",
       {"torch.Tensor.index_copy_", {self, dim, {"index", once}, {"source", two}}},
       assigned},
      {"torch_index_add",
       "torch",
       {"torch.Tensor.index_add_", {self, dim, {"index", rows}, {"source", updates}}},
       added},
      reduced("torch_index_reduce", "torch.Tensor.index_reduce_", rows, "source", "amax", true, largest),
      {"torch_index_put",
       "torch",
       {"torch.Tensor.index_put_",
        {self, {"indices", tuples}, {"values", numbers}, {"accumulate", flag(true)}}},
       tuple_added},
      {"ort_gather_elements",
       "onnxruntime",
       {"onnx.GatherElements", {{"data", table}, {"indices", index}, axis, opset}},
       gathered},
      {"ort_gather",
       "onnxruntime",
       {"onnx.Gather", {{"data", table}, {"indices", rows}, axis, opset}},
       gathered},
      {"ort_gather_nd",
       "onnxruntime",
       {"onnx.GatherND", {{"data", table}, {"indices", tuples}, {"batch_dims", number(0)}, opset}},
       picked},
      onnx("ort_scatter_elements", "onnx.ScatterElements", once_expanded, two, "none", assigned),
      onnx("ort_scatter_elements_add", "onnx.ScatterElements", index, updates, "add", added),
      onnx("ort_scatter_elements_max", "onnx.ScatterElements", index, updates, "max", largest),
      onnx("ort_scatter_elements_min", "onnx.ScatterElements", index, updates, "min", table),
      onnx("ort_scatter_elements_mul", "onnx.ScatterElements", index, updates, "mul", multiplied),
      onnx("ort_scatter_nd", "onnx.ScatterND", integers(DType::i64, {2, 1}, {2, 0}), two, "none", assigned),
      onnx("ort_scatter_nd_add", "onnx.ScatterND", tuples, numbers, "add", tuple_added),
      onnx("ort_scatter_nd_max", "onnx.ScatterND", tuples, numbers, "max", tuple_largest),
      onnx("ort_scatter_nd_min", "onnx.ScatterND", tuples, numbers, "min", table),
      onnx("ort_scatter_nd_mul", "onnx.ScatterND", tuple_rows, updates, "mul", multiplied),
  };
}

class TimedForms : public ::testing::TestWithParam<std::string> {};

TEST_P(TimedForms, GiveTheResultOfARunAndATime) {
  const spec::SpecLibrary specs{std::vector<spec::OpSpec>{}};
  auto places = find_places();
  places.data = SCATTERPROOF_SOURCE_DIR;
  const auto made = make_engine(GetParam(), specs, places);
  ASSERT_TRUE(made) << to_string(made.errors());
  Engine& engine = **made;
  for (const Form& form : forms()) {
    if (form.engine != GetParam()) continue;
    SCOPED_TRACE(form.name);
    if (engine.supports(form.call).yes) {
      const auto outcomes = run(engine, {form.call});
      const auto* ran = as<spec::Produced>(outcomes[0]);
      ASSERT_NE(ran, nullptr) << to_string(outcomes[0]);
      EXPECT_TRUE(identical(ran->tensors[0], form.result)) << to_string(outcomes[0]);
    }
    for (const TimingOptions options : {TimingOptions{2, true}, TimingOptions{1, false}}) {
      const PreparedCall prepared = engine.prepare(form.call, options);
      if (options.in_place && !form.in_place) {
        EXPECT_EQ(to_string(prepared.outcome), "unsupported: ONNX Runtime has no in-place form");
        continue;
      }
      const auto* produced = as<spec::Produced>(prepared.outcome);
      ASSERT_NE(produced, nullptr) << to_string(prepared.outcome);
      EXPECT_TRUE(identical(produced->tensors[0], form.result)) << to_string(prepared.outcome);
      for (const std::int64_t times : {1, 50}) {
        const auto seconds = prepared.timed->repeat(times);
        ASSERT_TRUE(std::holds_alternative<double>(seconds)) << to_string(std::get<spec::Outcome>(seconds));
        EXPECT_GT(std::get<double>(seconds), 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, TimedForms, ::testing::Values("numpy", "torch", "onnxruntime"),
                         [](const auto& engine) { return engine.param; });

}  // namespace
}  // namespace scatterproof::engines
