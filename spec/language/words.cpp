// SPDX-License-Identifier: Apache-2.0
// An expression as an English sentence, for `spec show`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {
namespace {

std::string in_words(const Node& node);

std::vector<std::string> all_in_words(const std::vector<Node>& nodes) {
  std::vector<std::string> words;
  for (const Node& node : nodes) words.push_back(in_words(node));
  return words;
}

/// A part of a longer sentence that would run into what follows it.
std::string enclosed(const Node& part) {
  const Node& node = as_written(part);
  const bool runs_on = node.kind == NodeKind::quantified || node.kind == NodeKind::implication ||
                       node.kind == NodeKind::conditional || node.kind == NodeKind::disjunction;
  return runs_on ? fmt::format("({})", in_words(node)) : in_words(node);
}

std::string_view relation(Operator op, const Node& right) {
  switch (op) {
    case Operator::equal:
      return right.kind == NodeKind::literal ? "is" : "equals";
    case Operator::not_equal:
      return right.kind == NodeKind::literal ? "is not" : "differs from";
    case Operator::less:
      return "is less than";
    case Operator::less_equal:
      return "is at most";
    case Operator::greater:
      return "is greater than";
    case Operator::greater_equal:
      return "is at least";
    case Operator::in:
      return "is one of";
    case Operator::not_in:
      return "is none of";
    case Operator::join:
      return "followed by";
    case Operator::add:
      return "plus";
    case Operator::subtract:
      return "minus";
    case Operator::multiply:
      return "times";
    case Operator::divide:
    case Operator::floor_divide:
      return "divided by";
    case Operator::modulo:
      return "modulo";
  }
  throw std::logic_error("no such operator");
}

Operator mirrored(Operator op) {
  switch (op) {
    case Operator::less:
      return Operator::greater;
    case Operator::less_equal:
      return Operator::greater_equal;
    case Operator::greater:
      return Operator::less;
    case Operator::greater_equal:
      return Operator::less_equal;
    default:
      return op;
  }
}

Operator inverted(Operator op) {
  switch (op) {
    case Operator::equal:
      return Operator::not_equal;
    case Operator::not_equal:
      return Operator::equal;
    case Operator::less:
      return Operator::greater_equal;
    case Operator::less_equal:
      return Operator::greater;
    case Operator::greater:
      return Operator::less_equal;
    case Operator::greater_equal:
      return Operator::less;
    case Operator::in:
      return Operator::not_in;
    case Operator::not_in:
      return Operator::in;
    default:
      throw std::logic_error("no comparison");
  }
}

/// `a <= x < b` is about x: "x is at least a and is less than b".
std::string comparison(const Node& node) {
  const auto& o = node.operands;
  if (o.size() == 3)
    return fmt::format("{} {} {} and {} {}", in_words(o[1]), relation(mirrored(node.operators[0]), o[0]),
                       in_words(o[0]), relation(node.operators[1], o[2]), in_words(o[2]));
  std::string text = in_words(o[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i)
    text += fmt::format("{} {} {}", i == 0 ? "" : ", which", relation(node.operators[i], o[i + 1]),
                        in_words(o[i + 1]));
  return text;
}

std::string arithmetic(const Node& node) {
  std::string text = enclosed(node.operands[0]);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    const Node& right = node.operands[i + 1];
    text += fmt::format(" {} {}", relation(node.operators[i], right),
                        right.kind == NodeKind::arithmetic ? print(right) : enclosed(right));
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
  if (domain.is_call(Function::positions))
    return fmt::format("position {} of sizes {}", name, in_words(o[0]));
  if (domain.is_call(Function::range))
    return fmt::format("{} from {} up to, not including, {}", name, o.size() == 1 ? "0" : in_words(o[0]),
                       in_words(o.back()));
  const std::string with_number =
      quantified.number.empty() ? "" : fmt::format(", item {},", quantified.number);
  return fmt::format("{}{} in {}", name, with_number, in_words(domain));
}

std::string quantified(const Node& node) {
  const std::string filter = node.operands.size() == 3 ? " where " + in_words(node.operands[2]) : "";
  const std::string body = in_words(node.operands[1]);
  switch (node.quantifier) {
    case Quantifier::all:
      return fmt::format("for every {}{}: {}", members(node), filter, body);
    case Quantifier::any:
      return fmt::format("for some {}{}: {}", members(node), filter, body);
    case Quantifier::unique:
      return fmt::format("{} differs for every {}{}", body, members(node), filter);
    case Quantifier::each:
      return fmt::format("the tuple of {} for every {}{}", body, members(node), filter);
  }
  throw std::logic_error("no such quantifier");
}

std::string conjunction(const std::vector<std::string>& parts, std::string_view word) {
  return fmt::format("{}", fmt::join(parts, fmt::format(" {} ", word)));
}

std::string kind_of_dtype(Function function) {
  return function == Function::is_float     ? "a float dtype"
         : function == Function::is_integer ? "an integer dtype"
                                            : "a complex dtype";
}

/// The opposite, pushed inwards: "x is not given and y is less than 3".
std::string opposite(const Node& written_out) {
  const Node& node = as_written(written_out);
  const auto& o = node.operands;
  switch (node.kind) {
    case NodeKind::variable:
      return node.name + " is false";
    case NodeKind::negation:
      return in_words(o[0]);
    case NodeKind::comparison:
      if (o.size() == 2)
        return fmt::format("{} {} {}", in_words(o[0]), relation(inverted(node.operators[0]), o[1]),
                           in_words(o[1]));
      break;
    case NodeKind::conjunction:
    case NodeKind::disjunction: {
      std::vector<std::string> parts;
      for (const Node& part : o) parts.push_back(opposite(part));
      return conjunction(parts, node.kind == NodeKind::conjunction ? "or" : "and");
    }
    case NodeKind::call:
      if (node.function == Function::given) return in_words(o[0]) + " is not given";
      if (node.function == Function::is_tensor) return in_words(o[0]) + " is not a tensor";
      if (node.function == Function::broadcasts_to)
        return fmt::format("{} does not broadcast to {}", in_words(o[0]), in_words(o[1]));
      if (node.function == Function::holds)
        return fmt::format("{} cannot hold {}", in_words(o[0]), in_words(o[1]));
      if (node.function == Function::represents)
        return fmt::format("{} does not have the number {}", in_words(o[0]), in_words(o[1]));
      if (node.function == Function::broadcastable || node.function == Function::numbers_within) break;
      return fmt::format("{} is not {}", in_words(o[0]), kind_of_dtype(node.function));
    default:
      break;
  }
  return fmt::format("it is not so that ({})", in_words(node));
}

/// " with i and j", of the operands from `first` on.
std::string arrays_in_words(const std::vector<std::string>& operands, std::ptrdiff_t first) {
  if (std::ssize(operands) <= first) return "";
  return fmt::format(" with {}", fmt::join(operands.begin() + first, operands.end(), " and "));
}

std::string call(const Node& node) {
  const std::vector<std::string> o = all_in_words(node.operands);
  switch (node.function) {
    case Function::rank:
      return "the number of dimensions of " + o[0];
    case Function::size:
      return fmt::format("the size of {} in dimension {}", o[0], o[1]);
    case Function::shape:
      return "the shape of " + o[0];
    case Function::numel:
      return "the number of elements of " + o[0];
    case Function::dims:
      return "the dimensions of " + o[0];
    case Function::is_compact:
      return o[0] + " is contiguous and fills its storage";
    case Function::dtype:
      return "the dtype of " + o[0];
    case Function::len:
      return "the length of " + o[0];
    case Function::tuple:
      return o[0] + " as a tuple";
    case Function::range:
      return o.size() == 1 ? fmt::format("the integers below {}", o[0])
                           : fmt::format("the integers from {} up to, not including, {}", o[0], o[1]);
    case Function::product:
      return "the product of " + o[0];
    case Function::sum:
      return "the sum of " + o[0];
    case Function::min:
      return fmt::format("the smallest of {}", fmt::join(o, " and "));
    case Function::max:
      return fmt::format("the largest of {}", fmt::join(o, " and "));
    case Function::abs:
      return "the absolute value of " + o[0];
    case Function::wrap:
      return fmt::format("{} (if negative, plus {})", o[0], o[1]);
    case Function::broadcast:
      return fmt::format("the common shape of {} and {}", o[0], o[1]);
    case Function::broadcastable:
      if (o.size() == 1) return fmt::format("{}, one of each item, have a common shape", o[0]);
      return fmt::format("{} have a common shape", fmt::join(o, " and "));
    case Function::broadcasts_to:
      return fmt::format("{} broadcasts to {}", o[0], o[1]);
    case Function::stretch:
      return fmt::format("{} brought into {}", o[0], o[1]);
    case Function::ravel:
      return fmt::format("the row-major number of {} in sizes {}", o[0], o[1]);
    case Function::unravel:
      return fmt::format("the position with the row-major number {} in sizes {}", o[0], o[1]);
    case Function::trues:
      return fmt::format("the number of true elements of {} broadcast to {}{}", o[0], o[1],
                         o.size() == 3 ? " before " + o[2] : "");
    case Function::count:
      return fmt::format("how many of {} are given", fmt::join(o, " and "));
    case Function::common_shape:
      return fmt::format("the common shape of {}", fmt::join(o, " and "));
    case Function::elements:
      return fmt::format("the elements at {} of {}", o[0], fmt::join(o.begin() + 1, o.end(), " and "));
    case Function::index_shape:
      return fmt::format("the shape of {} as an index", o[0]);
    case Function::parts:
      return fmt::format("the number of {} parts in {}", o[1], o[0]);
    case Function::axis_of:
      return fmt::format("the dimension that array {} of {} indexes, of {}", o[1], o[0], o[2]);
    case Function::numbers_within:
      return fmt::format("the numbers in {} lie within {}", o[0], o[1]);
    case Function::is_mask:
      return fmt::format("array {} of {} is a mask", o[1], o[0]);
    case Function::masks_fit:
      return fmt::format("the masks in {} have the sizes that they take of {}{}", o[0], o[1],
                         arrays_in_words(o, 2));
    case Function::numbers_first:
      return o[0] + " with numbers taken first";
    case Function::selected_shape:
      return fmt::format("the shape of {} of {}{}", o[0], o[1], arrays_in_words(o, 2));
    case Function::selected:
      return fmt::format("the position of element {} of {} of {}{}", o[0], o[1], o[2], arrays_in_words(o, 3));
    case Function::is_tensor:
      return o[0] + " is a tensor";
    case Function::given:
      return o[0] + " is given";
    case Function::is_float:
    case Function::is_integer:
    case Function::is_complex:
      return fmt::format("{} is {}", o[0], kind_of_dtype(node.function));
    case Function::holds:
      return fmt::format("{} can hold {}", o[0], o[1]);
    case Function::represents:
      return fmt::format("{} has the number {}", o[0], o[1]);
    case Function::positions:
      return "the positions of sizes " + o[0];
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

std::string conjunction(const Node& node) {
  std::vector<std::string> parts;
  for (const Node& part : node.operands)
    parts.push_back(&part == &node.operands.back() ? in_words(part) : enclosed(part));
  if (as_written(node.operands.back()).kind == NodeKind::disjunction)
    parts.back() = fmt::format("({})", parts.back());
  return conjunction(parts, "and");
}

std::string disjunction(const Node& node) {
  std::vector<std::string> parts;
  for (const Node& part : node.operands)
    parts.push_back(as_written(part).kind == NodeKind::conjunction ? fmt::format("({})", in_words(part))
                                                                   : in_words(part));
  return conjunction(parts, "or");
}

std::string in_words(const Node& written_out) {
  const Node& node = as_written(written_out);
  const auto& o = node.operands;
  switch (node.kind) {
    case NodeKind::list:
      return list(o);
    case NodeKind::conditional:
      return fmt::format("{} if {}, else {}", enclosed(o[1]), in_words(o[0]), in_words(o[2]));
    case NodeKind::quantified:
      return quantified(node);
    case NodeKind::negation:
      return opposite(o[0]);
    case NodeKind::conjunction:
      return conjunction(node);
    case NodeKind::disjunction:
      return disjunction(node);
    case NodeKind::implication:
      return fmt::format("if {}, then {}", in_words(o[0]), in_words(o[1]));
    case NodeKind::comparison:
      return comparison(node);
    case NodeKind::arithmetic:
      return arithmetic(node);
    case NodeKind::replacement: {
      std::string text = in_words(o[0]);
      for (std::size_t i = 1; i < o.size(); i += 2)
        text += fmt::format("{} element {} replaced by {}", i == 1 ? " with" : " and", in_words(o[i]),
                            in_words(o[i + 1]));
      return text;
    }
    case NodeKind::minus:
      return "minus " + enclosed(o[0]);
    case NodeKind::call:
      return call(node);
    default:
      return print(node);
  }
}

}  // namespace

std::string in_words(const Expression& expression) { return in_words(expression.root()); }

}  // namespace scatterproof::spec::language
