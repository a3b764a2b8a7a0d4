// SPDX-License-Identifier: Apache-2.0
// One function per kind of node, as in the evaluator. Where the evaluator would throw NotEvaluable, this adds
// a condition on being defined.
#include "reader.hpp"

#include <fmt/format.h>

namespace scatterproof::spec::solve {

using language::Function;
using language::NodeKind;
using language::Operator;
using language::Quantifier;

std::int64_t WordNumbers::number(const std::string& word) {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (words_[i] == word) return static_cast<std::int64_t>(i);
  words_.push_back(word);
  return static_cast<std::int64_t>(words_.size()) - 1;
}

template <class Read>
auto ExpressionReader::guarded(const Read& read) -> Partial<decltype(read())> {
  const SymbolicTruth outside = std::exchange(defined_, true);
  auto value = read();
  return {std::move(value), std::exchange(defined_, outside)};
}

Partial<Symbol> ExpressionReader::read(const language::Expression& expression) {
  locals_.assign(expression.root().local_slots, {});
  place_ = fmt::format("{}:", frame_.size());
  return guarded([&] { return symbol(expression.root()); });
}

Partial<SymbolicTruth> ExpressionReader::read_truth(const language::Expression& expression) {
  locals_.assign(expression.root().local_slots, {});
  place_.clear();
  return guarded([&] { return truth(expression.root()); });
}

Symbol ExpressionReader::symbol(const Node& node) {
  switch (node.kind) {
    case NodeKind::literal:
      if (const auto* number = std::get_if<std::int64_t>(&node.value)) return Integer(*number);
      if (const auto* flag = std::get_if<bool>(&node.value)) return SymbolicTruth(*flag);
      if (const auto* word = std::get_if<std::string>(&node.value))
        return Code{Code::Of::word, words_.number(*word)};
      if (const auto* dtype = std::get_if<DType>(&node.value))
        return Code{Code::Of::dtype, static_cast<std::int64_t>(*dtype)};
      if (std::holds_alternative<None>(node.value)) return std::monostate{};
      return Opaque{};
    case NodeKind::variable:
      return variable(node);
    case NodeKind::tuple: {
      std::vector<Integer> items;
      for (const Node& one : node.operands) items.push_back(integer(one));
      return tuple_of(std::move(items));
    }
    case NodeKind::conditional:
      return conditional(node);
    case NodeKind::quantified:
      if (node.quantifier == Quantifier::each) return each(node);
      return quantified(node);
    case NodeKind::negation:
      return !truth(node.operands[0]);
    case NodeKind::conjunction:
    case NodeKind::disjunction: {
      std::vector<Partial<SymbolicTruth>> operands;
      for (const Node& one : node.operands) operands.push_back(guarded([&] { return truth(one); }));
      return in_turn(operands, node.kind == NodeKind::disjunction);
    }
    case NodeKind::implication: {
      const SymbolicTruth premise = truth(node.operands[0]);
      const auto conclusion = guarded([&] { return truth(node.operands[1]); });
      require(!premise || conclusion.defined);
      return !premise || conclusion.value;
    }
    case NodeKind::comparison:
      return comparison(node);
    case NodeKind::arithmetic:
      return arithmetic(node);
    case NodeKind::minus:
      return Integer(0) - integer(node.operands[0]);
    case NodeKind::replacement:
      return replacement(node);
    case NodeKind::subscript:
      return subscript(node);
    case NodeKind::slice:
      return slice(node);
    case NodeKind::call:
      return call(node);
    case NodeKind::list:
      break;
  }
  throw NotSolvable("a list outside of 'in'");
}

SymbolicTruth ExpressionReader::truth(const Node& node) {
  const Symbol seen = symbol(node);
  if (const auto* value = std::get_if<SymbolicTruth>(&seen)) return *value;
  throw NotSolvable(language::print(node) + " is not a truth");
}

Integer ExpressionReader::integer(const Node& node) {
  const Symbol seen = symbol(node);
  if (const auto* value = std::get_if<Integer>(&seen)) return *value;
  if (!std::holds_alternative<std::monostate>(seen))
    throw NotSolvable(language::print(node) + " is not an integer");
  require(false);
  return 0;
}

Tuple ExpressionReader::tuple(const Node& node) {
  const Symbol seen = symbol(node);
  if (const auto* value = std::get_if<Tuple>(&seen)) return *value;
  if (const auto* value = std::get_if<Integer>(&seen)) return tuple_of({*value});
  throw NotSolvable(language::print(node) + " is not a tuple");
}

SymbolicPart ExpressionReader::part(const Node& node) {
  const Symbol seen = symbol(node);
  if (const auto* value = std::get_if<SymbolicPart>(&seen)) return *value;
  require(false);  // a scalar, or what is not given
  return {};
}

Symbol ExpressionReader::variable(const Node& node) {
  const auto slot = static_cast<std::size_t>(node.slot);
  if (node.local) return locals_[slot];
  require(frame_[slot].defined);
  return frame_[slot].value;
}

Symbol ExpressionReader::conditional(const Node& node) {
  const SymbolicTruth condition = truth(node.operands[0]);
  if (condition.known()) return symbol(node.operands[*condition.known() ? 1 : 2]);
  const auto yes = guarded([&] { return symbol(node.operands[1]); });
  const auto no = guarded([&] { return symbol(node.operands[2]); });
  require(choose(condition, yes.defined, no.defined));
  if (const auto* a = std::get_if<Integer>(&yes.value), *b = std::get_if<Integer>(&no.value); a && b)
    return choose(condition, *a, *b);
  if (const auto* a = std::get_if<SymbolicTruth>(&yes.value), *b = std::get_if<SymbolicTruth>(&no.value);
      a && b)
    return choose(condition, *a, *b);
  if (const auto* a = std::get_if<Code>(&yes.value), *b = std::get_if<Code>(&no.value);
      a && b && a->of == b->of)
    return Code{a->of, choose(condition, a->number, b->number)};
  throw NotSolvable("a choice between values of two kinds");
}

/// Operands are read until one decides, and only those read must be defined.
SymbolicTruth ExpressionReader::in_turn(const std::vector<Partial<SymbolicTruth>>& operands, bool stop) {
  SymbolicTruth undecided = true, defined = true;
  for (const Partial<SymbolicTruth>& one : operands) {
    defined = defined && (!undecided || one.defined);
    undecided = undecided && (stop ? !one.value : one.value);
  }
  require(defined);
  return stop ? !undecided : undecided;
}

// --- quantifiers ---

SymbolicTruth ExpressionReader::quantified(const Node& node) {
  const Node& domain = node.operands[0];
  if (domain.is_call(Function::positions)) return over_positions(node);
  if (node.quantifier == Quantifier::unique) throw NotSolvable("unique over dimensions");
  const bool stop = node.quantifier == Quantifier::any;
  const Tuple members = tuple(domain);
  const std::string place = place_;
  std::vector<Partial<SymbolicTruth>> instances;
  for (std::size_t i = 0; i < members.items.size(); ++i) {
    const SymbolicTruth inside = Integer(static_cast<std::int64_t>(i)) < members.length;
    if (inside.known() == false) break;
    locals_[static_cast<std::size_t>(node.slot)] = members.items[i];
    place_ = fmt::format("{}{}.", place, i);
    const auto filter = node.operands.size() == 3 ? guarded([&] { return truth(node.operands[2]); })
                                                  : Partial<SymbolicTruth>{true, true};
    const auto body = guarded([&] { return truth(node.operands[1]); });
    const SymbolicTruth counts = inside && filter.value;
    instances.push_back({stop ? counts && body.value : !counts || body.value,
                         (!inside || filter.defined) && (!counts || body.defined)});
  }
  place_ = place;
  return in_turn(instances, stop);
}

/// The first and the last position stand for all; two equal ones for `unique` need at least two positions.
SymbolicTruth ExpressionReader::over_positions(const Node& node) {
  const Tuple sizes = tuple(node.operands[0].operands[0]);
  const std::size_t rank = known_length(sizes);
  SymbolicTruth some = true, several = false;
  for (std::size_t d = 0; d < rank; ++d) {
    some = some && Integer(0) < sizes.items[d];
    several = several || Integer(1) < sizes.items[d];
  }
  if (node.quantifier == Quantifier::unique) {
    const SymbolicTruth holds(context_.bool_const(fmt::format("unique{}", unknowns_++).c_str()));
    sides_.push_back((holds || (some && several)).in(context_));
    return holds;
  }
  const bool stop = node.quantifier == Quantifier::any;
  const std::string place = place_;
  std::vector<Partial<SymbolicTruth>> instances;
  for (const bool last : {false, true}) {
    std::vector<Integer> at;
    for (std::size_t d = 0; d < rank; ++d) at.push_back(last ? sizes.items[d] - 1 : Integer(0));
    locals_[static_cast<std::size_t>(node.slot)] = tuple_of(std::move(at));
    place_ = fmt::format("{}{}.", place, last ? "last" : "first");
    const auto body = guarded([&] { return truth(node.operands[1]); });
    instances.push_back({stop ? some && body.value : !some || body.value, !some || body.defined});
  }
  place_ = place;
  return in_turn(instances, stop);
}

Symbol ExpressionReader::each(const Node& node) {
  Tuple result = tuple(node.operands[0]);
  const std::string place = place_;
  std::vector<SymbolicTruth> kept;
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    const SymbolicTruth inside = Integer(static_cast<std::int64_t>(i)) < result.length;
    if (inside.known() == false) break;
    locals_[static_cast<std::size_t>(node.slot)] = result.items[i];
    place_ = fmt::format("{}{}.", place, i);
    const auto filter = node.operands.size() == 3 ? guarded([&] { return truth(node.operands[2]); })
                                                  : Partial<SymbolicTruth>{true, true};
    const auto body = guarded([&] { return integer(node.operands[1]); });
    kept.push_back(inside && filter.value);
    require((!inside || filter.defined) && (!kept.back() || body.defined));
    result.items[i] = body.value;
  }
  place_ = place;
  return node.operands.size() == 3 ? those_kept(result, kept) : result;
}

