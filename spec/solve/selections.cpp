// SPDX-License-Identifier: Apache-2.0
// The language's functions of selections as formulas: a choice among the selections that a call may have.
#include <algorithm>

#include "reader.hpp"
#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec::solve {

using language::Selection;
using language::SelectionPart;

namespace {

constexpr std::int64_t most_steps = 8;  // counted of a slice; sizes are small

Integer within_slice(const std::optional<std::int64_t>& given, const Integer& size, const Integer& lowest,
                     const Integer& highest, const Integer& otherwise) {
  if (!given) return otherwise;
  if (*given < 0) return choose(size + *given < 0, lowest, size + *given);
  return smaller(*given, highest);
}

/// How many places a slice has; as SelectionPart::places.
Integer slice_length(const SelectionPart& slice, const Integer& size) {
  const std::int64_t step = slice.step.value_or(1);
  const bool up = step > 0;
  const Integer lowest = up ? 0 : -1, highest = up ? size : size - 1;
  const Integer from = within_slice(slice.start, size, lowest, highest, up ? lowest : highest);
  const Integer to = within_slice(slice.stop, size, lowest, highest, up ? highest : lowest);
  const Integer width = up ? to - from : from - to;
  if (step == 1 || step == -1) return larger(width, 0);
  Integer count = 0;
  for (std::int64_t i = 0; i < most_steps; ++i)
    count = count + choose(Integer(i * (up ? step : -step)) < width, Integer(1), Integer(0));
  return count;
}

Tuple choose(const SymbolicTruth& condition, const Tuple& yes, const Tuple& no) {
  Tuple result{choose(condition, yes.length, no.length), {}};
  for (std::size_t i = 0; i < std::max(yes.items.size(), no.items.size()); ++i)
    result.items.push_back(i >= yes.items.size()  ? no.items[i]
                           : i >= no.items.size() ? yes.items[i]
                                                  : choose(condition, yes.items[i], no.items[i]));
  return result;
}

/// The result's sizes; `defined` gets what else must hold. Empty: it has none at these ranks.
std::optional<Tuple> shape_of(const Selection& selection, const std::vector<Integer>& sizes,
                              const std::vector<Integer>& arrays, SymbolicTruth& defined) {
  const Shape ones(sizes.size(), 1), common(arrays.size(), 1);
  const auto placed = language::plan(selection, ones, common);
  if (!placed) return std::nullopt;
  std::vector<Integer> result(placed->shape().begin(), placed->shape().end());
  const std::size_t ahead = placed->first + placed->common - arrays.size();
  for (std::size_t d = 0; d < arrays.size(); ++d) {
    const bool emptied = result[ahead + d].known() == 0;  // by False
    if (emptied) defined = defined && arrays[d] <= 1;
    if (!emptied) result[ahead + d] = arrays[d];
  }
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const auto& source = placed->sources[d];
    if (!source.part)
      result[source.place] = sizes[d];
    else if (source.part->kind == SelectionPart::Kind::slice)
      result[source.place] = slice_length(*source.part, sizes[d]);
  }
  return tuple_of(std::move(result));
}

}  // namespace

/// Calls `of(selection, is_it)` for each selection that the node may be.
template <class Of>
void ExpressionReader::each_selection(const Node& node, const Of& of) {
  const bool first = node.is_call(language::Function::numbers_first);
  std::vector<Shape> ranks;  // of the items, by as many ones
  if (first)
    for (const SymbolicPart& item : given(std::span<const Node>(node.operands).subspan(1)))
      ranks.emplace_back(item.sizes.size() - item.prefix.size(), 1);
  const std::vector<std::span<const std::int64_t>> items(ranks.begin(), ranks.end());
  const Symbol seen = symbol(first ? node.operands[0] : node);
  const auto* code = std::get_if<Code>(&seen);
  if (!code || code->of != Code::Of::word) throw NotSolvable("a selection that is not a word");
  const std::int64_t alone[] = {code->number.known().value_or(0)};
  if (!code->any_of && !code->number.known()) throw NotSolvable("a selection of any kind");
  for (const std::int64_t number : code->any_of ? std::span<const std::int64_t>(*code->any_of) : alone)
    if (const auto selection = language::parse_selection(words_.word(number)))
      of(first ? language::numbers_first(*selection, items) : *selection, code->number == Integer(number));
}

