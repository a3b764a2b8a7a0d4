// SPDX-License-Identifier: Apache-2.0
#include "repair.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "scatterproof/spec/judge/judge.hpp"
#include "shrink/edits.hpp"

namespace scatterproof::runner {
namespace {

using RepairKind = spec::DiagnosisKind;

/// A repair, and the value that it gives to the argument.
struct Repaired {
  spec::Diagnosis repair;
  spec::Argument value;
};
/// Whether the repair is the one that is looked for.
using Accepts = std::function<bool(const Repaired&)>;

/// Sizes an index could count within: those of the call's tensors, the largest (the least contrived) first.
using Sizes = std::set<std::int64_t, std::greater<>>;

std::int64_t modulo(std::int64_t value, std::int64_t size) { return (value % size + size) % size; }

struct IndexRepair {
  RepairKind kind;
  std::int64_t (*apply)(std::int64_t value, std::int64_t size);
};
constexpr IndexRepair index_repairs[] = {
    {RepairKind::index_wrapped, [](std::int64_t v, std::int64_t s) { return v < 0 ? v + s : v; }},
    {RepairKind::index_clamped,
     [](std::int64_t v, std::int64_t s) { return std::clamp<std::int64_t>(v, 0, s - 1); }},
    {RepairKind::index_modulo, modulo},
};

spec::Tensor with_index(const spec::Tensor& index, const IndexRepair& repair, std::int64_t size) {
  std::vector<spec::Scalar> values = index.values();
  for (spec::Scalar& value : values) value = spec::Scalar::of_int(repair.apply(value.integer(), size));
  return spec::Tensor(index.dtype(), index.shape(), values);
}

/// As numpy broadcasts: missing axes in front, and axes of size 1, are repeated.
std::optional<spec::Tensor> broadcast(const spec::Tensor& tensor, const spec::Shape& shape) {
  if (tensor.rank() > shape.size() || tensor.shape() == shape) return {};
  const std::size_t missing = shape.size() - tensor.rank();
  spec::Shape strides(shape.size(), 0);
  for (std::size_t d = missing; d < shape.size(); ++d) {
    const std::int64_t size = tensor.shape()[d - missing];
    if (size != 1 && size != shape[d]) return {};
    if (size == shape[d]) strides[d] = tensor.strides()[d - missing];
  }
  return spec::Tensor::view(tensor.dtype(), shape, strides, tensor.offset(), tensor.shared_storage());
}

/// The first positions along each axis, as many as the shape has.
std::optional<spec::Tensor> cut(const spec::Tensor& tensor, const spec::Shape& shape) {
  if (tensor.rank() != shape.size()) return {};
  spec::Shape smaller = tensor.shape();
  for (std::size_t d = 0; d < shape.size(); ++d) smaller[d] = std::min(smaller[d], shape[d]);
  if (smaller == tensor.shape()) return {};
  return spec::Tensor::view(tensor.dtype(), smaller, tensor.strides(), tensor.offset(),
                            tensor.shared_storage());
}

using Tensors = std::vector<const spec::Tensor*>;

Tensors tensors_of(const spec::Call& call) {
  Tensors tensors;
  for (const auto& [name, value] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) tensors.push_back(tensor);
  return tensors;
}

/// Whether one of the index repairs is the one that is looked for.
bool any_index_repair(const spec::Tensor& index, const Tensors& tensors, const Accepts& accepts) {
  Sizes sizes;
  for (const spec::Tensor* tensor : tensors) sizes.insert(tensor->shape().begin(), tensor->shape().end());
  sizes.erase(0);
  for (const std::int64_t size : sizes)
    for (const IndexRepair& repair : index_repairs)
      if (accepts(
              {{.kind = repair.kind, .numbers = {repair.kind == RepairKind::index_clamped ? size - 1 : size}},
               with_index(index, repair, size)}))
        return true;
  return false;
}

bool any_axis_repair(std::int64_t axis, const Tensors& tensors, const Accepts& accepts) {
  return std::ranges::any_of(tensors, [&](const spec::Tensor* tensor) {
    const auto rank = static_cast<std::int64_t>(tensor->rank());
    return rank > 0 && modulo(axis, rank) != axis &&
           accepts({{.kind = RepairKind::axis_modulo, .numbers = {rank}},
                    spec::Scalar::of_int(modulo(axis, rank))});
  });
}

bool any_form_repair(const spec::Tensor& tensor, const Tensors& tensors, const Accepts& accepts) {
  const auto casts = [&](spec::DType dtype) {
    return dtype != tensor.dtype() &&
           accepts({{.kind = RepairKind::argument_cast}, shrink::with_dtype(tensor, dtype)});
  };
  const auto is = [&](RepairKind kind, const std::optional<spec::Tensor>& other) {
    return other && accepts({{.kind = kind}, *other});
  };
  return casts(spec::DType::i64) || std::ranges::any_of(tensors, [&](const spec::Tensor* like) {
           return casts(like->dtype()) ||
                  is(RepairKind::argument_broadcast, broadcast(tensor, like->shape())) ||
                  is(RepairKind::argument_cut, cut(tensor, like->shape()));
         });
}

bool any_repair(const spec::OpSpec& op, const std::string& name, const spec::Argument& value,
                const Tensors& tensors, const Accepts& accepts) {
  if (const auto* tensor = std::get_if<spec::Tensor>(&value))
    return (is_index(op, name, value) && any_index_repair(*tensor, tensors, accepts)) ||
           any_form_repair(*tensor, tensors, accepts);
  const auto* number = std::get_if<spec::Scalar>(&value);
  const spec::ArgumentDecl* declared = op.argument(name);
  return number && declared && declared->kind == spec::ArgumentKind::integer &&
         any_axis_repair(number->integer(), tensors, accepts);
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

spec::Diagnosis repair_of(const spec::OpSpec& op, const spec::Call& call, const spec::Target& target,
                          const spec::Outcome& outcome) {
  const Tensors tensors = tensors_of(call);
  spec::Diagnosis found;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const std::string& name = call.arguments[i].first;
    const auto explains = [&](const Repaired& repaired) {
      spec::Call other = call;
      other.arguments[i].second = repaired.value;
      if (!allows(op, other, target, outcome)) return false;
      found = repaired.repair;
      found.subject = spec::as_subject(name);
      return true;
    };
    if (any_repair(op, name, call.arguments[i].second, tensors, explains)) return found;
  }
  return {};
}

std::vector<spec::Diagnosis> mending_index_repairs(const spec::OpSpec& op, const spec::Call& call,
                                                   const spec::Target& target) {
  const Tensors tensors = tensors_of(call);
  std::vector<spec::Diagnosis> mending;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto& [name, value] = call.arguments[i];
    if (!is_index(op, name, value)) continue;
    const auto note_mending = [&, &name = name](const Repaired& repaired) {
      const spec::Diagnosis repair{.kind = repaired.repair.kind, .subject = spec::as_subject(name)};
      if (std::ranges::find(mending, repair) != mending.end()) return false;
      spec::Call other = call;
      other.arguments[i].second = repaired.value;
      const auto expectation = spec::expect(op, other, target);
      if (expectation && expectation->broken.empty()) mending.push_back(repair);
      return false;  // there may be others
    };
    any_index_repair(std::get<spec::Tensor>(value), tensors, note_mending);
  }
  return mending;
}

}  // namespace scatterproof::runner
