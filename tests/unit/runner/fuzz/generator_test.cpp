// SPDX-License-Identifier: Apache-2.0
// Generated calls of every shipped spec, checked against its rules by evaluation.
#include "scatterproof/runner/fuzz/generator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "in_turn.hpp"
#include "scatterproof/runner/fuzz/statistics.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "shipped.hpp"
#include "turns.hpp"

namespace scatterproof::runner::fuzz {
namespace {

constexpr std::uint64_t calls = 2000;

std::string broken_by_evaluation(const spec::OpSpec& op, const spec::Call& call) {
  std::string broken;
  for (const spec::RuleState& state : spec::check_rules(op, call))
    if (state.kind == spec::RuleState::Kind::broken) broken += state.rule->id + " ";
  return broken;
}

/// One; 100 where the trials are those of the nightly run; none under the sanitizers, which shares do not
/// concern.
std::uint64_t seeds() {
  const char* trials = std::getenv("SCATTERPROOF_TRIALS");
  return trials ? std::strtoull(trials, nullptr, 10) / 10'000 : 1;
}

/// A sixth of the APIs, another one each time, or all.
std::vector<std::string> apis_in_turn() {
  std::vector<std::string> apis = shipped_apis();
  std::uint64_t number = 0;
  std::erase_if(apis, [&](const std::string&) { return !is_in_turn(number++, 6); });
  return apis;
}

class EverySpec : public testing::TestWithParam<std::string> {
 protected:
  const spec::OpSpec& op() const { return *shipped_specs().find(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Shipped, EverySpec, testing::ValuesIn(apis_in_turn()), name_of_api);

/// Of one API's calls.
struct Sides {
  double made = 0, valid = 0, promised = 0, unpromised = 0;

  void count(const GeneratedCall& one) {
    ++made;
    ++(!one.broken ? valid : promises_error(*one.broken) ? promised : unpromised);
  }
};

/// What no page promises an error for is broken in one call of ten, where no page of forms has fewer; more
/// often where practice is asked for. What must be refused is as frequent as ever.
TEST_P(EverySpec, CallsBreakTheRuleTheyAreMeantToBreakAndNoOther) {
  Generator generator(op(), 1), practising(op(), 1, {.practice = true});
  Sides usual, practice;
  for (std::uint64_t i = 0; i < calls; ++i) {
    if (const auto one = practising.make(i)) practice.count(*one);
    const auto one = generator.make(i);
    if (!one) continue;
    usual.count(*one);
    ASSERT_EQ(broken_by_evaluation(op(), one->call), one->broken ? one->broken->id + " " : "")
        << spec::to_string(one->call);
  }
  EXPECT_GT(usual.made, calls * 9 / 10);
  EXPECT_GT(usual.valid, calls / 3);
  EXPECT_GT(usual.made - usual.valid, calls / 30);
  EXPECT_LE(usual.unpromised, 0.115 * usual.made);
  EXPECT_GE(usual.unpromised, std::min(0.035 * usual.made, 0.5 * practice.unpromised));
  EXPECT_NEAR(usual.promised, practice.promised, 0.02 * usual.made);
  EXPECT_GT(practice.promised + practice.unpromised, calls / 5);
  EXPECT_TRUE(practice.promised > 0 || usual.valid >= 0.885 * usual.made) << usual.valid;
}

/// What the generator does not reach, though it could: rules about values in addition to a rule that looks at
/// all of them (whether every segment has a slice), a number that does not fit where there is a mask, and the
/// last word of a choice whose first word alone is promised anything.
const std::map<std::string, std::set<std::string>> known_gaps = {
    {"array_api_extra.at.add.mask", {"rule number-held"}},
    {"array_api_extra.at.divide.mask", {"rule number-held"}},
    {"array_api_extra.at.max.mask", {"rule number-held"}},
    {"array_api_extra.at.min.mask", {"rule number-held"}},
    {"array_api_extra.at.multiply.mask", {"rule number-held"}},
    {"array_api_extra.at.set.mask", {"rule number-held"}},
    {"array_api_extra.at.subtract.mask", {"rule number-held"}},
    {"jax.numpy.compress", {"rule fill-held"}},
    {"jax.numpy.extract", {"rule fill-held"}},
    {"keras.ops.segment_max", {"rule index-in-range", "rule in-order"}},
    {"keras.ops.segment_min", {"rule index-in-range", "rule in-order"}},
    {"mindspore.ops.unsorted_segment_max", {"rule below-number", "rule not-negative"}},
    {"mindspore.ops.unsorted_segment_min", {"rule below-number", "rule not-negative"}},
    {"numpy.ndarray.__setitem__.mask", {"rule number-held"}},
    {"tensorflow.tensor_scatter_nd_min", {"bad_indices_policy ERROR"}},
    {"torch.Tensor.__setitem__.mask", {"rule number-held"}},
    {"torch_geometric.utils.scatter", {"rule index-in-range"}},
};

/// Of one API's calls with one seed.
struct Distribution {
  double made = 0, empty = 0, full = 0, tails = 0, hundreds = 0, thousands = 0, collide = 0, scatter = 0;
  std::set<std::string> forms;
  std::map<std::string, std::uint64_t> index_dtypes;
  std::vector<std::string> missed;  // targets that no call reached
};

/// Shapes, dtypes, and attributes but for numbers that are data.
std::string form_of(const spec::OpSpec& op, const spec::Call& call) {
  std::string form;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const spec::Argument& argument = call.arguments[i].second;
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
      form += std::string(spec::name(tensor->dtype())) + spec::to_string(tensor->shape());
    else if (op.arguments[i].kind != spec::ArgumentKind::scalar &&
             op.arguments[i].kind != spec::ArgumentKind::tensor_or_scalar)
      form += spec::to_string(argument);
    form += ' ';
  }
  return form;
}

constexpr std::uint64_t most_for_targets = 100'000;  // calls

Distribution distribution_of(const spec::OpSpec& op, std::uint64_t seed, std::uint64_t count) {
  Generator generator(op, seed);
  Distribution all;
  Statistics statistics;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto one = generator.make(i);
    if (!one) continue;
    statistics.see(traits_of(op, *one));
    const std::int64_t elements = spec::largest_numel(one->call);
    ++all.made;
    all.empty += has_zero_size(one->call);
    all.tails += elements >= 16 && elements % 8 != 0;
    all.hundreds += elements >= 100;
    all.thousands += elements >= 1000;
    all.forms.insert(form_of(op, one->call));
    if (one->broken) continue;
    all.full += !has_zero_size(one->call);  // and valid
    for (std::size_t k = 0; k < op.arguments.size(); ++k)
      if (const auto* index = std::get_if<spec::Tensor>(&one->call.arguments[k].second);
          index && op.is_index(op.arguments[k]))
        ++all.index_dtypes[std::string(spec::name(index->dtype()))];
  }
  // Rare targets, such as a rule about calls that select nothing, may take longer than the shares do.
  Traits targets = targets_of(op, generator.breakable());
  if (const auto gaps = known_gaps.find(op.api); gaps != known_gaps.end())
    std::erase_if(targets, [&](const auto& target) {
      return gaps->second.contains(fmt::format("{} {}", target.first, target.second));
    });
  for (std::uint64_t i = count; i < most_for_targets && !statistics.missed(targets).empty(); ++i)
    if (const auto one = generator.make(i)) statistics.see(traits_of(op, *one));
  for (const auto& [aspect, value] : statistics.missed(targets))
    all.missed.push_back(fmt::format("{} {}", aspect, value));
  return all;
}

/// Their pages say what comes only of calls without elements.
const std::set<std::string> promised_when_empty = {"tensorflow.tensor_scatter_nd_min"};

/// Arrays that are data to the spec, laid out before they become one mask: the second is then not given.
TEST(GeneratedIndex, MayBecomeAMaskWhereItsTypeIsAny) {
  Generator generator(*shipped_specs().find("array_api_extra.at.add"), 2, {.practice = true});
  int masks = 0;
  for (std::uint64_t i = 0; i < 4'000; ++i)
    if (const auto one = generator.make(i))
      masks += std::get<std::string>(*one->call.find("key")).find('?') != std::string::npos;
  EXPECT_GT(masks, 3);
}

/// `index.unsqueeze(-1).expand(-1, n)`, the index of a scatter as most people make it.
TEST(GeneratedIndex, IsAlsoAViewThatRepeatsAnInnerAxis) {
  for (const char* api : {"torch.gather", "torch.Tensor.scatter_add_"}) {
    Generator generator(*shipped_specs().find(api), 1, {.sides = GenerationOptions::Sides::valid});
    int repeating = 0;
    for (std::uint64_t i = 0; i < 2'000; ++i)
      if (const auto one = generator.make(i)) {
        const auto& index = std::get<spec::Tensor>(*one->call.find("index"));
        const std::size_t last = index.rank() - 1;
        repeating += index.rank() > 1 && index.strides()[last] == 0 && index.shape()[last] > 1 &&
                     index.numel() > index.shape()[last];
      }
    EXPECT_GT(repeating, 10) << api;
  }
}

/// Strides in an argument do not grow with the sizes, which they bound: all calls are small, and no share is
/// as documented. Cases have larger calls.
const std::set<std::string> bounded_by_strides = {"torch.as_strided_scatter"};

/// Equal numbers of elements: the solver, which multiplies no unknowns, finds few calls at other than
/// equal ranks, and most calls have one element.
const std::set<std::string> mostly_of_one_element = {"numpy.extract"};

/// One call in seven has a tensor without elements: dimension numbers fit most data if a slice is empty.
const std::set<std::string> often_empty = {"jax.lax.gather"};

/// docs/use/fuzz.md promises these shares.
TEST_P(EverySpec, CallsAreDistributedAsDocumentedAndMissNoTarget) {
  if (seeds() == 0) GTEST_SKIP() << "too few trials for a share";
  if (bounded_by_strides.contains(op().api)) GTEST_SKIP() << "no share is promised";
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    const Distribution all = distribution_of(op(), seed, 5 * calls);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    EXPECT_EQ(all.missed, std::vector<std::string>());
    ASSERT_EQ(all.full == 0, promised_when_empty.contains(op().api));
    if (all.full > 0) {
      EXPECT_LE(all.empty / all.made, often_empty.contains(op().api) ? 0.15 : 0.1);
      EXPECT_GE(all.tails / all.made, mostly_of_one_element.contains(op().api) ? 0.03 : 0.1);
      EXPECT_GE(all.hundreds / all.made, 0.015);
      EXPECT_GE(all.thousands / all.made, 0.0005);
    }
    EXPECT_GE(all.forms.size(), calls / 10);
    const bool wide = all.index_dtypes.contains("i64"), masks = all.index_dtypes.contains("bool");
    const std::string usual = wide ? "i64" : masks ? "bool" : "i32";
    for (const auto& [dtype, count] : all.index_dtypes) EXPECT_LE(count, all.index_dtypes.at(usual)) << dtype;
  }
}

TEST_P(EverySpec, ACallFollowsFromItsNumberAlone) {
  Generator in_order(op(), 3), alone(op(), 3);
  for (std::uint64_t i = 0; i < 300; ++i) {  // more than a page
    const auto one = in_order.make(i);
    if (i % 25 != 17) continue;
    const auto same = alone.make(i);
    EXPECT_EQ(one ? spec::to_string(one->call) : "", same ? spec::to_string(same->call) : "");
  }
}

TEST(Generator, MakesOtherCallsWithAnotherSeed) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  Generator one(op, 3), other(op, 4);
  std::uint64_t differ = 0;
  for (std::uint64_t i = 0; i < 300; ++i)
    if (const auto made = one.make(i), another = other.make(i); made && another)
      differ += spec::to_string(made->call) != spec::to_string(another->call);
  EXPECT_GT(differ, 200U);
}

TEST(Generator, MakesWhatIsWished) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  Generator valid(op, 1, {GenerationOptions::Sides::valid, ""}),
      broken(op, 1, {GenerationOptions::Sides::broken, ""}),
      rule(op, 1, {GenerationOptions::Sides::both, "dim-range"});
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto obeys = valid.make(i), breaks = broken.make(i), breaks_this = rule.make(i);
    ASSERT_TRUE(obeys && breaks && breaks_this);
    EXPECT_EQ(obeys->broken, nullptr);
    EXPECT_NE(breaks->broken, nullptr);
    EXPECT_EQ(breaks_this->broken->id, "dim-range");
  }
}

