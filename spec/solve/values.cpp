// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "scatterproof/spec/language/evaluator.hpp"
#include "scatterproof/spec/language/print.hpp"
#include "scatterproof/spec/opspec/reading.hpp"
#include "scatterproof/spec/oracle/fast.hpp"
#include "scatterproof/spec/oracle/rules.hpp"
#include "shuffle.hpp"
#include "skeleton.hpp"

namespace scatterproof::spec::solve {
namespace {

using language::Function;
using language::Node;
using language::NodeKind;

constexpr std::int64_t most_rows = std::int64_t{1} << 20;

bool calls(const Node& root, Function function) {
  bool found = false;
  visit(root, [&](const Node& node) { found = found || node.is_call(function); });
  return found;
}

/// Whether it counts the trues of a mask, itself or by a name of `let`.
bool counts_trues(const OpSpec& spec, const Node& root) {
  bool found = calls(root, Function::trues);
  visit(root, [&](const Node& node) {
    const std::size_t first = spec.arguments.size();
    if (found || node.kind != NodeKind::variable || node.local) return;
    if (const auto slot = static_cast<std::size_t>(node.slot); slot >= first)
      found = counts_trues(spec, spec.lets[slot - first].second->root());
  });
  return found;
}

bool quantifies(const Node& root, language::Quantifier quantifier) {
  bool found = false;
  visit(root, [&](const Node& node) {
    found = found || (node.kind == NodeKind::quantified && node.quantifier == quantifier);
  });
  return found;
}

/// Whether elements of an index at several places are read for one truth: `x[i - 1] <= x[i]`.
bool compares_elements(const Node& root, const std::vector<std::size_t>& index) {
  std::set<std::string> places;
  visit(root, [&](const Node& node) {
    if (node.kind != NodeKind::subscript) return;
    const Node& read = node.operands[0];
    if (read.kind == NodeKind::variable && !read.local &&
        std::ranges::find(index, static_cast<std::size_t>(read.slot)) != index.end())
      places.insert(language::print(node, [](const Node&) { return std::nullopt; }));
  });
  return places.size() > 1;
}

/// Whether it adds or subtracts, so that a range of index values is not simply that of a size.
bool calculates(const Node& root) {
  bool found = false;
  visit(root, [&](const Node& node) {
    for (const language::Operator op : node.operators)
      found = found || op == language::Operator::add || op == language::Operator::subtract;
  });
  return found;
}

/// Whether it reads several values at once, so that all zeros obey it and other values may not.
bool counts_values(const OpSpec& spec, const Node& root) {
  bool extreme = false;
  visit(root, [&](const Node& node) {
    extreme = extreme ||
              ((node.is_call(Function::max) || node.is_call(Function::min)) && node.operands.size() == 1);
  });
  return extreme || counts_trues(spec, root) || quantifies(root, language::Quantifier::any);
}

/// Every value that could be a position in some tensor of the call, and one more at both ends. With
/// `numbers`, the number of an element is such a position too.
std::vector<std::int64_t> near_values(const Call& call, DType dtype, bool numbers) {
  std::int64_t largest = 1;
  constexpr std::int64_t most = 64;
  for (const auto& [name, argument] : call.arguments) {
    if (const auto* tensor = std::get_if<Tensor>(&argument)) {
      for (const std::int64_t size : tensor->shape()) largest = std::max(largest, size);
      if (numbers) largest = std::max(largest, std::min(tensor->numel(), most));
    }
    if (const auto* number = std::get_if<Scalar>(&argument);
        number && number->kind() == Scalar::Kind::integer)
      largest = std::max(largest, std::clamp<std::int64_t>(number->integer(), 1, most));
  }
  std::vector<std::int64_t> values;
  for (std::int64_t value = -largest - 1; value <= largest + 1; ++value)
    if (fits(Scalar::of_int(value), dtype)) values.push_back(value);
  return values;
}

}  // namespace

std::vector<std::int64_t> far_values(DType dtype) {
  constexpr std::int64_t two_31 = std::int64_t{1} << 31, two_32 = std::int64_t{1} << 32;
  std::vector<std::int64_t> values;
  for (const std::int64_t value :
       {-two_32, -two_31, std::int64_t{-1000}, std::int64_t{1000}, two_31 - 1, two_31, two_32, two_32 + 1})
    if (fits(Scalar::of_int(value), dtype)) values.push_back(value);
  if (is_integer(dtype)) {
    values.push_back(integer_range(dtype).lowest);
    values.push_back(integer_range(dtype).highest);
  }
  return values;
}

namespace {

std::uint32_t number_of(std::vector<std::vector<std::int64_t>>& lists, std::vector<std::int64_t> list) {
  const auto found = std::ranges::find(lists, list);
  if (found != lists.end()) return static_cast<std::uint32_t>(found - lists.begin());
  lists.push_back(std::move(list));
  return static_cast<std::uint32_t>(lists.size() - 1);
}

/// A rule that is `all p in positions(..): body`, where one element changes one instance of the body: only
/// that instance is evaluated. Rules of any other form are evaluated whole.
class Question {
 public:
  Question(const Rule& rule, const language::Frame& frame)
      : rule_(rule), frame_(frame), evaluator_(frame, rule.require->root()) {
    const Node& root = rule.require->root();
    if (calls(root, Function::elements) || calls(root, Function::selected))
      return;  // its positions are not those of one tensor
    single_ = root.kind == NodeKind::quantified && root.quantifier == language::Quantifier::all &&
              root.operands.size() == 2 && root.operands[0].is_call(Function::positions) && !rule.unless;
    if (root.kind == NodeKind::quantified && rule.unless && root.operands.size() == 2 &&
        root.operands[0].is_call(Function::positions)) {
      try {
        lifted_ = language::evaluate_bool(*rule.unless, frame);
        single_ = true;
      } catch (const language::NotEvaluable&) {
        unevaluable_ = true;
      }
    }
  }