// --- comparisons ---

SymbolicTruth ExpressionReader::comparison(const Node& node) {
  std::vector<Partial<SymbolicTruth>> pairs;
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const Node &left = node.operands[i], &right = node.operands[i + 1];
    const Operator op = node.operators[i];
    pairs.push_back(guarded([&] {
      if (op == Operator::in) return member(left, right);
      if (op == Operator::not_in) return !member(left, right);
      return pair(symbol(left), op, symbol(right));
    }));
  }
  return in_turn(pairs, false);
}

SymbolicTruth ExpressionReader::pair(const Symbol& left, Operator op, const Symbol& right) {
  if (op == Operator::not_equal) return !pair(left, Operator::equal, right);
  if (op == Operator::greater) return pair(right, Operator::less, left);
  if (op == Operator::greater_equal) return pair(right, Operator::less_equal, left);
  if (const auto* a = std::get_if<Integer>(&left), *b = std::get_if<Integer>(&right); a && b)
    return op == Operator::equal ? *a == *b : op == Operator::less ? *a < *b : *a <= *b;
  if (op != Operator::equal) throw NotSolvable("an order of values that are not integers");
  if (const auto* a = std::get_if<Code>(&left), *b = std::get_if<Code>(&right); a && b)
    return a->of == b->of ? a->number == b->number : SymbolicTruth(false);
  if (const auto* a = std::get_if<SymbolicTruth>(&left), *b = std::get_if<SymbolicTruth>(&right); a && b)
    return same(*a, *b);
  if (const auto* a = std::get_if<Tuple>(&left), *b = std::get_if<Tuple>(&right); a && b)
    return equal(*a, *b);
  if (std::holds_alternative<Opaque>(left) || std::holds_alternative<Opaque>(right) ||
      std::holds_alternative<SymbolicPart>(left) || std::holds_alternative<SymbolicPart>(right))
    throw NotSolvable("a comparison of data");
  return std::holds_alternative<std::monostate>(left) && std::holds_alternative<std::monostate>(right);
}

