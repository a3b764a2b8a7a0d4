// SPDX-License-Identifier: Apache-2.0
// An expression as an English sentence, for `spec show`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "ast.hpp"

namespace scatterproof::spec::language {
namespace {

std::string in_words(const Node& node);

std::vector<std::string> all_in_words(const std::vector<Node>& nodes) {
  std::vector<std::string> words;
  for (const Node& node : nodes) words.push_back(in_words(node));
  return words;
}

/// A part of a longer sentence that would run into what follows it.
std::string enclosed(const Node& node) {
  const bool runs_on = node.kind == Kind::quantified || node.kind == Kind::implication ||
                       node.kind == Kind::conditional || node.kind == Kind::disjunction;
  return runs_on ? fmt::format("({})", in_words(node)) : in_words(node);
}

std::string_view relation(Operator op, const Node& right) {
  switch (op) {
    case Operator::equal: return right.kind == Kind::literal ? "is" : "equals";
    case Operator::not_equal: return right.kind == Kind::literal ? "is not" : "differs from";
    case Operator::less: return "is less than";
    case Operator::less_equal: return "is at most";
    case Operator::greater: return "is greater than";
    case Operator::greater_equal: return "is at least";
    case Operator::in: return "is one of";
    case Operator::not_in: return "is none of";
    case Operator::join: return "followed by";
    case Operator::add: return "plus";
    case Operator::subtract: return "minus";
    case Operator::multiply: return "times";
    case Operator::divide:
    case Operator::floor_divide: return "divided by";
    case Operator::modulo: return "modulo";
  }
  throw std::logic_error("no such operator");
}

Operator mirrored(Operator op) {
  switch (op) {
    case Operator::less: return Operator::greater;
    case Operator::less_equal: return Operator::greater_equal;
    case Operator::greater: return Operator::less;
    case Operator::greater_equal: return Operator::less_equal;
    default: return op;
  }
}

/// `a <= x < b` speaks of x: "x is at least a and is less than b".
std::string comparison(const Node& node) {
  const auto& o = node.operands;
  if (o.size() == 3)
    return fmt::format("{} {} {} and {} {}", in_words(o[1]), relation(mirrored(node.operators[0]), o[0]),
                       in_words(o[0]), relation(node.operators[1], o[2]), in_words(o[2]));
  std::string text = in_words(o[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i)
    text += fmt::format("{} {} {}", i == 0 ? "" : ", which", relation(node.operators[i], o[i + 1]), in_words(o[i + 1]));
  return text;
}

std::string arithmetic(const Node& node) {
  std::string text = enclosed(node.operands[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const Node& right = node.operands[i + 1];
    text += fmt::format(" {} {}", relation(node.operators[i], right),
                        right.kind == Kind::arithmetic ? print(right) : enclosed(right));
  }
  return text;
}

std::string members(const Node& quantified) {
  const Node& domain = quantified.operands[0];
  const std::string& name = quantified.name;
  const auto& o = domain.operands;
  if (domain.is_call(Function::dims)) return fmt::format("dimension {} of {}", name, in_words(o[0]));
  if (domain.is_call(Function::positions) && o[0].is_call(Function::shape))
    return fmt::format("position {} of {}", name, in_words(o[0].operands[0]));
  if (domain.is_call(Function::positions)) return fmt::format("position {} of sizes {}", name, in_words(o[0]));
  if (domain.is_call(Function::range))
    return fmt::format("{} from {} up to, not including, {}", name, o.size() == 1 ? "0" : in_words(o[0]),
                       in_words(o.back()));
  return fmt::format("{} in {}", name, in_words(domain));
}

std::string quantified(const Node& node) {
  const std::string filter = node.operands.size() == 3 ? " where " + in_words(node.operands[2]) : "";
  const std::string body = in_words(node.operands[1]);
  switch (node.quantifier) {
    case Quantifier::all: return fmt::format("for every {}{}: {}", members(node), filter, body);
    case Quantifier::any: return fmt::format("for some {}{}: {}", members(node), filter, body);
    case Quantifier::unique: return fmt::format("{} differs for every {}{}", body, members(node), filter);
  }
  throw std::logic_error("no such quantifier");
}

std::string negation(const Node& inner) {
  if (inner.is_call(Function::given)) return in_words(inner.operands[0]) + " is not given";
  if (inner.is_call(Function::is_tensor)) return in_words(inner.operands[0]) + " is not a tensor";
  if (inner.kind == Kind::variable) return inner.name + " is false";
  return fmt::format("it is not so that {}", enclosed(inner));
}

std::string call(const Node& node) {
  const std::vector<std::string> o = all_in_words(node.operands);
  switch (node.function) {
    case Function::rank: return "the number of dimensions of " + o[0];
    case Function::size: return fmt::format("the size of {} in dimension {}", o[0], o[1]);
    case Function::shape: return "the shape of " + o[0];
    case Function::numel: return "the number of elements of " + o[0];
    case Function::dims: return "the dimensions of " + o[0];
    case Function::dtype: return "the dtype of " + o[0];
    case Function::len: return "the length of " + o[0];
    case Function::tuple: return o[0] + " as a tuple";
    case Function::range:
      return o.size() == 1 ? fmt::format("the integers below {}", o[0])
                           : fmt::format("the integers from {} up to, not including, {}", o[0], o[1]);
    case Function::product: return "the product of " + o[0];
    case Function::sum: return "the sum of " + o[0];
    case Function::min: return fmt::format("the smallest of {}", fmt::join(o, " and "));
    case Function::max: return fmt::format("the largest of {}", fmt::join(o, " and "));
    case Function::abs: return "the absolute value of " + o[0];
    case Function::wrap: return fmt::format("{} counted from the end of {} when negative", o[0], o[1]);
    case Function::broadcast: return fmt::format("the common shape of {} and {}", o[0], o[1]);
    case Function::broadcastable: return fmt::format("{} and {} have a common shape", o[0], o[1]);
    case Function::broadcasts_to: return fmt::format("{} broadcasts to {}", o[0], o[1]);
    case Function::stretch: return fmt::format("{} brought into {}", o[0], o[1]);
    case Function::is_tensor: return o[0] + " is a tensor";
    case Function::given: return o[0] + " is given";
    case Function::is_float: return o[0] + " is a float dtype";
    case Function::is_integer: return o[0] + " is an integer dtype";
    case Function::is_complex: return o[0] + " is a complex dtype";
    case Function::positions: return "the positions of sizes " + o[0];
  }
  throw std::logic_error("no such function");
}

std::string list(const std::vector<Node>& items) {
  std::vector<std::string> words = all_in_words(items);
  if (words.size() < 2) return words.empty() ? "nothing" : words[0];
  const std::string last = std::move(words.back());
  words.pop_back();
  return fmt::format("{} and {}", fmt::join(words, ", "), last);
}

std::string conjunction(const Node& node, std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const bool last = i + 1 == node.operands.size();
    text += (i == 0 ? "" : fmt::format(" {} ", word)) + (last ? in_words(node.operands[i]) : enclosed(node.operands[i]));
  }
  return text;
}

std::string in_words(const Node& node) {
  const auto& o = node.operands;
  switch (node.kind) {
    case Kind::list: return list(o);
    case Kind::conditional: return fmt::format("{} if {}, else {}", enclosed(o[1]), in_words(o[0]), in_words(o[2]));
    case Kind::quantified: return quantified(node);
    case Kind::negation: return negation(o[0]);
    case Kind::conjunction: return conjunction(node, "and");
    case Kind::disjunction: return conjunction(node, "or");
    case Kind::implication: return fmt::format("if {}, then {}", in_words(o[0]), in_words(o[1]));
    case Kind::comparison: return comparison(node);
    case Kind::arithmetic: return arithmetic(node);
    case Kind::replacement: {
      std::string text = in_words(o[0]);
      for (std::size_t i = 1; i < o.size(); i += 2)
        text += fmt::format("{} element {} replaced by {}", i == 1 ? " with" : " and", in_words(o[i]), in_words(o[i + 1]));
      return text;
    }
    case Kind::call: return call(node);
    default: return print(node);
  }
}

}  // namespace

std::string in_words(const Expression& expression) { return in_words(expression.root()); }

}  // namespace scatterproof::spec::language