TEST(Generator, MakesNoOtherCallsWhereNoneBreaksTheRule) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  Generator generator(op, 1, {GenerationOptions::Sides::both, "a-rule-of-another-spec"});
  for (std::uint64_t i = 0; i < 300; ++i) EXPECT_FALSE(generator.make(i));
}

TEST(Generator, MakesOnlyWhatIsOffered) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  const auto f32 = [](const spec::Call& call) {
    const auto* input = std::get_if<spec::Tensor>(call.find("input"));
    return input && input->dtype() == spec::DType::f32;
  };
  Generator generator(op, 1, {.offered = f32});
  std::uint64_t made = 0, broken = 0;
  for (std::uint64_t i = 0; i < calls; ++i)
    if (const auto one = generator.make(i)) {
      ASSERT_TRUE(f32(one->call)) << spec::to_string(one->call);
      ++made;
      broken += one->broken != nullptr;
    }
  EXPECT_GT(made, calls * 9 / 10);
  EXPECT_GT(broken, calls / 20);
}

/// A kernel that keeps an index in 8, 16 or 32 bits takes these for good ones, and not just for 0 or 1.
TEST(Generator, BreaksTheRangeOfAnIndexByValuesThatFewBitsMakeGood) {
  const spec::OpSpec& op = *shipped_specs().find("torch.gather");
  Generator generator(op, 1, {GenerationOptions::Sides::both, "index-in-range"});
  std::map<int, std::uint64_t> shown;  // by bits
  for (std::uint64_t i = 0; i < calls; ++i) {
    const auto one = generator.make(i);
    if (!one) continue;
    const auto& input = std::get<spec::Tensor>(*one->call.find("input"));
    const std::int64_t dim = std::get<spec::Scalar>(*one->call.find("dim")).integer();
    const auto rank = static_cast<std::int64_t>(input.rank());
    const std::int64_t size = rank == 0 ? 1 : input.shape()[static_cast<std::size_t>((dim + rank) % rank)];
    for (const spec::Scalar& value : std::get<spec::Tensor>(*one->call.find("index")).values())
      for (const int bits : {8, 16, 32}) {
        const std::int64_t kept = value.integer() & ((std::int64_t{1} << bits) - 1);
        shown[bits] += value.integer() >= size && kept > 1 && kept < size;
      }
  }
  for (const int bits : {8, 16, 32}) EXPECT_GE(shown[bits], calls / 200) << bits;
}

