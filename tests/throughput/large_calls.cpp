// SPDX-License-Identifier: Apache-2.0
// How long one large call is judged, by elements: rules and meaning executed, and a right result compared.
#include <benchmark/benchmark.h>

#include <functional>

#include "scatterproof/engines/registry/registry.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "shipped_specs.hpp"

namespace {

using namespace scatterproof;
using spec::Scalar;
using spec::Shape;
using spec::Tensor;

constexpr std::int64_t million = 1'000'000;

Tensor filled(spec::DType dtype, const Shape& shape, const std::function<Scalar(std::int64_t)>& value) {
  Tensor tensor(dtype, shape);
  for (std::int64_t i = 0; i < tensor.numel(); ++i) tensor.set_at_position(i, value(i));
  return tensor;
}

/// All different, and no sum of them is exact.
Tensor numbers(std::int64_t count) {
  return filled(spec::DType::f32, {count},
                [](std::int64_t i) { return Scalar::of_real(0.1 + static_cast<double>(i) / 3); });
}

/// Every lookup goes to one cell, or each to another one in no order.
Tensor index(std::int64_t count, bool one_cell, const Shape& shape) {
  return filled(spec::DType::i64, shape, [=](std::int64_t i) {
    return Scalar::of_int(one_cell ? 0 : i * 7'654'321 % count);  // prime, and no divisor of a power of ten
  });
}

struct Form {
  const char* api;
  std::vector<std::pair<std::string, spec::Argument>> (*arguments)(std::int64_t count, bool one_cell);
};

using Arguments = std::vector<std::pair<std::string, spec::Argument>>;
const Form gather{"torch.gather", [](std::int64_t n, bool one) -> Arguments {
                    return {{"input", numbers(n)}, {"dim", Scalar::of_int(0)}, {"index", index(n, one, {n})}};
                  }};
const Form scatter{"torch.Tensor.scatter_", [](std::int64_t n, bool one) -> Arguments {
                     return {{"self", numbers(n)},
                             {"dim", Scalar::of_int(0)},
                             {"index", index(n, one, {n})},
                             {"src", numbers(n)},
                             {"reduce", std::string("none")}};
                   }};
const Form scatter_add{"torch.Tensor.scatter_add_", [](std::int64_t n, bool one) -> Arguments {
                         return {{"self", numbers(n)},
                                 {"dim", Scalar::of_int(0)},
                                 {"index", index(n, one, {n})},
                                 {"src", numbers(n)}};
                       }};
const Form index_copy{"torch.Tensor.index_copy_", [](std::int64_t n, bool one) -> Arguments {
                        return {{"self", numbers(n)},
                                {"dim", Scalar::of_int(0)},
                                {"index", index(n, one, {n})},
                                {"source", numbers(n)}};
                      }};
const Form scatter_nd{"onnx.ScatterND", [](std::int64_t n, bool one) -> Arguments {
                        return {{"data", numbers(n)},
                                {"indices", index(n, one, {n, 1})},
                                {"updates", numbers(n)},
                                {"reduction", std::string("none")},
                                {"opset", Scalar::of_int(18)}};
                      }};
const Form scatter_nd_add{"onnx.ScatterND", [](std::int64_t n, bool one) -> Arguments {
                            auto made = scatter_nd.arguments(n, one);
                            made[3].second = std::string("add");
                            return made;
                          }};
const Form add_at{"numpy.add.at", [](std::int64_t n, bool one) -> Arguments {
                    return {{"a", numbers(n)}, {"indices", index(n, one, {n})}, {"b", numbers(n)}};
                  }};

void large_call(benchmark::State& state, const Form& form, bool one_cell) {
  const spec::OpSpec& op = *shipped_specs().find(form.api);
  const spec::Call call{form.api, form.arguments(state.range(0) * million / 1000, one_cell)};
  const auto engine =
      std::move(engines::make_engine("reference", shipped_specs(), engines::find_places())).value();
  const spec::Outcome outcome = engine->run_one({&call});
  for (auto _ : state) {
    const auto trial = runner::judge_call(op, call, engine->info(), outcome);
    state.SetLabel(std::string(name(trial->judgement.verdict)));
  }
}

#define LARGE(form)                                                                                   \
  BENCHMARK_CAPTURE(large_call, form##_one_cell, form, true)->Apply(sizes)->Unit(benchmark::kSecond); \
  BENCHMARK_CAPTURE(large_call, form##_distinct, form, false)->Apply(sizes)->Unit(benchmark::kSecond)

/// In thousands.
void sizes(benchmark::internal::Benchmark* one) {
  one->ArgName("thousands")->Arg(10)->Arg(20)->Arg(40)->Arg(1000)->Arg(10000)->Iterations(1);
}

LARGE(gather);
LARGE(scatter);
LARGE(scatter_add);
LARGE(index_copy);
LARGE(scatter_nd);
LARGE(scatter_nd_add);
LARGE(add_at);

}  // namespace
