// SPDX-License-Identifier: Apache-2.0
#include "restated.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "scatterproof/runner/relations/crowded.hpp"
#include "scatterproof/runner/relations/slices.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::Call;
using spec::DType;
using spec::Tensor;

/// The call with other tensors; empty where none changes. `change` returns whether it changed the tensor.
template <class Change>
std::optional<Call> with_tensors(const Call& call, const Change& change) {
  Call other = call;
  bool changed = false;
  for (auto& [name, argument] : other.arguments)
    if (auto* tensor = std::get_if<Tensor>(&argument)) changed |= change(name, *tensor);
  if (!changed) return {};
  return other;
}

std::optional<Call> in_other_layouts(const spec::OpSpec& op, const Call& call) {
  auto dense = with_tensors(call, [](const std::string&, Tensor& tensor) {
    const bool changes = !tensor.is_contiguous();
    if (changes) tensor = tensor.contiguous();
    return changes;
  });
  if (dense) return dense;
  return with_tensors(call, [&](const std::string& name, Tensor& tensor) {
    const bool changes = tensor.rank() > 1 && tensor.numel() > 1 && !op.meaning.overwrites(name);
    if (changes) tensor = spec::with_layout(tensor, spec::Layout::padded);
    return changes;
  });
}

std::optional<Call> with_other_index_dtype(const spec::OpSpec& op, const Call& call) {
  bool all = true;
  auto other = with_tensors(call, [&](const std::string& name, Tensor& tensor) {
    const spec::ArgumentDecl* declared = op.argument(name);
    if (!declared || !op.is_index(*declared)) return false;
    const DType dtype = tensor.dtype() == DType::i64 ? DType::i32 : DType::i64;
    const bool changes =
        (tensor.dtype() == DType::i64 || tensor.dtype() == DType::i32) && fits(tensor, dtype);
    if (changes) tensor = with_dtype(tensor, dtype);
    all = all && changes;
    return changes;
  });
  return all ? std::move(other) : std::nullopt;
}

Restated by_variant(const spec::OpSpec& op, const Call& call, const spec::Variant& variant) {
  Restated other{.call = call, .by = "variant"};
  other.call.api = variant.api;
  const std::vector<std::string>&one = op.meaning.in_place, &two = variant.in_place;
  if (one != two) other.overwritten = one.empty() ? two : one;
  return other;
}

}  // namespace

std::string index_dtypes(const spec::OpSpec& op, const Call& call) {
  std::string dtypes;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && is_index(op, name, argument))
      dtypes += std::string(spec::name(tensor->dtype())) + " ";
  return dtypes;
}

spec::Outcome restated(const spec::Outcome& outcome, const Restated& how) {
  const auto* made = std::get_if<spec::Produced>(&outcome.what);
  if (!made || !how.twice_along) return outcome;
  spec::Outcome other = outcome;
  for (Tensor& tensor : std::get<spec::Produced>(other.what).tensors)
    if (*how.twice_along < tensor.rank()) tensor = relations::joined(tensor, tensor, *how.twice_along);
  return other;
}

bool are_forms(const engines::EngineInfo& a, const engines::EngineInfo& b) {
  const std::string one = spec::without_form(a.name);
  return a.name != b.name && !a.framework.empty() && one.starts_with(a.framework + "@") &&
         one == spec::without_form(b.name);
}

std::vector<Restated> restated(const spec::OpSpec& op, const Call& call, const spec::Target& target,
                               const spec::Family* family) {
  const auto kinds = spec::rule_kinds(op, call, target);
  std::vector<Restated> all;
  const auto add = [&](std::optional<Call> other, std::string_view by) {
    if (other && spec::rule_kinds(op, *other, target) == kinds) all.push_back({*std::move(other), by});
  };
  if (auto twice = family ? relations::with_lookups_repeated(*family, op, call, 2) : std::nullopt) {
    add(std::move(twice->call), "batch");
    if (!all.empty() && !op.meaning.start) all.back().twice_along = twice->along;
  }
  add(in_other_layouts(op, call), "layout");
  add(with_other_index_dtype(op, call), "index_dtype");
  for (const spec::Variant& variant : op.variants) all.push_back(by_variant(op, call, variant));
  return all;
}

}  // namespace scatterproof::runner::fuzz
