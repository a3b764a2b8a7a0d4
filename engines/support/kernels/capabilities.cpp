// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/engines/kernels/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::engines {
namespace {

using spec::yaml::Node;

template <class T>
bool contains(const std::vector<T>& values, const T& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// A list of the description, or its default when it is left out. The schema has checked the rest.
template <class T, class Read>
std::vector<T> list(const Node& entry, const char* key, std::vector<T> left_out, Read read) {
  const Node* node = entry.find(key);
  if (node == nullptr) return left_out;
  std::vector<T> values;
  for (const Node& item : node->items) values.push_back(read(item));
  return values;
}

OfferedKernel read_entry(const Node& node) {
  OfferedKernel entry;
  const auto dtype = [](const Node& item) { return spec::parse_dtype(item.text).value(); };
  entry.op = parse_kernel_op(node.find("operation")->text).value();
  entry.combiners = list<spec::Combiner>(node, "combine", entry.combiners, [](const Node& item) {
    return spec::parse_combiner(item.text).value();
  });
  entry.include_start = list<bool>(node, "include_start", entry.include_start,
                                   [](const Node& item) { return item.number.integer() != 0; });
  entry.dtypes = list<spec::DType>(node, "dtypes", {}, dtype);
  entry.index_dtypes = list<spec::DType>(node, "index_dtypes", {}, dtype);
  entry.strided = node.find("layout")->text == "strided";
  if (const Node* output = node.find("output_layout")) entry.strided_output = output->text == "strided";
  if (const Node* wraps = node.find("wrap_negative")) entry.wrap_negative = wraps->number.integer() != 0;
  if (const Node* gradient = node.find("gradient")) entry.gradient = gradient->number.integer() != 0;
  if (const Node* most = node.find("most_dimensions"))
    entry.most_dimensions = static_cast<std::size_t>(most->number.integer());
  entry.checks = list<std::string>(node, "checks", {}, [](const Node& item) { return item.text; });
  return entry;
}

spec::Result<Capabilities> read_description(std::string what, const std::string& json) {
  const auto document = spec::yaml::read_text(std::move(what), json);
  if (!document) return document.errors();
  if (auto errors = spec::yaml::validate(*document, "kernels"); !errors.empty()) return errors;
  const auto text = [&](const char* key) { return document->root.find(key)->text; };
  Capabilities capabilities{
      .name = text("name"), .version = text("version"), .device = text("device"), .kernels = {}};
  for (const Node& entry : document->root.find("kernels")->items)
    capabilities.kernels.push_back(read_entry(entry));
  return capabilities;
}

template <class T>
std::string quoted(const std::vector<T>& values) {
  std::vector<std::string> texts;
  for (const T& value : values) {
    if constexpr (std::is_same_v<T, std::string>)
      texts.push_back(fmt::format("\"{}\"", value));
    else
      texts.push_back(fmt::format("\"{}\"", spec::name(value)));
  }
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string flags(const std::vector<bool>& values) {
  std::vector<std::string_view> texts;
  for (const bool value : values) texts.push_back(value ? "true" : "false");
  return fmt::format("[{}]", fmt::join(texts, ","));
}

std::string text_of(const OfferedKernel& kernel) {
  const auto layout = [](bool strided) { return strided ? "strided" : "contiguous"; };
  return fmt::format(
      R"({{"operation":"{}","combine":{},"include_start":{},"dtypes":{},"index_dtypes":{},"layout":"{}",)"
      R"("output_layout":"{}","wrap_negative":{},"gradient":{},"most_dimensions":{},"checks":{}}})",
      name(kernel.op), quoted(kernel.combiners), flags(kernel.include_start), quoted(kernel.dtypes),
      quoted(kernel.index_dtypes), layout(kernel.strided), layout(kernel.strided_output),
      kernel.wrap_negative, kernel.gradient, kernel.most_dimensions, quoted(kernel.checks));
}

}  // namespace

bool OfferedKernel::checks_for(const std::string& kind) const { return contains(checks, kind); }
bool OfferedKernel::takes_index(spec::DType dtype) const { return contains(index_dtypes, dtype); }

bool offers(const OfferedKernels& kernels, KernelOp op) {
  return std::ranges::find(kernels, op, &OfferedKernel::op) != kernels.end();
}

spec::Result<Capabilities> read_capabilities(const std::string& json) {
  return read_description("the library's description", json);
}

std::string to_json(const OfferedKernels& kernels) {
  std::vector<std::string> texts;
  for (const OfferedKernel& kernel : kernels) texts.push_back(text_of(kernel));
  return fmt::format("[{}]", fmt::join(texts, ","));
}

// The schema is that of a whole description.
spec::Result<OfferedKernels> read_kernels(const std::string& json) {
  auto described = read_description(
      "the worker's kernels", fmt::format(R"({{"name":"-","version":"-","device":"-","kernels":{}}})", json));
  if (!described) return described.errors();
  return std::move(described->kernels);
}

std::string not_covered(const OfferedKernel& entry, const KernelCall& call) {
  const auto operation = name(entry.op);
  if (!contains(entry.dtypes, call.data.dtype()))
    return fmt::format("{} is not offered for {}", operation, spec::name(call.data.dtype()));
  if (std::max(call.data.rank(), call.index.rank()) > entry.most_dimensions)
    return fmt::format("{} takes at most {} dimensions", operation, entry.most_dimensions);
  if (!is_scatter(entry.op)) return {};
  if (!contains(entry.combiners, call.combine))
    return fmt::format("{} does not combine by {}", operation, spec::name(call.combine));
  if (!contains(entry.include_start, call.include_start))
    return fmt::format("{} does not {} the start values", operation,
                       call.include_start ? "combine with" : "leave out");
  return {};
}

}  // namespace scatterproof::engines