Integer ExpressionReader::parts(const Node& node) {
  const auto* kind = std::get_if<std::string>(&node.operands[1].value);
  if (!kind) throw NotSolvable("a kind of parts that is not written");
  Integer result = 0;
  each_selection(node.operands[0], [&](const Selection& selection, const SymbolicTruth& is_it) {
    result = solve::choose(is_it, selection.count_of(*kind).value_or(0), result);
  });
  return result;
}

Integer ExpressionReader::axis_of(const Node& node) {
  const auto n = integer(node.operands[1]).known(), rank = integer(node.operands[2]).known();
  if (!n || !rank) throw NotSolvable("an array that is not known");
  Integer result = 0;
  each_selection(node.operands[0], [&](const Selection& selection, const SymbolicTruth& is_it) {
    const auto axis = language::axis_of(selection, *n, static_cast<std::size_t>(*rank));
    if (!axis) require(!is_it);
    result = solve::choose(is_it, axis.value_or(0), result);
  });
  return result;
}

SymbolicTruth ExpressionReader::numbers_within(const Node& node) {
  const Tuple sizes = tuple(node.operands[1]);
  const std::size_t rank = known_length(sizes);
  SymbolicTruth result = true;
  each_selection(node.operands[0], [&](const Selection& selection, const SymbolicTruth& is_it) {
    const auto placed = language::plan(selection, Shape(rank, 1), Shape());
    if (!placed) return require(!is_it);
    for (std::size_t d = 0; d < rank; ++d)
      if (const SelectionPart* part = placed->sources[d].part;
          part && part->kind == SelectionPart::Kind::integer)
        result = result && (!is_it || (Integer(0) - sizes.items[d] <= part->number &&
                                       Integer(part->number) < sizes.items[d]));
  });
  return result;
}

SymbolicTruth ExpressionReader::is_mask(const Node& node) {
  const auto n = integer(node.operands[1]).known();
  if (!n) throw NotSolvable("an array that is not known");
  SymbolicTruth result = false;
  each_selection(node.operands[0], [&](const Selection& selection, const SymbolicTruth& is_it) {
    const SelectionPart* part = selection.array(static_cast<std::size_t>(*n));
    if (part && part->kind == SelectionPart::Kind::mask) result = result || is_it;
  });
  return result;
}

/// Selections are solved for without masks, which replace arrays of integers later (masks.cpp).
SymbolicTruth ExpressionReader::masks_fit(const Node& node) {
  each_selection(node.operands[0], [&](const Selection& selection, const SymbolicTruth& is_it) {
    if (selection.count_of("mask") > 0) require(!is_it);
  });
  return true;
}

Tuple ExpressionReader::selected_shape(const Node& node) {
  const Tuple sizes = tuple(node.operands[1]);
  const std::size_t rank = known_length(sizes);
  std::vector<Integer> known(sizes.items.begin(), sizes.items.begin() + static_cast<std::ptrdiff_t>(rank));
  const Tuple arrays = common_shape(std::span<const Node>(node.operands).subspan(2));
  (void)known_length(arrays);
  std::optional<Tuple> result;
  each_selection(node.operands[0], [&](const Selection& selection, const SymbolicTruth& is_it) {
    SymbolicTruth defined = true;
    const auto shape = shape_of(selection, known, arrays.items, defined);
    require(!is_it || (SymbolicTruth(shape.has_value()) && defined));
    if (shape) result = result ? choose(is_it, *shape, *result) : *shape;
  });
  if (!result) throw NotSolvable("a selection without a shape");
  return *result;
}

}  // namespace scatterproof::spec::solve
