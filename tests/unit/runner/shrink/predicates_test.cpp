// SPDX-License-Identifier: Apache-2.0
// Shrinking by artificial conditions, over the shipped cases: what is left satisfies the condition, is what a
// person would call smallest, and no single step from it satisfies the condition.
#include <algorithm>
#include <cmath>

#include "measure.hpp"
#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/shrink/shrink.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "shipped.hpp"
#include "steps.hpp"

namespace scatterproof::runner::shrink {
namespace {

using spec::Call;
using spec::DType;
using spec::Scalar;
using spec::Tensor;
using Condition = std::function<bool(const spec::OpSpec&, const Call&)>;

Keeps keeps(const spec::OpSpec& op, const Condition& condition) {
  return [&op, condition](std::span<const Call> calls) {
    std::vector<bool> kept;
    for (const Call& call : calls) kept.push_back(condition(op, call));
    return kept;
  };
}

template <class Visit>
void for_tensors(const Call& call, const Visit& visit) {
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&value)) visit(name, *tensor);
}

bool any_value(const Tensor& tensor, const std::function<bool(const Scalar&)>& test) {
  return std::ranges::any_of(tensor.values(), test);
}

bool index_is_3(const spec::OpSpec& op, const Call& call) {
  bool found = false;
  for_tensors(call, [&](const std::string& name, const Tensor& tensor) {
    found = found || (is_index(op, name, tensor) &&
                      any_value(tensor, [](const Scalar& v) { return v.integer() == 3; }));
  });
  return found;
}

bool has_nan(const spec::OpSpec&, const Call& call) {
  bool found = false;
  for_tensors(call, [&](const std::string&, const Tensor& tensor) {
    found = found || (spec::is_float(tensor.dtype()) &&
                      any_value(tensor, [](const Scalar& v) { return std::isnan(v.real()); }));
  });
  return found;
}

bool index_repeats(const spec::OpSpec& op, const Call& call) {
  bool found = false;
  for_tensors(call, [&](const std::string& name, const Tensor& tensor) {
    if (!is_index(op, name, tensor)) return;
    std::vector<std::int64_t> entries;
    for (const Scalar& v : tensor.values()) entries.push_back(v.integer());
    std::ranges::sort(entries);
    found = found || std::ranges::adjacent_find(entries) != entries.end();
  });
  return found;
}

bool has_f16_matrix(const spec::OpSpec&, const Call& call) {
  bool found = false;
  for_tensors(call, [&](const std::string&, const Tensor& tensor) {
    found = found || (tensor.rank() >= 2 && tensor.dtype() == DType::f16);
  });
  return found;
}

bool is_reversed(const spec::OpSpec&, const Call& call) {
  bool found = false;
  for_tensors(call, [&](const std::string&, const Tensor& tensor) {
    found = found || spec::layout_of(tensor) == spec::Layout::reversed;
  });
  return found;
}

bool obeys_and_repeats(const spec::OpSpec& op, const Call& call) {
  const auto kinds = spec::rule_kinds(op, call);
  const auto bad = [](auto kind) { return kind != spec::RuleState::Kind::obeyed; };
  return index_repeats(op, call) && std::ranges::none_of(kinds, bad);
}

/// Shrinks every shipped call that satisfies the condition; each result goes to `look`.
std::size_t shrink_all(const Condition& condition,
                       const std::function<void(const spec::OpSpec&, const Call&)>& look) {
  std::size_t count = 0;
  for (const spec::Case& one : shipped().cases) {
    const spec::OpSpec& op = *shipped().specs.find(one.call.api);
    if (!condition(op, one.call)) continue;
    ++count;
    const ShrinkResult small = shrink(op, one.call, keeps(op, condition), {.seconds = 1e9});
    EXPECT_TRUE(small.minimal) << one.id;
    EXPECT_TRUE(condition(op, small.call)) << one.id << " became " << to_string(small.call);
    for (const Step& step : steps(op, small.call)) {
      const Call candidate = step();
      // Neither is a valid call.
      if (item_behind_gap(op, candidate) || !fault_of_selections(op, candidate).empty()) continue;
      EXPECT_FALSE(measure(op, candidate) < measure(op, small.call) && condition(op, candidate))
          << one.id << " became " << to_string(small.call) << ", but there is " << to_string(candidate);
    }
    look(op, small.call);
  }
  return count;
}

std::int64_t elements(const Call& call) {
  std::int64_t count = 0;
  for_tensors(call, [&](const std::string&, const Tensor& tensor) { count += tensor.numel(); });
  return count;
}

