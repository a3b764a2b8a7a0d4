// SPDX-License-Identifier: Apache-2.0
// The fast evaluator: walks a tree like evaluator.hpp, but without allocations or exceptions, for judging
// hundreds of thousands of calls a second. It returns the reference evaluator's value, or says that there is
// none, or that it is unsure and the reference evaluator must be used.
// tests/unit/spec/language/fast_evaluator_test.cpp compares the two.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

struct Selection;  // selection.hpp
struct SelectionPart;

/// A short tuple of integers.
struct ShortTuple {
  static constexpr std::size_t most = 2 * max_rank;
  std::size_t count;
  std::array<std::int64_t, most> at;  ///< the first `count` are set

  std::span<const std::int64_t> span() const { return {at.data(), count}; }
  const std::int64_t* begin() const { return at.data(); }
  const std::int64_t* end() const { return at.data() + count; }
  void assign(const ShortTuple& other) {
    count = other.count;
    for (std::size_t i = 0; i < count; ++i) at[i] = other.at[i];
  }
  friend bool operator==(const ShortTuple& a, const ShortTuple& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
};

/// A Value without allocations; only the fields that its kind needs are set.
struct FastValue {
  enum class Kind : std::uint8_t { none, boolean, integer, element, word, dtype, tuple, part };
  FastValue() {}  // NOLINT: most of it stays unset on purpose, there is one for every step of an evaluation
  Kind kind = Kind::none;
  DType dtype;            ///< dtype
  std::int32_t argument;  ///< element, part
  std::int64_t integer;   ///< boolean, integer; element: its coordinates, flat
  union {
    Scalar number;            ///< element
    const std::string* word;  ///< not owned
    ShortTuple tuple;         ///< tuple; part: its prefix
  };
  const Tensor* tensor;  ///< part; element, when it is one of a tensor. Not owned

  void set_integer(std::int64_t value) { kind = Kind::integer, integer = value; }
  void set_boolean(bool value) { kind = Kind::boolean, integer = value ? 1 : 0; }
  ShortTuple& set_tuple() {
    kind = Kind::tuple, tuple.count = 0;
    return tuple;
  }
  void set_part(const Tensor* whole, int index) {
    kind = Kind::part, tensor = whole, argument = index, tuple.count = 0;
  }
  void set_element(const Scalar& value, int index, std::int64_t flat) {
    kind = Kind::element, number = value, argument = index, integer = flat, tensor = nullptr;
  }
  /// Copies only the fields that are set.
  void assign(const FastValue& other);
  /// False when the value is a tuple that is too long. A word must outlive this value.
  bool assign(const Value& value);
};

class FastEvaluator {
 public:
  static constexpr std::size_t most_slots = 24;
  static constexpr std::size_t most_locals = 4;
  static constexpr std::size_t most_kept = 12;

  enum class State : std::uint8_t {
    fine,
    no_value,  ///< the reference evaluator would throw NotEvaluable
    unsure     ///< use the reference evaluator: the expression or value is unusual
  };
  /// Of everything evaluated since `forget`.
  State state() const { return state_; }
  bool fine() const { return state_ == State::fine; }
  void forget() { state_ = State::fine; }

  /// From now on `all` looks only at this number of values at either end of positions(..) and range(..): it
  /// is quick on large tensors, and right where what holds at the ends holds between them.
  void sample(std::int64_t positions) { sampled_ = positions; }

  /// The next slot of the frame. Precondition: there are fewer than most_slots.
  FastValue& add() {
    assert(used_ < most_slots);
    version_[used_] = 1;
    return slots_[used_++];
  }
  FastValue& slot(std::size_t i) { return slots_[i]; }
  /// Call this after a slot was given another value: it invalidates the values kept of this slot and of those
  /// after it.
  void changed(std::size_t first) {
    for (std::size_t i = first; i < used_; ++i) ++version_[i];
  }
  std::size_t size() const { return used_; }

