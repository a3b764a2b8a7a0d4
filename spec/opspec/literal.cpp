// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/opspec/literal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace scatterproof::spec {
namespace {

using yaml::Node;

constexpr std::byte unused_storage{0x5a};  // marks storage that nothing should read, as in named layouts

bool is_complex_pair(const Node& node) {
  return node.kind == Node::Kind::list && node.items.size() == 2 && node.items[0].is_number() &&
         node.items[1].is_number();
}

/// Whether the node is one element. A list can be one only in a complex tensor.
bool is_leaf(const Node& node, DType dtype) {
  return node.is_scalar() || (is_complex(dtype) && is_complex_pair(node));
}

/// The shape of a nested list, read along its first items.
Shape nesting(const Node& node, DType dtype) {
  Shape shape;
  // A pair that is the whole literal is a list of two real numbers; a single complex number needs the shape
  // [].
  for (const Node* level = &node; level == &node ? !node.is_scalar() : !is_leaf(*level, dtype);
       level = &level->items.front()) {
    shape.push_back(static_cast<std::int64_t>(level->items.size()));
    if (level->items.empty() || level->kind == Node::Kind::map) break;
  }
  return shape;
}

std::optional<Scalar> read_element(Reader& reader, const Node& node, DType dtype) {
  const auto refuse = [&](const std::string& hint = {}) {
    reader.fail(node.at,
                fmt::format("'{}' does not fit {}", node.is_scalar() ? node.text : "[..]", name(dtype)),
                hint);
    return std::nullopt;
  };
  if (is_complex(dtype) && is_complex_pair(node))
    return convert(Scalar::of_complex(node.items[0].number.real(), node.items[1].number.real()), dtype);
  if (node.kind == Node::Kind::boolean) {
    if (dtype != DType::boolean) return refuse("true and false are values of bool");
    return Scalar::of_bool(node.number.integer() != 0);
  }
  if (!node.is_number()) return refuse("expected a number");
  const bool exact = dtype == DType::boolean || is_integer(dtype);
  if (exact && (node.kind == Node::Kind::real || !fits(node.number, dtype))) {
    // A bool's 0 and 1 are its own values; everything else that is not in the range would be changed
    // silently.
    const bool bit = dtype == DType::boolean && node.kind == Node::Kind::integer &&
                     (node.number.integer() == 0 || node.number.integer() == 1);
    if (!bit) return refuse(node.kind == Node::Kind::real ? "expected an integer" : "it is out of range");
  }
  const Scalar value = convert(node.number, dtype);
  if (!exact && std::isfinite(node.number.real()) && !std::isfinite(value.real()))
    return refuse("it is larger than the largest finite number");
  return value;
}

/// Walks `node` at `depth` of `shape`, appending elements; false after an error.
bool collect(Reader& reader, const Node& node, DType dtype, const Shape& shape, std::string_view whose,
             std::size_t depth, std::vector<Scalar>& elements) {
  if (depth == shape.size()) {
    if (!is_leaf(node, dtype)) {
      reader.fail(node.at, "this is nested deeper than the first element");
      return false;
    }
    const auto element = read_element(reader, node, dtype);
    if (element) elements.push_back(*element);
    return element.has_value();
  }
  if (node.kind != Node::Kind::list || static_cast<std::int64_t>(node.items.size()) != shape[depth]) {
    reader.fail(node.at,
                fmt::format("{} where {} {} has {} in dimension {}",
                            node.kind == Node::Kind::list ? fmt::format("{} items", node.items.size())
                                                          : std::string("one value"),
                            whose, to_string(shape), shape[depth], depth));
    return false;
  }
  bool good = true;
  for (const Node& item : node.items)
    good = collect(reader, item, dtype, shape, whose, depth + 1, elements) && good;
  return good;
}

/// Whether there is room for `elements` elements of a fill, a range or a layout. Only the first literal
/// without room is reported, so that a file has one error for all of them.
bool has_room(Reader& reader, const Node& literal, DType dtype, std::int64_t elements) {
  if (reader.budget().exhausted()) return false;
  if (reader.budget().take(static_cast<std::size_t>(elements) * size_of(dtype))) return true;
  reader.fail(
      literal.at,
      fmt::format("the literals of the files together take more than {} MiB", LiteralBudget::limit >> 20),
      "make them smaller, or name fewer files at once");
  return false;
}

std::optional<Tensor> filled(Reader& reader, const Node& node, DType dtype, const Shape& shape) {
  const auto element = read_element(reader, node, dtype);
  if (!element) return std::nullopt;
  Tensor tensor(dtype, shape);
  std::vector<std::byte>& bytes = tensor.storage();
  if (bytes.empty()) return tensor;
  tensor.set_at_position(0, *element);
  const auto first = bytes.begin();
  for (auto at = first + static_cast<std::ptrdiff_t>(size_of(dtype)); at != bytes.end();)
    at = std::copy(first, first + std::min(at - first, bytes.end() - at), at);
  return tensor;
}

std::optional<Tensor> counted(Reader& reader, const Node& node, DType dtype, const Shape& shape) {
  if (node.kind != Node::Kind::integer || dtype == DType::boolean) {
    reader.fail(node.at, "'arange' must be the integer to count from, and the dtype must not be bool");
    return std::nullopt;
  }
  Tensor tensor(dtype, shape);
  for (std::int64_t i = 0; i < numel(shape); ++i) {
    std::int64_t value = 0;
    const bool beyond = __builtin_add_overflow(node.number.integer(), i, &value);
    if (beyond || !fits(Scalar::of_int(value), dtype)) {
      reader.fail(node.at, fmt::format("counting reaches {}, which does not fit {}",
                                       beyond ? "2^63" : std::to_string(value), name(dtype)));
      return std::nullopt;
    }
    tensor.set_at_position(i, Scalar::of_int(value));
  }
  return tensor;
}

std::optional<Tensor> read_contents(Reader& reader, const Node& literal, DType dtype, const Shape* shape) {
  const Node* values = literal.find("values");
  const Node* fill = literal.find("fill");
  const Node* arange = literal.find("arange");
  if ((values != nullptr) + (fill != nullptr) + (arange != nullptr) > 1) {
    reader.fail(literal.at, "a tensor has one of 'values', 'fill' and 'arange'");
    return std::nullopt;
  }
  if (values) return read_values(reader, *values, dtype, shape);
  if (!shape) {
    reader.fail(literal.at, "a tensor needs 'values', or a 'shape' with 'fill' or 'arange'");
    return std::nullopt;
  }
  if ((fill || arange) && !has_room(reader, literal, dtype, numel(*shape))) return std::nullopt;
  if (fill) return filled(reader, *fill, dtype, *shape);
  if (arange) return counted(reader, *arange, dtype, *shape);
  if (numel(*shape) == 0) return Tensor(dtype, *shape);
  reader.fail(literal.at, "the tensor's elements are missing", "give 'values', 'fill' or 'arange'");
  return std::nullopt;
}

}  // namespace

