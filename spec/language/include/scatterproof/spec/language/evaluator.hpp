// SPDX-License-Identifier: Apache-2.0
// The reference evaluator: walks a tree and returns its value. The explainer and the formulas use it too, so
// all share one semantics.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "scatterproof/spec/core/work_limit.hpp"
#include "scatterproof/spec/language/arithmetic.hpp"
#include "scatterproof/spec/language/ast.hpp"

namespace scatterproof::spec::language {

/// Coordinates collected for a subscript, without an allocation.
struct Coordinates {
  std::array<std::int64_t, max_rank> at{};
  std::size_t count = 0;
  std::span<const std::int64_t> span() const { return {at.data(), count}; }
};

/// numpy's common shape of two; empty: there is none.
std::optional<Shape> common_shape(const Shape& a, const Shape& b);

class Evaluator {
 public:
  Evaluator(const Frame& frame, const Node& root) : frame_(frame), locals_(root.local_slots) {}

  Value value(const Node& node);
  bool truth(const Node& node);
  std::int64_t integer(const Node& node);
  Shape tuple(const Node& node);  ///< an integer counts as a 1-tuple

  /// The value without a copy when the node is a name; else evaluated into `scratch`.
  const Value& view(const Node& node, Value& scratch);
  /// Whether the comparison of two neighbours holds.
  bool pair_holds(const Node& left, Operator op, const Node& right);

  /// Runs through the domain of a quantified node, binding its variable, until `stop` returns true; the
  /// variable then keeps its value. False if `stop` never returns true.
  template <class Stop>
  bool search(const Node& quantified, Stop&& stop);

  const Value& variable(const Node& node) const {
    return node.local ? locals_[static_cast<std::size_t>(node.slot)]
                      : frame_[static_cast<std::size_t>(node.slot)];
  }
  /// The value bound to the variable of a quantified node.
  Value& bound(const Node& quantified) { return locals_[static_cast<std::size_t>(quantified.slot)]; }

  /// The coordinates that the first `count` operands in the brackets name, after the part's prefix, each
  /// inside its dimension.
  Coordinates coordinates(const Node& subscript, const TensorPart& base, std::size_t count);

 private:
  Value arithmetic(const Node& node);
  Value replacement(const Node& node);
  Value subscript(const Node& node);
  Value slice(const Node& node);
  Value call(const Node& node);
  Value extreme(const Node& node);
  bool are_broadcastable(std::span<const Node> shapes);
  Value of_selection(const Node& node);
  Value masks_fit(const Node& node);
  Value numbers_first(const Node& node);
  Value of_selected(const Node& node);
  const std::vector<std::int64_t>& numbers_of_trues(const TensorPart& mask);
  std::int64_t component_of_true(const TensorPart& mask, std::int64_t n, std::size_t d);
  std::vector<TensorPart> given(std::span<const Node> operands);
  bool comparison(const Node& node);
  bool member(const Value& value, const Node& collection);
  Value quantified(const Node& node);
  const TensorPart& tensor(const Node& node, Value& scratch);
  void append(Coordinates& to, const Node& subscript, const TensorPart& base, std::int64_t coordinate);

  const Frame& frame_;
  std::vector<Value> locals_;
  /// Of each mask that was asked about: the row-major numbers of its true elements.
  std::map<std::pair<const Tensor*, Coords>, std::vector<std::int64_t>> trues_;
};

template <class Stop>
bool Evaluator::search(const Node& quantified, Stop&& stop) {
  const Node& domain = quantified.operands[0];
  const bool filtered = quantified.operands.size() == 3;
  const auto stops = [&] {
    WorkLimit::step();
    return (!filtered || truth(quantified.operands[2])) && stop();
  };
  if (domain.is_call(Function::positions)) {
    const Shape sizes = tuple(domain.operands[0]);
    const auto count = checked_numel(sizes);
    if (!count)
      throw NotEvaluable("positions(" + to_string(sizes) + "): these are not valid sizes of a tensor");
    if (*count == 0) return false;
    bound(quantified) = Shape(sizes.size(), 0);
    do {
      if (stops()) return true;
    } while (next(std::get<Shape>(bound(quantified)), sizes));
    return false;
  }
  if (domain.is_call(Function::range)) {
    const bool from_zero = domain.operands.size() == 1;
    const std::int64_t from = from_zero ? 0 : integer(domain.operands[0]);
    const std::int64_t to = integer(domain.operands.back());
    for (std::int64_t i = from; i < to; ++i) {
      bound(quantified) = i;
      if (stops()) return true;
    }
    return false;
  }
  for (const std::int64_t i : tuple(domain)) {
    bound(quantified) = i;
    if (stops()) return true;
  }
  return false;
}

}  // namespace scatterproof::spec::language