  // If there is no value, each returns something harmless and leaves a state that is not fine. Returned
  // references point to `scratch` or to the frame.
  bool truth(const Expression& expression) { return fits(expression) && truth(expression.root()); }
  const ShortTuple& tuple(const Expression& expression,
                          FastValue& scratch);  ///< an integer counts as a 1-tuple
  const FastValue& value(const Expression& expression, FastValue& scratch);

  /// How often the innermost quantifier of the expression looks at a value, if none ends early: the product
  /// of the numbers of values of nested quantifiers. Those of an inner one are counted for the first value of
  /// the outer one.
  std::int64_t steps(const Expression& expression) { return fits(expression) ? steps(expression.root()) : 1; }

 private:
  bool fits(const Expression& expression) {
    if (expression.root().local_slots > most_locals) fail(State::unsure);
    return fine();
  }
  /// The first failure stays, because the reference evaluator would have stopped there.
  void fail(State state = State::no_value) {
    if (state_ == State::fine) state_ = state;
  }
  void append(ShortTuple& to, std::int64_t value) {
    if (to.count == ShortTuple::most) return fail(State::unsure);
    to.at[to.count++] = value;
  }

  const FastValue& variable(const Node& node) const {
    return (node.local ? locals_.data() : slots_.data())[node.slot];
  }
  const FastValue& view(const Node& node, FastValue& scratch);
  const FastValue& kept(const Node& node);
  void value(const Node& node, FastValue& out);
  bool truth(const Node& node);
  std::int64_t integer(const Node& node);
  const ShortTuple& tuple(const Node& node, FastValue& scratch);
  const FastValue* tensor(const Node& node, FastValue& scratch);  ///< null, and a failure, when it is not one

  // fast_truth.cpp
  static constexpr std::int64_t all_of_them = std::numeric_limits<std::int64_t>::max() / 2;
  template <class Stop>
  bool search(const Node& node, Stop&& stop, std::int64_t at_either_end = all_of_them);
  template <class Stop>
  bool search_positions(const Node& node, const ShortTuple& sizes, Stop&& stop, std::int64_t at_either_end);
  bool quantified(const Node& node);
  std::int64_t steps(const Node& node);
  std::int64_t values_of(const Node& domain);
  bool all(const Node& node);
  bool all_within(const Node& node);  ///< fast_bounds.cpp
  bool unique(const Node& node);
  void each(const Node& node, FastValue& out);
  bool comparison(const Node& node);
  bool pair_holds(const Node& left, Operator op, const Node& right);
  bool member(const FastValue& item, const Node& collection);
  bool holds(const FastValue& left, Operator op, const FastValue& right);

  // fast_numbers.cpp
  std::int64_t whole(std::int64_t a, Operator op, std::int64_t b);
  void combine(const FastValue& left, Operator op, const FastValue& right, FastValue& out);
  void arithmetic(const Node& node, FastValue& out);
  void replacement(const Node& node, FastValue& out);
  void slice(const Node& node, FastValue& out);
  void subscript(const Node& node, FastValue& out);
  void coordinates(const Node& node, const FastValue& base, ShortTuple& out);
  static bool find(const Tensor& tensor, const ShortTuple& at, std::int64_t& position, std::int64_t& flat);
  void element(const FastValue& base, const ShortTuple& at, FastValue& out);
  bool read_element(const Node& node, std::int64_t& integer) const;
  bool read_whole(const Node& node, std::int64_t& integer) const;

  // fast_functions.cpp
  void call(const Node& node, FastValue& out);
  void range(std::int64_t from, std::int64_t to, ShortTuple& out);
  void wrap(const FastValue& i, const FastValue& s, FastValue& out);
  void extreme(const Node& node, FastValue& out);
  void elements(const Node& node, ShortTuple& out);
  bool common_shape(const ShortTuple& a, const ShortTuple& b, ShortTuple& out);
  void common_shape(std::span<const Node> list, ShortTuple& out);
  std::int64_t element_at(const FastValue& part, std::span<const std::int64_t> at);
  std::int64_t ravel(const ShortTuple& at, const ShortTuple& sizes);
  void unravel(std::int64_t number, const ShortTuple& sizes, ShortTuple& out);
  std::int64_t trues(const Node& node);
  void count_trues(const FastValue& mask, std::int64_t end);

