// SPDX-License-Identifier: Apache-2.0
// Explains why a boolean expression is false: walks down to the part that fails and states it with its
// numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "scatterproof/spec/language/evaluator.hpp"
#include "scatterproof/spec/language/print.hpp"

namespace scatterproof::spec::language {
namespace {

std::string bare(const Shape& coordinates) { return fmt::format("{}", fmt::join(coordinates, ",")); }

class Explainer {
 public:
  Explainer(const Frame& frame, const Node& root) : evaluator_(frame, root) {}

  std::string sentence(const Node& root) {
    const std::string why = why_false(root);
    return bindings_.empty() ? why : fmt::format("{} ({})", why, bindings_);
  }

 private:
  std::string why_false(const Node& node) {
    const auto& o = node.operands;
    switch (node.kind) {
      case NodeKind::literal:
        return "the rule is false for every call";
      case NodeKind::conditional:
        return why_false(o[evaluator_.truth(o[0]) ? 1 : 2]);
      case NodeKind::quantified:
        return why_quantified_false(node);
      case NodeKind::negation:
        return why_true(o[0]);
      case NodeKind::conjunction:
        return why_false(first(o, false));
      case NodeKind::disjunction:
        return all_of(o, &Explainer::why_false);
      case NodeKind::implication:
        return why_false(o[1]);
      case NodeKind::comparison:
        return why_comparison_false(node);
      case NodeKind::call:
        return why_call_false(node);
      default:
        return fmt::format("{} is false", shown(node));
    }
  }

  // --- the parts of a sentence ---

  /// The notation, with quantified variables replaced by their values and subscripts by their coordinates.
  std::string shown(const Node& node) {
    return print(node, [this](const Node& n) -> std::optional<std::string> {
      if (n.kind == NodeKind::variable && n.local) return to_string(evaluator_.variable(n));
      if (n.kind == NodeKind::call && n.written) return print(n);
      return n.kind == NodeKind::subscript ? element_name(n) : std::nullopt;
    });
  }

  /// `index[2,0]`, `p[0]`. Empty when the coordinates have no value because the subscript is in a branch not
  /// taken.
  std::optional<std::string> element_name(const Node& subscript) {
    const Node& base = subscript.operands[0];
    Shape coordinates;
    try {
      for (std::size_t i = 1; i < subscript.operands.size(); ++i) {
        const Shape more = evaluator_.tuple(subscript.operands[i]);
        coordinates.insert(coordinates.end(), more.begin(), more.end());
      }
    } catch (const NotEvaluable&) {
      return std::nullopt;
    }
    return fmt::format("{}[{}]", base.kind == NodeKind::variable ? base.name : shown(base),
                       bare(coordinates));
  }

  /// `size(index, 1) = 6`; a literal stands for itself.
  std::string phrase(const Node& node) {
    std::string name = node.kind == NodeKind::variable ? node.name : shown(node);
    if (node.kind == NodeKind::conditional) name = "(" + name + ")";
    const std::string value = to_string(evaluator_.value(node));
    return name == value ? name : fmt::format("{} = {}", name, value);
  }

  const Node& first(const std::vector<Node>& nodes, bool truth) {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return evaluator_.truth(n) == truth; });
    if (found == nodes.end()) throw std::logic_error("no operand decides the value");
    return *found;
  }

  std::string all_of(const std::vector<Node>& nodes, std::string (Explainer::*why)(const Node&)) {
    std::vector<std::string> sentences;
    for (const Node& node : nodes) {
      std::string sentence = (this->*why)(node);
      if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
        sentences.push_back(std::move(sentence));
    }
    return fmt::format("{}", fmt::join(sentences, ", and "));
  }

  // --- comparisons ---

  std::string why_comparison_false(const Node& node) {
    for (std::size_t i = 0; i < node.operators.size(); ++i)
      if (!evaluator_.pair_holds(node.operands[i], node.operators[i], node.operands[i + 1]))
        return outside_range(node).value_or(
            why_pair_false(node.operands[i], node.operators[i], node.operands[i + 1]));
    throw std::logic_error("a comparison that holds");
  }