std::optional<Shape> read_strides(Reader& reader, const Node& list) {
  Shape strides;
  for (const Node& item : list.items) {
    if (item.kind != Node::Kind::integer) {
      reader.fail(item.at, "a stride must be an integer");
      return std::nullopt;
    }
    strides.push_back(item.number.integer());
  }
  return strides;
}

std::optional<Shape> read_shape(Reader& reader, const Node& list) {
  Shape shape;
  for (const Node& item : list.items) {
    if (item.kind != Node::Kind::integer || item.number.integer() < 0) {
      reader.fail(item.at, "a size must be an integer that is not negative");
      return std::nullopt;
    }
    shape.push_back(item.number.integer());
  }
  if (shape.size() > max_rank) {
    reader.fail(list.at, fmt::format("{} dimensions; a tensor has at most {}", shape.size(), max_rank));
    return std::nullopt;
  }
  const auto count = checked_numel(shape);
  if (!count || *count > max_literal_numel) {
    reader.fail(list.at, fmt::format("a literal has at most {} elements", max_literal_numel));
    return std::nullopt;
  }
  return shape;
}

std::optional<Tensor> read_values(Reader& reader, const Node& nested, DType dtype, const Shape* shape,
                                  std::string_view whose) {
  const Shape seen = nesting(nested, dtype);
  if (seen.size() > max_rank) {
    reader.fail(nested.at, fmt::format("lists are nested deeper than {} dimensions", max_rank));
    return std::nullopt;
  }
  if (shape && numel(*shape) == 0 && numel(seen) == 0 && !is_leaf(nested, dtype))
    return Tensor(dtype, *shape);
  const bool flat = shape && *shape != seen && seen == Shape{numel(*shape)};
  if (shape && !flat && seen.size() > shape->size() && !is_leaf(nested, dtype)) {
    reader.fail(nested.at, fmt::format("nested deeper than {} {}", whose, to_string(*shape)));
    return std::nullopt;
  }
  const Shape walked = flat || !shape ? seen : *shape;
  std::vector<Scalar> elements;
  if (!collect(reader, nested, dtype, walked, whose, 0, elements)) return std::nullopt;
  return Tensor(dtype, shape ? *shape : seen, elements);
}

