// SPDX-License-Identifier: Apache-2.0
#include "element_writes.hpp"

#include <array>
#include <optional>
#include <span>
#include <utility>

#include "scatterproof/spec/core/elements.hpp"
#include "scatterproof/spec/core/work_limit.hpp"

namespace scatterproof::spec {
namespace {

using language::FastEvaluator;
using language::FastValue;
using language::Function;
using language::Node;
using language::NodeKind;
using language::ShortTuple;

/// `p`, or `p with AXIS = index[p]`, where a negative value may count from the end.
struct Place {
  const Tensor* index = nullptr;  ///< null: p itself
  std::size_t axis = 0;
  std::int64_t added_to_negative = 0;
};

/// Reads such places out of a meaning. Empty: it is written in another way.
class PlaceReader {
 public:
  PlaceReader(FastEvaluator& frame, std::size_t slot_of_p, const ShortTuple& sizes)
      : frame_(frame), slot_of_p_(static_cast<int>(slot_of_p)), sizes_(sizes) {}

  std::optional<Place> place(const Node& node) const {
    if (is_p(node)) return Place{};
    if (node.kind != NodeKind::replacement || node.operands.size() != 3 || !is_p(node.operands[0]))
      return std::nullopt;
    const auto axis = number(node.operands[1]);
    const auto rank = static_cast<std::int64_t>(sizes_.count);
    if (!axis || *axis < -rank || *axis >= rank) return std::nullopt;
    Place place{.axis = static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis)};
    const Node* index = &node.operands[2];
    if (index->is_call(Function::wrap)) {
      const auto size = number(index->operands[1]);
      if (!size || *size < 0) return std::nullopt;
      place.added_to_negative = *size;
      index = &index->operands[0];
    }
    if (index->kind != NodeKind::subscript || index->wraps || index->operands.size() != 2 ||
        !is_p(index->operands[1]))
      return std::nullopt;
    const FastValue* tensor = whole_tensor(index->operands[0]);
    if (tensor == nullptr || !is_integer(tensor->tensor->dtype()) || !holds_p(tensor->tensor->shape(), {}))
      return std::nullopt;
    place.index = tensor->tensor;
    return place;
  }

  /// A name that stands for a tensor. Null: it is something else.
  const FastValue* whole_tensor(const Node& node) const {
    const FastValue* value = named(node);
    return value != nullptr && value->kind == FastValue::Kind::part && value->tuple.count == 0 ? value
                                                                                               : nullptr;
  }

  /// The value of a name that is not p.
  const FastValue* named(const Node& node) const {
    if (node.kind != NodeKind::variable || node.local || node.slot >= slot_of_p_) return nullptr;
    return &frame_.slot(static_cast<std::size_t>(node.slot));
  }

  /// Whether this shape has the place for each p, whatever the index holds.
  bool holds_p(const Shape& shape, const Place& place) const {
    if (shape.size() != sizes_.count) return false;
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (sizes_.at[d] > shape[d] && !(place.index && d == place.axis)) return false;
    return true;
  }

 private:
  bool is_p(const Node& node) const {
    return node.kind == NodeKind::variable && !node.local && node.slot == slot_of_p_;
  }

  /// An integer that is the same for every p: written out, named, or a size.
  std::optional<std::int64_t> number(const Node& node) const {
    std::int64_t value = 0;
    if (const auto* literal = std::get_if<std::int64_t>(&node.value);
        node.kind == NodeKind::literal && literal != nullptr)
      return *literal;
    if (const FastValue* one = named(node))
      return read_integer(*one, value) ? std::optional(value) : std::nullopt;
    if (!node.is_call(Function::size)) return std::nullopt;
    const FastValue* tensor = whole_tensor(node.operands[0]);
    const auto axis = tensor ? number(node.operands[1]) : std::nullopt;
    if (!axis) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(tensor->tensor->rank());
    if (*axis < -rank || *axis >= rank) return std::nullopt;
    return tensor->tensor->shape()[static_cast<std::size_t>(*axis < 0 ? *axis + rank : *axis)];
  }

