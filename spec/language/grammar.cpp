// SPDX-License-Identifier: Apache-2.0
// Runs the grammar: which rules produce a node, the message when a rule does not match, and the nesting
// limit. The only translation unit that includes PEGTL.
#include <tao/pegtl/contrib/limit_depth.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include "rules.hpp"
#include "syntax.hpp"

namespace scatterproof::spec::language {
namespace grammar {

constexpr std::size_t max_depth = 200;  // a pair of parentheses takes three

template <class Rule>
inline constexpr SyntaxKind kind_of = SyntaxKind::unselected;
template <>
inline constexpr SyntaxKind kind_of<number_text> = SyntaxKind::number;
template <>
inline constexpr SyntaxKind kind_of<word_text> = SyntaxKind::word;
template <>
inline constexpr SyntaxKind kind_of<name_text> = SyntaxKind::name;
template <class Rule>
inline constexpr SyntaxKind kind_of<sign<Rule>> = SyntaxKind::sign;
template <>
inline constexpr SyntaxKind kind_of<bracket_list> = SyntaxKind::list;
template <>
inline constexpr SyntaxKind kind_of<parenthesis> = SyntaxKind::parenthesis;
template <>
inline constexpr SyntaxKind kind_of<brackets> = SyntaxKind::brackets;
template <>
inline constexpr SyntaxKind kind_of<arguments> = SyntaxKind::arguments;
template <>
inline constexpr SyntaxKind kind_of<attribute> = SyntaxKind::attribute;
template <>
inline constexpr SyntaxKind kind_of<postfix> = SyntaxKind::postfix;
template <class Atom>
inline constexpr SyntaxKind kind_of<negative<Atom>> = SyntaxKind::negative;
template <>
inline constexpr SyntaxKind kind_of<replacement> = SyntaxKind::replacement;
template <class Atom>
inline constexpr SyntaxKind kind_of<product<Atom>> = SyntaxKind::product;
template <class Atom>
inline constexpr SyntaxKind kind_of<sum<Atom>> = SyntaxKind::sum;
template <>
inline constexpr SyntaxKind kind_of<replaced> = SyntaxKind::sum;
template <>
inline constexpr SyntaxKind kind_of<joined> = SyntaxKind::joined;
template <>
inline constexpr SyntaxKind kind_of<comparison> = SyntaxKind::comparison;
template <>
inline constexpr SyntaxKind kind_of<negated> = SyntaxKind::negation;
template <>
inline constexpr SyntaxKind kind_of<conjunction> = SyntaxKind::conjunction;
template <>
inline constexpr SyntaxKind kind_of<disjunction> = SyntaxKind::disjunction;
template <>
inline constexpr SyntaxKind kind_of<expression> = SyntaxKind::implication;
template <>
inline constexpr SyntaxKind kind_of<conditional> = SyntaxKind::conditional;
template <>
inline constexpr SyntaxKind kind_of<quantified> = SyntaxKind::quantified;
template <>
inline constexpr SyntaxKind kind_of<write> = SyntaxKind::write;
template <>
inline constexpr SyntaxKind kind_of<condition> = SyntaxKind::condition;
template <>
inline constexpr SyntaxKind kind_of<loop_line> = SyntaxKind::loop_line;
template <>
inline constexpr SyntaxKind kind_of<if_line> = SyntaxKind::if_line;
template <>
inline constexpr SyntaxKind kind_of<elif_line> = SyntaxKind::elif_line;
template <>
inline constexpr SyntaxKind kind_of<else_line> = SyntaxKind::else_line;
template <>
inline constexpr SyntaxKind kind_of<function_line> = SyntaxKind::function_line;
template <>
inline constexpr SyntaxKind kind_of<return_line> = SyntaxKind::return_line;
template <>
inline constexpr SyntaxKind kind_of<import_line> = SyntaxKind::import_line;
template <>
inline constexpr SyntaxKind kind_of<assignment> = SyntaxKind::assignment;

struct Tree {
  SyntaxKind form = SyntaxKind::unselected;
  const char* begin = nullptr;
  const char* end = nullptr;
  std::vector<std::unique_ptr<Tree>> children;

