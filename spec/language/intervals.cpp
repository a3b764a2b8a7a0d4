// SPDX-License-Identifier: Apache-2.0
// Interval arithmetic over ranks (0 .. 8), sizes and counts (at least 0), and three-valued logic over that.
#include "intervals.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec::language {
namespace {

constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();
constexpr auto rank_limit = static_cast<std::int64_t>(max_rank);

/// Both ends belong to it; an end at +-infinite is open.
struct Interval {
  std::int64_t low = -infinite;
  std::int64_t high = infinite;
};

bool open(std::int64_t end) { return end == infinite || end == -infinite; }

std::int64_t plus(std::int64_t a, std::int64_t b) {
  if (open(a) || open(b)) return open(a) ? a : b;
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? -infinite : infinite) : sum;
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  const bool too_large = a != 0 && b != 0 && (open(a) || open(b) || __builtin_mul_overflow(a, b, &product));
  return too_large ? ((a < 0) == (b < 0) ? infinite : -infinite) : product;
}

Interval operator+(Interval a, Interval b) { return {plus(a.low, b.low), plus(a.high, b.high)}; }
Interval operator-(Interval a) { return {-a.high, -a.low}; }
Interval operator*(Interval a, Interval b) {
  const auto [low, high] =
      std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return {low, high};
}
Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

using Truth = std::optional<bool>;  // nothing: it varies

/// What is known of a value: of an integer its range; of a tuple its length and the range of its elements.
struct Known {
  Interval value = {};
  Interval length = {};
  Truth truth = {};
};

Known integer_in(std::int64_t low, std::int64_t high) { return {.value = {low, high}}; }
Known tuple_in(Interval element, std::int64_t shortest, std::int64_t longest) {
  return {.value = element, .length = {shortest, longest}};
}
Known boolean(Truth truth) { return {.truth = truth}; }

Truth opposite(Truth truth) { return truth ? Truth(!*truth) : Truth(); }

class Intervals {
 public:
  explicit Intervals(std::size_t locals) : locals_(locals) {}

  Known known(const Node& node) {
    switch (node.kind) {
      case NodeKind::literal:
        return literal(node.value);
      case NodeKind::variable:
        return node.local ? locals_[static_cast<std::size_t>(node.slot)] : Known{};
      case NodeKind::tuple:
        return tuple(node);
      case NodeKind::conditional:
        return conditional(node);
      case NodeKind::quantified:
        return quantified(node);
      case NodeKind::negation:
        return boolean(opposite(known(node.operands[0]).truth));
      case NodeKind::conjunction:
        return boolean(any_is(node, false) ? Truth(false) : all_are(node, true));
      case NodeKind::disjunction:
        return boolean(any_is(node, true) ? Truth(true) : all_are(node, false));
      case NodeKind::implication:
        return boolean(implication(known(node.operands[0]).truth, known(node.operands[1]).truth));
      case NodeKind::comparison:
        return boolean(comparison(node));
      case NodeKind::arithmetic:
        return arithmetic(node);
      case NodeKind::minus:
        return {.value = -known(node.operands[0]).value};
      case NodeKind::replacement:
        return replacement(node);
      case NodeKind::subscript:
        return of_tuple(node) ? Known{.value = known(node.operands[0]).value} : Known{};
      case NodeKind::slice: {
        const Known whole = known(node.operands[0]);
        return tuple_in(whole.value, 0, whole.length.high);
      }
      case NodeKind::call:
        return call(node);
      case NodeKind::list:
        break;
    }
    return {};
  }

 private:
  static bool of_tuple(const Node& subscript) {
    return (subscript.operands[0].types & static_cast<Types>(Type::tensor)) == 0;
  }

  static Known literal(const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return integer_in(*integer, *integer);
    if (const auto* truth = std::get_if<bool>(&value)) return boolean(*truth);
    return {};
  }

  Known tuple(const Node& node) {
    const auto count = static_cast<std::int64_t>(node.operands.size());
    Known result = tuple_in({infinite, -infinite}, count, count);
    for (const Node& item : node.operands) result.value = hull(result.value, known(item).value);
    return result;
  }

  Known conditional(const Node& node) {
    const Truth chosen = known(node.operands[0]).truth;
    if (chosen) return known(node.operands[*chosen ? 1 : 2]);
    const Known a = known(node.operands[1]), b = known(node.operands[2]);
    return {hull(a.value, b.value), hull(a.length, b.length), a.truth == b.truth ? a.truth : Truth()};
  }

  Known replacement(const Node& node) {
    Known result = known(node.operands[0]);
    for (std::size_t i = 2; i < node.operands.size(); i += 2)
      result.value = hull(result.value, known(node.operands[i]).value);
    return result;
  }

