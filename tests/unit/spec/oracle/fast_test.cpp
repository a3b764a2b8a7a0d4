// SPDX-License-Identifier: Apache-2.0
// Rules and meanings by the fast evaluator against the reference evaluator, on the shipped cases' calls and
// on calls made from them by random changes, so that every rule is broken and every expression somewhere has
// no value.
#include "scatterproof/spec/oracle/fast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "execute.hpp"
#include "scatterproof/spec/cases/case.hpp"
#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/oracle/rules.hpp"

namespace scatterproof::spec::testing {
namespace {

using Kind = RuleState::Kind;
using Random = std::mt19937_64;

std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

Tensor changed(const Tensor& tensor, Random& random) {
  Shape shape = tensor.shape();
  DType dtype = tensor.dtype();
  switch (draw(random, 0, 5)) {
    case 0:
      if (!shape.empty())
        shape[static_cast<std::size_t>(draw(random, 0, std::ssize(shape) - 1))] = draw(random, 0, 4);
      break;
    case 1:
      if (shape.size() < 5) shape.insert(shape.begin(), draw(random, 0, 2));
      break;
    case 2:
      if (!shape.empty()) shape.pop_back();
      break;
    case 3:
      dtype = all_dtypes[static_cast<std::size_t>(draw(random, 0, 11))];
      break;
    default:
      break;
  }
  if (numel(shape) > 300) return tensor;
  std::vector<Scalar> values;
  const bool tame = draw(random, 0, 3) > 0;
  for (std::int64_t i = 0; i < numel(shape); ++i) {
    const std::int64_t value = tame ? draw(random, 0, 1) : draw(random, -4, 4);
    values.push_back(draw(random, 0, 200) == 0 ? Scalar::of_int(std::numeric_limits<std::int64_t>::min())
                                               : Scalar::of_int(value));
  }
  const auto layout = static_cast<Layout>(draw(random, 0, 4));
  return with_layout(Tensor(dtype, shape, values), layout);
}

Argument changed(const Argument& argument, const ArgumentDecl& declared, Random& random) {
  if (declared.optional && draw(random, 0, 4) == 0) return None{};
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return changed(*tensor, random);
  if (!declared.choices.empty())
    return declared.choices[static_cast<std::size_t>(draw(random, 0, std::ssize(declared.choices) - 1))];
  if (declared.kind == ArgumentKind::boolean) return Scalar::of_bool(draw(random, 0, 1) == 1);
  if (declared.kind == ArgumentKind::integer) return Scalar::of_int(draw(random, -4, 4));
  return argument;
}

Call changed(const OpSpec& spec, const Call& call, Random& random) {
  Call made = call;
  for (std::int64_t times = draw(random, 0, 3); times > 0; --times) {
    auto& [name, argument] =
        made.arguments[static_cast<std::size_t>(draw(random, 0, std::ssize(made.arguments) - 1))];
    argument = changed(argument, *spec.argument(name), random);
  }
  return made;
}

bool same(const Contribution& a, const Contribution& b) {
  return identical(a.value, b.value) && a.origin.argument == b.origin.argument &&
         a.origin.coords == b.origin.coords && a.group == b.group;
}

bool same(const Bag& a, const Bag& b) {
  const auto equal_starts = [&] {
    if (a.start.has_value() != b.start.has_value()) return false;
    return !a.start || std::ranges::equal(*a.start, *b.start,
                                          [](const Scalar& x, const Scalar& y) { return identical(x, y); });
  };
  return a.dtype == b.dtype && a.shape == b.shape && a.combine == b.combine &&
         a.start_counts == b.start_counts && equal_starts() && a.start_name == b.start_name &&
         a.offsets == b.offsets &&
         std::ranges::equal(a.list, b.list,
                            [](const Contribution& x, const Contribution& y) { return same(x, y); }) &&
         a.origins == b.origins && a.rows == b.rows && a.may_write == b.may_write &&
         a.collisions == b.collisions && a.accumulate == b.accumulate && a.integer_mean == b.integer_mean &&
         a.integer_quotient == b.integer_quotient && a.nan == b.nan;
}

struct Counts {
  int frames = 0, frames_left = 0, rules = 0, rules_left = 0, bags = 0, bags_left = 0;
  std::map<Kind, int> kinds;
};

/// Empty: the call is too large to be judged.
std::optional<Result<Bag>> by_reference(const OpSpec& spec, const Call& call) {
  try {
    return execute_by_reference(spec, call);
  } catch (const LimitReached&) {
    return std::nullopt;
  }
}

/// More names than a frame has slots, and longer tuples than a fast value holds.
const std::set<std::string> left_to_the_reference = {"tensorflow.raw_ops.TensorStridedSliceUpdate"};

void compare(const OpSpec& spec, const Call& call, Counts& counts) {
  language::FastEvaluator frame;
  ++counts.frames;
  if (!fill_frame(frame, spec, call)) {
    counts.frames_left += left_to_the_reference.contains(spec.api) ? 0 : 1;
    return;
  }
  const CallFrame reference = make_frame(spec, call);
  bool obeyed = true;
  for (const Rule& rule : spec.rules) {
    const Kind expected = stand(rule, reference.frame);
    const auto kind = stand(rule, frame);
    ++counts.rules;
    ++counts.kinds[expected];
    counts.rules_left += kind ? 0 : 1;
    ASSERT_EQ(kind.value_or(expected), expected) << spec.api << " " << rule.id << "\n" << to_string(call);
    obeyed = obeyed && expected == Kind::obeyed;
  }
  const auto bag = execute_fast(spec, call, frame);
  const auto expected = by_reference(spec, call);
  if (bag) {
    ASSERT_TRUE(expected && *expected) << to_string(call);
    ASSERT_TRUE(same(*bag, **expected)) << to_string(call);
  }
  if (!expected) return;
  if (!obeyed) return;
  ++counts.bags;
  counts.bags_left += bag ? 0 : 1;
}

TEST(FastEvaluator, AgreesOnTheShippedSpecs) {
  const auto specs = SpecLibrary::load(std::string(SCATTERPROOF_SOURCE_DIR) + "/spec/data/ops");
  ASSERT_TRUE(specs) << to_string(specs.errors());
  const auto cases = load_case_tree(std::string(SCATTERPROOF_SOURCE_DIR) + "/cases", *specs);
  ASSERT_TRUE(cases) << to_string(cases.errors());
  const char* trials = std::getenv("SCATTERPROOF_TRIALS");
  const int each = (trials ? std::atoi(trials) : 10'000) / static_cast<int>(cases->size()) * 3 + 1;
  Random random(20261121);
  Counts counts;
  for (const Case& one : *cases) {
    const OpSpec& spec = *specs->find(one.call.api);
    compare(spec, one.call, counts);
    for (int i = 0; i < each && !HasFatalFailure(); ++i)
      compare(spec, changed(spec, one.call, random), counts);
    if (HasFatalFailure()) return;
  }
  // What is left to the reference evaluator must stay the exception, or nothing here is tested and nothing is
  // quick.
  EXPECT_EQ(counts.frames_left, 0);
  EXPECT_LT(counts.rules_left * 1000, counts.rules);
  EXPECT_LT(counts.bags_left * 100, counts.bags);
  EXPECT_GT(counts.kinds[Kind::broken], 100);
  EXPECT_GT(counts.kinds[Kind::unevaluable], 100);
  EXPECT_GT(counts.bags, 1000);
}

}  // namespace
}  // namespace scatterproof::spec::testing
