// SPDX-License-Identifier: Apache-2.0
// Arguments of one call that share a storage: views of the same memory.
#pragma once

#include <cstddef>
#include <optional>

#include "scatterproof/spec/core/call.hpp"

namespace scatterproof::spec {

/// Whether two tensors with elements have one storage.
bool share_storage(const Tensor& a, const Tensor& b);

/// The first argument before `at` whose tensor shares its storage with that of argument `at`; empty: none does, or
/// that argument is no tensor.
std::optional<std::size_t> shared_with(const Call& call, std::size_t at);

/// Whether two tensors of one storage are one and the same view of it.
bool same_view(const Tensor& a, const Tensor& b);

}  // namespace scatterproof::spec
