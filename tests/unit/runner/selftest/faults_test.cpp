// SPDX-License-Identifier: Apache-2.0
// The library of faults: each has a name, a sentence and an effect; the engine without one is the reference.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "library.hpp"
#include "scatterproof/engines/faulty/faulty.hpp"
#include "scatterproof/engines/reference/reference.hpp"
#include "verdicts.hpp"

namespace scatterproof::runner::selftest {
namespace {

std::unique_ptr<engines::Engine> faulty(std::string_view name) {
  auto engine = engines::make_faulty(name, shipped().specs);
  EXPECT_TRUE(engine) << name;
  return std::move(engine).value();
}

/// All that can be seen of an outcome; of a refusal its kind.
std::string seen(const spec::Outcome& outcome) {
  if (const auto* refused = std::get_if<spec::Refused>(&outcome.what))
    return "refused: " + refused->error_classes.front();
  std::string text = spec::to_string(outcome);
  if (const auto* produced = std::get_if<spec::Produced>(&outcome.what))
    for (const std::string& input : produced->inputs_written) text += ", wrote " + input;
  return text;
}

spec::Tensor tensor(spec::DType dtype, spec::Shape shape, const std::vector<double>& values) {
  std::vector<spec::Scalar> scalars;
  for (const double value : values) scalars.push_back(spec::Scalar::of_real(value));
  return spec::Tensor(dtype, std::move(shape), scalars);
}

spec::Call scatter_reduce(const char* reduce, spec::DType dtype, const std::vector<double>& self,
                          const std::vector<double>& index, const std::vector<double>& src) {
  const auto count = static_cast<std::int64_t>(src.size());
  return {"torch.Tensor.scatter_reduce_",
          {{"self", tensor(dtype, {static_cast<std::int64_t>(self.size())}, self)},
           {"dim", spec::Scalar::of_int(0)},
           {"index", tensor(spec::DType::i64, {count}, index)},
           {"src", tensor(dtype, {count}, src)},
           {"reduce", std::string(reduce)},
           {"include_self", spec::Scalar::of_bool(true)}}};
}

/// Copied whole, from a tensor whose first stride alone is that of a contiguous one.
spec::Call gather_from_swapped_axes() {
  std::vector<double> values, places(8, 0);
  for (int i = 0; i < 8; ++i) values.push_back(i);
  return {"torch.gather",
          {{"input", with_strides(tensor(spec::DType::f32, {2, 2, 2}, values), {4, 1, 2}, 0)},
           {"dim", spec::Scalar::of_int(0)},
           {"index", tensor(spec::DType::i64, {2, 2, 2}, places)}}};
}

/// For what no shipped case shows.
std::vector<spec::Call> hand_made() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {
      scatter_reduce("mean", spec::DType::i32, {-3}, {0}, {0}),
      scatter_reduce("amax", spec::DType::f32, {1}, {0, 0}, {nan, 2}),
      {"torch.Tensor.scatter_",
       {{"self", tensor(spec::DType::i64, {1}, {0})},
        {"dim", spec::Scalar::of_int(0)},
        {"index", tensor(spec::DType::i64, {2}, {0, 0})},
        {"src", tensor(spec::DType::i64, {2}, {2, 1})},
        {"reduce", std::string("none")}}},
      scatter_reduce("amax", spec::DType::f32, {1}, {0}, {-nan}),
      gather_from_swapped_axes(),
      scatter_reduce("sum", spec::DType::c128, {0x1p30}, {0, 0}, {1, 1}),
      scatter_reduce("sum", spec::DType::f32, std::vector<double>(20, 0), std::vector<double>(20, 1),
                     std::vector<double>(20, 1)),
      scatter_reduce("sum", spec::DType::f32, std::vector<double>(20, 0),
                     {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 5},
                     std::vector<double>(20, 1)),
  };
}

TEST(Faults, AreManyAndHaveNamesAndSentences) {
  std::set<std::string_view> names;
  for (const engines::FaultListing& fault : engines::list_faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name << " is there twice";
    EXPECT_EQ(fault.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << fault.name;
    EXPECT_GT(fault.says.size(), 15u) << fault.name;
    EXPECT_TRUE(fault.says.ends_with('.')) << fault.name;
  }
  EXPECT_GE(names.size(), 60u);
}

TEST(Faults, WithoutOneTheEngineIsTheReference) {
  const auto reference = engines::make_reference(shipped().specs);
  const auto none = faulty("none");
  for (const spec::Case& one : shipped().cases)
    EXPECT_EQ(seen(none->run_one({&one.call})), seen(reference->run_one({&one.call}))) << one.id;
}

TEST(Faults, EachDiffersFromTheReferenceSomewhere) {
  std::vector<spec::Call> calls = hand_made();
  for (const spec::Case& one : shipped().cases) calls.push_back(one.call);
  // The last, since it takes longest.
  calls.push_back(scatter_reduce("mean", spec::DType::f32, {0}, std::vector<double>(65'536, 0),
                                 std::vector<double>(65'536, 1)));
  const auto reference = engines::make_reference(shipped().specs);
  std::vector<std::string> right;
  for (const spec::Call& call : calls) right.push_back(seen(reference->run_one({&call})));

  const std::set<std::string_view> unseen = {"error-after-partial-write",
                                             "data-handed-back"};  // equivalents.yaml
  for (const engines::FaultListing& fault : engines::list_faults()) {
    if (fault.of_gradients) continue;
    const auto engine = faulty(fault.name);
    std::string differs;
    for (std::size_t i = 0; i < calls.size() && differs.empty(); ++i)
      if (const std::string came = seen(engine->run_one({&calls[i]})); came != right[i])
        differs = spec::to_string(calls[i]) + " gives " + came + " for " + right[i];
    EXPECT_EQ(differs.empty(), unseen.contains(fault.name)) << fault.name << ": " << differs;
  }
}

TEST(Faults, AnUnknownNameHasAHint) {
  const auto engine = engines::make_faulty("dropped-tial", shipped().specs);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.errors().front().hint, "did you mean 'faulty:dropped-tail'?");
}

TEST(Faults, AreNotAmongTheEnginesOfARun) {
  for (const std::string& name : engines::built_in_engines())
    EXPECT_FALSE(name.starts_with("faulty")) << name;
  for (const auto& listing : engines::list_engines({SCATTERPROOF_SOURCE_DIR, ""}))
    EXPECT_FALSE(listing.name.starts_with("faulty")) << listing.name;
  EXPECT_TRUE(engines::make_engine("faulty:dropped-tail", shipped().specs, {}));
}

}  // namespace
}  // namespace scatterproof::runner::selftest
