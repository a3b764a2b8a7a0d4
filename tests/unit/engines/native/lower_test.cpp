// SPDX-License-Identifier: Apache-2.0
// From an API's arguments to a kernel's by a spec's kernel entry: words, tables, arguments, and what is
// refused.
#include "kernel_calls.hpp"

namespace scatterproof::engines::test {
namespace {

using spec::LoweredValue;

LoweredValue literal(std::string word) { return {"", {}, std::move(word)}; }
LoweredValue argument(std::string name) { return {std::move(name), {}, ""}; }

spec::OpSpec scatter_spec() {
  spec::OpSpec spec;
  spec.api = "test.scatter";
  spec.kernel.op = "scatter_elements";
  spec.kernel.fields = {{"data", argument("self")},
                        {"axis", argument("dim")},
                        {"index", argument("index")},
                        {"updates", argument("src")}};
  return spec;
}
spec::Call scatter_call() {
  return {"test.scatter",
          {{"self", f32({2}, {1, 2})},
           {"dim", Scalar::of_int(-1)},
           {"index", i64({1}, {0})},
           {"src", f32({1}, {9})},
           {"reduce", std::string("add")},
           {"flag", Scalar::of_bool(false)},
           {"nothing", spec::None{}}}};
}
KernelCall lowered(const spec::OpSpec& spec, const spec::Call& call) {
  auto result = lower(spec, call);
  if (auto* kernel = std::get_if<KernelCall>(&result)) return *kernel;
  ADD_FAILURE() << spec::to_string(std::get<spec::Outcome>(result));
  return {};
}
std::string refused(const spec::OpSpec& spec, const spec::Call& call = scatter_call()) {
  const auto result = lower(spec, call);
  const auto* outcome = std::get_if<spec::Outcome>(&result);
  return outcome ? spec::to_string(*outcome) : "lowered";
}

TEST(Lower, TakesArgumentsAndDefaults) {
  const KernelCall kernel = lowered(scatter_spec(), scatter_call());
  EXPECT_EQ(kernel.op, KernelOp::scatter_elements);
  EXPECT_EQ(kernel.axis, -1);
  EXPECT_EQ(plain(kernel.data), "[1, 2]");
  EXPECT_EQ(plain(kernel.index), "[0]");
  EXPECT_EQ(plain(std::get<Tensor>(*kernel.updates)), "[9]");
  EXPECT_EQ(kernel.combine, Combiner::assign);
  EXPECT_TRUE(kernel.include_start);
  EXPECT_TRUE(kernel.start_from_data);
  EXPECT_FALSE(kernel.wrap_negative);
  EXPECT_FALSE(kernel.empty_index_unchecked);
  EXPECT_EQ(kernel.output_size, std::nullopt);
}

TEST(Lower, ReadsEveryField) {
  spec::OpSpec spec = scatter_spec();
  const LoweredValue combine{"reduce", {{"none", "assign"}, {"add", "sum"}}, ""};
  const LoweredValue fill{"reduce", {{"add", "0.5"}}, ""};
  const LoweredValue inverted{"flag", {{"true", "false"}, {"false", "true"}}, ""};
  for (auto field : {std::pair{"combine", combine},
                     {"fill", fill},
                     {"wrap_negative", inverted},
                     {"include_start", argument("flag")},
                     {"start_from_data", literal("false")},
                     {"output_size", literal("4")},
                     {"index_equals_updates", literal("true")},
                     {"index_equals_data", literal("true")},
                     {"broadcast", literal("true")},
                     {"surplus_updates", literal("true")},
                     {"empty_index_unchecked", literal("true")},
                     {"needs_dimensions", literal("true")},
                     {"batch_dims", literal("2")},
                     {"integer_mean", literal("truncate")},
                     {"index_dtypes", literal("[i32, i64]")}})
    spec.kernel.fields.emplace_back(field.first, field.second);
  const KernelCall kernel = lowered(spec, scatter_call());
  EXPECT_EQ(kernel.combine, Combiner::sum);
  EXPECT_EQ(kernel.fill.real(), 0.5);
  EXPECT_TRUE(kernel.wrap_negative);
  EXPECT_FALSE(kernel.include_start);
  EXPECT_FALSE(kernel.start_from_data);
  EXPECT_EQ(kernel.output_size, 4);
  EXPECT_TRUE(kernel.index_equals_updates);
  EXPECT_TRUE(kernel.index_equals_data);
  EXPECT_TRUE(kernel.broadcast);
  EXPECT_TRUE(kernel.surplus_updates);
  EXPECT_TRUE(kernel.empty_index_unchecked);
  EXPECT_TRUE(kernel.needs_dimensions);
  EXPECT_EQ(kernel.batch_dims, 2);
  EXPECT_EQ(kernel.integer_mean, spec::IntegerMean::truncate);
  EXPECT_EQ(kernel.index_dtypes, (std::vector<DType>{DType::i32, DType::i64}));
}

TEST(Lower, AnAbsentOutputSizeStaysAbsent) {
  spec::OpSpec spec = scatter_spec();
  spec.kernel.fields.emplace_back("output_size", argument("nothing"));
  EXPECT_EQ(lowered(spec, scatter_call()).output_size, std::nullopt);
}

TEST(Lower, WithoutDataTheUpdatesGiveTypeAndSizes) {
  spec::OpSpec spec = scatter_spec();
  spec.kernel.fields.erase(spec.kernel.fields.begin());
  EXPECT_EQ(refused(spec), "refused: value: the kernel entry gives no data");
  spec.kernel.fields.emplace_back("start_from_data", literal("false"));
  EXPECT_EQ(plain(lowered(spec, scatter_call()).data), "[9]");
}

TEST(Lower, RefusesWhatHasNoMeaning) {
  const std::vector<std::pair<std::pair<std::string, LoweredValue>, std::string>> bad = {
      {{"combine", literal("median")}, "no kernel combines by median"},
      {{"combine", {"reduce", {{"none", "assign"}}, ""}}, "reduce = add has no kernel"},
      {{"axis", literal("one")}, "axis must be an integer, not one"},
      {{"axis", literal("1x")}, "axis must be an integer, not 1x"},
      {{"axis", argument("nothing")}, "axis must be an integer, not none"},
      {{"broadcast", literal("maybe")}, "broadcast must be true or false, not maybe"},
      {{"fill", literal("1.5e")}, "fill must be a number, not 1.5e"},
      {{"integer_mean", literal("up")}, "no kernel rounds integer means by up"},
      {{"index_dtypes", literal("i32, u128")}, "invalid dtype 'u128'"},
      {{"data", argument("dim")}, "data must be a tensor, not -1"},
      {{"data", argument("no_such_argument")}, "data must be a tensor, not none"},
      {{"colour", literal("red")}, "unknown kernel field 'colour'"},
  };
  for (const auto& [field, message] : bad) {
    spec::OpSpec spec = scatter_spec();
    spec.kernel.fields.push_back(field);
    EXPECT_EQ(refused(spec), "refused: value: " + message);
  }
}

TEST(Lower, UnsupportedWhereATableSaysSo) {
  spec::OpSpec spec = scatter_spec();
  spec.kernel.fields.push_back({"combine", {"reduce", {{"none", "assign"}, {"add", "none"}}, ""}});
  EXPECT_EQ(refused(spec), "unsupported: no kernel does what reduce = add asks for");
}

TEST(Lower, UnsupportedWithAFactor) {
  const auto with_factor = [](const std::string& factor) {
    spec::OpSpec spec = scatter_spec();
    spec.kernel.fields.push_back({"factor", literal(factor)});
    return refused(spec);
  };
  EXPECT_EQ(with_factor("1"), "lowered");
  EXPECT_EQ(with_factor("2"), "unsupported: no kernel multiplies the updates by a factor");
  EXPECT_EQ(with_factor("0.5"), "unsupported: no kernel multiplies the updates by a factor");
  EXPECT_EQ(with_factor("many"), "refused: value: factor must be a number, not many");
}

TEST(Lower, UnsupportedWhereAnIndexOutOfRangeIsNoError) {
  const std::string none = "unsupported: no kernel drops, clips or fills what an index out of range names";
  const auto lowered_with = [](std::int64_t index, bool only, bool wrap) {
    spec::OpSpec spec = scatter_spec();
    if (only) spec.kernel.fields.push_back({"in_range_only", literal("true")});
    if (wrap) spec.kernel.fields.push_back({"wrap_negative", literal("true")});
    spec::Call call = scatter_call();
    for (auto& [name, value] : call.arguments)
      if (name == "index") value = i64({1}, {static_cast<double>(index)});
    return refused(spec, call);
  };
  EXPECT_EQ(lowered_with(2, true, false), none);
  EXPECT_EQ(lowered_with(-2, true, false), none);
  EXPECT_EQ(lowered_with(-3, true, true), none);
  EXPECT_EQ(lowered_with(-2, true, true), "lowered");
  EXPECT_EQ(lowered_with(1, true, false), "lowered");
  EXPECT_EQ(lowered_with(2, false, false), "lowered") << "the kernel refuses it";
}

TEST(Lower, UnsupportedWithoutAKernel) {
  spec::OpSpec spec = scatter_spec();
  spec.kernel.op = "";
  EXPECT_EQ(refused(spec), "unsupported: the spec names no kernel");
  spec.kernel.op = "scatter_everything";
  EXPECT_EQ(refused(spec), "unsupported: unknown kernel 'scatter_everything'");
  spec = scatter_spec();
  spec.kernel.fields.pop_back();
  EXPECT_EQ(refused(spec), "refused: value: the kernel entry gives no updates");
}

}  // namespace
}  // namespace scatterproof::engines::test