  /// Whether the rule is broken with the element at `at` as it now is, the others being harmless.
  bool broken(const Coords& at) {
    if (lifted_ || unevaluable_) return false;
    if (!single_) return stand(rule_, frame_) == RuleState::Kind::broken;
    const Node& root = rule_.require->root();
    evaluator_.bound(root) = at;
    try {
      return !evaluator_.truth(root.operands[1]);
    } catch (const language::NotEvaluable&) {
      return false;
    }
  }

 private:
  const Rule& rule_;
  const language::Frame& frame_;
  language::Evaluator evaluator_;
  bool single_ = false;
  bool lifted_ = false;
  bool unevaluable_ = false;
};

}  // namespace

ValueRules::ValueRules(const OpSpec& spec) : spec_(spec) {
  for (std::size_t i = 0; i < spec.arguments.size(); ++i)
    if (spec.is_index(spec.arguments[i]))
      index_.push_back(i);
    else if (spec.arguments[i].kind != ArgumentKind::integers)
      data_.push_back(i);
  const std::vector<bool> lets = lets_that_read(spec, index_);
  const bool sizes_result = reads_values(spec.meaning.result_shape->root(), index_, lets);
  highest_tried_ = sizes_result ? most_rows : std::numeric_limits<std::int64_t>::max();
  data_lets_ = lets_that_read(spec, data_);
  for (const Rule& rule : spec.rules) {
    const Node& root = rule.require->root();
    if (!holds_for(rule.applies, spec, {}) || !reads_values(root, index_, lets)) continue;
    const bool counts = counts_values(spec, root);
    rules_.push_back({&rule, counts || quantifies(root, language::Quantifier::unique), counts,
                      compares_elements(root, index_) || calculates(root)});
  }
  numbers_ =
      std::ranges::any_of(
          rules_, [](const ValueRule& one) { return calls(one.rule->require->root(), Function::numel); }) ||
      std::ranges::any_of(spec.lets,
                          [](const auto& let) { return calls(let.second->root(), Function::numel); });
}

bool ValueRules::relates(const Rule& rule) const {
  return std::ranges::any_of(rules_, [&](const ValueRule& one) { return one.rule == &rule && one.relates; });
}

bool ValueRules::relates_pairs() const {
  return std::ranges::any_of(rules_, [](const ValueRule& one) { return one.relates && !one.counts; });
}

bool ValueRules::reads(const Rule& rule) const {
  return std::ranges::any_of(rules_, [&](const ValueRule& one) { return one.rule == &rule; });
}

bool ValueRules::reads_data(const Rule& rule) const {
  return spec::reads_values(rule.require->root(), data_, data_lets_);
}

bool ValueRules::any_reads_data() const {
  return std::ranges::any_of(spec_.rules, [&](const Rule& rule) { return reads_data(rule); });
}

bool ValueRules::any_compares_index() const { return std::ranges::any_of(rules_, &ValueRule::compares); }

bool ValueRules::must_recheck(const Call& call, const Rule* broken) const {
  if (std::ranges::none_of(rules_, &ValueRule::relates)) return false;
  const CallFrame frame = make_frame(spec_, call);
  return std::ranges::any_of(rules_, [&](const ValueRule& one) {
    return one.relates &&
           (one.counts || one.rule == broken || stand(*one.rule, frame.frame) == RuleState::Kind::broken);
  });
}

bool ValueRules::settle(CallForm& form) const {
  const CallFrame frame = make_frame(spec_, form.call);
  form.recheck = must_recheck(form.call, form.broken);
  std::vector<Question> good, bad;
  for (const ValueRule& one : rules_) {
    if (one.rule == form.broken) form.by_values = true;
    if (one.relates) continue;
    // Zero is the first place there is: where it is out of range every value is.
    if (one.rule != form.broken && stand(*one.rule, frame.frame) == RuleState::Kind::broken) return false;
    (one.rule == form.broken ? bad : good).emplace_back(*one.rule, frame.frame);
  }
  const auto any_broken = [](std::vector<Question>& questions, const Coords& at) {
    return std::ranges::any_of(questions, [&](Question& one) { return one.broken(at); });
  };
  bool breakable = bad.empty();
  for (const std::size_t argument : index_) {
    auto* tensor = std::get_if<Tensor>(&form.call.arguments[argument].second);
    if (!tensor) continue;
    IndexChoices choices{.argument = argument};
    const std::vector<std::int64_t> near = near_values(form.call, tensor->dtype(), numbers_),
                                    far = far_values(tensor->dtype());
    Coords at(tensor->rank(), 0);
    const std::int64_t count = tensor->numel();
    for (std::int64_t n = 0; n < count; ++n, next(at, tensor->shape())) {
      std::vector<std::int64_t> keeps, breaks;
      const auto ask = [&](std::int64_t value, bool may_keep) {
        tensor->set(at, Scalar::of_int(value));
        if (any_broken(good, at)) return;
        if (!bad.empty() && any_broken(bad, at))
          breaks.push_back(value);
        else if (may_keep)
          keeps.push_back(value);
      };
      for (const std::int64_t value : near) ask(value, true);
      if (!bad.empty())
        for (const std::int64_t value : far)
          if (value <= highest_tried_) ask(value, false);
      tensor->set(at, Scalar::of_int(0));
      if (keeps.empty() && breaks.empty()) return false;
      breakable = breakable || !breaks.empty();
      std::ranges::sort(breaks);
      if (keeps.empty()) keeps = breaks;
      choices.good.push_back(number_of(choices.lists, std::move(keeps)));
      if (!bad.empty()) choices.bad.push_back(number_of(choices.lists, std::move(breaks)));
    }
    form.index.push_back(std::move(choices));
  }
  return breakable;
}

}  // namespace scatterproof::spec::solve

