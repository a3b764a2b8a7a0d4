// SPDX-License-Identifier: Apache-2.0
// The functions of the language, as declared in the table in functions.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "scatterproof/spec/language/evaluator.hpp"
#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec::language {
namespace {

constexpr std::int64_t max_range = std::int64_t{1} << 20;

std::int64_t size_in(const TensorPart& part, std::int64_t d, const Node& call) {
  const auto sizes = sizes_of(part);
  const auto rank = static_cast<std::int64_t>(sizes.size());
  if (d < -rank || d >= rank)
    throw NotEvaluable(fmt::format("size({}, {}): {} has {} dimension{}", print(call.operands[0]), d,
                                   print(call.operands[0]), rank, rank == 1 ? "" : "s"));
  return sizes[static_cast<std::size_t>(d < 0 ? d + rank : d)];
}

Shape range(std::int64_t from, std::int64_t to) {
  if (to > from && (from < 0 && to > max_range + from ? true : to - from > max_range))
    throw NotEvaluable(fmt::format("range({}, {}) is too long to be a tuple", from, to));
  Shape items(static_cast<std::size_t>(std::max<std::int64_t>(to - from, 0)));
  std::iota(items.begin(), items.end(), from);
  return items;
}

Shape broadcast(const Shape& a, const Shape& b) {
  if (auto common = common_shape(a, b)) return *std::move(common);
  throw NotEvaluable(
      fmt::format("the shapes {} and {} have no common shape", to_string(Value(a)), to_string(Value(b))));
}

Shape stretch(const Shape& position, const Shape& sizes) {
  if (position.size() < sizes.size())
    throw NotEvaluable(fmt::format("stretch({}, {}): fewer coordinates than sizes",
                                   to_string(Value(position)), to_string(Value(sizes))));
  Shape result(position.end() - static_cast<std::ptrdiff_t>(sizes.size()), position.end());
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 1) result[d] = 0;
  return result;
}

std::int64_t count_of(const Shape& sizes) {
  if (const auto count = checked_numel(sizes)) return *count;
  throw NotEvaluable(fmt::format("{}: these are not valid sizes of a tensor", to_string(Value(sizes))));
}

std::int64_t ravel(const Shape& position, const Shape& sizes) {
  bool inside = position.size() == sizes.size();
  std::int64_t number = 0;
  (void)count_of(sizes);
  for (std::size_t d = 0; inside && d < sizes.size(); ++d) {
    inside = 0 <= position[d] && position[d] < sizes[d];
    number = number * sizes[d] + position[d];
  }
  if (inside) return number;
  throw NotEvaluable(
      fmt::format("{} is not a position in sizes {}", to_string(Value(position)), to_string(Value(sizes))));
}

Shape unravel(std::int64_t number, const Shape& sizes) {
  const std::int64_t count = count_of(sizes);
  if (number < 0 || number >= count)
    throw NotEvaluable(
        fmt::format("unravel({}, {}): the positions have the numbers from 0 up to, not including, {}", number,
                    to_string(Value(sizes)), count));
  Shape position(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0; number /= sizes[d]) position[d] = number % sizes[d];
  return position;
}

/// Of the first `numbers` positions in row-major order of `sizes`.
std::int64_t trues(const TensorPart& mask, const Shape& sizes, std::int64_t numbers) {
  const Shape own(sizes_of(mask).begin(), sizes_of(mask).end());
  if (common_shape(own, sizes) != sizes)
    throw NotEvaluable(fmt::format("trues: the shape {} does not broadcast to {}", to_string(Value(own)),
                                   to_string(Value(sizes))));
  const std::size_t ahead = sizes.size() - own.size();
  std::int64_t found = 0;
  Coords position(sizes.size(), 0), at = mask.prefix;
  at.resize(mask.tensor->rank());
  for (std::int64_t n = 0; n < numbers; ++n, next(position, sizes)) {
    WorkLimit::step();
    for (std::size_t d = 0; d < own.size(); ++d)
      at[mask.prefix.size() + d] = own[d] == 1 ? 0 : position[ahead + d];
    found += convert(mask.tensor->get(at), DType::boolean).integer();
  }
  return found;
}