std::size_t tensors(const Call& call) {
  std::size_t count = 0;
  for_tensors(call, [&](const std::string&, const Tensor&) { ++count; });
  return count;
}

TEST(Predicates, RepeatedIndexIsTwoZeros) {
  const auto look = [](const spec::OpSpec& op, const Call& call) {
    EXPECT_EQ(elements(call), static_cast<std::int64_t>(tensors(call)) + 1) << to_string(call);
    for_tensors(call, [&](const std::string& name, const Tensor& tensor) {
      EXPECT_TRUE(tensor.is_contiguous());
      EXPECT_EQ(tensor.dtype(), DType::i64);
      EXPECT_FALSE(any_value(tensor, [](const Scalar& v) { return v.integer() != 0; })) << to_string(call);
      EXPECT_EQ(tensor.rank(), is_index(op, name, tensor) && tensor.numel() == 2 ? 1u : 0u)
          << to_string(call);
    });
  };
  EXPECT_GT(shrink_all(index_repeats, look), 100u);
}

TEST(Predicates, AnIndexOfThreeAndANanStandAlone) {
  const Condition both = [](const spec::OpSpec& op, const Call& call) {
    return index_is_3(op, call) && has_nan(op, call);
  };
  std::size_t count = 0;
  for (const spec::Case& one : shipped().cases) {
    const spec::OpSpec& op = *shipped().specs.find(one.call.api);
    Call call = spec::clone(one.call);
    for (auto& [name, value] : call.arguments) {
      auto* tensor = std::get_if<Tensor>(&value);
      if (!tensor || tensor->numel() == 0) continue;
      const spec::Coords last(tensor->shape());
      spec::Coords at(tensor->rank());
      for (std::size_t d = 0; d < at.size(); ++d) at[d] = last[d] - 1;
      if (is_index(op, name, value)) tensor->set(at, Scalar::of_int(3));
      if (spec::is_float(tensor->dtype())) tensor->set(at, Scalar::of_real(std::nan("")));
    }
    if (!both(op, call)) continue;
    ++count;
    const ShrinkResult small = shrink(op, call, keeps(op, both), {.seconds = 1e9});
    EXPECT_TRUE(small.minimal && both(op, small.call));
    // Dimensions of one element can all go; one number may take a tensor's place where the API allows it.
    EXPECT_EQ(elements(small.call), static_cast<std::int64_t>(tensors(small.call))) << to_string(small.call);
    for_tensors(small.call, [&](const std::string&, const Tensor& t) { EXPECT_EQ(t.rank(), 0u); });
  }
  EXPECT_GT(count, 30u);
}

TEST(Predicates, AMatrixOfHalvesIsEmpty) {
  const auto look = [](const spec::OpSpec&, const Call& call) {
    std::size_t matrices = 0;
    for_tensors(call, [&](const std::string&, const Tensor& tensor) {
      if (tensor.rank() == 0) {
        EXPECT_EQ(tensor.dtype(), DType::i64);
        return;
      }
      ++matrices;
      EXPECT_EQ(tensor.shape(), (spec::Shape{0, 0}));
      EXPECT_EQ(tensor.dtype(), DType::f16);
    });
    EXPECT_EQ(matrices, 1u) << to_string(call);
  };
  EXPECT_GT(shrink_all(has_f16_matrix, look), 3u);
}

TEST(Predicates, ALayoutIsKeptWhileItsTensorShrinks) {
  const auto look = [](const spec::OpSpec&, const Call& call) {
    for_tensors(call, [&](const std::string&, const Tensor& tensor) {
      const bool kept = spec::layout_of(tensor) == spec::Layout::reversed;
      EXPECT_EQ(tensor.shape(), kept ? spec::Shape{0} : spec::Shape{}) << to_string(call);
    });
  };
  EXPECT_GT(shrink_all(is_reversed, look), 3u);
}