  /// `a <= x < b` of integers: `x = 7 is not in a .. b - 1`.
  std::optional<std::string> outside_range(const Node& node) {
    if (node.operators.size() != 2) return std::nullopt;
    const auto below = [](Operator op) { return op == Operator::less || op == Operator::less_equal; };
    if (!below(node.operators[0]) || !below(node.operators[1])) return std::nullopt;
    const auto from = integer(node.operands[0]), x = integer(node.operands[1]),
               to = integer(node.operands[2]);
    if (!from || !x || !to) return std::nullopt;
    const std::int64_t lowest = *from + (node.operators[0] == Operator::less ? 1 : 0);
    const std::int64_t highest = *to - (node.operators[1] == Operator::less ? 1 : 0);
    if (lowest <= highest)
      return fmt::format("{} is not in {} .. {}", phrase(node.operands[1]), lowest, highest);
    return fmt::format("{} is not below {}", phrase(node.operands[1]), phrase(node.operands[2]));
  }

  std::optional<std::int64_t> integer(const Node& node) {
    try {
      return as_integer(evaluator_.value(node));
    } catch (const NotEvaluable&) {  // a bound that the first half of the chain did not need
      return std::nullopt;
    }
  }

  std::string why_pair_false(const Node& left, Operator op, const Node& right) {
    const std::string l = phrase(left);
    if (op == Operator::in) return fmt::format("{} is not in {}", l, set(right));
    if (op == Operator::not_in) return fmt::format("{} is in {}", l, set(right));
    const std::string r = phrase(right);
    switch (op) {
      case Operator::equal:
        return fmt::format("{} {} {}", l, right.kind == NodeKind::literal ? "is not" : "differs from", r);
      case Operator::not_equal:
        return right.kind == NodeKind::literal ? l : fmt::format("{} equals {}", l, r);
      case Operator::less:
        return fmt::format("{} is not less than {}", l, r);
      case Operator::less_equal:
        return fmt::format("{} is greater than {}", l, r);
      case Operator::greater:
        return fmt::format("{} is not greater than {}", l, r);
      case Operator::greater_equal:
        return fmt::format("{} is less than {}", l, r);
      default:
        throw std::logic_error("not a comparison");
    }
  }

  /// `0 .. 2` for a tuple of neighbours, `["a", "b"]` for a list.
  std::string set(const Node& collection) {
    if (collection.kind == NodeKind::list) return shown(collection);
    const Shape items = evaluator_.tuple(collection);
    const bool run = items.size() > 1 && std::adjacent_find(items.begin(), items.end(), [](auto a, auto b) {
                                           return b != a + 1;
                                         }) == items.end();
    return run ? fmt::format("{} .. {}", items.front(), items.back()) : phrase(collection);
  }

  // --- quantifiers ---

  /// Adds the value of the variable that the sentence is about, unless the sentence already names it.
  std::string with_binding(const Node& quantified, std::string sentence) {
    const Value& bound = evaluator_.bound(quantified);
    if (const auto* position = std::get_if<Shape>(&bound))
      if (sentence.find(fmt::format("[{}]", bare(*position))) != std::string::npos) return sentence;
    const std::string binding = fmt::format("{} = {}", quantified.name, to_string(bound));
    if (sentence.starts_with(binding) || sentence.find(" " + binding) != std::string::npos) return sentence;
    bindings_ = bindings_.empty() ? binding : binding + ", " + bindings_;
    return sentence;
  }

  std::string why_quantified_false(const Node& node) {
    const Node& body = node.operands[1];
    switch (node.quantifier) {
      case Quantifier::all:
        if (!evaluator_.search(node, [&] { return !evaluator_.truth(body); }))
          throw std::logic_error("a quantified expression that holds");
        return with_binding(node, why_false(body));
      case Quantifier::any:
        return why_none(node);
      case Quantifier::unique:
        return why_twice(node);
      case Quantifier::each:  // a tuple, which is neither true nor false
        break;
    }
    throw std::logic_error("no such quantifier");
  }

  std::string why_none(const Node& node) {
    const std::string domain =
        node.operands[0].kind == NodeKind::call ? shown(node.operands[0]) : phrase(node.operands[0]);
    if (!evaluator_.search(node, [] { return true; }))
      return fmt::format("there is no {} in {}{}", node.name, domain,
                         node.operands.size() == 3 ? " where " + print(node.operands[2]) : "");
    return fmt::format("no {} in {} has {}", node.name, domain, print(node.operands[1]));
  }

  std::string why_twice(const Node& node) {
    const Node& body = node.operands[1];
    std::set<Shape> seen;
    evaluator_.search(node, [&] { return !seen.insert(evaluator_.tuple(body)).second; });
    const Shape twice = evaluator_.tuple(body);
    const Value second = evaluator_.bound(node);
    const std::string second_name = shown(body), value = to_string(evaluator_.value(body));
    evaluator_.search(node, [&] { return evaluator_.tuple(body) == twice; });
    const std::string first_name = shown(body);
    if (first_name != second_name)
      return fmt::format("{} and {} are both {}", first_name, second_name, value);
    return fmt::format("{} = {} both for {} = {} and for {} = {}", first_name, value, node.name,
                       to_string(evaluator_.bound(node)), node.name, to_string(second));
  }

