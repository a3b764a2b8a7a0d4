// SPDX-License-Identifier: Apache-2.0
#include "capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::engines::plugin {
namespace {

using spec::yaml::Node;

constexpr std::array<std::pair<std::string_view, KernelOp>, 6> operations = {{
    {"scatter_elements", KernelOp::scatter_elements},
    {"scatter_rows", KernelOp::scatter_rows},
    {"scatter_nd", KernelOp::scatter_nd},
    {"gather_elements", KernelOp::gather_elements},
    {"gather_rows", KernelOp::gather_rows},
    {"gather_nd", KernelOp::gather_nd},
}};

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

KernelOp read_operation(const Node& node) {
  return std::find_if(operations.begin(), operations.end(),
                      [&](const auto& pair) { return pair.first == node.text; })
      ->second;
}

Entry read_entry(const Node& node) {
  Entry entry;
  const auto dtype = [](const Node& item) { return spec::parse_dtype(item.text).value(); };
  entry.op = read_operation(*node.find("operation"));
  entry.combiners = list<spec::Combiner>(node, "combine", entry.combiners, [](const Node& item) {
    return spec::parse_combiner(item.text).value();
  });
  entry.include_start = list<bool>(node, "include_start", entry.include_start,
                                   [](const Node& item) { return item.number.integer() != 0; });
  entry.dtypes = list<spec::DType>(node, "dtypes", {}, dtype);
  entry.index_dtypes = list<spec::DType>(node, "index_dtypes", {}, dtype);
  entry.strided = node.find("layout")->text == "strided";
  entry.wrap_negative = node.find("wrap_negative")->number.integer() != 0;
  if (const Node* most = node.find("most_dimensions"))
    entry.most_dimensions = static_cast<std::size_t>(most->number.integer());
  entry.checks = list<std::string>(node, "checks", {}, [](const Node& item) { return item.text; });
  return entry;
}

}  // namespace

std::string_view name(KernelOp op) {
  return std::find_if(operations.begin(), operations.end(),
                      [&](const auto& pair) { return pair.second == op; })
      ->first;
}

bool is_scatter(KernelOp op) { return name(op).starts_with("scatter"); }

bool Entry::checks_for(const std::string& kind) const { return contains(checks, kind); }
bool Entry::takes_index(spec::DType dtype) const { return contains(index_dtypes, dtype); }

bool Capabilities::offers(KernelOp op) const {
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.op == op; });
}

spec::Result<Capabilities> read_capabilities(const std::string& json) {
  const auto document = spec::yaml::read_text("the library's description", json);
  if (!document) return document.errors();
  if (auto errors = spec::yaml::validate(*document, "kernels"); !errors.empty()) return errors;
  const auto text = [&](const char* key) { return document->root.find(key)->text; };
  Capabilities capabilities{text("name"), text("version"), text("device"), {}};
  for (const Node& entry : document->root.find("kernels")->items)
    capabilities.entries.push_back(read_entry(entry));
  return capabilities;
}

std::string not_covered(const Entry& entry, const KernelCall& call) {
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

}  // namespace scatterproof::engines::plugin
