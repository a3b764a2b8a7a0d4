// SPDX-License-Identifier: Apache-2.0
#include "recast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "scatterproof/runner/calls/tensor_edits.hpp"
#include "scatterproof/runner/trial/repair.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/sharing.hpp"

namespace scatterproof::runner {
namespace {

using spec::Call;
using spec::DType;
using spec::Scalar;
using spec::Tensor;

/// In the order in which kernels have them.
constexpr std::array data_dtypes = {DType::f32, DType::f64,  DType::i32, DType::i64, DType::f16,
                                    DType::i16, DType::bf16, DType::i8,  DType::u8};
constexpr std::array index_dtypes = {DType::i64, DType::i32};

bool is_topic_dtype(const std::string& id) {
  const auto first = id.find('/');
  return first != std::string::npos && std::string_view(id).substr(first).starts_with("/dtype/");
}

/// Whether the value is so plain that its dtype is not its point: far below the integers that a float lacks,
/// or one that every float dtype has (bf16 has the least digits, f16 the least range).
bool is_plain(const Scalar& value, DType dtype) {
  constexpr std::int64_t largest = 1 << 15;
  if (value.kind() == Scalar::Kind::integer) return std::abs(value.integer()) <= largest;
  if (value.kind() != Scalar::Kind::real) return false;
  const double x = value.real();
  if (!std::isfinite(x) || x == 0) return true;
  constexpr double least = 0x1p-14;  // of f16 that is not subnormal
  return spec::is_float(dtype) && std::abs(x) >= least && spec::fits(value, DType::bf16) &&
         spec::fits(value, DType::f16);
}

/// The tensors of a call by what they hold.
struct Tensors {
  std::vector<Tensor*> data;  ///< those with the dtype of the first
  std::vector<Tensor*> index;
};

Tensors tensors_of(const spec::OpSpec& op, Call& call) {
  Tensors found;
  for (auto& [name, argument] : call.arguments) {
    auto* tensor = std::get_if<Tensor>(&argument);
    if (!tensor) continue;
    if (is_index(op, name, argument))
      found.index.push_back(tensor);
    else if (found.data.empty() || found.data.front()->dtype() == tensor->dtype())
      found.data.push_back(tensor);
  }
  return found;
}

/// Gives tensors a dtype. False if one of them has a value that this dtype lacks.
bool convert_all(const std::vector<Tensor*>& tensors, DType dtype) {
  for (Tensor* tensor : tensors) {
    if (!fits(*tensor, dtype)) return false;
    if (tensor->dtype() != dtype) *tensor = with_dtype(*tensor, dtype);
  }
  return true;
}

bool may_be_recast(const spec::OpSpec& op, const spec::Case& one) {
  if (is_topic_dtype(one.id) || spec::has_shared_storage(one.call)) return false;
  Call call = one.call;
  const Tensors tensors = tensors_of(op, call);
  const auto plain = [](const Tensor* tensor) {
    return std::ranges::all_of(tensor->values(),
                               [&](const Scalar& value) { return is_plain(value, tensor->dtype()); });
  };
  const auto usual = [](const Tensor* tensor) {
    return tensor->dtype() == DType::i32 || tensor->dtype() == DType::i64;
  };
  return !tensors.data.empty() && std::ranges::all_of(tensors.data, plain) &&
         std::ranges::all_of(tensors.index, usual);
}

}  // namespace

std::optional<Recast> recast(const spec::Case& one, const spec::OpSpec& op, const engines::Engine& engine) {
  if (!one.unsupported.empty() || !may_be_recast(op, one)) return {};
  const spec::Target target = target_of(op, engine.info());
  const auto kinds = spec::rule_kinds(op, one.call, target);
  for (const DType dtype : data_dtypes) {
    for (const DType index_dtype : index_dtypes) {
      Call call = one.call;
      const Tensors tensors = tensors_of(op, call);
      const bool other_index = !tensors.index.empty() && tensors.index.front()->dtype() != index_dtype;
      if (!convert_all(tensors.data, dtype) || !convert_all(tensors.index, index_dtype)) continue;
      if (!engine.supports(call).yes || spec::rule_kinds(op, call, target) != kinds) continue;
      Recast other{one, std::string(name(dtype))};
      other.made.call = std::move(call);
      other.made.expect = {};
      other.made.gradient.reset();
      if (other_index) other.dtype += fmt::format(", index {}", name(index_dtype));
      return other;
    }
  }
  return {};
}

}  // namespace scatterproof::runner