namespace scatterproof::spec {
namespace {

using language::Node;
using language::NodeKind;

constexpr int redraws = 24;

/// The number of the first element of `index` that belongs to `at` from coordinate `ahead` on; none where one
/// of these lies outside.
std::optional<std::int64_t> first_at(const Tensor& index, const Coords& at, std::size_t ahead) {
  std::int64_t first = 0;
  for (std::size_t d = 0; d < index.rank() && ahead + d < at.size(); ++d) {
    const std::int64_t size = index.shape()[d], coordinate = size == 1 ? 0 : at[ahead + d];
    if (coordinate >= size) return std::nullopt;
    first = first * size + coordinate;
  }
  return first;
}

/// Draws the elements of `choices` whose coordinates begin with `at`; where the index has fewer dimensions,
/// the element that broadcasting puts there, or with `leading` the one at the first coordinates of `at`.
void redraw(const IndexChoices& choices, Tensor& index, const Coords& at, bool leading, Dice& dice) {
  std::int64_t inner = 1;
  for (std::size_t d = at.size(); d < index.rank(); ++d) inner *= index.shape()[d];
  const std::size_t surplus = at.size() > index.rank() ? at.size() - index.rank() : 0;
  const auto first = first_at(index, at, leading ? 0 : surplus);
  if (!first) return;
  for (std::int64_t n = *first * inner; n < (*first + 1) * inner; ++n) {
    const auto& list = choices.lists[choices.good[static_cast<std::size_t>(n)]];
    index.set_at_position(n, Scalar::of_int(dice.pick(list)));
  }
}

/// Clears as few elements of the masks as it takes for the rule to be obeyed, drawn at random.
bool thin_out(const OpSpec& spec, const Rule& rule, const CallForm& form, Call& call, Dice& dice) {
  std::vector<std::pair<Tensor*, std::int64_t>> trues;
  for (const IndexChoices& choices : form.index) {
    auto& mask = std::get<Tensor>(call.arguments[choices.argument].second);
    for (std::int64_t n = 0; mask.dtype() == DType::boolean && n < mask.numel(); ++n)
      if (mask.at_position(n).integer() != 0) trues.emplace_back(&mask, n);
  }
  solve::shuffle(trues, dice);
  const auto obeys_without = [&](std::size_t count) {
    for (std::size_t i = 0; i < trues.size(); ++i)
      trues[i].first->set_at_position(trues[i].second, Scalar::of_bool(i >= count));
    return stand(spec, rule, call) != RuleState::Kind::broken;
  };
  std::size_t too_few = 0, enough = trues.size();
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (obeys_without(middle) ? enough : too_few) = middle;
  }
  return obeys_without(enough);
}

/// One `unique i in positions(..): key`, met position by position; or a bound on the trues of a mask.
bool meet(const OpSpec& spec, const Rule& rule, const CallForm& form, Call& call, Dice& dice) {
  const Node& root = rule.require->root();
  if (solve::counts_trues(spec, root)) return thin_out(spec, rule, form, call, dice);
  if (root.kind != NodeKind::quantified || root.quantifier != language::Quantifier::unique ||
      !root.operands[0].is_call(language::Function::positions))
    return false;
  const CallFrame frame = make_frame(spec, call);
  language::Evaluator evaluator(frame.frame, root);
  const Shape sizes = evaluator.tuple(root.operands[0].operands[0]);
  if (numel(sizes) == 0) return true;
  std::set<Shape> seen;
  bool redrawn = false;
  Coords at(sizes.size(), 0);
  do {
    evaluator.bound(root) = at;
    int tries = 0;
    while (!seen.insert(evaluator.tuple(root.operands[1])).second) {
      if (++tries == redraws) return false;
      redrawn = true;
      for (const IndexChoices& choices : form.index)
        redraw(choices, std::get<Tensor>(call.arguments[choices.argument].second), at, tries % 2 == 0, dice);
    }
  } while (next(at, sizes));
  // An element that is broadcast lies at several places.
  return !redrawn || stand(spec, rule, call) == RuleState::Kind::obeyed;
}

}  // namespace

bool meet_relations(const OpSpec& spec, const CallForm& form, Call& call, Dice& dice) {
  for (const Rule& rule : spec.rules) {
    if (!holds_for(rule.applies, spec, {}) || &rule == form.broken) continue;
    try {
      if (stand(spec, rule, call) == RuleState::Kind::broken && !meet(spec, rule, form, call, dice))
        return false;
    } catch (const language::NotEvaluable&) {
      return false;
    }
  }
  return true;
}

}  // namespace scatterproof::spec