  template <class Rule, class Input, class... States>
  void start(const Input& in, States&&...) {
    form = kind_of<Rule>;
    begin = in.current();
  }
  template <class Rule, class Input, class... States>
  void success(const Input& in, States&&...) {
    end = in.current();
  }
  template <class Rule, class Input, class... States>
  void failure(const Input&, States&&...) {}
  template <class... States>
  void emplace_back(std::unique_ptr<Tree>&& child, States&&...) {
    children.push_back(std::move(child));
  }
};

// An operator level without an operator is its only operand.
constexpr bool folds(SyntaxKind form) {
  switch (form) {
    case SyntaxKind::postfix:
    case SyntaxKind::negative:
    case SyntaxKind::replacement:
    case SyntaxKind::product:
    case SyntaxKind::sum:
    case SyntaxKind::joined:
    case SyntaxKind::comparison:
    case SyntaxKind::conjunction:
    case SyntaxKind::disjunction:
    case SyntaxKind::implication:
      return true;
    default:
      return false;
  }
}

template <class Rule>
struct selector : std::bool_constant<kind_of<Rule> != SyntaxKind::unselected> {
  static void transform(std::unique_ptr<Tree>& node) {
    if (folds(node->form) && node->children.size() == 1) node = std::move(node->children.front());
  }
};

template <class Rule>
struct action : nothing<Rule> {};
template <>
struct action<expression> : limit_depth<max_depth> {};
template <>
struct action<negation> : limit_depth<max_depth> {};
template <class Atom>
struct action<negative<Atom>> : limit_depth<max_depth> {};

template <class Rule>
inline constexpr const char* expected = nullptr;
template <>
inline constexpr const char* expected<expression> = "expected an expression";
template <>
inline constexpr const char* expected<number_end> = "a number ends before a letter";
template <char Q>
inline constexpr const char* expected<word_rest<Q>> = "the word's closing quote is missing";
template <>
inline constexpr const char* expected<close_parenthesis> = "expected ')' or ','";
template <>
inline constexpr const char* expected<close_bracket> = "expected ']' or ','";
template <>
inline constexpr const char* expected<attribute_name> = "expected a name after '.'";
template <>
inline constexpr const char* expected<coordinate> = "expected a subscript";
template <class Atom>
inline constexpr const char* expected<negative<Atom>> = "expected an operand";
template <class Atom>
inline constexpr const char* expected<product<Atom>> = "expected an operand";
template <class Atom>
inline constexpr const char* expected<sum<Atom>> = "expected an operand";
template <>
inline constexpr const char* expected<replaced> = "expected an operand after 'with' or '='";
template <>
inline constexpr const char* expected<equals_sign> = "expected '=' (p with d = x)";
template <>
inline constexpr const char* expected<joined> = "expected an operand";
template <>
inline constexpr const char* expected<negation> = "expected an operand";
template <>
inline constexpr const char* expected<conjunction> = "expected an operand";
template <>
inline constexpr const char* expected<then_word> = "expected 'then' (if A then B else C)";
template <>
inline constexpr const char* expected<else_word> = "expected 'else' (if A then B else C)";
template <>
inline constexpr const char* expected<in_word> = "expected 'in'";
template <>
inline constexpr const char* expected<bound_name> = "expected a name";
template <>
inline constexpr const char* expected<body_colon> = "expected ':' (all d in DOMAIN: E)";
template <>
inline constexpr const char* expected<end> = "expected an operator or the end";
template <>
inline constexpr const char* expected<write_target> = "expected out[POSITION] <- VALUE";
template <>
inline constexpr const char* expected<brackets> = "expected '['";
template <>
inline constexpr const char* expected<arrow> = "expected '<-' (out[POSITION] <- VALUE)";
template <>
inline constexpr const char* expected<until<eof>> = "expected the end of the line";
template <>
inline constexpr const char* expected<block_colon> = "expected ':'";
template <>
inline constexpr const char* expected<open_parenthesis> = "expected '('";
template <>
inline constexpr const char* expected<assign_sign> = "expected '=', '+=' or '*='";
template <>
inline constexpr const char* expected<line> =
    "expected an assignment, 'for', 'if', 'else', 'def' or 'return'";
template <>
inline constexpr const char* expected<line_end> = "expected the end of the line";

struct messages {
  template <class Rule>
  static constexpr const char* message = expected<Rule>;
  template <class Rule>
  static constexpr bool raise_on_failure = false;
};
template <class Rule>
using control = must_if<messages>::control<Rule>;

}  // namespace grammar

namespace {

constexpr std::size_t max_text = 64u << 10;

std::unique_ptr<Syntax> copy(const grammar::Tree& tree, const char* text) {
  auto syntax = std::make_unique<Syntax>();
  syntax->form = tree.form;
  syntax->begin = static_cast<std::size_t>(tree.begin - text);
  syntax->end = static_cast<std::size_t>(tree.end - text);
  syntax->text = std::string_view(tree.begin, syntax->end - syntax->begin);
  for (const auto& child : tree.children) syntax->children.push_back(copy(*child, text));
  return syntax;
}

template <class Rule>
std::unique_ptr<Syntax> parse_with(const Text& source) {
  tao::pegtl::memory_input in(source.text.data(), source.text.size(), "");
  const auto tree = tao::pegtl::parse_tree::parse<Rule, grammar::Tree, grammar::selector, grammar::action,
                                                  grammar::control>(in);
  if (!tree || tree->children.size() != 1)
    throw std::logic_error("the grammar's start rules cannot fail softly");
  return copy(*tree->children.front(), source.text.data());
}

}  // namespace

Position place_in(const Text& source, std::size_t offset) {
  Position at = source.at;
  if (at.line == 0) return at;
  for (std::size_t i = 0; i < offset && i < source.text.size(); ++i) {
    ++at.column;
    if (source.text[i] == '\n') at = {at.line + 1, source.at.column};
  }
  return at;
}

Error error_at(const Text& source, std::size_t offset, std::string what, std::string hint) {
  return {
      .file = source.file, .at = place_in(source, offset), .what = std::move(what), .hint = std::move(hint)};
}

Result<std::unique_ptr<Syntax>> parse_syntax(const Text& source, Goal goal) {
  if (source.text.size() > max_text) return error_at(source, 0, "the expression is longer than 64 KiB");
  try {
    switch (goal) {
      case Goal::expression:
        return parse_with<grammar::whole_expression>(source);
      case Goal::write:
        return parse_with<grammar::write>(source);
      case Goal::program_line:
        return parse_with<grammar::program_line>(source);
    }
    throw std::logic_error("no such goal");
  } catch (const tao::pegtl::parse_error& error) {
    std::string what(error.message());
    if (what.find("nesting depth") != std::string::npos) what = "the expression is nested too deeply";
    return error_at(source, error.positions().front().byte, std::move(what));
  }
}

}  // namespace scatterproof::spec::language