  // --- functions ---

  std::string why_call_false(const Node& node) {
    const auto& o = node.operands;
    switch (node.function) {
      case Function::given:
        return fmt::format("{} is not given", shown(o[0]));
      case Function::is_tensor:
        return fmt::format("{} is not a tensor", shown(o[0]));
      case Function::is_compact:
        return fmt::format("{} is a view, or not contiguous", shown(o[0]));
      case Function::is_float:
        return fmt::format("{} is not a float dtype", phrase(o[0]));
      case Function::is_integer:
        return fmt::format("{} is not an integer dtype", phrase(o[0]));
      case Function::is_complex:
        return fmt::format("{} is not a complex dtype", phrase(o[0]));
      case Function::holds:
        return fmt::format("{} cannot hold {}", phrase(o[0]), phrase(o[1]));
      case Function::represents:
        return fmt::format("{} does not have the number {}", phrase(o[0]), phrase(o[1]));
      case Function::broadcastable:
        return why_not_broadcastable(o);
      case Function::broadcasts_to:
        return fmt::format("{} does not broadcast to {}", phrase(o[0]), phrase(o[1]));
      default:
        return fmt::format("{} is false", shown(node));
    }
  }

  std::string why_not_broadcastable(const std::vector<Node>& shapes) {
    for (std::size_t i = 0; i < shapes.size(); ++i)
      for (std::size_t j = i + 1; j < shapes.size(); ++j)
        if (!common_shape(evaluator_.tuple(shapes[i]), evaluator_.tuple(shapes[j])))
          return fmt::format("{} and {} have no common shape", phrase(taken(shapes[i])),
                             phrase(taken(shapes[j])));
    throw std::logic_error("shapes of which each two are broadcastable, and all of them are not");
  }

  /// Of a condition, the branch that counts: what is written for an item of a list is one.
  const Node& taken(const Node& node) {
    if (node.kind != NodeKind::conditional) return node;
    return taken(node.operands[evaluator_.truth(node.operands[0]) ? 1 : 2]);
  }

  // --- what is true and should not be ---

  std::string why_true(const Node& node) {
    const auto& o = node.operands;
    switch (node.kind) {
      case NodeKind::negation:
        return why_false(o[0]);
      case NodeKind::conjunction:
        return all_of(o, &Explainer::why_true);
      case NodeKind::disjunction:
        return why_true(first(o, true));
      case NodeKind::quantified:
        if (node.quantifier != Quantifier::any) break;
        evaluator_.search(node, [&] { return evaluator_.truth(o[1]); });
        return with_binding(node, why_true(o[1]));
      case NodeKind::comparison:
        if (node.operators.size() == 1) return why_pair_true(o[0], node.operators[0], o[1]);
        break;
      case NodeKind::call:
        if (node.function == Function::given) return fmt::format("{} is given", shown(o[0]));
        if (node.function == Function::is_tensor) return fmt::format("{} is a tensor", shown(o[0]));
        break;
      default:
        break;
    }
    return fmt::format("{} is true", shown(node));
  }

  std::string why_pair_true(const Node& left, Operator op, const Node& right) {
    switch (op) {
      case Operator::equal:
        return why_pair_false(left, Operator::not_equal, right);
      case Operator::not_equal:
        return why_pair_false(left, Operator::equal, right);
      case Operator::less:
        return fmt::format("{} is less than {}", phrase(left), phrase(right));
      case Operator::less_equal:
        return fmt::format("{} is at most {}", phrase(left), phrase(right));
      case Operator::greater:
        return why_pair_false(left, Operator::less_equal, right);
      case Operator::greater_equal:
        return fmt::format("{} is at least {}", phrase(left), phrase(right));
      case Operator::in:
        return why_pair_false(left, Operator::not_in, right);
      case Operator::not_in:
        return why_pair_false(left, Operator::in, right);
      default:
        throw std::logic_error("not a comparison");
    }
  }

  Evaluator evaluator_;
  std::string bindings_;  // `d = 1, e = 2`, for the end of the sentence
};

}  // namespace

std::string explain_false(const Expression& expression, const Frame& frame, const Scope&) {
  return Explainer(frame, expression.root()).sentence(expression.root());
}

}  // namespace scatterproof::spec::language