Value wrap(const Value& i, const Value& s) {
  const auto *positions = std::get_if<Shape>(&i), *sizes = std::get_if<Shape>(&s);
  if (positions != nullptr && sizes != nullptr && positions->size() == sizes->size()) {
    Shape result = *positions;
    for (std::size_t d = 0; d < result.size(); ++d)
      if (result[d] < 0) result[d] = *as_integer(combine((*positions)[d], Operator::add, (*sizes)[d]));
    return result;
  }
  const auto index = as_integer(i), size = as_integer(s);
  if (!index || !size)
    throw NotEvaluable(fmt::format("wrap takes two integers or two tuples of one length, not {} and {}",
                                   to_string(i), to_string(s)));
  return *index < 0 ? combine(*index, Operator::add, *size) : Value(*index);
}

Value folded(const Shape& items, Operator op, std::int64_t neutral) {
  Value result = neutral;
  for (const std::int64_t item : items) result = combine(result, op, item);
  return result;
}

// Every element of a part that must hold integers, in row-major order.
Shape integers_in(const TensorPart& part, const Node& named) {
  Shape items;
  const auto sizes = sizes_of(part);
  if (numel(sizes) == 0) return items;
  Coords at = part.prefix, inner(sizes.size(), 0);
  at.resize(part.tensor->rank());
  do {
    std::copy(inner.begin(), inner.end(), at.begin() + static_cast<std::ptrdiff_t>(part.prefix.size()));
    const Scalar element = part.tensor->get(at);
    if (element.kind() != Scalar::Kind::integer)
      throw NotEvaluable(
          fmt::format("{} is a tensor of {}, not of integers", print(named), name(part.tensor->dtype())));
    items.push_back(element.integer());
  } while (next(inner, sizes));
  return items;
}

std::int64_t integer_at(const TensorPart& part, const Shape& position) {
  Coords at = part.prefix;
  at.insert(at.end(), position.begin(), position.end());
  for (std::size_t d = 0; d < at.size(); ++d)
    if (at[d] < 0 || at[d] >= part.tensor->shape()[d])
      throw NotEvaluable(
          fmt::format("{} is not a position in {}", to_string(Value(position)), to_string(Value(part))));
  const Scalar element = part.tensor->get(at);
  if (element.kind() != Scalar::Kind::integer)
    throw NotEvaluable(fmt::format("elements: {} is not a tensor of integers", to_string(Value(part))));
  return element.integer();
}

std::int64_t number_of_trues(const TensorPart& mask) {
  const Shape sizes(sizes_of(mask).begin(), sizes_of(mask).end());
  return trues(mask, sizes, count_of(sizes));
}

/// An item of a selection's list: whether it is what the selection has there.
void require_kind(const SelectionPart& part, const TensorPart& item) {
  if (part.kind != SelectionPart::Kind::mask) return;
  if (item.tensor->dtype() != DType::boolean || sizes_of(item).size() != part.dimensions())
    throw NotEvaluable(
        fmt::format("{} is not a mask of {} dimensions", to_string(Value(item)), part.dimensions()));
}

Selection selection_in(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  if (auto selection = word ? parse_selection(*word) : std::nullopt) return *selection;
  throw NotEvaluable(fmt::format("{} is not a selection", to_string(value)));
}

}  // namespace

std::optional<Shape> common_shape(const Shape& a, const Shape& b) {
  Shape result = a.size() < b.size() ? b : a;
  const Shape& other = a.size() < b.size() ? a : b;
  const std::size_t ahead = result.size() - other.size();
  for (std::size_t d = 0; d < other.size(); ++d) {
    std::int64_t& size = result[ahead + d];
    if (size == 1)
      size = other[d];
    else if (other[d] != 1 && other[d] != size)
      return std::nullopt;
  }
  return result;
}

