// SPDX-License-Identifier: Apache-2.0
// Gives operators, literals and calls their meaning. Converts what a document's notation writes differently
// (x.shape, np.ndindex(s), a single '=' in a condition) to the language's own form.
#include "lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <utility>

namespace scatterproof::spec::language {
namespace {

struct Spelling {
  std::string_view text;
  Operator op;
};
constexpr Spelling spellings[] = {
    {"==", Operator::equal}, {"!=", Operator::not_equal},     {"<=", Operator::less_equal},
    {"<", Operator::less},   {">=", Operator::greater_equal}, {">", Operator::greater},
    {"in", Operator::in},    {"not in", Operator::not_in},    {"++", Operator::join},
    {"+", Operator::add},    {"-", Operator::subtract},       {"*", Operator::multiply},
    {"/", Operator::divide}, {"//", Operator::floor_divide},  {"%", Operator::modulo},
};

bool value_word(std::string_view word, Value& value) {
  if (const auto dtype = parse_dtype(word))
    value = *dtype;
  else if (word == "true" || word == "True")
    value = true;
  else if (word == "false" || word == "False")
    value = false;
  else if (word == "none" || word == "None")
    value = None{};
  else if (word == "inf")
    value = Element{Scalar::of_real(std::numeric_limits<double>::infinity())};
  else if (word == "nan")
    value = Element{Scalar::of_real(std::numeric_limits<double>::quiet_NaN())};
  else
    return false;
  return true;
}

class Lowering {
 public:
  Lowering(const Text& source, Notation notation, Errors& errors)
      : source_(source), notation_(notation), errors_(errors) {}

  Node node(const Syntax& s) {
    switch (s.form) {
      case SyntaxKind::number:
        return number(s);
      case SyntaxKind::word:
        return literal(s, std::string(s.text.substr(1, s.text.size() - 2)));
      case SyntaxKind::name:
        return name(s);
      case SyntaxKind::list:
        return with_operands(s, NodeKind::list);
      case SyntaxKind::parenthesis:
        return parenthesis(s);
      case SyntaxKind::postfix:
        return postfix(s);
      case SyntaxKind::negative:
        return minus(s);
      case SyntaxKind::replacement:
        return with_operands(s, NodeKind::replacement);
      case SyntaxKind::product:
      case SyntaxKind::sum:
      case SyntaxKind::joined:
        return chain(s, NodeKind::arithmetic);
      case SyntaxKind::comparison:
        return chain(s, NodeKind::comparison);
      case SyntaxKind::negation:
        return with_operands(s, NodeKind::negation);
      case SyntaxKind::conjunction:
        return with_operands(s, NodeKind::conjunction);
      case SyntaxKind::disjunction:
        return with_operands(s, NodeKind::disjunction);
      case SyntaxKind::implication:
        return with_operands(s, NodeKind::implication);
      case SyntaxKind::conditional:
        return with_operands(s, NodeKind::conditional);
      case SyntaxKind::quantified:
        return quantified(s);
      default:
        throw std::logic_error("a form that is not an expression");
    }
  }

 private:
  Node make(const Syntax& s, NodeKind kind) {
    Node node;
    node.kind = kind;
    node.begin = s.begin;
    return node;
  }

  Node literal(const Syntax& s, Value value) {
    Node node = make(s, NodeKind::literal);
    node.value = std::move(value);
    return node;
  }

  Node error(const Syntax& s, std::string what, std::string hint = {}) {
    errors_.push_back(error_at(source_, s.begin, std::move(what), std::move(hint)));
    return literal(s, None{});
  }

  Node with_operands(const Syntax& s, NodeKind kind) {
    Node result = make(s, kind);
    for (const auto& child : s.children)
      if (child->form != SyntaxKind::sign) result.operands.push_back(node(*child));
    return result;
  }

  Node number(const Syntax& s) {
    const char* const first = s.text.data();
    const char* const last = first + s.text.size();
    if (s.text.find_first_of(".eE") == std::string_view::npos) {
      std::int64_t integer = 0;
      if (std::from_chars(first, last, integer).ec == std::errc{}) return literal(s, integer);
      return error(s, "the integer does not fit 64 bits");
    }
    double real = 0;
    if (std::from_chars(first, last, real).ec == std::errc{})
      return literal(s, Element{Scalar::of_real(real)});
    return error(s, "the number does not fit a double");
  }

