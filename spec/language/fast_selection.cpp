// SPDX-License-Identifier: Apache-2.0
// The fast evaluator's functions of selections, each equivalent to the one in builtins.cpp.
#include <algorithm>

#include "scatterproof/spec/language/fast_evaluator.hpp"
#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec::language {

std::optional<Selection> FastEvaluator::selection(const Node& node) {
  if (node.is_call(Function::numbers_first)) {
    const auto chosen = selection(node.operands[0]);
    std::array<Item, Selection::most> items;
    std::array<std::span<const std::int64_t>, Selection::most> shapes;
    const std::size_t count = given(std::span<const Node>(node.operands).subspan(1), items);
    for (std::size_t n = 0; n < count; ++n) shapes[n] = sizes_of(items[n].value);
    if (!chosen || !fine()) return std::nullopt;
    return numbers_first(*chosen, std::span(shapes.data(), count));
  }
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
  if (node.function == Function::is_mask) {
    const SelectionPart* part = chosen->array(static_cast<std::size_t>(integer(o[1])));
    return out.set_boolean(part != nullptr && part->kind == SelectionPart::Kind::mask);
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

/// The tensors of a list that are given.
std::size_t FastEvaluator::given(std::span<const Node> list, std::array<Item, 2 * max_rank>& items) {
  std::size_t count = 0;
  for (const Node& operand : list) {
    FastValue scratch;
    const FastValue& seen = view(operand, scratch);
    if (seen.kind == FastValue::Kind::none) continue;
    if (count == items.size()) return fail(State::unsure), 0;
    if (seen.kind != FastValue::Kind::part) return fail(), 0;
    items[count].value.assign(seen);
    items[count++].node = &operand;
  }
  return count;
}

/// Meanings ask for one position after the other, so they are kept as long as the mask stays.
const std::vector<std::int64_t>* FastEvaluator::places_of_trues(const Node& node, const FastValue& mask) {
  if (node.kind != NodeKind::variable || node.local) return fail(State::unsure), nullptr;
  places_.reserve(most_slots);  // they are pointed to
  auto kept = std::ranges::find(places_, node.slot, &Places::slot);
  if (kept == places_.end()) kept = places_.insert(kept, Places{.slot = node.slot, .numbers = {}});
  const std::uint32_t version = version_[static_cast<std::size_t>(node.slot)];
  if (kept->version == version) return &kept->numbers;
  kept->version = version;
  kept->numbers.clear();
  const std::int64_t count = mask.tensor->numel();
  Coords at(mask.tensor->rank(), 0);
  for (std::int64_t n = 0; n < count; ++n, next(at, mask.tensor->shape()))
    if (mask.tensor->get(at).integer() != 0) kept->numbers.push_back(n);
  return &kept->numbers;
}

void FastEvaluator::masks_fit(const Node& node, FastValue& out) {
  const auto chosen = selection(node.operands[0]);
  if (!chosen) return;
  FastValue scratch;
  const ShortTuple& sizes = tuple(node.operands[1], scratch);
  std::array<Item, Selection::most> items;
  std::array<std::span<const std::int64_t>, Selection::most> shapes;
  const std::size_t count = given(std::span<const Node>(node.operands).subspan(2), items);
  for (std::size_t n = 0; n < count; ++n) shapes[n] = sizes_of(items[n].value);
  if (!fine()) return;
  const auto fit = language::masks_fit(*chosen, sizes.span(), std::span(shapes.data(), count));
  return fit ? out.set_boolean(*fit) : fail();
}

void FastEvaluator::of_selected(const Node& node, FastValue& out) {
  const std::size_t first = node.function == Function::selected ? 1 : 0;
  const auto o = std::span<const Node>(node.operands).subspan(first);
  const auto chosen = selection(o[0]);
  if (!chosen) return;
  FastValue sizes_scratch, shape_scratch;
  const ShortTuple& sizes = tuple(o[1], sizes_scratch);
  if (!fine() || sizes.count > max_rank) return fail(State::unsure);
  std::array<Item, Selection::most> items;
  const std::size_t count = given(o.subspan(2), items);
  if (fine() && count != chosen->arrays()) return fail();
  ShortTuple& common = shape_scratch.set_tuple();
  for (std::size_t n = 0; fine() && n < count; ++n) join(common, *chosen->array(n), items[n]);
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
    else if (part && part->kind == SelectionPart::Kind::mask)
      append(all, component_of_true(items[place], in_arrays.back(), static_cast<std::size_t>(start)));
    else if (part && part->kind == SelectionPart::Kind::array)
      append(all, element_at(items[place].value, in_arrays));
    else
      append(all, start + position.at[place] * step);
  }
}

/// Broadcasts `common` with the shape of an item as an index.
void FastEvaluator::join(ShortTuple& common, const SelectionPart& part, Item& item) {
  const auto own_sizes = sizes_of(item.value);
  ShortTuple own, before;
  own.count = 0;
  if (part.kind == SelectionPart::Kind::mask) {
    if (item.value.tensor->dtype() != DType::boolean || own_sizes.size() != part.dimensions()) return fail();
    item.places = places_of_trues(*item.node, item.value);
    if (item.places != nullptr) append(own, std::ssize(*item.places));
  } else {
    for (const std::int64_t size : own_sizes) append(own, size);
  }
  before.assign(common);
  if (!common_shape(before, own, common)) fail();
}

/// Component d of the position of true element n; the only one, where it is broadcast.
std::int64_t FastEvaluator::component_of_true(const Item& item, std::int64_t n, std::size_t d) {
  const auto sizes = sizes_of(item.value);
  if (item.places->size() == 1) n = 0;
  if (n < 0 || n >= std::ssize(*item.places)) return fail(), 0;
  std::int64_t number = (*item.places)[static_cast<std::size_t>(n)];
  for (std::size_t after = sizes.size() - 1; after > d; --after) number /= sizes[after];
  return number % sizes[d];
}

}  // namespace scatterproof::spec::language