Value Evaluator::call(const Node& node) {
  const auto& operands = node.operands;
  const auto rank_of = [](const TensorPart& part) {
    return static_cast<std::int64_t>(sizes_of(part).size());
  };
  const auto shape_of = [](const TensorPart& part) {
    return Shape(sizes_of(part).begin(), sizes_of(part).end());
  };
  Value scratch;
  switch (node.function) {
    case Function::rank:
      return rank_of(tensor(operands[0], scratch));
    case Function::size:
      return size_in(tensor(operands[0], scratch), integer(operands[1]), node);
    case Function::shape:
      return shape_of(tensor(operands[0], scratch));
    case Function::numel:
      return numel(sizes_of(tensor(operands[0], scratch)));
    case Function::dims:
      return range(0, rank_of(tensor(operands[0], scratch)));
    case Function::is_compact:
      return is_compact(*tensor(operands[0], scratch).tensor);
    case Function::dtype:
      return tensor(operands[0], scratch).tensor->dtype();
    case Function::len: {
      if (const auto* items = std::get_if<Shape>(&view(operands[0], scratch)))
        return static_cast<std::int64_t>(items->size());
      const auto sizes = sizes_of(tensor(operands[0], scratch));
      if (sizes.empty()) throw NotEvaluable(fmt::format("len({}): it has no dimension", print(operands[0])));
      return sizes[0];
    }
    case Function::tuple: {
      const Value& seen = view(operands[0], scratch);
      if (std::holds_alternative<Shape>(seen)) return seen;
      const TensorPart& part = tensor(operands[0], scratch);
      if (rank_of(part) != 1)
        throw NotEvaluable(
            fmt::format("tuple({}): it has {} dimensions, not 1", print(operands[0]), rank_of(part)));
      return integers_in(part, operands[0]);
    }
    case Function::range:
      return operands.size() == 1 ? range(0, integer(operands[0]))
                                  : range(integer(operands[0]), integer(operands[1]));
    case Function::product:
      return folded(tuple(operands[0]), Operator::multiply, 1);
    case Function::sum:
      return folded(tuple(operands[0]), Operator::add, 0);
    case Function::min:
    case Function::max:
      return extreme(node);
    case Function::abs: {
      Value x = value(operands[0]);
      return holds(x, Operator::less, std::int64_t{0}) ? negate(x) : x;
    }
    case Function::wrap:
      return wrap(value(operands[0]), value(operands[1]));
    case Function::broadcast:
      return broadcast(tuple(operands[0]), tuple(operands[1]));
    case Function::broadcastable:
      return are_broadcastable(operands);
    case Function::broadcasts_to: {
      const Shape to = tuple(operands[1]);
      return common_shape(tuple(operands[0]), to) == to;
    }
    case Function::stretch:
      return stretch(tuple(operands[0]), tuple(operands[1]));
    case Function::ravel:
      return ravel(tuple(operands[0]), tuple(operands[1]));
    case Function::unravel:
      return unravel(integer(operands[0]), tuple(operands[1]));
    case Function::trues: {
      const TensorPart& mask = tensor(operands[0], scratch);
      const Shape sizes = tuple(operands[1]);
      return trues(mask, sizes, operands.size() == 2 ? count_of(sizes) : ravel(tuple(operands[2]), sizes));
    }
    case Function::count:
      return static_cast<std::int64_t>(given(operands).size());
    case Function::common_shape: {
      Shape common;
      for (const TensorPart& part : given(operands)) common = broadcast(common, shape_of(part));
      return common;
    }
    case Function::elements: {
      const Shape at = tuple(operands[0]);
      Shape found;
      for (const TensorPart& part : given({operands.begin() + 1, operands.end()}))
        found.push_back(integer_at(part, stretch(at, shape_of(part))));
      return found;
    }
    case Function::index_shape: {
      const TensorPart& part = tensor(operands[0], scratch);
      return part.tensor->dtype() == DType::boolean ? Shape{number_of_trues(part)} : shape_of(part);
    }
    case Function::parts:
    case Function::axis_of:
    case Function::numbers_within:
    case Function::is_mask:
      return of_selection(node);
    case Function::masks_fit:
      return masks_fit(node);
    case Function::numbers_first:
      return numbers_first(node);
    case Function::selected_shape:
    case Function::selected:
      return of_selected(node);
    case Function::is_tensor:
      return std::holds_alternative<TensorPart>(view(operands[0], scratch));
    case Function::given:
      return !std::holds_alternative<None>(view(operands[0], scratch));
    case Function::is_float:
    case Function::is_integer:
    case Function::is_complex: {
      const auto* dtype = std::get_if<DType>(&view(operands[0], scratch));
      if (dtype == nullptr) throw NotEvaluable(fmt::format("{} is not a dtype", print(operands[0])));
      return node.function == Function::is_float     ? is_float(*dtype)
             : node.function == Function::is_integer ? is_integer(*dtype)
                                                     : is_complex(*dtype);
    }
    case Function::holds:
    case Function::represents: {
      const auto* dtype = std::get_if<DType>(&view(operands[0], scratch));
      if (dtype == nullptr) throw NotEvaluable(fmt::format("{} is not a dtype", print(operands[0])));
      Value second;
      const auto number = as_number(view(operands[1], second));
      if (!number) throw NotEvaluable(fmt::format("{} is not a number", print(operands[1])));
      return node.function == Function::holds ? in_range(*number, *dtype) : fits(*number, *dtype);
    }
    case Function::positions:
      break;
  }
  throw std::logic_error("a call that the checker does not let pass");
}

