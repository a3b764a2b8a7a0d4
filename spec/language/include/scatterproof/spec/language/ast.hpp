// SPDX-License-Identifier: Apache-2.0
// The one typed syntax tree of the language. lower.cpp makes it, checker.cpp fills in types and slots; after
// that it is read only: by the evaluator, the explainer and the printers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/spec/language/functions.hpp"
#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::spec::language {

enum class NodeKind : std::uint8_t {
  literal,      ///< value
  variable,     ///< name, slot, local
  list,         ///< operands; only on the right of `in`
  tuple,        ///< operands
  conditional,  ///< operands: condition, then, else
  quantified,   ///< quantifier, name, slot; operands: domain, body, and the filter if there is one. Over a
                ///< list of tensors, where `number` may be another name, until lists.hpp writes it out
  negation,
  conjunction,
  disjunction,
  implication,  ///< operands: premise, conclusion
  comparison,   ///< operands with an operator between each two; all pairs must hold
  arithmetic,   ///< the same, from left to right
  minus,
  replacement,  ///< `p with d = x with e = y`: operands p, d, x, e, y
  subscript,    ///< operands: what is subscripted, then the coordinates
  slice,        ///< operands: tuple, from, to; one left out is the literal none
  call          ///< function, operands
};

enum class Operator : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in,
  join,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo
};
std::string_view symbol(Operator op);

enum class Quantifier : std::uint8_t { all, any, unique, each };

struct Node {
  NodeKind kind = NodeKind::literal;
  Quantifier quantifier = Quantifier::all;
  Function function = Function::rank;
  bool local = false;       ///< the slot is one of the quantified variables', not the frame's
  bool wraps = false;       ///< of a subscript: a negative one counts from the end, as in Python
  bool bounds = false;      ///< of a quantified node: see is_bounds of fast_evaluator.hpp; expression.cpp
  std::int8_t kept = -1;    ///< invariant in the innermost loop: the slot where the fast evaluator keeps its
                            ///< value; expression.cpp
  std::int8_t deepest = 0;  ///< of such: the highest slot it uses
  int slot = -1;
  Types types = 0;  ///< what it can give; checker.cpp
  std::vector<Node> operands;
  std::vector<Operator> operators;
  Value value;
  std::string name;
  std::string number;                   ///< of a quantified node: the name of the item's number; or empty
  std::shared_ptr<const Node> written;  ///< of a node that names a list of tensors: what lists.hpp has
                                        ///< written out; not checked, for printing. Null: as it stands
  std::size_t begin = 0;                ///< byte offset in the text
  std::size_t local_slots = 0;          ///< of a root: how many quantified variables live at once

  bool is_call(Function f) const { return kind == NodeKind::call && function == f; }
};

/// Calls see(one) for the node and all below it, each before its operands.
template <typename See>
void visit(const Node& node, const See& see) {
  see(node);
  for (const Node& one : node.operands) visit(one, see);
}

/// The node as a person wrote it.
inline const Node& as_written(const Node& node) { return node.written ? *node.written : node; }

/// What a call reads of the tensors among its operands; `values` of another node.
inline Reads reads_of(const Node& node) {
  return node.kind == NodeKind::call ? signature(node.function).reads : Reads::values;
}

/// The node in the language's own notation, one line, as few parentheses as it needs.
std::string print(const Node& node);

}  // namespace scatterproof::spec::language