/// An axis may have no place at all: a kernel that compares an index with the last place without a sign takes
/// any index then, and one that returns early where there is no data none.
TEST(Generator, PutsAnIndexIntoAnAxisWithoutPlaces) {
  for (const char* api : {"torch.gather", "onnx.GatherElements", "numpy.put_along_axis",
                          "tensorflow.gather_nd", "paddle.index_select", "mindspore.ops.gather"}) {
    const spec::OpSpec& op = *shipped_specs().find(api);
    Generator generator(op, 1);
    std::uint64_t made = 0;
    for (std::uint64_t i = 0; i < 5 * calls; ++i) {
      const auto one = generator.make(i);
      if (!one || !one->broken || one->index < IndexMode::one_bad) continue;
      bool without_data = false, with_index = true;
      for (std::size_t k = 0; k < op.arguments.size(); ++k)
        if (const auto* tensor = std::get_if<spec::Tensor>(&one->call.arguments[k].second))
          (op.is_index(op.arguments[k]) ? with_index &= tensor->numel() > 0
                                        : without_data |= tensor->numel() == 0);
      made += without_data && with_index;
    }
    EXPECT_GE(made, 5 * calls / 1000) << api;
  }
}

/// Users convert all index tensors in the same way, or forget one: a kernel may check only the first of them.
TEST(Generator, GivesOneOrAllOfThoseThatShareADtypeAWrongOne) {
  const spec::OpSpec& op = *shipped_specs().find("paddle.index_put");
  Generator generator(op, 1, {GenerationOptions::Sides::both, "I"});
  std::uint64_t alike = 0, apart = 0;
  for (std::uint64_t i = 0; i < calls; ++i) {
    const auto one = generator.make(i);
    ASSERT_TRUE(one);
    std::vector<spec::DType> dtypes;
    for (const auto& [name, value] : one->call.arguments)
      if (const auto* tensor = std::get_if<spec::Tensor>(&value); tensor && name.starts_with("indices_"))
        dtypes.push_back(tensor->dtype());
    if (dtypes.size() < 2) continue;
    ++(std::ranges::count(dtypes, dtypes[0]) == std::ssize(dtypes) ? alike : apart);
  }
  EXPECT_GE(alike, calls / 20);
  EXPECT_GE(apart, calls / 20);
}

