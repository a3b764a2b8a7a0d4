// SPDX-License-Identifier: Apache-2.0
#include "sibling.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace scatterproof::runner::fuzz {
namespace {

using spec::Call;
using spec::Shape;
using spec::Tensor;

/// Moves a factor from size `from` to size `to`; 0 swaps the two sizes. False if nothing changes, or the size
/// is not divisible.
bool regroup(Shape& sizes, std::size_t from, std::size_t to, std::int64_t factor) {
  if (factor == 0) {
    std::swap(sizes[from], sizes[to]);
    return sizes[from] != sizes[to];
  }
  if (sizes[from] == 0 || sizes[from] % factor != 0) return false;
  sizes[from] /= factor;
  sizes[to] *= factor;
  return true;
}

/// Every tensor that has both dimensions, regrouped; empty where no shape changes.
std::optional<Call> regrouped(const Call& call, std::size_t from, std::size_t to, std::int64_t factor) {
  Call other = call;
  bool changed = false;
  for (auto& [name, argument] : other.arguments) {
    auto* tensor = std::get_if<Tensor>(&argument);
    if (tensor == nullptr || tensor->rank() <= std::max(from, to)) continue;
    Shape sizes = tensor->shape();
    if (!regroup(sizes, from, to, factor)) continue;
    const Tensor compact = tensor->contiguous();
    Shape strides = spec::contiguous_strides(sizes);
    *tensor =
        *Tensor::view(compact.dtype(), std::move(sizes), std::move(strides), 0, compact.shared_storage());
    changed = true;
  }
  if (!changed) return {};
  return other;
}

bool obeys(const spec::OpSpec& op, const Call& call, const spec::Target& target) {
  return std::ranges::count(spec::rule_kinds(op, call, target), spec::RuleState::Kind::broken) == 0;
}

}  // namespace

std::size_t most_dimensions(const Call& call) {
  std::size_t most = 0;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument)) most = std::max(most, tensor->rank());
  return most;
}

std::optional<Call> sibling_of(const spec::OpSpec& op, const Call& call, const spec::Target& target) {
  const std::size_t rank = most_dimensions(call);
  int tries = 8;
  for (const std::int64_t factor : {0, 2, 3})
    for (std::size_t from = 0; from < rank; ++from)
      for (std::size_t to = 0; to < rank; ++to) {
        if (from == to || (factor == 0 && to < from)) continue;
        auto other = regrouped(call, from, to, factor);
        if (!other) continue;
        if (obeys(op, *other, target)) return other;
        if (--tries == 0) return {};
      }
  return {};
}

std::optional<Call> with_other_attribute(const spec::OpSpec& op, const Call& call,
                                         const spec::Target& target) {
  Call other = call;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* number = std::get_if<spec::Scalar>(&call.arguments[i].second);
    if (!number) continue;
    std::vector<spec::Scalar> others;
    if (op.arguments[i].kind == spec::ArgumentKind::boolean)
      others = {spec::Scalar::of_bool(number->integer() == 0)};
    if (op.arguments[i].kind == spec::ArgumentKind::integer)
      for (const std::int64_t step : {1, -1, 2, -2})
        others.push_back(spec::Scalar::of_int(number->integer() + step));
    for (const spec::Scalar& one : others) {
      other.arguments[i].second = one;
      if (obeys(op, other, target)) return other;
    }
    other.arguments[i].second = *number;
  }
  return {};
}

}  // namespace scatterproof::runner::fuzz