  Known arithmetic(const Node& node) {
    Known result = known(node.operands[0]);
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const Known right = known(node.operands[i + 1]);
      switch (node.operators[i]) {
        case Operator::join:
          result = {.value = hull(result.value, right.value), .length = result.length + right.length};
          break;
        case Operator::add:
          result.value = result.value + right.value;
          break;
        case Operator::subtract:
          result.value = result.value + -right.value;
          break;
        case Operator::multiply:
          result.value = result.value * right.value;
          break;
        case Operator::modulo:
          result.value = right.value.low > 0 ? Interval{0, plus(right.value.high, -1)} : Interval{};
          break;
        default:
          result.value = {};
      }
    }
    return result;
  }

  // --- logic ---

  bool any_is(const Node& node, bool truth) {
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [&](const Node& n) { return known(n).truth == Truth(truth); });
  }
  Truth all_are(const Node& node, bool truth) {
    const bool all = std::all_of(node.operands.begin(), node.operands.end(),
                                 [&](const Node& n) { return known(n).truth == Truth(truth); });
    return all ? Truth(truth) : Truth();
  }

  static Truth implication(Truth premise, Truth conclusion) {
    if (premise == Truth(false) || conclusion == Truth(true)) return true;
    return premise == Truth(true) ? conclusion : Truth();
  }

  Known quantified(const Node& node) {
    const Node& domain = node.operands[0];
    Known range;  // of the domain's members
    std::int64_t fewest = 0, most = infinite;
    if (domain.is_call(Function::positions)) {
      const Known sizes = known(domain.operands[0]);
      range = {.value = {0, plus(sizes.value.high, -1)}, .length = sizes.length};
    } else {
      const Known members = known(domain);
      range.value = members.value;
      fewest = std::max<std::int64_t>(members.length.low, 0);
      most = members.length.high;
    }
    locals_[static_cast<std::size_t>(node.slot)] = range;
    const Truth filter = node.operands.size() == 3 ? known(node.operands[2]).truth : Truth(true);
    if (node.quantifier == Quantifier::each)
      return tuple_in(known(node.operands[1]).value, filter == Truth(true) ? fewest : 0, most);
    if (most == 0 || filter == Truth(false)) return boolean(node.quantifier != Quantifier::any);
    if (node.quantifier == Quantifier::unique) return boolean(most <= 1 ? Truth(true) : Truth());
    const Truth body = known(node.operands[1]).truth;
    const bool decided_when_empty = node.quantifier == Quantifier::all;
    if (body == Truth(decided_when_empty)) return boolean(body);
    return boolean(fewest > 0 && filter == Truth(true) ? body : Truth());
  }

  Truth comparison(const Node& node) {
    Truth result = true;
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const Truth pair = compare(node.operands[i], node.operators[i], node.operands[i + 1]);
      if (pair == Truth(false)) return false;
      if (!pair) result.reset();
    }
    return result;
  }

  Truth compare(const Node& left, Operator op, const Node& right) {
    if (op == Operator::not_in) return opposite(compare(left, Operator::in, right));
    if (op == Operator::not_equal) return opposite(compare(left, Operator::equal, right));
    if (op == Operator::greater) return opposite(compare(left, Operator::less_equal, right));
    if (op == Operator::greater_equal) return opposite(compare(left, Operator::less, right));
    if (right.kind == NodeKind::list || !ordered(left) || !ordered(right)) return same(left, right, op);
    const Known a = known(left), b = known(right);
    if (op == Operator::in)
      return b.length.high == 0 || a.value.high < b.value.low || a.value.low > b.value.high ? Truth(false)
                                                                                            : Truth();
    if (const Truth equal = same(left, right, op)) return equal;
    if (op == Operator::equal) return equal(a, b);
    const std::int64_t strict = op == Operator::less ? 1 : 0;
    if (!open(a.value.high) && !open(b.value.low) && plus(a.value.high, strict) <= b.value.low) return true;
    if (!open(a.value.low) && !open(b.value.high) && plus(a.value.low, strict) > b.value.high) return false;
    return {};
  }

  static bool ordered(const Node& node) {
    constexpr Types exact = Type::integer | Type::tuple;
    return (node.types & exact) != 0 && (node.types & ~exact) == 0;
  }

  static Truth equal(const Known& a, const Known& b) {
    const auto apart = [](Interval x, Interval y) { return x.high < y.low || y.high < x.low; };
    const auto point = [](Interval x) { return x.low == x.high; };
    const bool tuples = a.length.high != infinite || b.length.high != infinite;
    if (apart(a.length, b.length)) return false;
    if (tuples && a.length.low <= 0 && b.length.low <= 0) return {};  // both may be empty
    if (apart(a.value, b.value)) return false;
    return !tuples && point(a.value) && point(b.value) ? Truth(true) : Truth();
  }

  /// The same words on both sides, as in `rank(self) == rank(self)`; two different literals.
  static Truth same(const Node& left, const Node& right, Operator op) {
    if (op == Operator::in || ((left.types | right.types) & static_cast<Types>(Type::number)) != 0) return {};
    if (print(left) == print(right)) return op != Operator::less;
    const bool literals = left.kind == NodeKind::literal && right.kind == NodeKind::literal;
    return literals && op == Operator::equal && left.value.index() == right.value.index() ? Truth(false)
                                                                                          : Truth();
  }

  // --- functions ---

  Known call(const Node& node) {
    const auto operand = [&](std::size_t i) { return known(node.operands[i]); };
    switch (node.function) {
      case Function::rank:
        return integer_in(0, rank_limit);
      case Function::size:
      case Function::numel:
        return integer_in(0, infinite);
      case Function::shape:
      case Function::broadcast:
      case Function::common_shape:
      case Function::index_shape:
        return tuple_in({0, infinite}, 0, rank_limit);
      case Function::dims:
        return tuple_in({0, rank_limit - 1}, 0, rank_limit);
      case Function::len:
        return {.value = {std::max<std::int64_t>(operand(0).length.low, 0), operand(0).length.high}};
      case Function::tuple:
        return tuple_in({}, 0, infinite);
      case Function::range: {
        const Interval from = node.operands.size() == 1 ? Interval{0, 0} : operand(0).value;
        const Interval to = operand(node.operands.size() - 1).value, width = to + -from;
        return tuple_in({from.low, plus(to.high, -1)}, std::max<std::int64_t>(width.low, 0),
                        std::max<std::int64_t>(width.high, 0));
      }
      case Function::product:
        return integer_in(operand(0).value.low >= 0 ? 0 : -infinite, infinite);
      case Function::sum:
        return integer_in(operand(0).value.low >= 0 ? 0 : -infinite, infinite);
      case Function::min:
      case Function::max:
        return extreme(node);
      case Function::abs:
        return integer_in(0, infinite);
      case Function::stretch:
        return {.value = hull(operand(0).value, {0, 0}), .length = operand(1).length};
      case Function::ravel:
      case Function::trues:
        return integer_in(0, infinite);
      case Function::unravel:
        return {.value = {0, infinite}, .length = operand(1).length};
      case Function::count:
        return integer_in(0, static_cast<std::int64_t>(node.operands.size()));
      case Function::parts:
      case Function::axis_of:
        return integer_in(0, static_cast<std::int64_t>(Selection::most));
      case Function::selected_shape:
        return tuple_in({0, infinite}, 0, static_cast<std::int64_t>(Selection::most));
      case Function::selected:
        return tuple_in({}, 0, rank_limit);
      case Function::elements:
        return tuple_in({}, 0, static_cast<std::int64_t>(node.operands.size()) - 1);
      case Function::is_tensor:
        return boolean(has(node.operands[0].types, Type::tensor));
      case Function::given:
        return boolean(opposite(has(node.operands[0].types, Type::none)));
      case Function::dtype:
      case Function::is_compact:
      case Function::positions:
      case Function::wrap:
      case Function::numbers_within:
      case Function::is_mask:
      case Function::masks_fit:
      case Function::numbers_first:
      case Function::broadcastable:
      case Function::broadcasts_to:
      case Function::is_float:
      case Function::is_integer:
      case Function::is_complex:
      case Function::holds:
      case Function::represents:
        return {};
    }
    return {};
  }

  static Truth has(Types types, Type one) {
    const Types bit = static_cast<Types>(one);
    return types == bit ? Truth(true) : (types & bit) == 0 ? Truth(false) : Truth();
  }

  Known extreme(const Node& node) {
    Interval result = known(node.operands[0]).value;
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      const Interval other = known(node.operands[i]).value;
      if (node.function == Function::min)
        result = {std::min(result.low, other.low), std::min(result.high, other.high)};
      else
        result = {std::max(result.low, other.low), std::max(result.high, other.high)};
    }
    return {.value = result};
  }

  std::vector<Known> locals_;
};

}  // namespace

Constancy constancy_of(const Node& root) {
  const Truth truth = Intervals(root.local_slots).known(root).truth;
  if (!truth) return Constancy::varies;
  return *truth ? Constancy::always_true : Constancy::always_false;
}

}  // namespace scatterproof::spec::language