SymbolicTruth ExpressionReader::member(const Node& item_node, const Node& collection) {
  const Symbol wanted = symbol(item_node);
  SymbolicTruth found = false;
  if (collection.kind == NodeKind::list) {
    for (const Node& one : collection.operands) found = found || pair(wanted, Operator::equal, symbol(one));
    return found;
  }
  const Tuple members = tuple(collection);
  for (std::size_t i = 0; i < members.items.size(); ++i)
    found = found || (Integer(static_cast<std::int64_t>(i)) < members.length &&
                      pair(wanted, Operator::equal, members.items[i]));
  return found;
}

// --- numbers and tuples ---

Symbol ExpressionReader::arithmetic(const Node& node) {
  Symbol result = symbol(node.operands[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const Symbol right = symbol(node.operands[i + 1]);
    if (node.operators[i] == Operator::join) {
      const auto *a = std::get_if<Tuple>(&result), *b = std::get_if<Tuple>(&right);
      if (!a || !b) throw NotSolvable("++ of values that are not tuples");
      result = joined(*a, *b);
      continue;
    }
    if (std::holds_alternative<std::monostate>(result) || std::holds_alternative<std::monostate>(right)) {
      require(false);
      return Integer(0);
    }
    const auto *a = std::get_if<Integer>(&result), *b = std::get_if<Integer>(&right);
    if (!a || !b) throw NotSolvable("arithmetic on values that are not integers");
    switch (node.operators[i]) {
      case Operator::add:
        result = *a + *b;
        break;
      case Operator::subtract:
        result = *a - *b;
        break;
      case Operator::multiply:
        result = *a * *b;
        break;
      default:
        throw NotSolvable("a division");
    }
  }
  return result;
}

Symbol ExpressionReader::replacement(const Node& node) {
  Tuple items = tuple(node.operands[0]);
  for (std::size_t i = 1; i < node.operands.size(); i += 2) {
    const Integer d = integer(node.operands[i]), value = integer(node.operands[i + 1]);
    require(Integer(0) - items.length <= d && d < items.length);
    const Integer at = choose(d < 0, d + items.length, d);
    for (std::size_t k = 0; k < items.items.size(); ++k)
      items.items[k] = choose(at == Integer(static_cast<std::int64_t>(k)), value, items.items[k]);
  }
  return items;
}

Symbol ExpressionReader::slice(const Node& node) {
  const Tuple items = tuple(node.operands[0]);
  const auto bound = [&](const Node& at, const Integer& otherwise) {
    if (at.kind == NodeKind::literal && std::holds_alternative<None>(at.value)) return otherwise;
    const Integer b = integer(at), wrapped = choose(b < 0, b + items.length, b);
    return smaller(larger(wrapped, 0), items.length);
  };
  const Integer from = bound(node.operands[1], 0);
  return cut(items, from, bound(node.operands[2], items.length));
}

Symbol ExpressionReader::subscript(const Node& node) {
  const Symbol base = symbol(node.operands[0]);
  if (const auto* items = std::get_if<Tuple>(&base)) {
    const Integer i = integer(node.operands[1]);
    require(Integer(0) - items->length <= i && i < items->length);
    return item(*items, choose(i < 0, i + items->length, i));
  }
  const auto* of = std::get_if<SymbolicPart>(&base);
  if (!of) {
    require(false);
    return Integer(0);
  }
  SymbolicPart found = *of;
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const Tuple coordinates = tuple(node.operands[i]);
    for (std::size_t k = 0; k < known_length(coordinates); ++k) {
      const std::size_t d = found.prefix.size();
      require(d < found.sizes.size());
      if (d >= found.sizes.size()) return Integer(0);
      require(Integer(0) <= coordinates.items[k] && coordinates.items[k] < found.sizes[d]);
      found.prefix.push_back(coordinates.items[k]);
    }
  }
  if (found.prefix.size() < found.sizes.size()) return found;
  if (!found.integers) return Opaque{};
  return element(found, fmt::format("{}{}", place_, language::print(node)));
}

Integer ExpressionReader::unknown(const char* prefix) {
  return Integer(context_.int_const(fmt::format("{}{}", prefix, unknowns_++).c_str()));
}

/// The same words at the same position are the same element.
Integer ExpressionReader::element(const SymbolicPart& of, const std::string& key) {
  const std::string name = fmt::format("{}/{}", of.argument, key);
  if (const auto found = elements_.find(name); found != elements_.end()) return found->second;
  return elements_.emplace(name, unknown("element")).first->second;
}

}  // namespace scatterproof::spec::solve