TEST(Generator, MakesTensorsOfAMillionElementsWhereTheyAreWished) {
  const spec::OpSpec& op = *shipped_specs().find("numpy.take_along_axis");
  const auto largest = [&op](GenerationOptions wishes) {
    Generator generator(op, 1, std::move(wishes));
    std::int64_t most = 0;
    for (std::uint64_t i = 0; i < 6000; ++i)
      if (const auto one = generator.make(i))
        for (const auto& [name, value] : one->call.arguments)
          if (const auto* tensor = std::get_if<spec::Tensor>(&value)) most = std::max(most, tensor->numel());
    return most;
  };
  EXPECT_LT(largest({.sides = GenerationOptions::Sides::valid}), 1 << 18);
  EXPECT_GE(largest({.sides = GenerationOptions::Sides::valid, .large = true}), 1 << 18);
}

/// Few of the combiners, ranks and dtypes that the rules allow, and no index that counts from the end: the
/// example that narrows a form down most.
TEST(Generator, MakesOnlyWhatIsOfferedAlsoByValue) {
  const auto f32 = [](const spec::Call& call, const char* name) {
    const auto* tensor = std::get_if<spec::Tensor>(call.find(name));
    return tensor && tensor->dtype() == spec::DType::f32 && tensor->rank() <= 3;
  };
  const auto narrow = [&](const spec::Call& call) {
    const auto& indices = std::get<spec::Tensor>(*call.find("indices"));
    if (!f32(call, "data") || !f32(call, "updates") || indices.dtype() != spec::DType::i64) return false;
    if (std::get<std::string>(*call.find("reduction")) != "mul") return false;
    return std::ranges::none_of(indices.values(), [](const spec::Scalar& at) { return at.integer() < 0; });
  };
  Generator generator(*shipped_specs().find("onnx.ScatterElements"), 1, {.offered = narrow, .few = true});
  std::uint64_t made = 0, long_index = 0;
  std::set<std::string> forms;
  for (std::uint64_t i = 0; i < calls; ++i)
    if (const auto one = generator.make(i)) {
      long_index += std::get<spec::Tensor>(*one->call.find("indices")).numel() >= 16;
      ASSERT_TRUE(narrow(one->call)) << spec::to_string(one->call);
      ++made;
      forms.insert(form_of(*shipped_specs().find("onnx.ScatterElements"), one->call));
    }
  EXPECT_GT(made, calls * 9 / 10);
  EXPECT_GE(forms.size(), calls / 20);
  EXPECT_GE(long_index, calls / 20);
}