  Node name(const Syntax& s) {
    Value value;
    if (value_word(s.text, value)) return literal(s, std::move(value));
    Node result = make(s, NodeKind::variable);
    result.name = std::string(s.text);
    return result;
  }

  Node minus(const Syntax& s) {
    Node result = with_operands(s, NodeKind::minus);
    const auto* const integer = std::get_if<std::int64_t>(&result.operands[0].value);
    return integer != nullptr ? literal(s, -*integer) : result;
  }

  // `(a)` groups; a comma makes a tuple.
  Node parenthesis(const Syntax& s) {
    const bool comma = std::any_of(s.children.begin(), s.children.end(),
                                   [](const auto& child) { return child->form == SyntaxKind::sign; });
    if (s.children.size() == 1 && !comma) return node(*s.children.front());
    if (!s.children.empty() && s.children.front()->form == SyntaxKind::sign)
      return error(s, "a tuple does not begin with a comma");
    for (std::size_t i = 1; i < s.children.size(); ++i)
      if (s.children[i]->form == SyntaxKind::sign && s.children[i - 1]->form == SyntaxKind::sign)
        return error(*s.children[i], "two commas with nothing between them");
    return with_operands(s, NodeKind::tuple);
  }

  Node chain(const Syntax& s, NodeKind kind) {
    Node result = make(s, kind);
    for (std::size_t i = 0; i < s.children.size(); ++i) {
      const Syntax& child = *s.children[i];
      if (i % 2 == 0)
        result.operands.push_back(node(child));
      else
        result.operators.push_back(operation(child));
    }
    return result;
  }

  Operator operation(const Syntax& s) {
    if (s.text == "=") {
      if (notation_ == Notation::ours) error(s, "'=' is not a comparison", "write '=='");
      return Operator::equal;
    }
    if (s.text.starts_with("not")) return Operator::not_in;
    for (const auto& [text, op] : spellings)
      if (text == s.text) return op;
    throw std::logic_error("an operator without a spelling");
  }

  Node quantified(const Syntax& s) {
    Node result = make(s, NodeKind::quantified);
    const auto word = s.children[0]->text;
    result.quantifier = word == "all"      ? Quantifier::all
                        : word == "any"    ? Quantifier::any
                        : word == "unique" ? Quantifier::unique
                                           : Quantifier::each;
    result.name = bound_name(*s.children[1]);
    const bool numbered = s.children[2]->form == SyntaxKind::sign;
    if (numbered) result.number = bound_name(*s.children[3]);
    const std::size_t domain = numbered ? 4 : 2;
    result.operands.push_back(node(*s.children[domain]));
    result.operands.push_back(node(*s.children.back()));
    if (s.children.size() == domain + 3) result.operands.push_back(node(*s.children[domain + 1]));
    return result;
  }

  std::string bound_name(const Syntax& s) {
    Value value;
    if (value_word(s.text, value)) error(s, fmt::format("'{}' is a value, not a name", s.text));
    return std::string(s.text);
  }

  // --- x[..], x.shape, f(..) ---

  Node postfix(const Syntax& s) {
    if (s.children.size() > 2 * max_rank)
      return error(s, "more subscripts than a tensor can have dimensions");
    std::size_t next = 1;
    Node result = head(s, next);
    for (; next < s.children.size(); ++next) {
      const Syntax& part = *s.children[next];
      if (part.form == SyntaxKind::brackets)
        result = subscript(s, std::move(result), part);
      else if (part.form == SyntaxKind::attribute)
        result = attribute(s, std::move(result), part);
      else
        return error(part, "only a function's name is followed by '('");
    }
    return result;
  }

