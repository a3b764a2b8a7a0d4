// SPDX-License-Identifier: Apache-2.0
// The grammar of docs/formats/spec-language.md §3, in its order. Decisions need one token of lookahead, so a
// hostile text costs linear time.
#pragma once

#include <tao/pegtl.hpp>

namespace scatterproof::spec::language::grammar {
using namespace tao::pegtl;  // NOLINT: the grammar reads as one

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
using kw_each = TAO_PEGTL_KEYWORD("each");
using kw_in = TAO_PEGTL_KEYWORD("in");
using kw_where = TAO_PEGTL_KEYWORD("where");
using kw_implies = TAO_PEGTL_KEYWORD("implies");
using kw_or = TAO_PEGTL_KEYWORD("or");
using kw_and = TAO_PEGTL_KEYWORD("and");
using kw_not = TAO_PEGTL_KEYWORD("not");
using kw_with = TAO_PEGTL_KEYWORD("with");
struct reserved : sor<kw_if, kw_then, kw_else, kw_all, kw_any, kw_unique, kw_each, kw_in, kw_where,
                      kw_implies, kw_or, kw_and, kw_not, kw_with> {};

// Leaves. Each one selected below ends before the blanks that follow it.
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
struct quantified : seq<operation<sor<kw_all, kw_any, kw_unique, kw_each>>, must<bound_name>,
                        opt<comma, must<bound_name>>, must<in_word>, must<joined>,
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

}  // namespace scatterproof::spec::language::grammar