  // fast_selection.cpp
  /// Of a selection's list; `places`: of a mask.
  struct Item {
    FastValue value;
    const Node* node = nullptr;
    const std::vector<std::int64_t>* places = nullptr;
  };
  std::optional<Selection> selection(const Node& node);
  void of_selection(const Node& node, FastValue& out);
  void masks_fit(const Node& node, FastValue& out);
  void of_selected(const Node& node, FastValue& out);
  std::size_t given(std::span<const Node> list, std::array<Item, 2 * max_rank>& items);
  void join(ShortTuple& common, const SelectionPart& part, Item& item);
  std::int64_t component_of_true(const Item& item, std::int64_t n, std::size_t d);
  const std::vector<std::int64_t>* places_of_trues(const Node& node, const FastValue& mask);

  /// Of the mask in a slot: the row-major numbers of its true elements.
  struct Places {
    int slot = -1;
    std::uint32_t version = 0;  ///< of the slot
    std::vector<std::int64_t> numbers;
  };

  /// Of the mask in a slot, broadcast to sizes: how many of the first `numbers` positions are true.
  struct Counted {
    int slot = -1;
    std::uint32_t version = 0;  ///< of the slot
    ShortTuple sizes;
    ShortTuple at;  ///< the next position
    std::int64_t numbers = 0;
    std::int64_t trues = 0;
  };

  std::array<FastValue, most_slots> slots_;
  std::array<FastValue, most_locals> locals_;
  std::array<FastValue, most_kept> kept_;
  std::array<std::uint32_t, most_kept> kept_of_{};   ///< the version a kept value is of; 0: there is none
  std::array<std::uint32_t, most_slots> version_{};  ///< how often the slots up to this one have changed
  Counted counted_;
  std::vector<Places> places_;  ///< of the masks among index arrays
  std::size_t used_ = 0;
  State state_ = State::fine;
  std::int64_t sampled_ = all_of_them;  ///< positions at either end
};

/// `all p in positions(shape(x)): LOW <= x[p] < HIGH`, and any other comparison of each element of one
/// tensor with something that does not depend on it: such a loop needs no evaluation inside.
bool is_bounds(const Node& node);

/// Calls `visit` with every element of a part of integers, in row-major order, until it returns false; then
/// returns false. `once`: elements that are stored once, by a stride of 0, are visited once.
template <class Visit>
bool every_integer(const FastValue& part, bool once, Visit&& visit) {
  const Tensor& tensor = *part.tensor;
  const std::size_t first = part.tuple.count, rank = tensor.rank();
  const auto strides = std::span(tensor.strides()).subspan(first);
  std::int64_t position = tensor.offset();
  for (std::size_t d = 0; d < first; ++d) position += part.tuple.at[d] * tensor.strides()[d];
  std::array<std::int64_t, max_rank> sizes{};
  for (std::size_t d = 0; d < rank - first; ++d) {
    const std::int64_t size = tensor.shape()[first + d];
    sizes[d] = once && strides[d] == 0 ? std::min<std::int64_t>(size, 1) : size;
  }
  return with_integer_type(tensor.dtype(), [&](auto value) {
    return every_run(std::span(sizes.data(), rank - first), strides, position, [&](const ElementRun& run) {
      const std::byte* at = address_of(tensor, run.position);
      const auto step = run.stride * static_cast<std::int64_t>(sizeof value);
      for (std::int64_t i = 0; i < run.count; ++i, at += step) {
        std::memcpy(&value, at, sizeof value);
        if (!visit(static_cast<std::int64_t>(value))) return false;
      }
      return true;
    });
  });
}

/// As in arithmetic.hpp. Empty when it is not a number.
bool is_number(const FastValue& item);
Scalar number_of(const FastValue& item);  ///< precondition: is_number
/// Whether it is an integer (not a boolean), with its value.
bool read_integer(const FastValue& item, std::int64_t& integer);

}  // namespace scatterproof::spec::language
