// SPDX-License-Identifier: Apache-2.0
// The expression language of spec files (docs/formats/spec-language.md §2) and the printed formulas of
// documents (§1.4): text in, one typed AST out, and three users of it: evaluate, explain, print.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/tensor.hpp"

namespace scatterproof::spec::language {

/// A tensor, or the part of it that a prefix of coordinates selects. Fully subscripted parts become numbers.
struct TensorPart {
  const Tensor* tensor = nullptr;  ///< not owned; outlives the evaluation
  int argument = -1;               ///< index into the call's arguments, for origins; -1: none
  Coords prefix = {};
};

/// One element of a tensor argument, with its origin kept for the bag.
struct Element {
  Scalar value;
  int argument = -1;         ///< -1: not an element as it stands (a literal, a computed number)
  std::int64_t coords = -1;  ///< flat row-major position; -1 for a scalar argument
};

/// A value of the language: none, boolean, integer, number, word, dtype, tuple, tensor (part).
using Value = std::variant<None, bool, std::int64_t, Element, std::string, DType, Shape, TensorPart>;
std::string to_string(const Value& value);

/// Static types, as a set: an argument that is a tensor or a scalar has two.
enum class Type : unsigned {
  none = 1,
  boolean = 2,
  integer = 4,
  number = 8,
  word = 16,
  dtype = 32,
  tuple = 64,
  tensor = 128
};
using Types = unsigned;
inline constexpr Types operator|(Type a, Type b) { return static_cast<Types>(a) | static_cast<Types>(b); }

/// How many tensors a list of them can have: one for each dimension of a tensor of the ranks that people use.
inline constexpr std::size_t max_items = 5;

/// The names an expression may use; each has a slot in the Frame it is evaluated in.
class Scope {
 public:
  /// Declares a name (shadowing is an error of the caller) and returns its slot. With `list`, it is the next
  /// item of that list of tensors; its items are declared one after another. A function of lists gets all
  /// items instead of the list's name.
  int declare(std::string name, Types types, const std::string& list = {});
  struct Variable {
    std::string name;
    Types types;
  };
  struct List {
    std::string name;
    std::size_t first;  ///< the slot of its first item
    std::size_t count;
  };
  const Variable* find(std::string_view name, int* slot = nullptr) const;
  const List* find_list(std::string_view name) const;
  const std::vector<Variable>& variables() const { return variables_; }
  const std::vector<List>& lists() const { return lists_; }
  std::size_t size() const { return variables_.size(); }

 private:
  std::vector<Variable> variables_;
  std::vector<List> lists_;
};

/// The values of a scope's names, by slot; quantified variables get the slots after them while in scope.
using Frame = std::vector<Value>;

/// A text inside a file, for errors: the text's first character is at `at`.
struct Text {
  std::string file;
  Position at;
  std::string text;
};

/// Raised when an expression has no value for this call: a size of a dimension that does not exist, an
/// element out of bounds, the maximum of nothing. Says what and why in one sentence.
class NotEvaluable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is known of an expression before any call: finds rules that cannot be broken or cannot be obeyed.
enum class Constancy { varies, always_true, always_false };

struct Node;  // the AST: scatterproof/spec/language/ast.hpp

class Expression {
 public:
  Expression(std::shared_ptr<const Node> root, std::string text, Types types, Constancy constancy)
      : root_(std::move(root)), text_(std::move(text)), types_(types), constancy_(constancy) {}
  const Node& root() const { return *root_; }
  const std::string& text() const { return text_; }
  Types types() const { return types_; }
  Constancy constancy() const { return constancy_; }  ///< by interval arithmetic over ranks, sizes and counts

 private:
  std::shared_ptr<const Node> root_;
  std::string text_;
  Types types_;
  Constancy constancy_;
};
using ExpressionPtr = std::shared_ptr<const Expression>;

/// Parses and checks: syntax, unknown names (with a suggestion), types (`expected` must overlap the
/// result's), wrong numbers of operands, a subscript on something that has none. Errors carry the position
/// inside the file.
Result<ExpressionPtr> parse_expression(const Text& text, const Scope& scope, Types expected);

/// `out[AT] <- VALUE`: two expressions and the name before the bracket (must be `out`).
struct Write {
  ExpressionPtr at;
  ExpressionPtr value;
};
Result<Write> parse_write(const Text& text, const Scope& scope);

/// Throws NotEvaluable. The frame must have a value for each slot of the scope the expression was parsed in.
Value evaluate(const Expression& expression, const Frame& frame);
bool evaluate_bool(const Expression& expression, const Frame& frame);
Shape evaluate_tuple(const Expression& expression, const Frame& frame);  ///< an integer counts as a 1-tuple

/// Why a boolean expression is false here: names the failing conjunct, the quantified variable's value, and
/// both sides with their numbers: "size(index, d) <= size(src, d) fails for d = 1: 6 is greater than 5". For
/// a failing element it names its coordinates. Precondition: the expression is false.
std::string explain_false(const Expression& expression, const Frame& frame, const Scope& scope);

/// The expression in English words: "for every dimension d of index: the size of index in dimension d is at
/// most ...".
std::string in_words(const Expression& expression);

/// A document's formula as printed (forms 1 to 3 of §1.4).
class Program;
struct ProgramNames {
  std::vector<std::pair<std::string, std::string>> renamed;  ///< the document's name -> the argument's
  std::string result;  ///< the document's name of the result; empty: found
};
Result<std::shared_ptr<const Program>> parse_program(const Text& text, const ProgramNames& names,
                                                     const Scope& scope);

/// Runs the formula: the result variable starts as the given tensor (a copy is written), or, when `start` is
/// null, is what the program itself makes first (np.copy). Throws NotEvaluable. `dim` conditions in trailing
/// comments are evaluated in the frame.
Tensor run_program(const Program& program, const Frame& frame, const Scope& scope, const Tensor* start);

}  // namespace scatterproof::spec::language
