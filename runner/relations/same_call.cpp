// SPDX-License-Identifier: Apache-2.0
// Relations that need no roles: repeat the call, change the layout of its tensors, check what it wrote.
#include <algorithm>

#include "scatterproof/runner/relations/derivation.hpp"

namespace scatterproof::runner::relations {
namespace {

using spec::Call;
using spec::Layout;
using spec::Tensor;

/// All tensors of a call in a layout. What is written in place cannot have elements that share storage.
Call in_layout(const RelationCall& given, Layout layout) {
  Call call = given.call;
  for (auto& [name, argument] : call.arguments) {
    auto* tensor = std::get_if<Tensor>(&argument);
    const bool written = given.spec.meaning.overwrites(name);
    if (tensor && !(written && layout == Layout::expanded)) *tensor = spec::with_layout(*tensor, layout);
  }
  return call;
}

bool laid_out_alike(const Call& a, const Call& b) {
  return std::ranges::equal(a.arguments, b.arguments, [](const auto& one, const auto& other) {
    const auto* left = std::get_if<Tensor>(&one.second);
    const auto* right = std::get_if<Tensor>(&other.second);
    return !left || !right ||
           (left->strides() == right->strides() && left->offset() == right->offset() &&
            left->storage().size() == right->storage().size());
  });
}

}  // namespace

std::variant<Derivation, std::string> repeat(const RelationCall& given) {
  Derivation derivation{.first = given.call};
  Other again{given.call};
  again.every_bit = true;
  derivation.others.calls.push_back(again);
  again.alone = true;
  derivation.others.calls.push_back(again);
  return derivation;
}

std::variant<Derivation, std::string> relayout(const RelationCall& given) {
  Derivation derivation{.first = given.call};
  derivation.others.why_none = "its tensors have one layout only";
  for (const Layout layout : spec::all_layouts)
    if (Call call = in_layout(given, layout); !laid_out_alike(call, given.call))
      derivation.others.add(std::move(call));
  return derivation;
}

std::variant<Derivation, std::string> keep_inputs(const RelationCall& given) {
  Derivation derivation{.first = given.call};
  derivation.keeps_inputs = true;
  return derivation;
}

}  // namespace scatterproof::runner::relations