/// A kernel that takes one rank asks for the other forms once on a page, not for each call or sheet of calls.
TEST(Generator, LooksOnceForCallsThatAKernelDoesNotTake) {
  std::uint64_t asked = 0;
  const auto of_rank_two = [&](const spec::Call& call) {
    ++asked;
    return std::get<spec::Tensor>(*call.find("data")).rank() == 2;
  };
  Generator generator(*shipped_specs().find("onnx.ScatterElements"), 1,
                      {.offered = of_rank_two, .few = true});
  std::uint64_t made = 0;
  for (std::uint64_t number = 0; number < 240 + 480; ++number) made += generator.make(number).has_value();
  EXPECT_GT(made, 500u);
  EXPECT_LT(asked, 25'000u) << "on two pages of 30 forms";
}

TEST(Generator, MakesManyCallsOfAFormWhereOneCosts) {
  constexpr std::uint64_t in_a_row = 32;
  for (const char* api : {"torch.gather", "onnx.ScatterElements", "numpy.put_along_axis"}) {
    const spec::OpSpec& op = *shipped_specs().find(api);
    Generator generator(op, 1, {.calls_in_a_row = in_a_row});
    std::set<std::string> all_forms, all_calls;
    std::uint64_t made = 0, rows = 0, of_one_form = 0;
    for (std::uint64_t begin = 0; begin < 50 * in_a_row; begin += in_a_row) {
      std::set<std::string> forms;
      for (std::uint64_t i = begin; i < begin + in_a_row; ++i) {
        const auto one = generator.make(i);
        if (!one) continue;
        ++made;
        std::string layouts;
        for (const auto& [name, argument] : one->call.arguments)
          if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
            layouts += fmt::format("{}", fmt::join(tensor->strides(), " "));
        forms.insert(form_of(op, one->call) + layouts);
        all_calls.insert(spec::to_string(one->call));
      }
      ++rows;
      of_one_form += forms.size() == 1;
      all_forms.merge(forms);
    }
    EXPECT_GT(made, 40 * in_a_row) << api;
    EXPECT_GT(of_one_form, rows * 4 / 5) << api;
    EXPECT_GT(all_forms.size(), 30U) << api;
    EXPECT_GT(all_calls.size(), made / 2) << api;
  }
}

TEST(Statistics, CountsAloneAndInPairs) {
  Statistics statistics;
  statistics.see({{"a", "x"}, {"b", "1"}});
  statistics.see({{"a", "y"}, {"b", "1"}});
  statistics.see({{"a", "x"}, {"b", "2"}});
  EXPECT_EQ(statistics.count("a", "x"), 2u);
  EXPECT_EQ(statistics.count("a", "z"), 0u);
  EXPECT_EQ(statistics.pairs(), (std::pair<std::uint64_t, std::uint64_t>(3, 4)));
  EXPECT_EQ(statistics.missed({{"a", "y"}, {"b", "3"}}), (Traits{{"b", "3"}}));
}

}  // namespace
}  // namespace scatterproof::runner::fuzz
