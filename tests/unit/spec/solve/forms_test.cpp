// SPDX-License-Identifier: Apache-2.0
// The solver on small specs whose answers are known by hand. That what it finds for the shipped specs is
// right is tested where the calls are made (tests/unit/runner/fuzz).
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/solve.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "toy_specs.hpp"

namespace scatterproof::spec {
namespace {

OpSpec spec_with(const std::string& rules, const std::string& result = "shape(index)") {
  auto loaded = load_op_spec_text("toy.yaml", R"(
api: toy.gather
summary: reads x where index says
documents: [{id: doc, title: toy, framework: torch, versions: ">=1.0", url: "https://example.org"}]
arguments:
  x: {tensor: T}
  index: {tensor: I}
  n: {integer: {}}
types:
  T: {dtypes: [f32, f64], says: numbers, from: {document: doc, section: a}, broken: open}
  I: {dtypes: [i64], says: integers, from: {document: doc, section: a}, broken: open}
rules:
)" + rules + R"(
meaning:
  result: {shape: ")" + result + R"(", dtype: x}
  for: {p: shape(index)}
  write: out[p] <- x[index[p]]
  combine: assign
latitude: {collisions: last, accumulate: any, nan: open}
)");
  EXPECT_TRUE(loaded) << to_string(loaded.errors());
  return std::move(loaded).value();
}

std::string rule(const std::string& id, const std::string& require, const std::string& unless = "") {
  return "  - {id: " + id + ", says: s, from: {document: doc, section: a}, require: \"" + require + "\"" +
         (unless.empty() ? "" : ", unless: \"" + unless + "\"") + ", broken: {error: any, native: value}}\n";
}

const std::string basic = rule("vector", "rank(x) == 1") +
                          rule("in-range", "all p in positions(shape(index)): 0 <= index[p] < size(x, 0)") +
                          rule("count", "n == numel(index)");

std::vector<CallForm> draw(const FormSolver& solver, const Rule* broken, std::size_t count, Dice& dice) {
  return solver.draw(std::vector{broken}, count, dice);
}

TEST(FormSolver, AListOfTensorsHasNoGapsAndItsPlacesDiffer) {
  std::string text = testing::list_text;
  text.insert(text.find("meaning:"),
              rule("one", "rank(indices_0) == len(common_shape(indices))") +
                  rule("once", "unique p in positions(common_shape(indices)): elements(p, indices)") +
                  rule("in-range",
                       "all p in positions(common_shape(indices)): all d in range(count(indices)): "
                       "0 <= elements(p, indices)[d] < size(x, d)"));
  const OpSpec spec = testing::load(text);
  FormSolver solver(spec);
  Dice dice(1, 0);
  std::set<std::size_t> counts;
  std::size_t forms = 0, places = 0;
  for (int i = 0; i < 40; ++i)
    for (const CallForm& form : draw(solver, nullptr, 4, dice)) {
      EXPECT_EQ(item_behind_gap(spec, form.call), nullptr) << to_string(form.call);
      counts.insert(form.index.size());
      Call call = form.call;
      for (const IndexChoices& choices : form.index) {
        auto& tensor = std::get<Tensor>(call.arguments[choices.argument].second);
        tensor = tensor.clone();
        for (std::size_t n = 0; n < choices.good.size(); ++n)
          tensor.set_at_position(static_cast<std::int64_t>(n),
                                 Scalar::of_int(dice.pick(choices.lists[choices.good[n]])));
      }
      if (form.recheck && !meet_relations(spec, form, call, dice)) continue;
      ++forms;
      places += static_cast<std::size_t>(std::get<Tensor>(call.arguments[1].second).numel());
      for (const RuleState::Kind kind : rule_kinds(spec, call))
        EXPECT_EQ(kind, RuleState::Kind::obeyed) << to_string(call);
    }
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 2, 3, 4, 5}));
  EXPECT_GT(forms, 40u);
  EXPECT_GT(places, forms) << "hardly any index has elements";
}

TEST(FormSolver, FormsObeyAndDiffer) {
  const OpSpec spec = spec_with(basic);
  FormSolver solver(spec);
  Dice dice(1, 0);
  std::set<std::string> distinct;
  std::size_t forms = 0;
  for (int i = 0; i < 25; ++i)
    for (const CallForm& form : draw(solver, nullptr, 4, dice)) {
      ++forms;
      distinct.insert(to_string(form.call));
      const auto& x = std::get<Tensor>(*form.call.find("x"));
      EXPECT_EQ(x.rank(), 1u);
      for (const auto& list : form.index.at(0).lists)
        for (const std::int64_t value : list) EXPECT_TRUE(0 <= value && value < x.shape()[0]);
    }
  EXPECT_GT(forms, 40u);
  EXPECT_GT(distinct.size(), forms * 6 / 10);
}