  // The name at the front, with the arguments when it is a function's.
  Node head(const Syntax& s, std::size_t& next) {
    const Syntax& first = *s.children[0];
    if (first.form != SyntaxKind::name) return node(first);
    if (s.children[1]->form == SyntaxKind::arguments) {
      next = 2;
      return call(s, first.text, *s.children[1]);
    }
    if (notation_ != Notation::ours && is_array_module(first.text) &&
        s.children[1]->form == SyntaxKind::attribute) {
      if (s.children.size() < 3 || s.children[2]->form != SyntaxKind::arguments)
        return error(first, "only a module's functions are supported, such as np.copy(x)");
      next = 3;
      return call(s, s.children[1]->children[0]->text, *s.children[2]);
    }
    return node(first);
  }

  Node call(const Syntax& s, std::string_view name, const Syntax& arguments) {
    if (notation_ != Notation::ours && name == "ndindex") name = "positions";
    const Signature* const found = find_signature(name);
    if (found == nullptr) return unknown_function(s, name);
    Node result = with_operands(arguments, NodeKind::call);
    result.begin = s.begin;
    result.function = found->function;
    const std::size_t count = result.operands.size();
    if (count < found->least || count > found->most)
      return error(s,
                   fmt::format("{} takes {} operand{}, not {}", name,
                               found->least == found->most ? fmt::format("{}", found->least)
                               : found->most == many       ? fmt::format("at least {}", found->least)
                                                     : fmt::format("{} or {}", found->least, found->most),
                               found->most == 1 ? "" : "s", count),
                   fmt::format("{}", found->usage));
    return result;
  }

  Node unknown_function(const Syntax& s, std::string_view name) {
    std::vector<std::string> names;
    for (const Signature& known : signatures()) names.emplace_back(known.name);
    return error(s, fmt::format("unknown function '{}'", name), did_you_mean(std::string(name), names));
  }

  Node attribute(const Syntax& s, Node of, const Syntax& part) {
    const std::string_view name = part.children[0]->text;
    if (name != "shape" || notation_ == Notation::ours)
      return error(part, fmt::format("'.{}' is not supported here", name),
                   find_signature(name) != nullptr ? fmt::format("write {}(x)", name) : "");
    Node result = make(s, NodeKind::call);
    result.function = Function::shape;
    result.operands.push_back(std::move(of));
    return result;
  }

  Node subscript(const Syntax& s, Node of, const Syntax& brackets) {
    for (const auto& child : brackets.children)
      if (child->form == SyntaxKind::sign && child->text == ":") return slice(s, std::move(of), brackets);
    const bool further = of.kind == NodeKind::subscript;  // x[i][j] is x[i, j]
    Node result = further ? std::move(of) : make(s, NodeKind::subscript);
    result.wraps = notation_ == Notation::numpy;
    if (!further) result.operands.push_back(std::move(of));
    for (const auto& child : brackets.children)
      if (child->form != SyntaxKind::sign) result.operands.push_back(node(*child));
    return result;
  }

  Node slice(const Syntax& s, Node of, const Syntax& brackets) {
    Node bounds[2] = {literal(brackets, None{}), literal(brackets, None{})};
    std::size_t side = 0;
    for (const auto& child : brackets.children) {
      if (child->form != SyntaxKind::sign)
        bounds[side] = node(*child);
      else if (child->text == ":" && side == 0)
        side = 1;
      else
        return error(*child, "a slice is x[a:b], of one tuple");
    }
    Node result = make(s, NodeKind::slice);
    result.operands.push_back(std::move(of));
    result.operands.push_back(std::move(bounds[0]));
    result.operands.push_back(std::move(bounds[1]));
    return result;
  }

  const Text& source_;
  Notation notation_;
  Errors& errors_;
};

}  // namespace

std::string_view symbol(Operator op) {
  for (const auto& [text, known] : spellings)
    if (known == op) return text;
  throw std::logic_error("an operator without a spelling");
}

Node lower(const Syntax& syntax, const Text& source, Notation notation, Errors& errors) {
  return Lowering(source, notation, errors).node(syntax);
}

bool is_array_module(std::string_view name) { return name == "np" || name == "numpy" || name == "paddle"; }

bool is_value_word(std::string_view word) {
  Value value;
  return value_word(word, value);
}

}  // namespace scatterproof::spec::language
