// SPDX-License-Identifier: Apache-2.0
// Reads an expression as a formula over the unknowns of a call: sizes, dtypes, attributes and single index
// elements. Ranks are known, so quantifiers over dimensions unroll; of positions only the first and the last
// are read. That is enough to find calls, but not to prove that they obey the rules: evaluation checks that.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scatterproof/spec/language/ast.hpp"
#include "terms.hpp"

namespace scatterproof::spec::solve {

/// A word or a dtype by its number.
struct Code {
  enum class Of : std::uint8_t { word, dtype } of = Of::word;
  Integer number = 0;
  std::shared_ptr<const std::vector<std::int64_t>> any_of = {};  ///< of a selection: the ones it may be
};
/// Items beyond the length have no meaning.
struct Tuple {
  Integer length = 0;
  std::vector<Integer> items;
};
/// A tensor, or the part of it that a prefix of coordinates selects.
struct SymbolicPart {
  int argument = -1;
  bool integers = false;  ///< an index tensor, whose elements are unknowns
  Integer dtype = 0;
  std::vector<Integer> sizes;
  std::vector<Integer> prefix;
};
/// A number that is data: rules are not solved over it.
struct Opaque {};

using Symbol = std::variant<std::monostate, SymbolicTruth, Integer, Code, Tuple, SymbolicPart, Opaque>;

/// The numbers of words: the same word has the same number everywhere.
class WordNumbers {
 public:
  std::int64_t number(const std::string& word);
  const std::string& word(std::int64_t number) const { return words_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<std::string> words_;
};

/// A value, and whether it has one: `size(index, 7)` has none for a matrix.
template <class T>
struct Partial {
  T value;
  SymbolicTruth defined = true;
};

class ExpressionReader {
 public:
  ExpressionReader(z3::context& context, WordNumbers& words) : context_(context), words_(words) {}

  /// Gives the next slot of the frame its value; one that has none is not evaluable where it is used.
  void bind(Partial<Symbol> value) { frame_.push_back(std::move(value)); }
  Partial<Symbol> read(const language::Expression& expression);
  Partial<SymbolicTruth> read_truth(const language::Expression& expression);

  /// Additional conditions on the unknowns that reading created.
  const std::vector<z3::expr>& side_conditions() const { return sides_; }

 private:
  using Node = language::Node;

  Symbol symbol(const Node& node);
  SymbolicTruth truth(const Node& node);
  Integer integer(const Node& node);
  Tuple tuple(const Node& node);
  SymbolicPart part(const Node& node);

  template <class Read>
  auto guarded(const Read& read) -> Partial<decltype(read())>;

  Symbol variable(const Node& node);
  SymbolicTruth in_turn(const std::vector<Partial<SymbolicTruth>>& operands, bool stop);
  SymbolicTruth quantified(const Node& node);
  SymbolicTruth over_positions(const Node& node);
  Symbol each(const Node& node);
  SymbolicTruth comparison(const Node& node);
  SymbolicTruth pair(const Symbol& left, language::Operator op, const Symbol& right);
  SymbolicTruth member(const Node& item, const Node& collection);
  Symbol arithmetic(const Node& node);
  Symbol replacement(const Node& node);
  Symbol subscript(const Node& node);
  Symbol slice(const Node& node);
  Symbol conditional(const Node& node);
  Symbol call(const Node& node);
  Integer size(const SymbolicPart& of, const Integer& d);
  Integer numel(const SymbolicPart& of);
  Integer extreme(const Node& node);
  std::vector<SymbolicPart> given(std::span<const Node> operands);
  SymbolicTruth are_broadcastable(std::span<const Node> shapes);
  Tuple common_shape(std::span<const Node> list);

  // selections.cpp
  template <class Of>
  void each_selection(const Node& node, const Of& of);
  Integer parts(const Node& node);
  Integer axis_of(const Node& node);
  SymbolicTruth numbers_within(const Node& node);
  SymbolicTruth is_mask(const Node& node);
  SymbolicTruth masks_fit(const Node& node);
  Tuple selected_shape(const Node& node);

  Integer unknown(const char* prefix);
  Integer element(const SymbolicPart& of, const std::string& key);
  void require(const SymbolicTruth& condition) { defined_ = defined_ && condition; }

  z3::context& context_;
  WordNumbers& words_;
  std::vector<Partial<Symbol>> frame_;
  std::vector<Symbol> locals_;
  SymbolicTruth defined_ = true;
  std::string place_;  ///< the position and quantifier being read; names its elements
  std::map<std::string, Integer> elements_;
  std::vector<z3::expr> sides_;
  int unknowns_ = 0;
};

// Tuples with lengths that may be unknown (functions.cpp).
inline constexpr std::size_t longest_tuple = 12;
Tuple tuple_of(std::vector<Integer> items);
Integer item(const Tuple& tuple, const Integer& at);
Tuple joined(const Tuple& a, const Tuple& b);
Tuple cut(const Tuple& tuple, const Integer& from, const Integer& to);
/// The items for which `kept` holds. Those beyond the length of `kept` are left out.
Tuple those_kept(const Tuple& tuple, const std::vector<SymbolicTruth>& kept);
SymbolicTruth equal(const Tuple& a, const Tuple& b);
std::size_t known_length(const Tuple& tuple);
SymbolicTruth broadcastable(const Tuple& a, const Tuple& b);
Tuple broadcast(const Tuple& a, const Tuple& b);
SymbolicTruth broadcasts_to(const Tuple& a, const Tuple& to);
Integer smaller(const Integer& a, const Integer& b);
Integer larger(const Integer& a, const Integer& b);

}  // namespace scatterproof::spec::solve