TEST(FormSolver, ARuleOnValuesIsBrokenByValues) {
  const OpSpec spec = spec_with(basic);
  FormSolver solver(spec);
  Dice dice(2, 0);
  const auto forms = draw(solver, spec.rule("in-range"), 8, dice);
  ASSERT_FALSE(forms.empty());
  for (const CallForm& form : forms) {
    EXPECT_TRUE(form.by_values);
    const std::int64_t size = std::get<Tensor>(*form.call.find("x")).shape()[0];
    bool any = false;
    for (const std::uint32_t list : form.index.at(0).bad)
      for (const std::int64_t value : form.index[0].lists[list]) {
        any = true;
        EXPECT_TRUE(value < 0 || value >= size) << value << " " << size;
      }
    EXPECT_TRUE(any);
  }
}

/// Of all calls that break the rule.
std::int64_t highest_index(const OpSpec& spec, const Rule* broken) {
  FormSolver solver(spec);
  Dice dice(2, 0);
  std::int64_t highest = 0;
  for (const CallForm& solved : draw(solver, broken, 20, dice)) {
    const Variations variations(spec, solved);
    const auto varied = variations.draw({.numel = 64, .empty = false, .seed = 1}, dice);
    for (const CallForm* form : {&solved, varied ? &*varied : &solved})
      for (const auto& list : form->index.at(0).lists)
        for (const std::int64_t value : list) highest = std::max(highest, value);
  }
  return highest;
}

TEST(FormSolver, AnIndexThatSizesTheResultStaysSmall) {
  const OpSpec fixed = spec_with(basic),
               sized = spec_with(basic, "(if numel(index) == 0 then 0 else index[(0,)] + 1,)");
  EXPECT_GT(highest_index(fixed, fixed.rule("in-range")), std::int64_t{1} << 32);
  EXPECT_LE(highest_index(sized, sized.rule("in-range")), 1 << 20);
}

/// Forms that hold elements in x, and their data: the first number of x.
std::pair<int, std::set<double>> data_of(const OpSpec& spec, const Rule* broken) {
  FormSolver solver(spec);
  Dice dice(1, 0);
  int count = 0;
  std::set<double> data;
  for (int i = 0; i < 20; ++i)
    for (const CallForm& form : draw(solver, broken, 4, dice)) {
      const auto& x = std::get<Tensor>(form.call.arguments[0].second);
      if (x.numel() == 0) continue;
      ++count;
      data.insert(x.at_position(0).real());
    }
  return {count, data};
}