namespace {

/// dtypes that documents have and this program does not compute with.
constexpr std::string_view dtypes_to_come[] = {"u16", "u32", "u64", "string"};

/// Empty after an error.
std::optional<DType> read_dtype(Reader& reader, const Node& literal) {
  const Node* word = literal.find("dtype");
  if (!word) {
    reader.fail(literal.at, "the tensor's 'dtype' is missing");
    return std::nullopt;
  }
  const auto dtype = parse_dtype(word->text);
  if (dtype) return dtype;
  std::vector<std::string> names;
  for (const DType one : all_dtypes) names.emplace_back(name(one));
  reader.fail_unknown(word->at, "dtype", word->text, names);
  return std::nullopt;
}

/// The number of elements from the start of the storage to just behind the last one that is reached; empty
/// when it is too large for a literal.
std::optional<std::int64_t> reach(const Shape& shape, const Shape& strides, std::int64_t offset) {
  std::int64_t last = offset;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(std::max<std::int64_t>(strides[d], 0), shape[d] - 1, &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::nullopt;
  }
  return last < max_literal_numel ? std::optional(last + 1) : std::nullopt;
}

/// The same elements where 'strides', 'offset' and 'storage' put them.
std::optional<Tensor> placed(Reader& reader, const Node& literal, const Tensor& tensor) {
  const Node& list = *literal.find("strides");
  const auto strides = read_strides(reader, list);
  if (!strides) return std::nullopt;
  if (strides->size() != tensor.rank()) {
    reader.fail(list.at, fmt::format("{} strides for {} dimensions", strides->size(), tensor.rank()));
    return std::nullopt;
  }
  const Node* given_offset = literal.find("offset");
  const Node* given_size = literal.find("storage");
  const std::int64_t offset = given_offset ? given_offset->number.integer() : 0;
  const auto needed = tensor.numel() == 0 ? 0 : reach(tensor.shape(), *strides, offset);
  const auto size = given_size ? given_size->number.integer() : needed;
  std::optional<Tensor> view;
  if (size && *size <= max_literal_numel) {
    if (!has_room(reader, literal, tensor.dtype(), *size)) return std::nullopt;
    auto storage = std::make_shared<Tensor::Storage>(
        static_cast<std::size_t>(*size) * size_of(tensor.dtype()), unused_storage);
    view = Tensor::view(tensor.dtype(), tensor.shape(), *strides, offset, std::move(storage));
  }
  if (!view) {
    reader.fail(literal.at, "these strides, this offset and this storage put elements outside the storage",
                "offset and storage count elements");
    return std::nullopt;
  }
  if (tensor.numel() == 0) return view;
  Coords at(tensor.rank(), 0);
  do view->set(at, tensor.get(at));
  while (next(at, tensor.shape()));
  if (identical(*view, tensor)) return view;
  reader.fail(literal.at, "elements that share a place in the storage have different values");
  return std::nullopt;
}

std::optional<Tensor> laid_out(Reader& reader, const Node& literal, const Tensor& tensor) {
  if (literal.find("strides")) return placed(reader, literal, tensor);
  const Node* layout = literal.find("layout");
  if (!layout) return tensor;
  if (const auto wanted = parse_layout(layout->text)) {
    const bool has_gaps = *wanted == Layout::sliced || *wanted == Layout::padded;
    const std::int64_t most = has_gaps ? 2 * tensor.numel() + 4 : tensor.numel();
    if (!has_room(reader, literal, tensor.dtype(), most)) return std::nullopt;
    Tensor made = with_layout(tensor, *wanted);
    reader.budget().give_back(static_cast<std::size_t>(most) * size_of(tensor.dtype()) -
                              made.storage().size());
    return made;
  }
  std::vector<std::string> known;
  for (const Layout one : all_layouts) known.emplace_back(name(one));
  reader.fail_unknown(layout->at, "layout", layout->text, known);
  return std::nullopt;
}

}  // namespace

std::optional<Tensor> read_tensor(Reader& reader, const Node& literal) {
  if (literal.kind != Node::Kind::map) {
    reader.fail(literal.at, "expected a tensor", "write {dtype: i64, values: [..]}");
    return std::nullopt;
  }
  static const std::vector<std::string> known = {"dtype",  "shape",   "values", "fill",   "arange",
                                                 "layout", "strides", "offset", "storage"};
  for (std::size_t i = 0; i < literal.members.size(); ++i)
    if (std::ranges::find(known, literal.members[i].first) == known.end())
      reader.fail_unknown(literal.key_positions[i], "member of a tensor", literal.members[i].first, known);
  if (const Node* word = literal.find("dtype"); word && std::ranges::count(dtypes_to_come, word->text)) {
    reader.not_supported(fmt::format("dtype {} is not supported yet", word->text));
    return Tensor();
  }
  const auto dtype = read_dtype(reader, literal);
  if (!dtype) return std::nullopt;
  std::optional<Shape> shape;
  if (const Node* sizes = literal.find("shape")) {
    shape = read_shape(reader, *sizes);
    if (!shape) return std::nullopt;
  }
  const auto tensor = read_contents(reader, literal, *dtype, shape ? &*shape : nullptr);
  if (!tensor) return std::nullopt;
  auto made = laid_out(reader, literal, *tensor);
  const bool counted = literal.find("fill") || literal.find("arange");
  if (made && counted && made->shared_storage() != tensor->shared_storage())
    reader.budget().give_back(tensor->storage().size());
  return made;
}

}  // namespace scatterproof::spec
