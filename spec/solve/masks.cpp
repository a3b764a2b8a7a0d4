// SPDX-License-Identifier: Apache-2.0
// Masks among the index arrays of a selection. A mask means the arrays that list its true elements, so a call
// with such arrays shows which masks fit: nothing about them need be solved for.
#include <algorithm>
#include <iterator>

#include "scatterproof/spec/language/selection.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::spec {
namespace {

using language::Selection;
using language::SelectionPart;

constexpr std::size_t most_dimensions = 3;
constexpr std::int64_t largest_mask = std::int64_t{1} << 20;

/// A selection with its arrays, taken from a call and put back.
struct Indexing {
  std::string* key = nullptr;
  Selection selection = {};
  std::vector<Argument*> places = {};  ///< of the list, in the call
  std::vector<Tensor> items = {};
  Shape sizes = {};  ///< of what is indexed

  /// Item n and its part are replaced by others of the list.
  void write() const {
    *key = to_string(selection);
    for (std::size_t n = 0; n < places.size(); ++n)
      *places[n] = n < items.size() ? Argument(items[n]) : Argument(None{});
  }
  std::size_t part_of(std::size_t item) const {
    return static_cast<std::size_t>(selection.array(item) - selection.parts.data());
  }
};

std::optional<Indexing> indexing_of(const OpSpec& spec, Call& call) {
  Indexing found;
  const auto declared =
      std::ranges::find_if(spec.arguments, [](const ArgumentDecl& one) { return !one.selects_with.empty(); });
  if (declared == spec.arguments.end()) return std::nullopt;
  const Tensor* indexed = nullptr;
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    Argument& value = call.arguments[i].second;
    auto* tensor = std::get_if<Tensor>(&value);
    if (spec.arguments[i].name == declared->name) found.key = std::get_if<std::string>(&value);
    if (spec.arguments[i].list == declared->selects_with) {
      found.places.push_back(&value);
      if (tensor) found.items.push_back(*tensor);
    } else if (tensor && !indexed) {
      indexed = tensor;
    }
  }
  const auto selection = found.key ? language::parse_selection(*found.key) : std::nullopt;
  if (!selection || !indexed || selection->arrays() != found.items.size()) return std::nullopt;
  found.selection = *selection;
  found.sizes = indexed->shape();
  return found;
}

/// With this many true elements.
Tensor drawn_mask(Shape shape, std::int64_t trues, Dice& dice) {
  Tensor mask(DType::boolean, std::move(shape));
  for (std::int64_t n = 0, left = mask.numel(); left > 0 && trues > 0; ++n, --left)
    if (dice.below(left) < trues) {
      mask.set_at_position(n, Scalar::of_bool(true));
      --trues;
    }
  return mask;
}

/// How many items, from this one on, could be one mask: arrays of one shape, side by side.
std::size_t longest_run(const Indexing& indexing, std::size_t first) {
  std::size_t count = 0;
  for (const std::size_t part = indexing.part_of(first);
       first + count < indexing.items.size() && count < most_dimensions; ++count) {
    const Tensor& item = indexing.items[first + count];
    if (part + count >= indexing.selection.count ||
        indexing.selection.parts[part + count].kind != SelectionPart::Kind::array ||
        item.dtype() == DType::boolean || item.shape() != indexing.items[first].shape())
      break;
  }
  return count;
}

/// Items from `first` on become one mask, of as many true elements as broadcast where they did, if it is
/// large enough. False: it would be none, or much too large.
bool replace(Indexing& indexing, std::size_t first, std::size_t count, Dice& dice) {
  const auto axis =
      language::axis_of(indexing.selection, static_cast<std::int64_t>(first), indexing.sizes.size());
  if (!axis || static_cast<std::size_t>(*axis) + count > indexing.sizes.size()) return false;
  const auto from = indexing.sizes.begin() + *axis;
  Shape shape(from, from + static_cast<std::ptrdiff_t>(count));
  const auto capacity = checked_numel(shape);
  if (!capacity || *capacity > largest_mask) return false;
  const Shape& before = indexing.items[first].shape();
  std::int64_t trues = before.empty() ? 1 : before.back();
  if (trues > *capacity || (indexing.items.size() == 1 && dice.one_in(2))) trues = dice.in(0, *capacity);
  Selection& selection = indexing.selection;
  const std::size_t part = indexing.part_of(first);
  selection.parts[part] = {.kind = SelectionPart::Kind::mask, .number = static_cast<std::int64_t>(count)};
  std::copy(selection.parts.begin() + part + count, selection.parts.begin() + selection.count,
            selection.parts.begin() + part + 1);
  selection.count -= count - 1;
  indexing.items[first] = drawn_mask(std::move(shape), trues, dice);
  const auto after = indexing.items.begin() + static_cast<std::ptrdiff_t>(first) + 1;
  indexing.items.erase(after, after + static_cast<std::ptrdiff_t>(count) - 1);
  return true;
}

}  // namespace

bool mask_some(const OpSpec& spec, Call& call, Dice& dice) {
  auto indexing = indexing_of(spec, call);
  bool any = false;
  for (std::size_t n = 0; indexing && n < indexing->items.size(); ++n) {
    const std::size_t longest = longest_run(*indexing, n);
    if (longest == 0 || (any && dice.one_in(2))) continue;
    const std::size_t count = dice.one_in(2) ? longest : 1;
    any = replace(*indexing, n, count, dice) || any;
  }
  if (any) indexing->write();
  return any;
}

bool misshape_a_mask(const OpSpec& spec, Call& call, Dice& dice) {
  auto indexing = indexing_of(spec, call);
  if (!indexing) return false;
  for (Tensor& item : indexing->items) {
    if (item.dtype() != DType::boolean || item.rank() == 0) continue;
    Shape shape = item.shape();
    std::int64_t& size = shape[static_cast<std::size_t>(dice.below(std::ssize(shape)))];
    size = size > 0 && dice.one_in(2) ? size - 1 : size + 1;
    const std::int64_t room = numel(shape);
    std::int64_t trues = 0;
    for (std::int64_t n = 0; n < item.numel(); ++n) trues += item.at_position(n).integer();
    item = drawn_mask(std::move(shape), std::min(trues, room), dice);
    indexing->write();
    return true;
  }
  return false;
}

}  // namespace scatterproof::spec
