// SPDX-License-Identifier: Apache-2.0
// A document's formula as statements over the language's expressions. program.cpp reads it, run_program.cpp
// runs it.
#pragma once

#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

struct Statement;
using Statements = std::vector<Statement>;

/// `name = E`, `name = np.copy(E)`, `name = np.zeros(E)`, `name[..] += E`.
struct Assignment {
  enum class Source { value, copy, zeros };
  int slot = -1;               ///< of the name assigned to
  ExpressionPtr target;        ///< the subscripted name; null: the name itself
  std::optional<Operator> op;  ///< add or multiply
  Source source = Source::value;
  ExpressionPtr value;  ///< for zeros: the sizes
  bool numpy = true;    ///< rows may be selected and broadcast; else one element at a time
};

/// Over the positions of a tuple of sizes, or over a tuple's integers. Several variables receive
/// one coordinate each.
struct ForLoop {
  std::vector<int> slots;
  bool over_positions = false;
  bool apart = false;  ///< each variable is one coordinate, and there must be as many
  ExpressionPtr domain;
  Statements body;
};

struct Branch {
  ExpressionPtr condition;
  Statements then;
  Statements otherwise;
};

struct Return {};

struct Statement {
  std::variant<Assignment, ForLoop, Branch, Return> what;
};

class Program {
 public:
  Statements body;
  std::size_t slots = 0;  ///< of the scope and the program's own names
  int result = -1;        ///< slot
  std::string result_name;
};

}  // namespace scatterproof::spec::language