/// The tensors among these operands; the others are not given.
std::vector<TensorPart> Evaluator::given(std::span<const Node> operands) {
  std::vector<TensorPart> parts;
  for (const Node& operand : operands) {
    Value scratch;
    const Value& seen = view(operand, scratch);
    if (std::holds_alternative<None>(seen)) continue;
    parts.push_back(tensor(operand, scratch));
  }
  return parts;
}

bool Evaluator::are_broadcastable(std::span<const Node> shapes) {
  std::optional<Shape> common = Shape();
  for (const Node& operand : shapes) {
    const Shape shape = tuple(operand);
    if (common) common = common_shape(*common, shape);
  }
  return common.has_value();
}

Value Evaluator::extreme(const Node& node) {
  Shape items;
  if (node.operands.size() == 1) {
    Value scratch;
    const Value& seen = view(node.operands[0], scratch);
    const auto* part = std::get_if<TensorPart>(&seen);
    items = part != nullptr ? integers_in(*part, node.operands[0]) : tuple(node.operands[0]);
  } else {
    for (const Node& operand : node.operands) items.push_back(integer(operand));
  }
  if (items.empty()) throw NotEvaluable(fmt::format("{}: there is nothing to choose from", print(node)));
  const auto [least, most] = std::minmax_element(items.begin(), items.end());
  return node.function == Function::min ? *least : *most;
}

Value Evaluator::of_selection(const Node& node) {
  const auto& o = node.operands;
  Value scratch;
  const Selection selection = selection_in(view(o[0], scratch));
  const auto found = [&](const auto& wanted) -> Value {
    if (wanted) return *wanted;
    throw NotEvaluable(fmt::format("{}: {} has none", print(node), to_string(selection)));
  };
  if (node.function == Function::numbers_within) return found(numbers_within(selection, tuple(o[1])));
  if (node.function == Function::is_mask) {
    const SelectionPart* part = selection.array(static_cast<std::size_t>(integer(o[1])));
    return part != nullptr && part->kind == SelectionPart::Kind::mask;
  }
  if (node.function == Function::axis_of)
    return found(axis_of(selection, integer(o[1]), static_cast<std::size_t>(integer(o[2]))));
  const Value kind = value(o[1]);
  return found(selection.count_of(std::get<std::string>(kind)));
}

Value Evaluator::masks_fit(const Node& node) {
  Value scratch;
  const Selection selection = selection_in(view(node.operands[0], scratch));
  const Shape sizes = tuple(node.operands[1]);
  std::vector<std::span<const std::int64_t>> items;
  for (const TensorPart& part : given(std::span<const Node>(node.operands).subspan(2)))
    items.push_back(sizes_of(part));
  if (const auto fit = language::masks_fit(selection, sizes, items)) return *fit;
  throw NotEvaluable(fmt::format("{}: {} has none", print(node), to_string(selection)));
}

Value Evaluator::numbers_first(const Node& node) {
  Value scratch;
  const Selection selection = selection_in(view(node.operands[0], scratch));
  std::vector<std::span<const std::int64_t>> items;
  for (const TensorPart& part : given(std::span<const Node>(node.operands).subspan(1)))
    items.push_back(sizes_of(part));
  return to_string(language::numbers_first(selection, items));
}

