// SPDX-License-Identifier: Apache-2.0
// What make_walk() checks before it plans. Deliberately written separately from the reference's checks: the
// tests compare the two.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "scatterproof/engines/native/walk.hpp"

namespace scatterproof::engines::walking {

using spec::Outcome;
using spec::Shape;
using spec::Tensor;

/// Why a call is refused; empty when a check passes.
using Refusal = std::optional<Outcome>;
using Sizes = std::span<const std::int64_t>;

template <class... Args>
Outcome refuse(const char* kind, fmt::format_string<Args...> sentence, Args&&... args) {
  return Outcome{spec::Refused{{kind}, fmt::format(sentence, std::forward<Args>(args)...)}, 0};
}

/// The first position whose index is outside of [0, size), or of [-size, size) where negative ones wrap.
/// `size_at`: the size that applies to the index at a position.
template <class SizeAt>
std::optional<spec::Coords> first_out_of_range(const Tensor& index, bool wrap_negative, SizeAt size_at) {
  if (index.numel() == 0) return {};
  spec::Coords at(index.rank(), 0);
  do {
    const std::int64_t value = index.get(at).integer(), size = size_at(at);
    if (value < (wrap_negative ? -size : 0) || value >= size) return at;
  } while (spec::next(at, index.shape()));
  return {};
}

/// Sizes and strides of an operand; a tensor without dimensions reads as a vector of length 1 where asked.
struct Operand {
  int rank = 0;
  std::int64_t size[spec::max_rank];
  std::int64_t stride[spec::max_rank];

  explicit Operand(const Tensor& tensor, bool at_least_vector = false)
      : rank(static_cast<int>(tensor.rank())) {
    for (int d = 0; d < rank; ++d) {
      size[d] = tensor.shape()[static_cast<std::size_t>(d)];
      stride[d] = tensor.strides()[static_cast<std::size_t>(d)];
    }
    if (rank == 0 && at_least_vector) {
      rank = 1;
      size[0] = stride[0] = 1;
    }
  }
  Operand() = default;
  Sizes sizes() const { return {size, static_cast<std::size_t>(rank)}; }
};

/// The updates, unless they are a scalar or there are none.
inline const Tensor* update_tensor(const KernelCall& call) {
  return call.updates ? std::get_if<Tensor>(&*call.updates) : nullptr;
}

std::string words(Sizes sizes);

Refusal check_dtypes(const KernelCall& call);
Refusal check_axis(std::int64_t axis, int rank);
/// `what`: the start of the refusal's sentence, "data has".
Refusal check_has_dimensions(const char* what, const Tensor& tensor);
/// Updates against the positions they are for: the same sizes, or stretchable to them.
Refusal check_updates(Sizes have, Sizes want, bool broadcast);
/// The result's shape: not too many dimensions or elements.
Refusal check_result(Sizes shape);

/// Elementwise operations: checks the index's sizes against data's off the axis, and the updates' against the
/// positions.
Refusal check_elements_sizes(const KernelCall& call, const Operand& data, const Operand& index, int axis);
Refusal check_elements_updates(const KernelCall& call, const Operand& updates, Sizes space);
/// gather_nd: sizes of index and data agree in the dimensions that both share.
Refusal check_batch(const KernelCall& call, const Operand& table, const Operand& index);

}  // namespace scatterproof::engines::walking