TEST(Predicates, UnderTheRulesNoNeighbourIsLeft) {
  const auto look = [](const spec::OpSpec& op, const Call& call) {
    // Neighbours written down here, apart from the steps: one element zero, and one size less by one.
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto* tensor = std::get_if<Tensor>(&call.arguments[i].second);
      if (!tensor) continue;
      for (std::size_t d = 0; d < tensor->rank(); ++d) {
        spec::Shape shape = tensor->shape();
        if (shape[d]-- == 0) continue;
        Call other = call;
        const std::vector<Scalar> values = tensor->values();
        other.arguments[i].second = Tensor(
            tensor->dtype(), shape, std::span(values).first(static_cast<std::size_t>(spec::numel(shape))));
        EXPECT_FALSE(obeys_and_repeats(op, other)) << to_string(other);
      }
      std::vector<Scalar> values = tensor->values();
      for (Scalar& value : values) {
        const Scalar before = std::exchange(value, convert(Scalar::of_int(0), tensor->dtype()));
        Call other = call;
        other.arguments[i].second = Tensor(tensor->dtype(), tensor->shape(), values);
        EXPECT_TRUE(identical(before, value) || !obeys_and_repeats(op, other)) << to_string(other);
        value = before;
      }
    }
  };
  EXPECT_GT(shrink_all(obeys_and_repeats, look), 100u);
}

TEST(Predicates, TheResultDoesNotDependOnTheBatch) {
  for (const spec::Case& one : shipped().cases) {
    const spec::OpSpec& op = *shipped().specs.find(one.call.api);
    if (!obeys_and_repeats(op, one.call)) continue;
    const auto test = keeps(op, obeys_and_repeats);
    const ShrinkResult single = shrink(op, one.call, test, {.seconds = 1e9, .batch = 1});
    const ShrinkResult many = shrink(op, one.call, test, {.seconds = 1e9, .batch = 64});
    EXPECT_EQ(hash_of(single.call), hash_of(many.call)) << one.id;
    EXPECT_EQ(single.tried, many.tried) << one.id;
  }
}

bool leaves_out_axis(const spec::OpSpec&, const Call& call) {
  return std::ranges::find(call.omitted, "axis") != call.omitted.end();
}

TEST(Predicates, AnArgumentIsPassedUnlessTheFailureNeedsItLeftOut) {
  const Condition always = [](const spec::OpSpec&, const Call&) { return true; };
  std::size_t tried = 0;
  for (const spec::Case& one : shipped().cases) {
    const spec::OpSpec& op = *shipped().specs.find(one.call.api);
    if (!leaves_out_axis(op, one.call)) continue;
    EXPECT_EQ(shrink(op, one.call, keeps(op, always), {.seconds = 1e9}).call.omitted,
              (std::vector<std::string>{}));
    const Call kept = shrink(op, one.call, keeps(op, leaves_out_axis), {.seconds = 1e9}).call;
    EXPECT_EQ(kept.omitted, std::vector<std::string>{"axis"}) << one.id;
    EXPECT_TRUE(identical(*kept.find("axis"), *op.argument("axis")->fallback)) << one.id;
    ++tried;
  }
  EXPECT_GT(tried, 10u);
}

/// An opset that happens to be a size of the call is not cut with it: no document has such a one.
TEST(Predicates, AChoiceIsNoSize) {
  const auto one = std::ranges::find(shipped().cases, "onnx.GatherElements/doc/example-1", &spec::Case::id);
  ASSERT_NE(one, shipped().cases.end());
  const spec::OpSpec& op = *shipped().specs.find(one->call.api);
  Call call = one->call;
  for (auto& [name, value] : call.arguments) {
    if (name == "data") value = Tensor(DType::i64, {11});
    if (name == "indices") value = Tensor(DType::i64, {11});
    if (name == "opset") value = Scalar::of_int(11);
  }
  const spec::ArgumentDecl& opset = *op.argument("opset");
  for (const Step& step : steps(op, call)) {
    const Call made = step();
    const auto& chosen = *made.find("opset");
    EXPECT_TRUE(std::ranges::any_of(opset.choices, [&](const auto& c) { return identical(c, chosen); }))
        << to_string(made);
  }
}

TEST(Predicates, ALimitIsTold) {
  const spec::Case& one = shipped().cases.front();
  const spec::OpSpec& op = *shipped().specs.find(one.call.api);
  const Condition always = [](const spec::OpSpec&, const Call&) { return true; };
  EXPECT_FALSE(shrink(op, one.call, keeps(op, always), {.seconds = 1e9, .candidates = 2}).minimal);
  EXPECT_FALSE(shrink(op, one.call, keeps(op, always), {.seconds = -1}).minimal);
  const ShrinkResult all = shrink(op, one.call, keeps(op, always), {.seconds = 1e9});
  EXPECT_TRUE(all.minimal);
  EXPECT_EQ(measure(op, all.call).values, 0u);
}

}  // namespace
}  // namespace scatterproof::runner::shrink
