// SPDX-License-Identifier: Apache-2.0
#include "tensor_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "access_pattern.hpp"

namespace scatterproof::runner::bench {
namespace {

using spec::Reader;
using spec::yaml::Node;

struct FillName {
  std::string_view word;
  Fill::Kind kind;
};
constexpr FillName fills[] = {{"lattice", Fill::Kind::lattice},
                              {"uniform", Fill::Kind::uniform},
                              {"sorted", Fill::Kind::sorted},
                              {"block", Fill::Kind::block},
                              {"runs", Fill::Kind::runs},
                              {"permutation", Fill::Kind::permutation},
                              {"all_duplicate", Fill::Kind::all_duplicate},
                              {"hot", Fill::Kind::hot},
                              {"kronecker", Fill::Kind::kronecker},
                              {"repeated_rows", Fill::Kind::repeated_rows}};

/// `16Mi` and `4Ki` are numbers of elements; `256MiB` and `16KiB` are sizes in bytes, for as many elements as
/// fill them.
std::optional<std::int64_t> parse_size(std::string_view text, spec::DType dtype) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0 || value > spec::max_numel) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const bool bytes = unit.ends_with("B");
  if (bytes) unit.remove_suffix(1);
  const int shift = unit == "Ki" ? 10 : unit == "Mi" ? 20 : unit == "Gi" ? 30 : unit.empty() ? 0 : -1;
  if (shift < 0) return std::nullopt;
  return (value << shift) / (bytes ? static_cast<std::int64_t>(spec::size_of(dtype)) : 1);
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const spec::DType one : spec::all_dtypes) names.emplace_back(spec::name(one));
  return names;
}

std::size_t read_dimension(Reader& reader, const Node& node, std::string_view key) {
  const Node* dim = node.find(key);
  if (!dim) return 0;
  if (dim->kind == Node::Kind::integer && dim->number.integer() >= 0 && dim->number.integer() < 8)
    return static_cast<std::size_t>(dim->number.integer());
  reader.fail(dim->at, fmt::format("'{}' must be a dimension, counted from 0", key));
  return 0;
}

Size read_size(Reader& reader, const Node& node, spec::DType dtype) {
  if (node.kind == Node::Kind::map) return {0, reader.text(node, "reach")};
  if (node.is_scalar())
    if (const auto count = parse_size(node.text, dtype)) return {*count, ""};
  reader.fail(node.at, fmt::format("invalid size '{}'", node.text),
              "a number, a count such as 16Mi, bytes such as 256MiB, or {reach: INDEX}");
  return {};
}

Fill read_pattern(Reader& reader, const Node& node) {
  Fill fill;
  fill.kind = Fill::Kind::pattern;
  const Node* pattern = node.find("pattern");
  const Node* delta = node.find("delta");
  if (!pattern || !delta || delta->kind != Node::Kind::integer || delta->number.integer() < 0) {
    reader.fail(node.at, "expected a pattern and its delta", "{pattern: UNIFORM:8:4, delta: 32}");
    return fill;
  }
  fill.pattern.delta = delta->number.integer();
  fill.name = reader.text(node, "name");
  if (pattern->is_scalar()) {
    if (fill.name.empty()) fill.name = pattern->text;
    auto offsets = parse_pattern(pattern->text);
    if (offsets)
      fill.pattern.offsets = *std::move(offsets);
    else
      reader.fail(pattern->at, offsets.errors().front().what, offsets.errors().front().hint);
    return fill;
  }
  for (const Node& item : pattern->items) {
    if (item.kind == Node::Kind::integer && item.number.integer() >= 0) {
      fill.pattern.offsets.push_back(item.number.integer());
      continue;
    }
    reader.fail(item.at, "an offset must be a non-negative integer");
  }
  if (pattern->items.empty()) reader.fail(pattern->at, "a pattern needs at least one offset");
  if (fill.name.empty()) fill.name = "pattern";
  return fill;
}

Fill read_fill(Reader& reader, const Node& node) {
  Fill fill;
  fill.name = node.text;
  if (node.kind == Node::Kind::map) return read_pattern(reader, node);
  for (const auto& [word, kind] : fills)
    if (word == node.text) {
      fill.kind = kind;
      return fill;
    }
  fill.kind = Fill::Kind::zipf;
  constexpr std::string_view prefix = "zipf-";
  if (node.text.starts_with(prefix)) {
    const char* end = node.text.data() + node.text.size();
    const auto read = std::from_chars(node.text.data() + prefix.size(), end, fill.exponent);
    if (read.ec == std::errc() && read.ptr == end && fill.exponent > 0 && fill.exponent < 10) return fill;
  }
  std::vector<std::string> known = {"zipf-0.99"};
  for (const auto& [word, kind] : fills) known.emplace_back(word);
  reader.fail_unknown(node.at, "fill", node.text, known);
  return fill;
}

}  // namespace

TensorPlan read_tensor(Reader& reader, const std::string& name, const Node& node) {
  TensorPlan tensor;
  tensor.name = name;
  tensor.expand = reader.text(node, "expand");
  tensor.into = reader.text(node, "into");
  tensor.tuples = reader.flag(node, "tuples");
  tensor.dim = read_dimension(reader, node, tensor.expand.empty() ? "dim" : "along");
  if (const Node* word = node.find("dtype")) {
    if (const auto dtype = spec::parse_dtype(word->text))
      tensor.dtype = *dtype;
    else
      reader.fail_unknown(word->at, "dtype", word->text, dtype_names());
  } else if (tensor.expand.empty()) {
    reader.fail(node.at, fmt::format("tensor '{}' has no 'dtype'", name));
  }
  if (const Node* fill = node.find("fill"))
    tensor.fill = read_fill(reader, *fill);
  else if (tensor.expand.empty())
    reader.fail(node.at, fmt::format("tensor '{}' has no 'fill'", name));
  if (const Node* layout = node.find("layout")) {
    tensor.transposed = layout->text == "transposed";
    if (!tensor.transposed && layout->text != "contiguous")
      reader.fail_unknown(layout->at, "layout", layout->text, {"contiguous", "transposed"});
  }
  const Node& shape = *node.find("shape");
  if (shape.kind != Node::Kind::list || shape.items.size() > spec::max_rank)
    reader.fail(shape.at, fmt::format("a shape must be a list of at most {} sizes", spec::max_rank));
  else
    for (const Node& size : shape.items) tensor.shape.push_back(read_size(reader, size, tensor.dtype));
  return tensor;
}

}  // namespace scatterproof::runner::bench