  FastEvaluator& frame_;
  int slot_of_p_;
  const ShortTuple& sizes_;
};

/// What is read: a tensor's elements, or one number.
struct ValueSource {
  const FastValue* from = nullptr;
  bool is_element = false;
  Place place;
};

std::optional<ValueSource> source_of(const Node& node, const PlaceReader& reader) {
  if (const FastValue* number = reader.named(node))
    return is_number(*number) ? std::optional(ValueSource{.from = number, .is_element = false, .place = {}})
                              : std::nullopt;
  if (node.kind != NodeKind::subscript || node.wraps || node.operands.size() != 2) return std::nullopt;
  const FastValue* tensor = reader.whole_tensor(node.operands[0]);
  const auto place = tensor ? reader.place(node.operands[1]) : std::nullopt;
  if (!place || !reader.holds_p(tensor->tensor->shape(), *place)) return std::nullopt;
  return ValueSource{.from = tensor, .is_element = true, .place = *place};
}

/// The loop. It keeps numbers that change by fixed steps along each axis of p.
class ElementLoop {
 public:
  ElementLoop(const Place& to, const ValueSource& source, const ShortTuple& sizes, const Bag& form)
      : to_(to), source_(source), sizes_(sizes), dtype_(form.dtype) {
    add(cell, contiguous_strides(form.shape), 0);
    along_to_ = add_index(cell, cell_index, to, form.shape);
    if (!source.is_element) return;
    const Tensor& tensor = *source.from->tensor;
    add(element, tensor.strides(), tensor.offset());
    add(coords, contiguous_strides(tensor.shape()), 0);
    along_source_ = add_index(element, element_index, source.place, tensor.shape());
    if (source.place.index) coords_step_ = std::exchange(steps_[source.place.axis][coords], 0);
  }

  bool run(CellNumbers& places, std::vector<Contribution>& written) {
    const Scalar number = source_.is_element ? Scalar() : convert(number_of(*source_.from), dtype_);
    const Origin origin = origin_of_number();
    const bool converts = source_.is_element && source_.from->tensor->dtype() != dtype_;
    for (std::int64_t n = 0;; ++n) {
      WorkLimit::step();
      std::int64_t to = 0, from = 0;
      if (to_.index && !read(to_, cell_index, along_to_, to)) return false;
      places.push_back(now_[cell] + to * along_to_.step);
      if (!source_.is_element) {
        written.push_back({number, origin, n});
      } else {
        if (source_.place.index && !read(source_.place, element_index, along_source_, from)) return false;
        const Scalar value = source_.from->tensor->at_position(now_[element] + from * along_source_.step);
        written.push_back({converts ? convert(value, dtype_) : value,
                           {source_.from->argument, now_[coords] + from * coords_step_},
                           n});
      }
      if (!advance()) return true;
    }
  }

 private:
  enum Number : std::uint8_t { cell, cell_index, element, coords, element_index, numbers };
  using Numbers = std::array<std::int64_t, numbers>;
  /// The axis whose coordinate an index gives.
  struct Along {
    std::int64_t size = 0;
    std::int64_t step = 0;
  };

  void add(Number number, std::span<const std::int64_t> strides, std::int64_t start) {
    now_[number] = start;
    for (std::size_t d = 0; d < strides.size(); ++d) steps_[d][number] = strides[d];
  }

  Along add_index(Number of, Number index, const Place& place, const Shape& shape) {
    if (!place.index) return {};
    add(index, place.index->strides(), place.index->offset());
    return {.size = shape[place.axis], .step = std::exchange(steps_[place.axis][of], 0)};
  }

  /// False: the value lies outside of the axis.
  bool read(const Place& place, Number index, const Along& along, std::int64_t& value) const {
    value = load_integer(*place.index, now_[index]);
    if (value < 0) value += place.added_to_negative;  // of a size, so it cannot overflow
    return value >= 0 && value < along.size;
  }

  /// Of a number, as of what the evaluator reads.
  Origin origin_of_number() const {
    if (source_.from->kind == FastValue::Kind::element)
      return {source_.from->argument, source_.from->integer};
    if (source_.from->kind == FastValue::Kind::part) return {source_.from->argument, 0};
    return {};
  }

  bool advance() {
    for (std::size_t d = sizes_.count; d > 0; --d) {
      const Numbers& step = steps_[d - 1];
      if (++at_[d - 1] < sizes_.at[d - 1]) {
        for (std::size_t i = 0; i < numbers; ++i) now_[i] += step[i];
        return true;
      }
      at_[d - 1] = 0;
      for (std::size_t i = 0; i < numbers; ++i) now_[i] -= (sizes_.at[d - 1] - 1) * step[i];
    }
    return false;
  }

  const Place& to_;
  const ValueSource& source_;
  const ShortTuple& sizes_;
  const DType dtype_;
  Numbers now_{};
  std::array<Numbers, max_rank> steps_{};
  std::array<std::int64_t, max_rank> at_{};
  Along along_to_, along_source_;
  std::int64_t coords_step_ = 0;
};

}  // namespace

bool write_elements(const Meaning& meaning, FastEvaluator& frame, std::size_t slot_of_p,
                    const ShortTuple& sizes, const Bag& form, CellNumbers& places,
                    std::vector<Contribution>& written) {
  if (sizes.count > max_rank || meaning.where) return false;
  const PlaceReader reader(frame, slot_of_p, sizes);
  const auto to = reader.place(meaning.at->root());
  if (!to || !reader.holds_p(form.shape, *to)) return false;
  const auto source = source_of(meaning.value->root(), reader);
  if (!source) return false;
  if (ElementLoop(*to, *source, sizes, form).run(places, written)) return true;
  places.clear();
  written.clear();
  return false;
}

}  // namespace scatterproof::spec