/// Also by the ends of 64 bits, and by what 32 bits cut to the number that obeyed.
TEST(FormSolver, AnIntegerBreaksARuleByLargeMargins) {
  const OpSpec spec = spec_with(basic);
  const Rule* count = &spec.rules.back();
  FormSolver solver(spec);
  Dice dice(1, 0);
  std::set<std::int64_t> numbers;
  bool looks_right_in_32_bits = false;
  for (int i = 0; i < 200; ++i)
    for (const CallForm& form : draw(solver, count, 4, dice)) {
      const std::int64_t n = std::get<Scalar>(*form.call.find("n")).integer();
      numbers.insert(n);
      const bool cut = n != static_cast<std::int32_t>(n);
      looks_right_in_32_bits |=
          cut && static_cast<std::int32_t>(n) == std::get<Tensor>(*form.call.find("index")).numel();
    }
  EXPECT_TRUE(numbers.contains(std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(numbers.contains(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(looks_right_in_32_bits);
}

TEST(FormSolver, DataAreOnesWhereZerosBreakARule) {
  const OpSpec spec = spec_with(basic + rule("no-zero", "all p in positions(shape(x)): x[p] != 0"));
  const auto [valid, ones] = data_of(spec, nullptr);
  EXPECT_GT(valid, 25) << "a form without elements shows little";
  EXPECT_EQ(ones, std::set<double>{1});
  const auto [broken, zeros] = data_of(spec, &spec.rules.back());
  EXPECT_GT(broken, 20);
  EXPECT_EQ(zeros, std::set<double>{0});
}

TEST(FormSolver, VariationsKeepDataAndGrowFormsWithoutElements) {
  const OpSpec spec = spec_with(basic + rule("no-zero", "all p in positions(shape(x)): x[p] != 0"));
  FormSolver solver(spec);
  Dice dice(1, 0);
  int drawn = 0, with_elements = 0;
  for (int i = 0; i < 20; ++i)
    for (CallForm& form : draw(solver, nullptr, 4, dice)) {
      const Variations variations(spec, std::move(form));
      const auto varied = variations.draw({.numel = 64, .seed = dice.bits()}, dice, {});
      if (!varied) continue;
      ++drawn;
      const auto& x = std::get<Tensor>(varied->call.arguments[0].second);
      with_elements += x.numel() > 0;
      if (x.numel() > 0) {
        EXPECT_EQ(x.at_position(0).real(), 1);
      }
    }
  EXPECT_GT(drawn, 25);
  EXPECT_GT(with_elements, drawn * 3 / 4);
}

// Five axes that are as long as each other would else have the size of one each, and more elements than 63
// bits count.
TEST(FormSolver, AxesThatGrowTogetherShareTheRoom) {
  const OpSpec spec =
      spec_with(rule("five", "rank(x) == 5") + rule("cube", "all d in dims(x): size(x, d) == size(x, 0)") +
                rule("in-range", "all p in positions(shape(index)): 0 <= index[p] < size(x, 0)"));
  Dice dice(1, 0);
  const auto forms = draw(FormSolver(spec), nullptr, 4, dice);
  ASSERT_FALSE(forms.empty());
  constexpr std::int64_t numel = 100'000;
  std::int64_t most = 0;
  for (const CallForm& form : forms) {
    const Variations variations(spec, form);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      if (const auto drawn = variations.draw({.numel = numel, .seed = seed}, dice))
        most = std::max(most, std::get<Tensor>(*drawn->call.find("x")).numel());
  }
  EXPECT_GE(most, numel / 32);  // 10 ^ 5 at most, 5 ^ 5 at least where the axes are what is large
  EXPECT_LE(most, numel);
}

TEST(FormSolver, SameDiceSameForms) {
  const OpSpec spec = spec_with(basic);
  FormSolver first(spec), second(spec);
  Dice before(9, 0), one(3, 0), same(3, 0);
  first.draw(std::vector<const Rule*>(8), 4, before);  // what was drawn before changes nothing
  const std::vector<const Rule*> sides{nullptr, spec.rule("count"), spec.rule("in-range"), nullptr};
  const auto a = first.draw(sides, 4, one), b = second.draw(sides, 4, same);
  ASSERT_GE(a.size(), 6u);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(to_string(a[i].call), to_string(b[i].call));
}

/// That forms are drawn whose index, of several elements, can be given values by which all rules are obeyed.
void expect_distinct_values(const OpSpec& spec, const FormSolver& solver) {
  Dice dice(4, 0);
  std::size_t several = 0;
  for (int i = 0; i < 20; ++i)
    for (CallForm& form : draw(solver, nullptr, 4, dice)) {
      Call call = form.call;
      auto& index = std::get<Tensor>(call.arguments[1].second);
      index = index.clone();
      if (!meet_relations(spec, form, call, dice)) continue;
      several += index.numel() > 1;
      for (const RuleState& state : check_rules(spec, call)) EXPECT_EQ(state.kind, RuleState::Kind::obeyed);
    }
  EXPECT_GT(several, 5u);
}

TEST(FormSolver, DistinctValuesAreFound) {
  const OpSpec spec =
      spec_with(rule("vector", "rank(x) == 1") +
                rule("in-range", "all p in positions(shape(index)): 0 <= index[p] < size(x, 0)") +
                rule("once", "unique p in positions(shape(index)): index[p]"));
  FormSolver solver(spec);
  expect_distinct_values(spec, solver);
  EXPECT_TRUE(solver.possible(spec.rule("once")));
}

// The number of x's dimensions of size 1 is known to the solver only where it reads the condition.
TEST(FormSolver, ATupleOfThoseThatAConditionKeepsIsRead) {
  const OpSpec spec = spec_with(
      rule("shape", "rank(x) == 4 and rank(index) == 1") +
      rule("ones", "n == sum(each d in (each e in dims(x) where size(x, e) == 1: e) where d > 0: d)") +
      rule("some", "len(each d in dims(x) where size(x, d) == 1: d) == 2 and n == 5") +
      rule("in-range", "all p in positions(shape(index)): 0 <= index[p] < size(x, 0)"));
  Dice dice(2, 0);
  const auto forms = draw(FormSolver(spec), nullptr, 12, dice);
  ASSERT_GE(forms.size(), 6u);  // of all shapes few have their ones in the last two dimensions alone
  for (const CallForm& form : forms) {
    const Shape& sizes = std::get<Tensor>(*form.call.find("x")).shape();
    EXPECT_TRUE(sizes[0] != 1 && sizes[1] != 1 && sizes[2] == 1 && sizes[3] == 1) << to_string(form.call);
  }
}

// The positions have more coordinates than the index has dimensions, and not those of a broadcast.
TEST(FormSolver, DistinctValuesAreFoundWherePositionsGoOn) {
  const OpSpec spec =
      spec_with(rule("vector", "rank(x) == 1 and rank(index) == 1 and numel(index) <= 3") +
                rule("in-range", "all p in positions(shape(index)): 0 <= index[p] < size(x, 0)") +
                rule("apart", "unique p in positions(shape(index) ++ (7,)): (index[p[:1]], p[1])"));
  expect_distinct_values(spec, FormSolver(spec));
}

/// The count of trues stands in the rule itself, or under a name.
OpSpec masked_spec(bool named) {
  auto loaded = load_op_spec_text("toy.yaml", R"(
api: toy.masked
summary: lays out x where mask says
documents: [{id: doc, title: toy, framework: torch, versions: ">=1.0", url: "https://example.org"}]
arguments:
  x: {tensor: T}
  mask: {tensor: M}
types:
  T: {dtypes: [f32, f64], says: numbers, from: {document: doc, section: a}, broken: open}
  M: {dtypes: [bool], says: truths, from: {document: doc, section: a}, broken: open}
let:
  n: trues(mask, shape(mask))
rules:
)" + rule("enough", named ? "n <= numel(x)" : "trues(mask, shape(mask)) <= numel(x)") +
                                                  R"(
meaning:
  result: {shape: shape(mask), dtype: x}
  for: {p: shape(mask)}
  write: "out[p] <- if mask[p] then x[unravel(trues(mask, shape(mask), p), shape(x))] else 0"
  combine: assign
latitude: {collisions: last, accumulate: any, nan: open}
)");
  EXPECT_TRUE(loaded) << to_string(loaded.errors());
  return std::move(loaded).value();
}

class Masks : public ::testing::TestWithParam<bool> {};

TEST_P(Masks, HaveAsManyTruesAsTheRulesAllow) {
  const OpSpec spec = masked_spec(GetParam());
  FormSolver solver(spec);
  Dice dice(4, 0);
  std::size_t thinned = 0, broken = 0;
  for (int i = 0; i < 20; ++i) {
    for (const CallForm& form : draw(solver, nullptr, 4, dice)) {
      Call call = form.call;
      auto& mask = std::get<Tensor>(call.arguments[1].second);
      mask = Tensor(DType::boolean, mask.shape(),
                    std::vector(static_cast<std::size_t>(mask.numel()), Scalar::of_bool(true)));
      ASSERT_TRUE(form.recheck);
      ASSERT_TRUE(meet_relations(spec, form, call, dice));
      std::int64_t trues = 0;
      for (const Scalar& one : mask.values()) trues += one.integer();
      EXPECT_EQ(trues, std::min(mask.numel(), std::get<Tensor>(call.arguments[0].second).numel()));
      thinned += trues > 0 && trues < mask.numel();
    }
    broken += draw(solver, spec.rule("enough"), 4, dice).size();
  }
  EXPECT_GT(thinned, 5u);
  EXPECT_GT(broken, 20u);
}

INSTANTIATE_TEST_SUITE_P(CountedInTheRuleOrByName, Masks, ::testing::Bool());

TEST(LintRules, AnImpliedRuleIsNamed) {
  const OpSpec spec = spec_with(basic + rule("less", "n <= numel(index) + 1"));
  const Errors errors = lint_rules(spec);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].what, "rule 'less' cannot be broken alone: the other rules imply it");
  EXPECT_GT(errors[0].at.line, 0);
}

TEST(LintRules, AContradictionIsNamed) {
  const Errors errors = lint_rules(spec_with(basic + rule("never", "n > numel(index)")));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NE(errors[0].what.find("they contradict each other"), std::string::npos);
}

TEST(LintRules, GoodRulesAreNot) { EXPECT_TRUE(lint_rules(spec_with(basic)).empty()); }

}  // namespace
}  // namespace scatterproof::spec
