// SPDX-License-Identifier: Apache-2.0
// The fast evaluator's functions of selections, each equivalent to the one in builtins.cpp.
#include "scatterproof/spec/language/fast_evaluator.hpp"
#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec::language {

std::optional<Selection> FastEvaluator::selection(const Node& node) {
  FastValue scratch;
  const FastValue& seen = view(node, scratch);
  auto found = seen.kind == FastValue::Kind::word ? parse_selection(*seen.word) : std::nullopt;
  if (!found) fail();
  return found;
}

void FastEvaluator::of_selection(const Node& node, FastValue& out) {
  const auto& o = node.operands;
  const auto chosen = selection(o[0]);
  if (!chosen) return;
  FastValue scratch;
  if (node.function == Function::numbers_within) {
    const auto within = numbers_within(*chosen, tuple(o[1], scratch).span());
    return within ? out.set_boolean(*within) : fail();
  }
  std::optional<std::int64_t> found;
  if (node.function == Function::axis_of) {
    const std::int64_t n = integer(o[1]), rank = integer(o[2]);
    if (fine()) found = axis_of(*chosen, n, static_cast<std::size_t>(rank));
  } else if (const FastValue& kind = view(o[1], scratch); kind.kind == FastValue::Kind::word) {
    found = chosen->count_of(*kind.word);
  }
  return found ? out.set_integer(*found) : fail();
}

void FastEvaluator::of_selected(const Node& node, FastValue& out) {
  const std::size_t first = node.function == Function::selected ? 1 : 0;
  const auto o = std::span<const Node>(node.operands).subspan(first);
  const auto chosen = selection(o[0]);
  if (!chosen) return;
  FastValue scratch, sizes_scratch, shape_scratch;
  const ShortTuple& sizes = tuple(o[1], sizes_scratch);
  if (!fine() || sizes.count > max_rank) return fail(State::unsure);
  std::array<FastValue, Selection::most> arrays;
  std::size_t given = 0;
  for (const Node& operand : o.subspan(2)) {
    if (given == arrays.size()) return fail(State::unsure);
    const FastValue& seen = view(operand, scratch);
    if (seen.kind != FastValue::Kind::none) arrays[given++].assign(seen);
  }
  if (given != chosen->arrays()) return fail();
  ShortTuple& common = shape_scratch.set_tuple();
  common_shape(o.subspan(2), common);
  if (!fine()) return;
  const auto placed = plan(*chosen, sizes.span(), common.span());
  if (!placed) return fail();
  FastValue position_scratch;
  ShortTuple& all = out.set_tuple();
  if (first == 0) {
    for (const std::int64_t size : placed->shape()) append(all, size);
    return;
  }
  const ShortTuple& position = tuple(node.operands[0], position_scratch);
  if (!fine() || position.count != placed->dims) return fail();
  const auto in_arrays = placed->in_arrays(position.span()).last(common.count);
  for (const auto& [part, place, start, step] : std::span(placed->sources.data(), placed->rank)) {
    if (part && part->kind == SelectionPart::Kind::integer)
      append(all, part->number);
    else if (part && part->kind == SelectionPart::Kind::array)
      append(all, element_at(arrays[place], in_arrays));
    else
      append(all, start + position.at[place] * step);
  }
}

}  // namespace scatterproof::spec::language
