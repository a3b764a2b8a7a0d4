// SPDX-License-Identifier: Apache-2.0
// The grammar of expressions and of the lines of printed formulas, as in docs/spec-language.md §3: the only
// place that knows PEGTL. Decisions need one token, so a hostile text costs linear time; nesting is bounded.
#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/limit_depth.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include "syntax.hpp"

namespace scatterproof::spec::language {
namespace grammar {
using namespace tao::pegtl;  // NOLINT: the grammar reads as one

constexpr std::size_t max_depth = 200;  // a pair of parentheses takes three

struct gap : star<one<' ', '\t', '\r', '\n'>> {};
template <class Rule>
struct lexeme : seq<Rule, gap> {};
template <char C>
struct mark : lexeme<one<C>> {};
template <class Keyword>
struct bare : lexeme<Keyword> {};  // a keyword that leaves no trace

using kw_if = TAO_PEGTL_KEYWORD("if");
using kw_then = TAO_PEGTL_KEYWORD("then");
using kw_else = TAO_PEGTL_KEYWORD("else");
using kw_all = TAO_PEGTL_KEYWORD("all");
using kw_any = TAO_PEGTL_KEYWORD("any");
using kw_unique = TAO_PEGTL_KEYWORD("unique");
using kw_in = TAO_PEGTL_KEYWORD("in");
using kw_where = TAO_PEGTL_KEYWORD("where");
using kw_implies = TAO_PEGTL_KEYWORD("implies");
using kw_or = TAO_PEGTL_KEYWORD("or");
using kw_and = TAO_PEGTL_KEYWORD("and");
using kw_not = TAO_PEGTL_KEYWORD("not");
using kw_with = TAO_PEGTL_KEYWORD("with");
struct reserved : sor<kw_if, kw_then, kw_else, kw_all, kw_any, kw_unique, kw_in, kw_where, kw_implies, kw_or,
                      kw_and, kw_not, kw_with> {};

// Leaves. Each that is selected below ends before the blanks behind it.
struct name_text : seq<not_at<reserved>, identifier> {};
struct name : lexeme<name_text> {};
struct exponent : seq<one<'e', 'E'>, opt<one<'+', '-'>>, plus<digit>> {};
struct number_text : seq<plus<digit>, opt<one<'.'>, plus<digit>>, opt<exponent>> {};
struct number_end : not_at<identifier_other> {};
struct number : lexeme<seq<number_text, must<number_end>>> {};
template <char Q>
struct word_rest : until<one<Q>, not_one<'\n'>> {};
template <char Q>
struct quoted : seq<one<Q>, must<word_rest<Q>>> {};
struct word_text : sor<quoted<'"'>, quoted<'\''>> {};
struct word : lexeme<word_text> {};

template <class Rule>
struct sign : Rule {};  // selected: an operator or a mark whose text matters
template <class Rule>
struct operation : lexeme<sign<Rule>> {};
struct comma : operation<one<','>> {};
struct colon : operation<one<':'>> {};
struct plus_text : seq<one<'+'>, not_at<one<'+', '='>>> {};
struct minus_text : seq<one<'-'>, not_at<one<'='>>> {};
struct times_text : seq<sor<string<'/', '/'>, one<'*', '/', '%'>>, not_at<one<'='>>> {};
struct not_in_text : seq<kw_not, gap, kw_in> {};
struct compare_text : sor<string<'=', '='>, string<'!', '='>, string<'<', '='>, string<'>', '='>,
                          one<'<', '>', '='>, kw_in, not_in_text> {};

// Expressions, from the tightest to the loosest.
struct expression;
struct close_parenthesis : mark<')'> {};
struct close_bracket : mark<']'> {};
struct parenthesis : seq<mark<'('>, opt<expression>, star<comma, opt<expression>>, must<close_parenthesis>> {
};
struct list_items : opt<list_must<expression, comma>> {};
struct bracket_list : seq<mark<'['>, list_items, must<close_bracket>> {};
struct arguments : seq<mark<'('>, list_items, must<close_parenthesis>> {};
struct attribute_name : name {};
struct attribute : seq<mark<'.'>, must<attribute_name>> {};
struct coordinate : sor<seq<colon, opt<expression>>, seq<expression, opt<colon, opt<expression>>>> {};
struct brackets : seq<mark<'['>, must<coordinate>, star<comma, opt<coordinate>>, must<close_bracket>> {};
struct primary : sor<number, word, parenthesis, bracket_list, name> {};
struct postfix : seq<primary, star<sor<brackets, attribute, arguments>>> {};

template <class Atom>
struct negative : sor<seq<operation<minus_text>, must<negative<Atom>>>, Atom> {};
template <class Atom>
struct product : list_must<negative<Atom>, operation<times_text>> {};
template <class Atom>
struct sum : list_must<product<Atom>, operation<sor<plus_text, minus_text>>> {};
struct replaced : sum<postfix> {};
struct equals_sign : mark<'='> {};
struct replacement : seq<postfix, star<bare<kw_with>, must<replaced>, must<equals_sign>, must<replaced>>> {};
struct joined : list_must<sum<replacement>, operation<string<'+', '+'>>> {};
struct comparison : list_must<joined, operation<compare_text>> {};

struct then_word : bare<kw_then> {};
struct else_word : bare<kw_else> {};
struct in_word : bare<kw_in> {};
struct bound_name : name {};
struct body_colon : mark<':'> {};
struct conditional : seq<bare<kw_if>, must<expression>, must<then_word>, must<expression>, must<else_word>,
                         must<expression>> {};
struct quantified
    : seq<operation<sor<kw_all, kw_any, kw_unique>>, must<bound_name>, must<in_word>, must<joined>,
          opt<bare<kw_where>, must<expression>>, must<body_colon>, must<expression>> {};
struct negation;
struct negated : seq<bare<kw_not>, must<negation>> {};
struct negation : sor<negated, conditional, quantified, comparison> {};
struct conjunction : list_must<negation, bare<kw_and>> {};
struct disjunction : list_must<conjunction, bare<kw_or>> {};
struct expression : seq<disjunction, opt<bare<kw_implies>, must<expression>>> {};

struct end : eof {};
struct whole_expression : seq<gap, must<expression>, must<end>> {};

struct open_bracket : mark<'['> {};
struct arrow : lexeme<string<'<', '-'>> {};
struct target_name : name {};
struct write_target : seq<target_name, at<one<'['>>, must<brackets>> {};
struct write : seq<gap, must<write_target>, must<arrow>, must<expression>, must<end>> {};

// One line of a printed formula, its indentation cut off.
struct comment : if_must<one<'#'>, until<eof>> {};
struct line_end : seq<opt<comment>, eof> {};
struct block_colon : mark<':'> {};
struct assign_text : sor<string<'+', '='>, string<'*', '='>, one<'='>> {};
struct assign_sign : operation<assign_text> {};
struct condition : seq<opt<mark<'#'>>, bare<kw_if>, must<expression>, opt<mark<','>>> {};
struct loop_line : seq<bare<TAO_PEGTL_KEYWORD("for")>, must<bound_name>, star<mark<','>, must<bound_name>>,
                       must<in_word>, must<expression>, must<block_colon>> {};
struct if_line : seq<bare<kw_if>, must<expression>, must<block_colon>> {};
struct elif_line : seq<bare<TAO_PEGTL_KEYWORD("elif")>, must<expression>, must<block_colon>> {};
struct else_line : seq<bare<kw_else>, must<block_colon>> {};
struct open_parenthesis : mark<'('> {};
struct function_line
    : seq<bare<TAO_PEGTL_KEYWORD("def")>, must<bound_name>, must<open_parenthesis>,
          opt<list_must<bound_name, mark<','>>>, must<close_parenthesis>, must<block_colon>> {};
struct return_line : seq<bare<TAO_PEGTL_KEYWORD("return")>, must<bound_name>> {};
struct import_line : seq<TAO_PEGTL_KEYWORD("import"), until<eof>> {};
struct assignment : seq<postfix, must<assign_sign>, must<expression>, opt<condition>> {};
struct line
    : sor<loop_line, if_line, elif_line, else_line, function_line, return_line, import_line, assignment> {};
struct program_line : seq<gap, must<line>, must<line_end>> {};

template <class Rule>
inline constexpr Form form_of = Form::unselected;
template <>
inline constexpr Form form_of<number_text> = Form::number;
template <>
inline constexpr Form form_of<word_text> = Form::word;
template <>
inline constexpr Form form_of<name_text> = Form::name;
template <class Rule>
inline constexpr Form form_of<sign<Rule>> = Form::sign;
template <>
inline constexpr Form form_of<bracket_list> = Form::list;
template <>
inline constexpr Form form_of<parenthesis> = Form::parenthesis;
template <>
inline constexpr Form form_of<brackets> = Form::brackets;
template <>
inline constexpr Form form_of<arguments> = Form::arguments;
template <>
inline constexpr Form form_of<attribute> = Form::attribute;
template <>
inline constexpr Form form_of<postfix> = Form::postfix;
template <class Atom>
inline constexpr Form form_of<negative<Atom>> = Form::negative;
template <>
inline constexpr Form form_of<replacement> = Form::replacement;
template <class Atom>
inline constexpr Form form_of<product<Atom>> = Form::product;
template <class Atom>
inline constexpr Form form_of<sum<Atom>> = Form::sum;
template <>
inline constexpr Form form_of<replaced> = Form::sum;
template <>
inline constexpr Form form_of<joined> = Form::joined;
template <>
inline constexpr Form form_of<comparison> = Form::comparison;
template <>
inline constexpr Form form_of<negated> = Form::negation;
template <>
inline constexpr Form form_of<conjunction> = Form::conjunction;
template <>
inline constexpr Form form_of<disjunction> = Form::disjunction;
template <>
inline constexpr Form form_of<expression> = Form::implication;
template <>
inline constexpr Form form_of<conditional> = Form::conditional;
template <>
inline constexpr Form form_of<quantified> = Form::quantified;
template <>
inline constexpr Form form_of<write> = Form::write;
template <>
inline constexpr Form form_of<condition> = Form::condition;
template <>
inline constexpr Form form_of<loop_line> = Form::loop_line;
template <>
inline constexpr Form form_of<if_line> = Form::if_line;
template <>
inline constexpr Form form_of<elif_line> = Form::elif_line;
template <>
inline constexpr Form form_of<else_line> = Form::else_line;
template <>
inline constexpr Form form_of<function_line> = Form::function_line;
template <>
inline constexpr Form form_of<return_line> = Form::return_line;
template <>
inline constexpr Form form_of<import_line> = Form::import_line;
template <>
inline constexpr Form form_of<assignment> = Form::assignment;

struct Tree {
  Form form = Form::unselected;
  const char* begin = nullptr;
  const char* end = nullptr;
  std::vector<std::unique_ptr<Tree>> children;

  template <class Rule, class Input, class... States>
  void start(const Input& in, States&&...) {
    form = form_of<Rule>;
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
constexpr bool folds(Form form) {
  switch (form) {
    case Form::postfix:
    case Form::negative:
    case Form::replacement:
    case Form::product:
    case Form::sum:
    case Form::joined:
    case Form::comparison:
    case Form::conjunction:
    case Form::disjunction:
    case Form::implication:
      return true;
    default:
      return false;
  }
}

template <class Rule>
struct selector : std::bool_constant<form_of<Rule> != Form::unselected> {
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
  return {source.file, place_in(source, offset), std::move(what), std::move(hint), {}};
}

Result<std::unique_ptr<Syntax>> parse_syntax(const Text& source, Goal goal) {
  if (source.text.size() > max_text)
    return error_at(source, 0, "an expression longer than 64 KiB is not read");
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