/// Looked for once: a rule may ask for the position of each.
const std::vector<std::int64_t>& Evaluator::numbers_of_trues(const TensorPart& mask) {
  const auto [known, unknown] = trues_.try_emplace({mask.tensor, mask.prefix});
  std::vector<std::int64_t>& numbers = known->second;
  if (!unknown) return numbers;
  const Shape sizes(sizes_of(mask).begin(), sizes_of(mask).end());
  Coords at = mask.prefix;
  at.resize(mask.tensor->rank());
  const std::int64_t count = count_of(sizes);
  for (std::int64_t n = 0; n < count; ++n) {
    WorkLimit::step();
    std::ranges::copy(unravel(n, sizes), at.begin() + static_cast<std::ptrdiff_t>(mask.prefix.size()));
    if (convert(mask.tensor->get(at), DType::boolean).integer() != 0) numbers.push_back(n);
  }
  return numbers;
}

/// Component d of the position of true element n, in row-major order.
std::int64_t Evaluator::component_of_true(const TensorPart& mask, std::int64_t n, std::size_t d) {
  const std::vector<std::int64_t>& numbers = numbers_of_trues(mask);
  if (n < 0 || n >= std::ssize(numbers))
    throw NotEvaluable(fmt::format("{} has no true element {}", to_string(Value(mask)), n));
  const Shape sizes(sizes_of(mask).begin(), sizes_of(mask).end());
  return unravel(numbers[static_cast<std::size_t>(n)], sizes)[d];
}

Value Evaluator::of_selected(const Node& node) {
  const std::size_t first = node.function == Function::selected ? 1 : 0;
  const std::span<const Node> o = std::span<const Node>(node.operands).subspan(first);
  Value scratch;
  const Selection selection = selection_in(view(o[0], scratch));
  const Shape sizes = tuple(o[1]);
  const std::vector<TensorPart> arrays = given(o.subspan(2));
  if (selection.arrays() != arrays.size())
    throw NotEvaluable(fmt::format("{} has {} arrays, and {} are given", to_string(selection),
                                   selection.arrays(), arrays.size()));
  Shape common;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    const SelectionPart& part = *selection.array(n);
    require_kind(part, arrays[n]);
    const bool mask = part.kind == SelectionPart::Kind::mask;
    common = broadcast(common, mask ? Shape{std::ssize(numbers_of_trues(arrays[n]))}
                                    : Shape(sizes_of(arrays[n]).begin(), sizes_of(arrays[n]).end()));
  }
  std::string_view why;
  const auto placed = plan(selection, sizes, common, &why);
  if (!placed)
    throw NotEvaluable(fmt::format("{} selects nothing of sizes {}: {}", to_string(selection),
                                   to_string(Value(sizes)), why));
  if (first == 0) return Shape(placed->shape().begin(), placed->shape().end());
  const Shape position = tuple(node.operands[0]);
  if (position.size() != placed->dims)
    throw NotEvaluable(fmt::format("{} is not a position in a result of {} dimensions",
                                   to_string(Value(position)), placed->dims));
  const auto among = placed->in_arrays(position);
  const Shape in_arrays(among.end() - static_cast<std::ptrdiff_t>(common.size()), among.end());
  Shape found;
  for (const auto& [part, place, start, step] : std::span(placed->sources.data(), placed->rank)) {
    if (part && part->kind == SelectionPart::Kind::integer)
      found.push_back(part->number);
    else if (part && part->kind == SelectionPart::Kind::mask)
      found.push_back(component_of_true(
          arrays[place], stretch(in_arrays, Shape{std::ssize(numbers_of_trues(arrays[place]))})[0],
          static_cast<std::size_t>(start)));
    else if (part && part->kind == SelectionPart::Kind::array)
      found.push_back(integer_at(arrays[place], stretch(in_arrays, Shape(sizes_of(arrays[place]).begin(),
                                                                         sizes_of(arrays[place]).end()))));
    else
      found.push_back(start + position[place] * step);
  }
  return found;
}

}  // namespace scatterproof::spec::language
