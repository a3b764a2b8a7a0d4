// SPDX-License-Identifier: Apache-2.0
#include "repaired_index.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner {
namespace {

struct Repair {
  spec::DiagnosisKind kind;
  std::int64_t (*apply)(std::int64_t value, std::int64_t size);
};

constexpr Repair repairs[] = {
    {spec::DiagnosisKind::index_wrapped, [](std::int64_t v, std::int64_t s) { return v < 0 ? v + s : v; }},
    {spec::DiagnosisKind::index_clamped,
     [](std::int64_t v, std::int64_t s) { return std::clamp<std::int64_t>(v, 0, s - 1); }},
    {spec::DiagnosisKind::index_modulo, [](std::int64_t v, std::int64_t s) { return (v % s + s) % s; }},
};

/// Sizes an index could count within: those of the call's tensors, the largest (the least contrived) first.
using Sizes = std::set<std::int64_t, std::greater<>>;
Sizes sizes_of(const spec::Call& call) {
  Sizes sizes;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value))
      sizes.insert(tensor->shape().begin(), tensor->shape().end());
  sizes.erase(0);
  return sizes;
}

spec::Tensor repaired(const spec::Tensor& index, const Repair& repair, std::int64_t size) {
  std::vector<spec::Scalar> values = index.values();
  for (spec::Scalar& value : values) value = spec::Scalar::of_int(repair.apply(value.integer(), size));
  return spec::Tensor(index.dtype(), index.shape(), values);
}

bool allows(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
            const spec::Outcome& outcome) {
  const auto expectation = spec::expect(op, call, target);
  return expectation && std::holds_alternative<spec::Bag>(expectation->what) &&
         spec::judge(*expectation, outcome).verdict == spec::Verdict::pass;
}

}  // namespace

bool is_index(const spec::OpSpec& op, const std::string& name, const spec::Argument& value) {
  const auto* tensor = std::get_if<spec::Tensor>(&value);
  const spec::ArgumentDecl* declared = op.argument(name);
  return tensor && spec::is_integer(tensor->dtype()) && declared && op.is_index(*declared);
}

spec::Diagnosis repaired_index(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                               const spec::Outcome& outcome) {
  const Sizes sizes = sizes_of(call);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    if (!is_index(op, name, value)) continue;
    for (const std::int64_t size : sizes)
      for (const Repair& repair : repairs) {
        spec::Call other = call;
        other.arguments[i].second = repaired(std::get<spec::Tensor>(value), repair, size);
        if (allows(op, other, target, outcome))
          return {.kind = repair.kind,
                  .subject = spec::as_subject(name),
                  .numbers = {repair.kind == spec::DiagnosisKind::index_clamped ? size - 1 : size}};
      }
  }
  return {};
}

}  // namespace scatterproof::runner
