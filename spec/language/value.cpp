// SPDX-License-Identifier: Apache-2.0
// Values in words, and the names of a scope.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "scatterproof/spec/language/language.hpp"

namespace scatterproof::spec::language {
namespace {

struct Words {
  std::string operator()(None) const { return "none"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(const Element& element) const { return spec::to_string(element.value); }
  std::string operator()(const std::string& word) const { return fmt::format("\"{}\"", word); }
  std::string operator()(DType dtype) const { return std::string(name(dtype)); }
  std::string operator()(const Shape& tuple) const {
    return fmt::format("({}{})", fmt::join(tuple, ", "), tuple.size() == 1 ? "," : "");
  }
  std::string operator()(const TensorPart& part) const {
    const Shape& sizes = part.tensor->shape();
    return fmt::format(
        "{}[{}]", name(part.tensor->dtype()),
        fmt::join(sizes.begin() + static_cast<std::ptrdiff_t>(part.prefix.size()), sizes.end(), ","));
  }
};

}  // namespace

std::string to_string(const Value& value) { return std::visit(Words{}, value); }

int Scope::declare(std::string name, Types types, const std::string& list) {
  assert(find(name) == nullptr);
  const std::size_t slot = variables_.size();
  variables_.push_back({std::move(name), types});
  if (list.empty()) return static_cast<int>(slot);
  auto found = std::ranges::find(lists_, list, &List::name);
  if (found == lists_.end()) found = lists_.insert(found, {list, slot, 0});
  assert(found->first + found->count == slot);
  ++found->count;
  return static_cast<int>(slot);
}

const Scope::List* Scope::find_list(std::string_view name) const {
  const auto found = std::ranges::find(lists_, name, &List::name);
  return found == lists_.end() ? nullptr : &*found;
}

const Scope::Variable* Scope::find(std::string_view name, int* slot) const {
  const auto found =
      std::find_if(variables_.begin(), variables_.end(), [&](const Variable& v) { return v.name == name; });
  if (found == variables_.end()) return nullptr;
  if (slot != nullptr) *slot = static_cast<int>(found - variables_.begin());
  return &*found;
}

}  // namespace scatterproof::spec::language
